"""Catalogues: what lull says in one language, as `<language>.json` beside this module has it.

A message is a text, or one text for each plural form. `names` lists the plural categories of Unicode's CLDR that whole
numbers have in the language, and `rule` tells which of them a number takes: a C expression as gettext's Plural-Forms
have it, which Python's own `gettext` reads. `calendar` has names and order of dates. A test compares them
with the CLDR. By `speech` the language is known in what people write.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final, TypeAlias

from shared.base.wording.direction import with_isolates

#: the language that stands in for the others
FALLBACK: Final = "en"
_FOLDER = Path(__file__).parent

#: one text, or one for each plural category
Message: TypeAlias = str | Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """How a language writes dates: patterns with {weekday}, {day}, {month} and {year}, and the names that go in."""

    #: a date with its day of the week, and a day of any year
    date: str = "{weekday}, {day} {month} {year}"
    day: str = "{day} {month}"
    #: from Monday on
    weekdays: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    #: the months as they stand by themselves, where a date changes them; empty: as in a date
    months_alone: tuple[str, ...] = ()
    #: what goes in as {nth}, from the first to the fifth; the nth of each day of the week, and its last one
    ordinals: tuple[str, ...] = ()
    nth: tuple[str, ...] = ()
    last: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Speech:
    """How a language is called, in itself first, and by which words and letters it is told from others."""

    names: tuple[str, ...] = ()
    #: that few languages have
    letters: str = ""
    #: in lower case; besides those that its grammar is made of (`shared/base/language/languages.py`)
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """The messages of one language (ISO 639-1), by their ids."""

    language: str
    is_right_to_left: bool
    messages: Mapping[str, Message]
    #: which of the plural categories, by its place among them, a number takes
    plural: Callable[[int], int]
    categories: tuple[str, ...]
    calendar: Calendar = Calendar()
    speech: Speech = Speech()

    def text(self, message_id: str, count: object) -> str:
        """The text of a message, with its placeholders. `count` chooses among plural forms. Raises KeyError."""
        message = self.messages[message_id]
        if isinstance(message, str):
            return message
        assert isinstance(count, int), f"{message_id} needs a count"
        return message[self.categories[self.plural(count)]]


@cache
def languages() -> tuple[str, ...]:
    """The languages that there are catalogues of, English first."""
    return FALLBACK, *sorted({file.stem for file in _FOLDER.glob("*.json")} - {FALLBACK})


def known_language(tag: str) -> str:
    """The language of an IETF tag, as far as there is a catalogue: `pt-br` is `pt`; English if there is none."""
    language = tag.replace("_", "-").partition("-")[0].lower()
    return language if language in languages() else FALLBACK


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language that has one; read once."""
    found = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    is_right_to_left = found["direction"] == "rtl"
    messages = found["messages"]
    return Catalogue(
        language=language,
        is_right_to_left=is_right_to_left,
        messages=with_isolates(messages) if is_right_to_left else messages,
        plural=c2py(found["plural"]["rule"]),
        categories=tuple(found["plural"]["names"]),
        calendar=_calendar(found["calendar"]),
        speech=_speech(**found["speech"]),
    )


def _speech(names: list[str], letters: str, words: str) -> Speech:
    return Speech(names=tuple(names), letters=letters, words=frozenset(words.split()))


def _calendar(found: Mapping[str, str | list[str]]) -> Calendar:
    texts = {name: value for name, value in found.items() if isinstance(value, str)}
    lists = {name: tuple(value) for name, value in found.items() if isinstance(value, list)}
    return Calendar(date=texts["date"], day=texts["day"], **lists)
