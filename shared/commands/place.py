"""What the answer to a command depends on, and what it does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from shared.models.channel import Button
from shared.models.chat import Chat
from shared.models.message import Author
from shared.models.registration import Claim


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where and when a command was written, and by whom."""

    #: the agent's name
    agent: str
    chat: Chat
    person: Author
    #: of the person's app, as an IETF tag; empty: not known
    language: str = ""
    now: datetime
    #: the agent's, in which it tells times
    zone: tzinfo = UTC
    #: the models that may be chosen; the first one is used until somebody chooses
    models: tuple[str, ...]
    #: whether something is planned, or waits to be answered
    is_busy: bool = False
    #: of /claim and /whoami: whether who wrote it owns the agent; none: it was not looked at, or there is no owner
    claim: Claim | None = None

    @property
    def model(self) -> str:
        """The model that the conversation uses; one that is not offered any more is not used either."""
        return self.chat.model if self.chat.model in self.models else self.models[0]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What lull does about a command. All texts are markdown, but for a notice."""

    #: the message; of a press, what the message with the button says from now on, where empty leaves it as it is
    text: str = ""
    buttons: tuple[Button, ...] = ()
    #: what who pressed a button is shown for a moment, at most 200 characters
    notice: str = ""
    #: new values of the chat's fields
    changes: Mapping[str, object] = field(default_factory=dict)
