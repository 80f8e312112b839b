"""Blocks for which Telegram has no entity, written as text: tables, numbered lists, formulas."""

import logging
import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from typing import Any

from shared.formatting.source import Event


def formula_text(tex: str) -> str:
    """A formula as text: `x^2` as x². A formula that cannot be written so stays as it is."""
    return str(_latex_converter().convert(tex)).strip()


@cache
def _latex_converter() -> Any:
    """The converter; imported with the first formula, so that no cold start pays for the whole package around it."""
    from telegramify_markdown.latex_escape.helper import LatexToUnicodeHelper

    # The converter logs an error that may quote the formula. A filter stays in place, whereas a logger that is disabled
    # is enabled again by whoever configures logging later, as uvicorn does.
    logging.getLogger(LatexToUnicodeHelper.__module__).addFilter(lambda record: False)
    return LatexToUnicodeHelper()


_NUMBER = re.compile(rb"(\d+)([.)])")


def item_numbers(source: bytes, events: tuple[Event, ...]) -> dict[int, str]:
    """The mark of each numbered item, by the byte at which the item begins.

    Numbers stay as they were written: "3." and then "7." is on purpose. A list in which all numbers are the same is
    counted, which is what that means in markdown.
    """
    marks: dict[int, str] = {}
    lists: list[list[tuple[int, int, str]]] = []
    for event, place in events:
        match event:
            case {"Start": {"List": _}}:
                lists.append([])
            case {"Start": "Item"}:
                lists[-1].extend(_written(source, place))
            case {"End": {"List": _}}:
                marks.update(_counted(lists.pop()))
    return marks


def _written(source: bytes, place: Any) -> list[tuple[int, int, str]]:
    number = _NUMBER.match(source, place["start"])
    return [(place["start"], int(number[1]), number[2].decode())] if number else []


def _counted(items: list[tuple[int, int, str]]) -> dict[int, str]:
    counts_itself = len({number for _, number, _ in items}) == 1
    return {start: f"{number + i * counts_itself}{end}" for i, (start, number, end) in enumerate(items)}


def table_text(rows: Sequence[Sequence[str]]) -> str:
    """A table as text: the first row is underlined, and each column is as wide as its widest cell."""
    columns = list(zip_longest(*rows, fillvalue=""))
    widths = [max(map(_width, column)) for column in columns]
    lines = [
        " | ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    ]
    return "\n".join([*lines[:1], "-+-".join("-" * width for width in widths), *lines[1:]])


def _width(text: str) -> int:
    """How many columns a text takes: two for a wide letter or an emoji, none for a mark on another letter."""
    return sum(
        0 if unicodedata.category(letter) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )
