"""Tables as text: written, and known again where a message ends within one."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from shared.models.text import FormattedText, utf16_length

_RULE = re.compile(r"-+(?:-\+-+)*")


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """A table as text: the first row is underlined, and each column is as wide as its widest cell."""
    columns = list(zip_longest(*rows, fillvalue=""))
    widths = [max(map(_width, column)) for column in columns]
    lines = [
        " | ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
    return "\n".join([*lines[:1], "-+-".join("-" * width for width in widths), *lines[1:]])


def header_of(text: str) -> str:
    """The first row of a table and the line below it, with their line ends; empty if the text is no table."""
    lines = text.split("\n")
    if len(lines) < 3 or not _RULE.fullmatch(lines[1]) or any(_width(line) > len(lines[1]) for line in lines):
        return ""
    return f"{lines[0]}\n{lines[1]}\n"


def headed(part: FormattedText, header: str) -> FormattedText:
    """A part that begins within a table, with the table's header before its first row."""
    more = utf16_length(header)
    entities = (
        replace(e, offset=e.offset + (more if e.offset else 0), length=e.length + (0 if e.offset else more))
        for e in part.entities
    )
    return FormattedText(header + part.text, tuple(entities))


def _width(text: str) -> int:
    """How many columns a text takes: two for a wide letter or an emoji, none for a mark on another letter."""
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )
