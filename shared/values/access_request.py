"""An access request: that a stranger, or a group, waits for the owner to let them in; and how a chat is told so."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.decision import DecisionTier
from shared.values.message import AnyEntry, Edit, Event, Message, Reaction
from shared.values.reminder import reminder_id
from shared.values.trust import Name
from shared.values.update import Envelope, InboxUpdate, own_update_id

#: the kind of the updates with which lull itself says in a chat that it was let in; Telegram has none of this name
ADMITTED: Final = "admitted"
#: and of those that say that the owner has ended the agent's silence there
WOKEN: Final = "woken"
#: of what somebody wrote first so many characters are kept with the request; all of it is in their own chat
LONGEST_WORDS: Final = 300
#: after so long the owner may be asked about the same stranger again
ASKED_AGAIN: Final = timedelta(days=30)


class RequestState(StrEnum):
    """What the owner decided."""

    WAITING = "waiting"
    LET_IN = "let in"
    #: what waited is answered, and nothing after it
    ONCE = "once"
    BLOCKED = "blocked"
    #: of a group: the agent left it
    LEFT = "left"


class AccessRequest(BaseModel):
    """Who waits, where, and since when. The newest of a person or of a group, with one agent, is kept."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    agent: str
    #: the id of the document of the chat that waits
    chat: str
    #: of a group, its title; empty: it is a person's private chat
    title: Name = ""
    #: who asks; of a group, who added the agent, or wrote there first
    person: int
    name: Name = ""
    username: str = ""
    #: the beginning of what they wrote
    words: str = ""
    at: datetime
    state: RequestState = RequestState.WAITING
    decided_at: datetime | None = None

    @property
    def key(self) -> ChatKey:
        """The key of the chat that waits."""
        return ChatKey.from_id(self.chat)

    @property
    def is_group(self) -> bool:
        """Whether a group waits."""
        return not self.key.is_of_one


def request_id(key: ChatKey) -> str:
    """The id of the request of a private chat, of a group with all its topics, or of a topic of direct messages."""
    return reminder_id("access", key.agent, f"{key.chat_id}{key.topic_id if key.is_direct else ''}")


def is_let_in_once(update: InboxUpdate) -> bool:
    """Whether it tells that the owner has what waits answered, and nothing after it."""
    said = update.raw.get(ADMITTED) if update.envelope.kind == ADMITTED else None
    return isinstance(said, dict) and said.get("state") == RequestState.ONCE.value


def admission(request: AccessRequest) -> InboxUpdate:
    """The update that has the chat's ticks answer what waits there; one for each decision."""
    assert request.decided_at is not None
    told = {"state": request.state.value}
    return _update(ADMITTED, request.key, told, request.decided_at, name=request.id)


def awakening(key: ChatKey, at: datetime) -> InboxUpdate:
    """The update that has a chat's ticks answer again; one for each moment at which the owner wants that."""
    return _update(WOKEN, key, {}, at, name=f"{WOKEN} {key.id}")


def _update(kind: str, key: ChatKey, told: dict[str, str], at: datetime, *, name: str) -> InboxUpdate:
    update_id = own_update_id(f"{name}@{at.isoformat()}")
    # of what kind the chat is, it knows itself
    return InboxUpdate.own(Envelope(update_id=update_id, kind=kind, key=key, chat_kind=ChatKind.NONE), told, at)


def heard(entries: Sequence[AnyEntry]) -> tuple[AnyEntry, ...]:
    """The entries of which a model may be sent something: without refused messages, their edits and reactions to them.

    What was written before the owner let somebody in is heard: it was answered then.
    """
    let_in = max((e.seq for e in entries if isinstance(e, Event) and e.kind == ADMITTED), default=0)
    unheard = [e for e in entries if isinstance(e, Message | Edit) and _is_refused(e) and e.seq > let_in]
    gone = {e.message_id for e in unheard if isinstance(e, Message)}
    numbers = {e.seq for e in unheard}
    rest = (e for e in entries if e.seq not in numbers)
    return tuple(e for e in rest if not (isinstance(e, Edit | Reaction) and e.message_id in gone))


def _is_refused(said: Message | Edit) -> bool:
    return said.decision is not None and said.decision.tier is DecisionTier.ACCESS
