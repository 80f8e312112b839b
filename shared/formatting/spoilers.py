"""Spoilers as people write them in Telegram, `||the gardener||`, which no parser of markdown knows."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from shared.formatting.source import WORD_AFTER, WORD_BEFORE, Event

#: the name of the part in the events, beside the parser's `Strong`
SPOILER = "Spoiler"
#: two bars, no more, and none of them escaped
_BARS = re.compile(rb"(?<![|\\])\|\|(?!\|)")
_BLANK = (b"", b" ", b"\t", b"\n")
#: parts of a document within which a spoiler may stand; the start of any other one ends what was open
_INLINE = ("Emphasis", "Strong", "Strikethrough", "Link", "Image")


class _Bars(NamedTuple):
    """Two bars: the event of text that they stand in, and where they begin."""

    event: int
    at: int


def with_spoilers(source: bytes, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events with the start and the end of each spoiler among them, in place of its bars."""
    if b"||" not in source:
        return tuple(events)
    names = {bars: name for pair in _pairs(source, events) for bars, name in zip(pair, ("Start", "End"), strict=True)}
    marks = {event: list(some) for event, some in groupby(sorted(names), lambda bars: bars.event)}
    made: list[Event] = []
    for number, (event, place) in enumerate(events):
        at = place["start"]
        for bars in marks.get(number, ()):
            made += _text(source, at, bars.at)
            made.append(({names[bars]: SPOILER}, {"start": bars.at, "end": bars.at + 2}))
            at = bars.at + 2
        made += _text(source, at, place["end"]) if number in marks else [(event, place)]
    return tuple(made)


def _text(source: bytes, start: int, end: int) -> list[Event]:
    return [({"Text": source[start:end].decode()}, {"start": start, "end": end})] if start < end else []


def _pairs(source: bytes, events: Sequence[Event]) -> Iterator[tuple[_Bars, _Bars]]:
    """The bars that belong together: both within the same part of the same paragraph."""
    opened: list[_Bars | None] = [None]
    for number, (event, place) in _prose(events):
        match event:
            case {"Start": part}:
                if not _is_inline(part):
                    opened[-1] = None
                opened.append(None)
            case {"End": _}:
                opened.pop()
            case {"Text": text} if source[place["start"] : place["end"]] == text.encode():
                bars = (_Bars(number, found.start()) for found in _BARS.finditer(source, place["start"], place["end"]))
                pairs, opened[-1] = _paired(source, opened[-1], bars)
                yield from pairs


def _prose(events: Sequence[Event]) -> Iterator[tuple[int, Event]]:
    """The events with their numbers, without those in blocks of code."""
    is_code = False
    for number, (event, place) in enumerate(events):
        match event:
            case {"Start": {"CodeBlock": _}}:
                is_code = True
            case {"End": "CodeBlock"}:
                is_code = False
            case _ if not is_code:
                yield number, (event, place)


def _paired(
    source: bytes, begin: _Bars | None, some: Iterable[_Bars]
) -> tuple[list[tuple[_Bars, _Bars]], _Bars | None]:
    """The pairs among the bars of one text, and those that are open after it; `begin` are those open before it."""
    pairs = []
    for bars in some:
        if begin is not None and _closes(source, begin.at, bars.at):
            pairs.append((begin, bars))
            begin = None
        elif source[bars.at + 2 : bars.at + 3] not in _BLANK:
            begin = bars
    return pairs, begin


def _is_inline(part: Any) -> bool:
    return (part if isinstance(part, str) else next(iter(part))) in _INLINE


def _closes(source: bytes, begin: int, end: int) -> bool:
    """Whether bars end what others began. Bars between words on both sides are a program's: `a||b, c||d`."""
    is_program = WORD_BEFORE.match(source[begin - 1 : begin]) and WORD_AFTER.match(source[end + 2 : end + 3])
    return end > begin + 2 and source[end - 1 : end] not in _BLANK and not is_program
