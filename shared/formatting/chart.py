"""A small chart as a picture: bars for the days of a month, with digits alone, so that everybody can read it.

It is a PNG of a few colours (libpng.org/pub/png/spec), drawn here: a library for pictures takes longer to import than
most messages take to be answered.
"""

import struct
import zlib
from collections.abc import Sequence
from typing import Final

WIDTH: Final = 800
HEIGHT: Final = 400
#: pixels beside the bars: for their scale, and for the days
_LEFT, _RIGHT, _TOP, _BOTTOM = 130, 24, 36, 56
#: pixels for each dot of a digit
_DOT: Final = 3
_PAPER, _LINE, _BAR, _LAST, _INK = range(5)
_COLOURS: Final = bytes.fromhex("ffffff dfe3e8 6aa9e9 1f6fc4 4a5560")
#: the least that a scale ends with: below it its numbers would have no room, or be halves
_LEAST_MONEY, _LEAST_COUNT = 0.01, 2
#: each row of dots as a number, the highest bit on the left: five dots wide, seven high
_SIGNS: Final = {
    "0": "0e 11 13 15 19 11 0e",
    "1": "04 0c 04 04 04 04 0e",
    "2": "0e 11 01 02 04 08 1f",
    "3": "1f 02 04 02 01 11 0e",
    "4": "02 06 0a 12 1f 02 02",
    "5": "1f 10 1e 01 01 11 0e",
    "6": "06 08 10 1e 11 11 0e",
    "7": "1f 01 02 04 08 08 08",
    "8": "0e 11 11 0e 11 11 0e",
    "9": "0e 11 11 0f 01 02 0c",
    ".": "00 00 00 00 00 0c 0c",
    "$": "04 0f 14 0e 05 1e 04",
}
_SIGN_WIDTH: Final = 6 * _DOT
_SIGN_HEIGHT: Final = 7 * _DOT


def bar_chart(values: Sequence[float], unit: str = "") -> bytes:
    """A PNG with a bar for each value, at least one, the first of them for day 1; the last is the newest, and darker.

    `unit` stands before the numbers of the scale: `$` or nothing.
    """
    rows = [bytearray([_PAPER]) * WIDTH for _ in range(HEIGHT)]
    top = _round_above(max((*values, _LEAST_MONEY if unit else _LEAST_COUNT)))
    floor, height = HEIGHT - _BOTTOM, HEIGHT - _BOTTOM - _TOP
    for part, label in enumerate(_labels(top, unit)):
        y = floor - height * part // 2
        _fill(rows, (_LEFT, y - 1, WIDTH - _RIGHT, y + 1), _LINE)
        _write(rows, label, max(0, _LEFT - 12 - len(label) * _SIGN_WIDTH), y - _SIGN_HEIGHT // 2)
    step = (WIDTH - _LEFT - _RIGHT) / max(len(values), 7)
    for number, value in enumerate(values):
        left, right = round(_LEFT + step * number), round(_LEFT + step * (number + 1))
        gap = max(1, round(step / 6))
        high = max(2 if value else 0, round(height * value / top))
        colour = _LAST if number == len(values) - 1 else _BAR
        _fill(rows, (left + gap, floor - high, right - gap, floor), colour)
        if number == len(values) - 1 or (_is_labelled(number + 1) and len(values) - 1 - number > 2):
            label = str(number + 1)
            _write(rows, label, (left + right - len(label) * _SIGN_WIDTH) // 2 + 1, floor + 14)
    return _png(rows)


def _labels(top: float, unit: str) -> tuple[str, str, str]:
    """The numbers of the scale, from below: those above 0 with equally many digits behind the point."""
    digits = max(len(f"{one:.6f}".rstrip("0").partition(".")[2]) for one in (top, top / 2))
    if unit and digits:
        digits = max(2, digits)
    return f"{unit}0", f"{unit}{top / 2:.{digits}f}", f"{unit}{top:.{digits}f}"


def _is_labelled(day: int) -> bool:
    return day == 1 or day % 5 == 0


def _round_above(most: float) -> float:
    """A round number that no value is above: 1, 2 or 5 with some zeros."""
    for power in range(-2, 16):
        for first in (1, 2, 5):
            if (found := first * 10.0**power) >= most * 0.999_999:
                return found
    return most


def _fill(rows: Sequence[bytearray], box: tuple[int, int, int, int], colour: int) -> None:
    left, top, right, bottom = box
    for row in rows[top:bottom]:
        row[left:right] = bytes([colour]) * (right - left)


def _write(rows: Sequence[bytearray], text: str, left: int, top: int) -> None:
    for place, sign in enumerate(text):
        for line, dots in enumerate(bytes.fromhex(_SIGNS[sign])):
            for column in range(5):
                if dots >> (4 - column) & 1:
                    x, y = left + place * _SIGN_WIDTH + column * _DOT, top + line * _DOT
                    _fill(rows, (x, y, x + _DOT, y + _DOT), _INK)


def _png(rows: Sequence[bytearray]) -> bytes:
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)  # eight bits a pixel, which name a colour
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    chunks = ((b"IHDR", header), (b"PLTE", _COLOURS), (b"IDAT", pixels), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
        for name, content in chunks
    )
