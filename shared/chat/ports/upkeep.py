"""Archives, and the values of what is scheduled and of whoever runs lull: sweep, incidents, archive, restore."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from shared.values.incident import Incident


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


@dataclass(frozen=True, kw_only=True)
class IncidentSnapshot:
    """An incident as it was read: with the version that a write of it must still find."""

    incident: Incident
    version: object


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

    async def erase(self, name: str) -> int:
        """Delete every version of a file; how many there were."""
