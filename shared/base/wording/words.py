"""Words: what lull says to people, in the language of who reads it.

A language's catalogue is `<language>.json` beside this module. A message is a text, or one text for each plural form.
`names` lists the plural categories of Unicode's CLDR that whole numbers have in the language, and `rule` tells which of
them a number takes: a C expression as gettext's Plural-Forms have it, which Python's own `gettext` reads. `calendar`
has names and order of dates. A test compares them with the CLDR. By `speech` the language is known in what people
write.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final, NewType, TypeAlias

from shared.base.wording.direction import isolated, with_isolates
from shared.base.wording.verbatim import verbatim

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


#: a text of a catalogue, or made of such: only this package makes one, so that whatever takes one speaks every language
Phrase = NewType("Phrase", str)

#: nothing is said
SILENCE = Phrase("")


@dataclass(frozen=True)
class Words:
    """The words of one language."""

    catalogue: Catalogue

    @property
    def language(self) -> str:
        """The language, as an ISO 639-1 code."""
        return self.catalogue.language

    def say(self, message_id: str, **values: str | int) -> Phrase:
        """A message with its placeholders filled; `count` also chooses its plural form.

        A value is put in as it is: in a text that is markdown, as all but a press's notice are, it is markdown too.
        """
        text = self.catalogue.text(message_id, values.get("count"))
        is_rtl = self.catalogue.is_right_to_left
        shown = {name: isolated(str(value), is_right_to_left=is_rtl) for name, value in values.items()}
        return Phrase(text.format_map(shown))


def words_in(*tags: str) -> Words:
    """The words of the first language that is named, by its IETF tag; of English if none is, or it has no catalogue."""
    return Words(catalogue(known_language(next(filter(None, tags), FALLBACK))))


def joined(*phrases: Phrase, by: str = " ") -> Phrase:
    """Some phrases, one after the other; `by` separates them and is no word."""
    return Phrase(by.join(filter(None, phrases)))


def bulleted(*phrases: Phrase) -> Phrase:
    """A list of some phrases, in markdown."""
    return Phrase("\n".join(f"- {phrase}" for phrase in phrases))


def numbered(phrases: Iterable[tuple[int, Phrase]]) -> Phrase:
    """A list of some phrases with their numbers, in markdown."""
    return Phrase("\n".join(f"{number}. {phrase}" for number, phrase in phrases))


def as_it_is(text: str) -> Phrase:
    """What is no markdown, such as a button's text, as markdown that shows it."""
    return Phrase(verbatim(text))


def shortened(phrase: Phrase, most: int) -> Phrase:
    """A phrase that is cut where it has more characters than there is room for."""
    return Phrase(phrase[:most])
