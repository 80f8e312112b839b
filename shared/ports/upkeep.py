"""The ports of what is scheduled, and of whoever runs lull: sweep, incidents, archive, restore."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.models.chat import Chat
    from shared.models.incident import Incident, IncidentKind
    from shared.models.transcript import StoredDocument, Transcript
    from shared.models.update import InboxUpdate


@dataclass(frozen=True, kw_only=True)
class Cursor:
    """A place in an order of documents: the moment that orders them, and the path of the document there."""

    at: datetime
    path: str


@dataclass(frozen=True, kw_only=True)
class LeftOver:
    """A document that no tick came for: the id of its chat's document, and where it stands among its like."""

    chat: str
    cursor: Cursor


@dataclass(frozen=True, kw_only=True)
class PageQuery:
    """Which documents are asked for: from before a moment, beyond a cursor, the oldest first, so many at most."""

    before: datetime
    beyond: Cursor | None
    limit: int


class LeftOvers(Protocol):
    """What the sweep needs of Firestore. Everything raises StoreUnavailable or StoreRefused."""

    async def unread(self, wanted: PageQuery) -> Sequence[LeftOver]:
        """Updates that no tick has read, by when they were received."""

    async def overdue(self, wanted: PageQuery) -> Sequence[LeftOver]:
        """Chats with a plan that was to go on, by when it was."""

    async def reminders(self, wanted: PageQuery) -> Sequence[LeftOver]:
        """Reminders whose time has come, by when it did."""

    async def has_files(self, now: datetime) -> bool:
        """Whether a file that somebody sent was to be looked after before now."""

    async def has_rest(self, now: datetime, model: str) -> bool:
        """Whether a conversation was to be worked on before now, or another model made its vectors than this one."""

    async def erasures(self, now: datetime) -> Sequence[str]:
        """The ids of erasures that were to go on before now."""

    async def has_takeouts(self, now: datetime) -> bool:
        """Whether something that somebody asked for by /export was to be looked after before now."""

    async def cursors(self) -> Mapping[str, Cursor]:
        """How far the last sweep came with each kind of left-over that it did not get through."""

    async def keep_cursors(self, cursors: Mapping[str, Cursor]) -> None:
        """Replace the cursors."""


@dataclass(frozen=True, kw_only=True)
class IncidentSnapshot:
    """An incident as it was read: with the version that a write of it must still find."""

    incident: Incident
    version: object


class Incidents(Protocol):
    """What replaying needs of Firestore. Everything raises StoreUnavailable when Firestore does not answer."""

    async def newest(self, kind: IncidentKind | None, limit: int, *, also_replayed: bool) -> Sequence[Incident]:
        """The newest incidents of one kind or of all, newest first."""

    async def find(self, incident_id: str) -> IncidentSnapshot | None:
        """The incident of that id."""

    async def note_replay(self, seen: IncidentSnapshot, at: datetime) -> None:
        """Write down when it was replayed. Raises Contended when somebody else has."""

    async def put_back(self, seen: IncidentSnapshot, update: InboxUpdate, at: datetime) -> None:
        """Make the update one that no tick has read, and note the replay, in one. Raises Contended or StoreRefused."""


class Transcripts(Protocol):
    """What archiving needs of Firestore. Everything raises StoreUnavailable or StoreRefused."""

    async def changed(self, wanted: PageQuery) -> Sequence[Cursor]:
        """The conversations that were written to, by when they last were; each path is `conversations/{conv}`."""

    async def read(self, conversation: str) -> Transcript | None:
        """All that is kept of a conversation; none if there is no such. Raises TranscriptUnreadable."""

    async def cursor(self, archive: str) -> Cursor | None:
        """How far an archive has what changed."""

    async def keep_cursor(self, archive: str, cursor: Cursor) -> None:
        """Replace an archive's cursor."""


class Restoring(Protocol):
    """What restoring needs of Firestore. Nothing is ever written over. Raises StoreUnavailable or StoreRefused."""

    async def is_empty(self) -> bool:
        """Whether there is neither a chat nor a conversation."""

    async def add(self, transcript: Transcript) -> bool:
        """Store a conversation with its entries; false when there is one of that id. It may be repeated."""

    async def add_chat(self, chat: Chat) -> bool:
        """Store a chat; false when there is one."""


class Documents(Protocol):
    """The documents as they are stored, whatever they are of. Everything raises StoreUnavailable or StoreRefused."""

    def of(self, collections: Sequence[str]) -> AsyncIterator[StoredDocument]:
        """Yield every document of these collections, each by the names on the way to it: `people/memories`."""

    async def add(self, document: StoredDocument) -> bool:
        """Store a document where there is none; false if there is one."""

    async def complete(self, document: StoredDocument) -> bool:
        """Store a document, or the fields of it that are not there yet; false if all are. Raises Contended."""


class Putting(Protocol):
    """A place to which files are stored."""

    async def put(self, name: str, content: bytes) -> None:
        """Store a file, in the place of one of that name. Raises ArchiveUnavailable."""


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
