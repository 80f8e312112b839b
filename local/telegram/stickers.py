"""A small built-in sticker set: faces drawn by code as 512 by 512 PNG files with a transparent background."""

import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from local.telegram.files import FileStore, StoredFile
from local.telegram.messages import MessageField

SET_NAME = "Moods_by_lull"
SET_TITLE = "Moods"
SIDE = 512

# The picture's palette: transparent, face, ink, tear, red, white.
_PALETTE = bytes.fromhex("000000 ffd45e 3b2f1e 5db7f5 e5484d ffffff")
_CLEAR, _FACE, _INK, _TEAR, _RED, _WHITE = range(6)
Canvas = list[bytearray]


@dataclass(frozen=True, kw_only=True)
class Ellipse:
    """A filled ellipse: its centre and half axes in pixels. Only the rows from `top` to `bottom` are drawn: -1 is the
    ellipse's upper end, 0 its centre, and 1 its lower end.
    """

    x: int
    y: int
    half_width: int
    half_height: int
    top: float = -1.0
    bottom: float = 1.0


def _fill(canvas: Canvas, shape: Ellipse, colour: int) -> None:
    first = max(0, round(shape.y + shape.top * shape.half_height))
    last = min(SIDE - 1, round(shape.y + shape.bottom * shape.half_height))
    for row in range(first, last + 1):
        share = (row - shape.y) / shape.half_height
        reach = round(shape.half_width * max(0.0, 1 - share * share) ** 0.5)
        left, right = max(0, shape.x - reach), min(SIDE, shape.x + reach)
        canvas[row][left:right] = bytes([colour]) * (right - left)


def _face(canvas: Canvas) -> None:
    _fill(canvas, Ellipse(x=256, y=256, half_width=232, half_height=232), _FACE)


def _eyes(canvas: Canvas, height: int = 34) -> None:
    for x in (176, 336):
        _fill(canvas, Ellipse(x=x, y=206, half_width=24, half_height=height), _INK)


def _mouth(canvas: Canvas, *, up: bool, depth: int = 90) -> None:
    y, share = (300, 0.0) if up else (390, -1.0)
    _fill(canvas, Ellipse(x=256, y=y, half_width=120, half_height=depth, top=share, bottom=share + 1), _INK)
    _fill(canvas, Ellipse(x=256, y=y, half_width=98, half_height=depth - 26, top=share, bottom=share + 1), _FACE)


def _smile(canvas: Canvas) -> None:
    _face(canvas)
    _eyes(canvas)
    _mouth(canvas, up=True)


def _laugh(canvas: Canvas) -> None:
    _face(canvas)
    _eyes(canvas, height=10)
    _fill(canvas, Ellipse(x=256, y=290, half_width=124, half_height=120, top=0.0), _INK)
    for x in (96, 416):
        _fill(canvas, Ellipse(x=x, y=262, half_width=26, half_height=40), _TEAR)


def _sad(canvas: Canvas) -> None:
    _face(canvas)
    _eyes(canvas)
    _mouth(canvas, up=False)
    _fill(canvas, Ellipse(x=176, y=300, half_width=20, half_height=46), _TEAR)


def _asleep(canvas: Canvas) -> None:
    _face(canvas)
    _eyes(canvas, height=6)
    _fill(canvas, Ellipse(x=256, y=350, half_width=34, half_height=40), _INK)


def _surprised_face(canvas: Canvas) -> None:
    _face(canvas)
    _eyes(canvas, height=48)
    _fill(canvas, Ellipse(x=256, y=356, half_width=52, half_height=64), _INK)


def _heart(canvas: Canvas) -> None:
    for x in (176, 336):
        _fill(canvas, Ellipse(x=x, y=190, half_width=112, half_height=112), _RED)
    for row in range(190, 470):
        reach = round(192 * (1 - (row - 190) / 280))
        canvas[row][256 - reach : 256 + reach] = bytes([_RED]) * (2 * reach)
    _fill(canvas, Ellipse(x=150, y=160, half_width=28, half_height=22), _WHITE)


_STICKERS: tuple[tuple[str, Callable[[Canvas], None]], ...] = (
    ("🙂", _smile),
    ("😂", _laugh),
    ("😢", _sad),
    ("😴", _asleep),
    ("😮", _surprised_face),
    ("❤", _heart),
)


def add_sticker_set(files: FileStore) -> tuple[StoredFile, ...]:
    """Add the files of the built-in sticker set, and return its stickers in order."""
    return tuple(_add(files, emoji, picture) for emoji, picture in _pictures())


@cache
def _pictures() -> tuple[tuple[str, bytes], ...]:
    return tuple((emoji, _draw(draw)) for emoji, draw in _STICKERS)


def _draw(draw: Callable[[Canvas], None]) -> bytes:
    canvas = [bytearray(SIDE) for _ in range(SIDE)]
    draw(canvas)
    return _png(canvas)


def _add(files: FileStore, emoji: str, content: bytes) -> StoredFile:
    drawn = StoredFile(
        unique_id="",
        kind=MessageField.STICKER,
        size=len(content),
        name="sticker.png",
        mime_type="image/png",
        width=SIDE,
        height=SIDE,
        emoji=emoji,
        set_name=SET_NAME,
    )
    return files.add(drawn, content)


def _png(canvas: Canvas) -> bytes:
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 3, 0, 0, 0)
    rows = b"".join(b"\x00" + bytes(row) for row in canvas)
    chunks = (
        (b"IHDR", head),
        (b"PLTE", _PALETTE),
        (b"tRNS", b"\x00"),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in chunks)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
