"""Access requests: a stranger or a group waits until the owner permits the agent to answer them.

Also the updates that report the owner's decision to the waiting chat.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.decision import DecisionTier
from shared.values.evolve import FrozenModel
from shared.values.message import AnyEntry, Edit, Event, Message, Reaction
from shared.values.reminder import reminder_id
from shared.values.trust import Name
from shared.values.update import Envelope, InboxUpdate, own_update_id

#: the kind of lull's own updates about an admitted chat; Telegram has no such kind
ADMITTED: Final = "admitted"
#: the kind of lull's own updates about a chat where the owner ended the agent's silence
WOKEN: Final = "woken"
#: characters of a person's first message that a request keeps; the person's own chat has the whole message
LONGEST_WORDS: Final = 300
#: the time after which the owner may be asked about the same stranger again
ASKED_AGAIN: Final = timedelta(days=30)


class RequestState(StrEnum):
    """The state of a request: waiting, or the owner's decision."""

    WAITING = "waiting"
    LET_IN = "let in"
    #: the waiting messages are answered, but no later ones
    ONCE = "once"
    BLOCKED = "blocked"
    #: of a group: the agent left it
    LEFT = "left"


class AccessRequest(FrozenModel):
    """A request: who waits, where, and since when.

    For each agent, only the newest request of a person or group is kept.
    """

    id: str
    agent: str
    #: the id of the waiting chat's document
    chat: str
    #: a group's title; "" for a private chat
    title: Name = ""
    #: the person who asks; for a group, the one who added the agent or wrote there first
    person: int
    name: Name = ""
    username: str = ""
    #: the beginning of what the person wrote
    words: str = ""
    at: datetime
    state: RequestState = RequestState.WAITING
    decided_at: datetime | None = None

    @property
    def key(self) -> ChatKey:
        """The key of the waiting chat."""
        return ChatKey.from_id(self.chat)

    @property
    def is_group(self) -> bool:
        """True if a group waits, False if a person does."""
        return not self.key.is_of_one


def request_id(key: ChatKey) -> str:
    """Return the id of a chat's access request. All topics of a group share it; direct messages have one per topic."""
    return reminder_id("access", key.agent, f"{key.chat_id}{key.topic_id if key.is_direct else ''}")


def is_let_in_once(update: InboxUpdate) -> bool:
    """Return whether the update reports that the owner permits answers only to the messages that are waiting now."""
    said = update.raw.get(ADMITTED) if update.envelope.kind == ADMITTED else None
    return isinstance(said, dict) and said.get("state") == RequestState.ONCE.value


def admission(request: AccessRequest) -> InboxUpdate:
    """Return the update that lets ticks answer the chat's waiting messages.

    Each decision of the owner has its own update id.
    """
    assert request.decided_at is not None
    told = {"state": request.state.value}
    return _update(ADMITTED, request.key, told, request.decided_at, name=request.id)


def awakening(key: ChatKey, at: datetime) -> InboxUpdate:
    """Return the update that unmutes a chat. Each request of the owner to unmute it has its own update id."""
    return _update(WOKEN, key, {}, at, name=f"{WOKEN} {key.id}")


def _update(kind: str, key: ChatKey, told: dict[str, str], at: datetime, *, name: str) -> InboxUpdate:
    update_id = own_update_id(f"{name}@{at.isoformat()}")
    # NONE, since the kind of chat is in the chat's document
    return InboxUpdate.own(Envelope(update_id=update_id, kind=kind, key=key, chat_kind=ChatKind.NONE), told, at)


def visible_entries(entries: Sequence[AnyEntry]) -> tuple[AnyEntry, ...]:
    """Return the entries that a model may see: all except refused messages, their edits, and reactions to them.

    Refused messages from before the chat was admitted are included, since they were answered at the admission.
    """
    let_in = max((e.seq for e in entries if isinstance(e, Event) and e.kind == ADMITTED), default=0)
    unheard = [e for e in entries if isinstance(e, Message | Edit) and _is_refused(e) and e.seq > let_in]
    gone = {e.message_id for e in unheard if isinstance(e, Message)}
    numbers = {e.seq for e in unheard}
    rest = (e for e in entries if e.seq not in numbers)
    return tuple(e for e in rest if not (isinstance(e, Edit | Reaction) and e.message_id in gone))


def _is_refused(said: Message | Edit) -> bool:
    return said.decision is not None and said.decision.tier is DecisionTier.ACCESS
