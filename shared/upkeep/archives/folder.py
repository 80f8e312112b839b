"""An archive in a folder of this machine."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from shared.base.errors import ArchiveUnavailable


class FolderArchive:
    """An archive in a local folder, which is created with the first file. A file is written completely or not at all.
    Methods may raise ArchiveUnavailable.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def url(self) -> str:
        """The path of the folder."""
        return str(self.folder)

    async def put(self, name: str, content: bytes) -> None:
        """Store a file. A file of the same name is replaced."""
        await asyncio.to_thread(self._put, self.folder / name, content)

    def _put(self, file: Path, content: bytes) -> None:
        begun = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            begun.write_bytes(content)
            begun.replace(file)
        except OSError as cause:
            with suppress(OSError):
                begun.unlink()
            raise ArchiveUnavailable(f"{file} cannot be written: {cause.strerror}") from cause

    async def get(self, name: str) -> bytes:
        """Return the content of a file. Raises ArchiveUnavailable, also if there is no such file."""
        try:
            return await asyncio.to_thread((self.folder / name).read_bytes)
        except OSError as cause:
            raise ArchiveUnavailable(f"{self.folder / name} cannot be read: {cause.strerror}") from cause

    async def erase(self, name: str) -> int:
        """Delete a file. Return 1, or 0 if there was no such file."""
        try:
            await asyncio.to_thread((self.folder / name).unlink)
        except FileNotFoundError:
            return 0
        except OSError as cause:
            raise ArchiveUnavailable(f"{self.folder / name} cannot be deleted: {cause.strerror}") from cause
        return 1

    async def names(self) -> Sequence[str]:
        """Return the names of all files, sorted."""
        if not await asyncio.to_thread(self.folder.is_dir):
            raise ArchiveUnavailable(f"there is no folder {self.folder}")
        return await asyncio.to_thread(self._names)

    def _names(self) -> list[str]:
        files = (file.relative_to(self.folder) for file in self.folder.rglob("*") if file.is_file())
        return sorted(file.as_posix() for file in files if not file.name.startswith("."))
