"""A zip file that is made piece by piece, without ever being held whole."""

import io
import zipfile
from datetime import datetime
from typing import Final

#: one file in it reads as of this kind of system, with rights of a plain file
_RIGHTS: Final = 0o644 << 16


class ZipStream:
    """A zip file in the making: what is put in comes out by `take`, compressed, as soon as there is some of it."""

    def __init__(self, at: datetime) -> None:
        """`at` is when its files say that they were made."""
        self._out = _Drain()
        self._zip = zipfile.ZipFile(self._out, "w", zipfile.ZIP_DEFLATED)
        self._at = at
        self._open: io.RawIOBase | None = None

    @property
    def size(self) -> int:
        """How many bytes have come out so far; a little of what was put in is still inside."""
        return self._out.tell()

    @property
    def waiting(self) -> int:
        """How many bytes have come out and were not taken yet."""
        return self._out.waiting

    def begin(self, name: str, *, is_compressed: bool = False) -> None:
        """Begin a file, which ends the one before. `is_compressed`: whether its content is already."""
        self.end()
        info = zipfile.ZipInfo(name, self._at.timetuple()[:6])
        info.compress_type = zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED
        info.external_attr = _RIGHTS
        self._open = self._zip.open(info, "w")  # type: ignore[assignment]  # it has what is used of it

    def put(self, content: bytes) -> None:
        """Add to the file that was begun."""
        assert self._open is not None
        self._open.write(content)

    def end(self) -> None:
        """End the file that was begun, if one was."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def close(self) -> None:
        """End the zip file: what comes out after this is the rest of it."""
        self.end()
        self._zip.close()

    def take(self) -> bytes:
        """What has come out since the last time."""
        return self._out.take()


class _Drain(io.RawIOBase):
    """What a zip file is written to: it cannot go back in it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._written = 0

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        piece = bytes(content)  # type: ignore[call-overload]  # whatever zipfile writes
        self._pieces.append(piece)
        self._written += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._written

    @property
    def waiting(self) -> int:
        """How many bytes were not taken yet."""
        return sum(map(len, self._pieces))

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
