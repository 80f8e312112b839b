"""Tables as text in columns, for a font of one width."""

import unicodedata
from collections.abc import Sequence
from itertools import zip_longest


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """The rows, the first one underlined, each column as wide as its widest cell."""
    columns = list(zip_longest(*rows, fillvalue=""))
    widths = [max(map(_width, column)) for column in columns]
    lines = [
        " | ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
    return "\n".join([*lines[:1], "-+-".join("-" * width for width in widths), *lines[1:]])


def _width(text: str) -> int:
    """How many columns it takes: two for a wide letter or an emoji, none for what stands on another letter."""
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )
