"""A zip file that is made piece by piece, without ever being held whole."""

import io
import zipfile
from datetime import datetime
from typing import IO, Any, Final

#: the rights of a plain file
_RIGHTS: Final = 0o644 << 16


class ZipStream:
    """A zip file in the making: what is put in comes out by `take`, compressed, as soon as there is some of it."""

    def __init__(self, at: datetime) -> None:
        """`at` is when its files say that they were made."""
        self._out = _Outlet()
        self._zip = zipfile.ZipFile(self._out, "w", zipfile.ZIP_DEFLATED)
        self._at = at
        self._open: IO[bytes] | None = None

    @property
    def size(self) -> int:
        """How many bytes have come out so far; a little of what was put in is still inside."""
        return self._out.size

    @property
    def waiting(self) -> int:
        """How many bytes have come out and were not taken yet."""
        return len(self._out.waiting)

    def begin(self, name: str, *, is_compressed: bool = False) -> None:
        """Begin a file, which ends the one before. `is_compressed`: whether its content is already."""
        self._end()
        info = zipfile.ZipInfo(name, self._at.timetuple()[:6])
        info.compress_type = zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED
        info.external_attr = _RIGHTS
        self._open = self._zip.open(info, "w")

    def put(self, content: bytes) -> None:
        """Add to the file that was begun."""
        assert self._open is not None
        self._open.write(content)

    def close(self) -> None:
        """End the zip file: what comes out after this is the rest of it."""
        self._end()
        self._zip.close()

    def take(self) -> bytes:
        """What has come out since the last time."""
        taken, self._out.waiting = bytes(self._out.waiting), bytearray()
        return taken

    def _end(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class _Outlet(io.RawIOBase):
    """The file that zipfile writes to; since it has no positions, sizes stand behind what they are of."""

    def __init__(self) -> None:
        self.waiting = bytearray()
        self.size = 0

    def write(self, content: Any) -> int:
        self.waiting += content
        self.size += len(content)
        return len(content)
