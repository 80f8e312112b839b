"""lull's texts for people, in the reader's language.

A catalogue is `<language>.json` in this folder. A message is a text, or one text for each plural form. In `plural`,
`names` lists the CLDR plural categories of whole numbers in the language, and `rule` chooses one of them: `rule` is a C
expression as in gettext's Plural-Forms. `calendar` has the names and patterns of dates. A test compares `plural` and
`calendar` with the CLDR. From `speech`, lull detects the language of people's messages.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final, NewType, TypeAlias

from shared.base.wording.direction import isolate, with_isolates
from shared.base.wording.verbatim import verbatim

#: the fallback language
FALLBACK: Final = "en"
_FOLDER = Path(__file__).parent

#: one text, or one for each plural category
Message: TypeAlias = str | Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """The way a language writes dates: patterns with {weekday}, {day}, {month} and {year}, and the names for these."""

    #: the pattern of a date with its day of the week, and of a day without a year
    date: str = "{weekday}, {day} {month} {year}"
    day: str = "{day} {month}"
    #: from Monday on
    weekdays: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    #: names of months outside of dates; () if they are the same as in dates
    months_alone: tuple[str, ...] = ()
    #: the values of {nth}, from the first to the fifth; then, for each day of the week, the pattern of the nth such day
    #: of a month, and of the last
    ordinals: tuple[str, ...] = ()
    nth: tuple[str, ...] = ()
    last: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Speech:
    """The names of a language, its own name first; and the words and letters that identify texts in it."""

    names: tuple[str, ...] = ()
    #: letters that few languages have
    letters: str = ""
    #: words in lower case, in addition to the grammatical ones in `shared/base/language/languages.py`
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """The messages of one language (ISO 639-1) by id."""

    language: str
    is_right_to_left: bool
    messages: Mapping[str, Message]
    #: from a number to the index of its plural category
    plural: Callable[[int], int]
    categories: tuple[str, ...]
    calendar: Calendar = Calendar()
    speech: Speech = Speech()

    def text(self, message_id: str, count: object) -> str:
        """Return a message with its placeholders not yet filled. `count` chooses the plural form. Raises KeyError."""
        message = self.messages[message_id]
        if isinstance(message, str):
            return message
        assert isinstance(count, int), f"{message_id} needs a count"
        return message[self.categories[self.plural(count)]]


@cache
def languages() -> tuple[str, ...]:
    """Return the languages with a catalogue, English first."""
    return FALLBACK, *sorted({file.stem for file in _FOLDER.glob("*.json")} - {FALLBACK})


def known_language(tag: str) -> str:
    """Return the language of an IETF tag, `pt` for `pt-br`; English if the language has no catalogue."""
    language = tag.replace("_", "-").partition("-")[0].lower()
    return language if language in languages() else FALLBACK


@cache
def catalogue(language: str) -> Catalogue:
    """Return a language's catalogue. Each file is read only once."""
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


#: a text of a catalogue. Only this package makes a Phrase, so any text that is passed as a Phrase exists in every
#: language
Phrase = NewType("Phrase", str)

#: no text
SILENCE = Phrase("")


@dataclass(frozen=True)
class Words:
    """The messages of one language, with a method that fills their placeholders."""

    catalogue: Catalogue

    @property
    def language(self) -> str:
        """The ISO 639-1 code of the messages' language."""
        return self.catalogue.language

    def say(self, message_id: str, **values: str | int) -> Phrase:
        """Return a message with its placeholders filled; `count` also chooses its plural form.

        All messages are markdown, so the values must be markdown too. The one exception is the notice that Telegram
        shows after a button press.
        """
        text = self.catalogue.text(message_id, values.get("count"))
        is_rtl = self.catalogue.is_right_to_left
        shown = {name: isolate(str(value), is_right_to_left=is_rtl) for name, value in values.items()}
        return Phrase(text.format_map(shown))


def words_in(*tags: str) -> Words:
    """Return the messages in the language of the first non-empty IETF tag; in English if it has no catalogue."""
    return Words(catalogue(known_language(next(filter(None, tags), FALLBACK))))


def join_phrases(*phrases: Phrase, by: str = " ") -> Phrase:
    """Return phrases in sequence. `by` separates them and must contain no word, since it is not translated."""
    return Phrase(by.join(filter(None, phrases)))


def bullet_list(*phrases: Phrase) -> Phrase:
    """Return phrases as a markdown list."""
    return Phrase("\n".join(f"- {phrase}" for phrase in phrases))


def numbered_list(phrases: Iterable[tuple[int, Phrase]]) -> Phrase:
    """Return phrases as a numbered markdown list."""
    return Phrase("\n".join(f"{number}. {phrase}" for number, phrase in phrases))


def plain_phrase(text: str) -> Phrase:
    """Return plain text, such as a button's label, as markdown that shows it unchanged."""
    return Phrase(verbatim(text))


def shorten(phrase: Phrase, most: int) -> Phrase:
    """Return a phrase cut to at most `most` characters, without an ellipsis."""
    return Phrase(phrase[:most])
