"""The context in which the agent decides on a message: its identity, its settings, and the earlier messages."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from typing import Self

from shared.deciding.access_policy import OPEN, AccessPolicy
from shared.deciding.names import fold, forms_of
from shared.values.chat_key import ChatKind
from shared.values.message import Message


@dataclass(frozen=True)
class OwnIdentity:
    """The agent's bot id and username, its names and aliases, and its commands without `/`."""

    bot_id: int
    username: str
    names: tuple[str, ...] = ()
    commands: frozenset[str] = frozenset()

    @property
    def all_names(self) -> tuple[str, ...]:
        """All names by which people call the agent, in every grammatical case."""
        return tuple(form for name in (*self.names, self.username) for form in forms_of(fold(name)))


@dataclass(frozen=True, kw_only=True)
class DecisionSettings:
    """Settings for deciding which messages an agent answers in groups."""

    #: a conversation ends when nobody, the agent included, has written for this long
    active: timedelta = timedelta(seconds=120)
    #: a message within this time after the agent's last message may be a follow-up
    follow_up: timedelta = timedelta(seconds=60)
    #: whether a model judges unclear messages
    asks_judge: bool = False
    #: whether a bot that mentions the agent is answered, and then not again until a person has written
    answers_bots: bool = False


@dataclass(frozen=True, kw_only=True)
class DecisionContext:
    """The chat in which a message was written, and the messages before it.

    `earlier` are the chat's newest messages in any order. The rules ignore messages that were not written before the
    message to decide on, so one context can be used for a whole batch.
    """

    kind: ChatKind
    me: OwnIdentity
    decision_settings: DecisionSettings = DecisionSettings()
    is_muted: bool = False
    earlier: Sequence[Message] = ()
    #: who may be answered here
    access: AccessPolicy = OPEN

    def spoken_before(self, message: Message) -> tuple[Message, ...]:
        """Return the messages that were written before `message`, oldest first, without Telegram's service messages."""
        return self._messages_in_order[: bisect_left(self._messages_in_order, _order(message), key=_order)]

    def before(self, message: Message) -> Self:
        """Return this context with only those of the `earlier` messages that were written before `message`."""
        return replace(self, earlier=self.spoken_before(message))

    @cached_property
    def _messages_in_order(self) -> tuple[Message, ...]:
        # sorted once for a whole batch, not once for each of its messages
        return tuple(sorted((m for m in self.earlier if not m.is_service), key=_order))


def _order(message: Message) -> tuple[int, int]:
    # Telegram's times are whole seconds. Its message ids rise within a chat, until the group becomes a supergroup
    return int(message.at.timestamp()), abs(message.message_id)
