"""Where archives are: a folder, a bucket of Google's, or of another cloud."""

from collections.abc import Sequence
from typing import Protocol


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
