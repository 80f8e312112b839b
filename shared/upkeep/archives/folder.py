"""An archive in a folder of this machine."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from shared.base.errors import ArchiveUnavailable


class FolderArchive:
    """A folder, made when something is put into it. A file is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        """Nothing is looked at yet."""
        self.folder = folder

    @property
    def url(self) -> str:
        """Its path."""
        return str(self.folder)

    async def put(self, name: str, content: bytes) -> None:
        """Store a file, in the place of one of that name."""
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
        """What a file holds."""
        try:
            return await asyncio.to_thread((self.folder / name).read_bytes)
        except OSError as cause:
            raise ArchiveUnavailable(f"{self.folder / name} cannot be read: {cause.strerror}") from cause

    async def erase(self, name: str) -> int:
        """Delete a file; how many there were of it."""
        try:
            await asyncio.to_thread((self.folder / name).unlink)
        except FileNotFoundError:
            return 0
        except OSError as cause:
            raise ArchiveUnavailable(f"{self.folder / name} cannot be deleted: {cause.strerror}") from cause
        return 1

    async def names(self) -> Sequence[str]:
        """The names of all files, in order."""
        if not await asyncio.to_thread(self.folder.is_dir):
            raise ArchiveUnavailable(f"there is no folder {self.folder}")
        return await asyncio.to_thread(self._names)

    def _names(self) -> list[str]:
        files = (file.relative_to(self.folder) for file in self.folder.rglob("*") if file.is_file())
        return sorted(file.as_posix() for file in files if not file.name.startswith("."))
