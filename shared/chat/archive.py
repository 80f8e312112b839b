"""The interface of archives. An archive is a folder, a Google bucket, or a bucket of another cloud."""

from collections.abc import Sequence
from typing import Protocol


class Archive(Protocol):
    """A place for files outside the database. Every method may raise ArchiveUnavailable."""

    @property
    def url(self) -> str:
        """The address that identifies the archive."""

    async def put(self, name: str, content: bytes) -> None:
        """Store a file, replacing one of the same name."""

    async def get(self, name: str) -> bytes:
        """Return the content of a file."""

    async def names(self) -> Sequence[str]:
        """Return the names of all files, sorted."""

    async def erase(self, name: str) -> int:
        """Delete every version of a file and return how many there were."""
