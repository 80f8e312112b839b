"""What the heading of a task says behind its kind: a number, options, or the first words of the text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from shared.planning.json_tokens import decode

#: of a number that is an id and not one of the words that follow it
_LEAST_ID_DIGITS: Final = 4
#: what models write around an id; `$5` and `In 2024` are texts
_WORDS: Final = r"\b(?:in reply|reply|replying|to|message_id|message|msg|id)\b[ \t]*+[=:]?"
_NUMBER_ALONE: Final = re.compile(
    rf"(?:[\s#:()\[\]«»→*_]|[—–-](?=\s)|{_WORDS})*+(?P<number>\d+)[\s#:()\[\]«»*_]*", re.IGNORECASE
)
_NUMBER_FIRST: Final = re.compile(rf"(?P<number>#\d+|\d{{{_LEAST_ID_DIGITS},}})(?![\w.])[ \t:,;–—-]*+")
_SPACES: Final = re.compile(r"[ \t,;]*+")
_JSON: Final = r'"(?:[^"\\]|\\.)*+"|\[(?:[^\]"]|"(?:[^"\\]|\\.)*+")*+\]'
_WORD: Final = r"[^\s\"\[\],]++"
_LIST: Final = rf"[\"\[]?{_WORD}(?:[ \t]*,[ \t]*[^\s\"\[\],=:]++(?![ \t]*[=:]))*+"
_NAME: Final = r"(?P<name>[A-Za-z][\w-]*+)"
#: `id=tea depends_on=kettle, cup`, with nothing else around
_OPTION: Final = re.compile(rf"{_NAME}[ \t]*+[=:][ \t]*+(?P<value>{_JSON}|{_LIST})")
#: as headings are told to have them; `id = 5 is wrong` is a sentence
_TIGHT_OPTION: Final = re.compile(rf"{_NAME}=(?P<value>{_JSON}|{_WORD})")
_NO_WORDS: Final = re.compile(r"[\s#:*_.-]*")


@dataclass(frozen=True)
class Said:
    """What a heading says."""

    number: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    prose: str = ""


def said_in(heading: str, is_option: Callable[[str], bool]) -> Said:
    """What stands behind the kind of a task. `is_option` knows the names of its options; all else is prose."""
    rest = heading.strip(" \t").lstrip(": \t")
    if _NO_WORDS.fullmatch(rest):
        return Said()
    number = re.match(r"#?(\d+)(?!\S)", rest)
    options, end = _options(rest, number.end() if number else 0, (_OPTION, is_option))
    if end == len(rest):
        return Said(number[1] if number else "", options)
    if alone := _NUMBER_ALONE.fullmatch(rest):
        return Said(alone["number"])
    first = _NUMBER_FIRST.match(rest)
    options, end = _options(rest, first.end() if first else 0, (_TIGHT_OPTION, is_option))
    return Said(first["number"].strip("#") if first else "", options, rest[end:])


def _options(
    heading: str, at: int, form: tuple[re.Pattern[str], Callable[[str], bool]]
) -> tuple[dict[str, object], int]:
    """The options that stand there one behind the other, and where they end."""
    option, is_option = form
    found: dict[str, object] = {}
    end = at
    while True:
        at = _end_of(_SPACES, heading, end)
        one = option.match(heading, at)
        if one is None or not is_option(one["name"]):
            return found, at
        found[one["name"]] = _value(one["value"])
        end = one.end()


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _value(written: str) -> object:
    """A value in a heading: a JSON string or list, several words with commas between, or one word."""
    if written[0] in '["':
        try:
            return decode(written)
        except ValueError:
            written = written.strip('"[]')
    words = [word for part in written.split(",") if (word := part.strip(" \t\"'"))]
    return words if len(words) > 1 else "".join(words)
