"""Numbered lists: which number stands before each item."""

import re
from typing import Any

from shared.formatting.source import Event

_NUMBER = re.compile(rb"(\d+)([.)])")


def item_numbers(source: bytes, events: tuple[Event, ...]) -> dict[int, str]:
    """The mark of each numbered item by the byte where it begins.

    Numbers stay as they were written ("3." and then "7." are told apart on purpose), unless all of a list's are the
    same, which is how markdown is told to count by itself.
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
    found = _NUMBER.match(source, place["start"])
    return [(place["start"], int(found[1]), found[2].decode())] if found else []


def _counted(items: list[tuple[int, int, str]]) -> dict[int, str]:
    counts_itself = len({number for _, number, _ in items}) == 1
    return {start: f"{number + i * counts_itself}{end}" for i, (start, number, end) in enumerate(items)}
