"""The ports: what the flows need of the world. Small, and each served by one adapter in `shared/adapters`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # the webhook starts without the models of plans and prompts
    from shared.models.channel import BotIdentity, Button, FormattedText, Recipient, Sent
    from shared.models.chat import Chat, ChatKey, Lease
    from shared.models.incident import Incident, IncidentKind
    from shared.models.message import AnyEntry
    from shared.models.plan import Plan
    from shared.models.prompt import ModelReply, Prompt
    from shared.models.registration import Menu, MenuScope, Webhook, WebhookState
    from shared.models.transcript import Transcript
    from shared.models.update import InboxUpdate
    from shared.models.wake import Wake


class Inbox(Protocol):
    """What the webhook needs of Firestore."""

    async def add(self, update: InboxUpdate) -> bool:
        """Store an update; false when it was there already. Raises StoreUnavailable."""

    async def chat(self, key: ChatKey) -> Chat:
        """The chat's document; a new chat's, of generation 0, when there is none. Raises StoreUnavailable."""

    async def add_incident(self, incident: Incident) -> None:
        """Keep an incident; one of the same id is kept once. Raises StoreUnavailable."""


class TickQueue(Protocol):
    """What enqueues ticks."""

    async def enqueue(self, wake: Wake) -> None:
        """Have a tick run; a wake of the same name in the last hour is enough. Raises QueueUnavailable."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A chat's document as it was read or written: with the version that a write of it must still find."""

    chat: Chat
    #: Firestore's update time; none when there is no document yet
    version: object | None


@dataclass(frozen=True, kw_only=True)
class Left:
    """A conversation that a chat leaves: the chat as it was, what is still appended, when the last of it was said."""

    chat: Chat
    entries: tuple[AnyEntry, ...]
    newest_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Change:
    """What one commit of a tick writes; all of it or nothing, and only while the lease is this tick's."""

    chat: Chat
    #: update ids to be marked as read
    read: tuple[int, ...] = ()
    #: appended to the transcript, their numbers given already
    entries: tuple[AnyEntry, ...] = ()
    #: what the window holds from now on; none leaves it as it is
    window: tuple[AnyEntry, ...] | None = None
    plan: Plan | None = None
    #: whether the conversation's own document is brought up to date
    conversation: bool = False
    left: tuple[Left, ...] = ()
    incidents: tuple[Incident, ...] = field(default=())
    #: a plan that another took the place of; kept for whoever asks what became of it
    past: tuple[Plan, ...] = field(default=())
    #: the document of the chat's new id, when it moves there with its conversation and its plan
    moved: Seen | None = None


class ChatStore(Protocol):
    """What a tick needs of Firestore. Everything raises StoreUnavailable when Firestore does not answer."""

    async def see(self, key: ChatKey) -> Seen:
        """The chat's document."""

    async def newest_update_at(self, key: ChatKey) -> datetime | None:
        """When the newest update of the chat came; none for an empty inbox."""

    async def claim(self, seen: Seen, lease: Lease) -> Seen:
        """Take the lease and count the generation up, in one compare-and-set. Raises Contended."""

    async def unread(self, key: ChatKey, limit: int) -> Sequence[InboxUpdate]:
        """The oldest unread updates, in the order of their ids."""

    async def unread_count(self, key: ChatKey) -> int:
        """How many updates are unread; one read, however many."""

    async def commit(self, held: Seen, change: Change) -> Seen:
        """Write a change under the lease; all of it or nothing. Raises LeaseLost or StopAsked."""

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        """The newest entries of the chat's conversation, oldest first; rebuilt from the transcript if it is behind."""

    async def plan(self, key: ChatKey) -> Plan | None:
        """The chat's standing or last plan."""

    async def is_unread(self, key: ChatKey, update_id: int) -> bool:
        """Whether one update is stored and not yet read."""

    async def forward(self, update: InboxUpdate, to: ChatKey) -> None:
        """Have another chat read an update of this one: it is stored there, once, and marked as read here."""


class Model(Protocol):
    """What plans: one call of a language model."""

    async def generate(
        self, prompt: Prompt, schema: Mapping[str, object] | None, on_text: Callable[[str], None] | None = None
    ) -> ModelReply:
        """The reply, held to a JSON schema if one is given. Raises ModelUnavailable or ModelRefused.

        `on_text` is told all that is written so far, each time there is more of it; it must neither wait nor raise.
        """


class FloodStore(Protocol):
    """Where it is kept which chats of a bot were told to wait. Raises StoreUnavailable."""

    async def waits(self, agent: str) -> Mapping[int, datetime]:
        """Chat id → the end of its wait; those that are over may be among them."""

    async def note_wait(self, agent: str, chat_id: int, until: datetime, over: Sequence[int]) -> None:
        """Keep one wait, and forget those of other chats that are over."""


class Channel(Protocol):
    """What an agent can do in Telegram. Every call raises a ChannelError."""

    @property
    def bot_id(self) -> int:
        """The bot's id; no call."""

    async def identity(self) -> BotIdentity:
        """What Telegram says of the bot."""

    async def send_text(
        self, to: Recipient, part: FormattedText, reply_to: int | None, buttons: Sequence[Button] = ()
    ) -> Sent:
        """Write a message, with buttons below it, one in a row."""

    async def rewrite(self, to: Recipient, message_id: int, part: FormattedText, buttons: Sequence[Button]) -> None:
        """Write a message of the agent's anew."""

    async def answer_press(self, query_id: str, text: str) -> None:
        """Show that the press of a button was seen, with a few words for who pressed, if there are any."""

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        """Whether somebody administers a group."""

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        """Put an emoji on a message."""

    async def draft(self, to: Recipient, draft_id: int, part: FormattedText) -> None:
        """Show a message that is still being written, in a private chat; drafts of the same id follow each other."""

    async def typing(self, to: Recipient) -> bool:
        """Show that the agent is writing; whether it was taken. A failure does no harm and is not told."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A place in an order of documents: the moment that orders them, and the path of the one that stands there."""

    at: datetime
    path: str


@dataclass(frozen=True, kw_only=True)
class LeftOver:
    """A document that no tick came for: the id of its chat's document, and where it stands among its like."""

    chat: str
    mark: Mark


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Which left-overs are asked for: those from before a moment, beyond a mark, the oldest first, so many at most."""

    before: datetime
    beyond: Mark | None
    limit: int


class LeftOvers(Protocol):
    """What the sweep needs of Firestore. Everything raises StoreUnavailable when Firestore does not answer."""

    async def unread(self, stretch: Stretch) -> Sequence[LeftOver]:
        """Updates that no tick has read, by when they were received."""

    async def overdue(self, stretch: Stretch) -> Sequence[LeftOver]:
        """Chats with a plan that was to go on, by when it was."""

    async def marks(self) -> Mapping[str, Mark]:
        """How far the last sweep came with each kind of left-over that it did not get through."""

    async def keep_marks(self, marks: Mapping[str, Mark]) -> None:
        """Replace the marks."""


@dataclass(frozen=True, kw_only=True)
class SeenIncident:
    """An incident as it was read: with the version that a write of it must still find."""

    incident: Incident
    version: object


class Incidents(Protocol):
    """What replaying needs of Firestore. Everything raises StoreUnavailable when Firestore does not answer."""

    async def newest(self, kind: IncidentKind | None, limit: int, *, also_replayed: bool) -> Sequence[Incident]:
        """The newest incidents of one kind or of all, newest first."""

    async def find(self, incident_id: str) -> SeenIncident | None:
        """The incident of that id."""

    async def note_replay(self, seen: SeenIncident, at: datetime) -> None:
        """Write down when it was replayed. Raises Contended when somebody else has."""

    async def put_back(self, seen: SeenIncident, update: InboxUpdate, at: datetime) -> None:
        """Make the update one that no tick has read, and note the replay: both or neither. Raises Contended."""


class Transcripts(Protocol):
    """What archiving needs of Firestore. Everything raises StoreUnavailable when Firestore does not answer."""

    async def changed(self, stretch: Stretch) -> Sequence[Mark]:
        """The conversations that were written to, by when they last were; each path is `conversations/{conv}`."""

    async def read(self, conversation: str) -> Transcript | None:
        """All that is kept of a conversation; none if there is no such. Raises TranscriptUnreadable."""

    async def mark(self, archive: str) -> Mark | None:
        """How far an archive has what changed."""

    async def keep_mark(self, archive: str, mark: Mark) -> None:
        """Replace an archive's mark."""


class Restoring(Protocol):
    """What restoring needs of Firestore. Nothing that is there is ever written over. Raises StoreUnavailable."""

    async def is_empty(self) -> bool:
        """Whether there is neither a chat nor a conversation."""

    async def add(self, transcript: Transcript) -> bool:
        """Store a conversation with its entries; false when there is one of that id. It may be repeated."""

    async def add_chat(self, chat: Chat) -> bool:
        """Store a chat; false when there is one."""


class Archive(Protocol):
    """A place for files outside the database. Everything raises ArchiveUnavailable."""

    @property
    def url(self) -> str:
        """What names it."""

    async def put(self, name: str, content: bytes) -> None:
        """Store a file, in the place of one of that name."""

    async def get(self, name: str) -> bytes:
        """What a file holds."""

    async def names(self) -> Sequence[str]:
        """The names of all files, in order."""


class BotAccount(Channel, Protocol):
    """A bot as its owner sees it: what Telegram is told about it. Every call raises a ChannelError."""

    async def webhook(self) -> WebhookState:
        """Where its updates go, and how that went."""

    async def set_webhook(self, webhook: Webhook) -> None:
        """Have its updates sent there."""

    async def remove_webhook(self) -> None:
        """Have its updates sent nowhere."""

    async def menu(self, scope: MenuScope, language: str) -> Menu:
        """The commands that are shown in exactly this scope and language."""

    async def set_menu(self, menu: Menu) -> None:
        """Show these commands in that scope and language."""
