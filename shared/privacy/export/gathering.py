"""Writes one part of an export, a zip file of JSON Lines. It begins where the previous part ended."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import IO, TYPE_CHECKING, Any, Final

from shared.base.wording.words import words_in
from shared.privacy.export.sources import SOURCES, ExportFile, ExportLine, ExportRow, ExportSubject
from shared.values.export import ExportPosition
from shared.values.stored_media import StoredPart

if TYPE_CHECKING:
    from shared.cloud.export_bucket import PartWriter
    from shared.media.blobs import StorageBlobs

#: file permissions of an ordinary file
_RIGHTS: Final = 0o644 << 16


class ZipStream:
    """A zip file that is written piece by piece. `take` returns the bytes that have been compressed so far."""

    def __init__(self, at: datetime) -> None:
        """`at` becomes the modification time of the files in the zip file."""
        self._out = _Outlet()
        self._zip = zipfile.ZipFile(self._out, "w", zipfile.ZIP_DEFLATED)
        self._at = at
        self._open: IO[bytes] | None = None

    @property
    def size(self) -> int:
        """The number of bytes of output so far. Some input may still be inside the compressor."""
        return self._out.size

    @property
    def waiting(self) -> int:
        """The number of bytes of output that were not taken yet."""
        return len(self._out.waiting)

    def begin(self, name: str, *, is_compressed: bool = False) -> None:
        """Begin a file in the zip file; the previous one ends. `is_compressed`: the content is already compressed."""
        self._end()
        info = zipfile.ZipInfo(name, self._at.timetuple()[:6])
        info.compress_type = zipfile.ZIP_STORED if is_compressed else zipfile.ZIP_DEFLATED
        info.external_attr = _RIGHTS
        self._open = self._zip.open(info, "w")

    def put(self, content: bytes) -> None:
        """Add content to the current file."""
        assert self._open is not None
        self._open.write(content)

    def close(self) -> None:
        """End the zip file. The rest of the output can be taken afterwards."""
        self._end()
        self._zip.close()

    def take(self) -> bytes:
        """Return the output that was produced since the last call."""
        taken, self._out.waiting = bytes(self._out.waiting), bytearray()
        return taken

    def _end(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


class _Outlet(io.RawIOBase):
    """The object to which zipfile writes. It cannot seek, so the size of each file is written after the file's data."""

    def __init__(self) -> None:
        self.waiting = bytearray()
        self.size = 0

    def write(self, content: Any) -> int:
        self.waiting += content
        self.size += len(content)
        return len(content)


#: Largest number of bytes in a part. Telegram accepts files of 50 MB from bots
#: (core.telegram.org/bots/api#senddocument). The rest in the compressor, the README and the zip file's directory are
#: added to this number. At 2 MB/s a part is sent in 24 s; a call may take 25 s.
LARGEST_PART: Final = 47_000_000
#: A part ends after this time, well before the time limit of the function.
LONGEST_PART: Final = timedelta(seconds=80)
#: number of bytes that are written to the bucket together
PIECE: Final = 1_048_576
#: name of the file that explains the others
README: Final = "README.txt"


@dataclass(frozen=True, kw_only=True)
class PartLimits:
    """Limits at which a part ends, even if there is more data."""

    size: int = LARGEST_PART
    lasting: timedelta = LONGEST_PART


@dataclass(frozen=True, kw_only=True)
class GatheredPart:
    """The size and counts of one part, and the position at which the next part begins; None after the last part."""

    size: int
    counts: Mapping[str, int]
    next_place: ExportPosition | None


@dataclass(kw_only=True)
class PartGatherer:
    subject: ExportSubject
    media: StorageBlobs
    writer: PartWriter
    clock: Callable[[], datetime]
    limits: PartLimits
    #: number of the part, counted from 1, and the language of its README
    number: int
    language: str
    _counts: Counter[str] = field(default_factory=Counter, init=False)
    _zip: ZipStream = field(init=False)
    _began: datetime = field(init=False)
    #: name of the current file
    _name: str = field(default="", init=False)

    async def gather(self, place: ExportPosition) -> GatheredPart:
        """Write one part: as much of the data after the position `place` as fits. May raise any error of the stores."""
        self._began = self.clock()
        self._zip = ZipStream(self._began)
        next_place = await self._rows(place)
        self._zip.begin(README)
        self._zip.put(readme(self.language, self._counts).encode())
        self._zip.close()
        await self._drain(at_least=0)
        return GatheredPart(size=self._zip.size, counts=self._counts, next_place=next_place)

    async def _rows(self, place: ExportPosition) -> ExportPosition | None:
        for number in range(place.source, len(SOURCES)):
            source, cursor = SOURCES[number], place.cursor if number == place.source else ""
            async with aclosing(source.rows(self.subject, cursor)) as rows:
                async for row in rows:
                    if self._is_full(row):
                        return ExportPosition(source=number, cursor=cursor)
                    await self._put(row, source.name)
                    cursor = row.cursor
        return None

    def _is_full(self, row: ExportRow) -> bool:
        """Return whether the part ends before this row. A part has at least one row."""
        if not self._counts:
            return False
        coming = row.part.size if isinstance(row, ExportFile) else 0
        return self._zip.size + coming > self.limits.size or self.clock() - self._began > self.limits.lasting

    async def _put(self, row: ExportRow, source: str) -> None:
        match row:
            case ExportLine(fields=fields):
                self._begin(source)
                self._zip.put(json.dumps(fields, ensure_ascii=False, default=str).encode(errors="replace") + b"\n")
            case ExportFile(name=name, part=part):
                await self._copy(name, part)
        self._counts[source] += 1
        await self._drain(at_least=PIECE)

    def _begin(self, source: str) -> None:
        """Begin the source's file, or continue it. The file's name differs in each part, so that unpacking all parts
        overwrites no file.
        """
        name = f"{source}.jsonl" if self.number == 1 else f"{source}-{self.number}.jsonl"
        if name != self._name:
            self._zip.begin(name)
            self._name = name

    async def _copy(self, name: str, part: StoredPart) -> None:
        """Copy a stored file from the bucket. If it is no longer in the bucket, it is skipped."""
        if not await self.media.exists(part):
            return
        self._name = ""
        self._zip.begin(name, is_compressed=True)
        async for piece in self.media.pieces(part):
            self._zip.put(piece)
            await self._drain(at_least=PIECE)

    async def _drain(self, at_least: int) -> None:
        if self._zip.waiting >= at_least:
            await self.writer.write(self._zip.take())


def readme(language: str, counts: Mapping[str, int]) -> str:
    """Return the README of a part. `counts`: the number of lines or files of each source."""
    words = words_in(language)
    files = [f"{name}: {words.say(f'takeout.of_{name}')} ({number})" for name, number in counts.items() if number]
    return "\n\n".join((words.say("takeout.readme"), "\n".join(files), words.say("takeout.readme_left_out"))) + "\n"
