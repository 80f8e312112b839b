"""Words: what lull says to people, in the language of who reads it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NewType

from shared.base.wording.catalogue import FALLBACK, Catalogue, catalogue, known_language
from shared.base.wording.direction import isolated
from shared.base.wording.verbatim import verbatim

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
