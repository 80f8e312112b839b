"""The parts of a person's names, each in every grammatical form."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Final

from shared.base.language.terms import UNSPACED, letter
from shared.privacy.deletion.common_words import USUAL
from shared.privacy.deletion.context_words import PERSONS_VERBS
from shared.privacy.deletion.declensions import forms_of
from shared.privacy.deletion.letters import APOSTROPHES, INVISIBLE, key_of, plain_of

#: A name with fewer letters is found only with its diacritics: without them, it would be another word.
_LEAST_PLAIN: Final = 4
#: least number of letters of a name whose words are written as one, in scripts with capitals and in others
_LEAST_JOINED: Final = 8
_LEAST_JOINED_PLAIN: Final = 6
#: letters with umlauts, and how they are written without; least number of letters of a name that gets an umlaut
_SPELLED: Final = {"ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "ø": "oe", "å": "aa"}
_LEAST_RESPELLED: Final = 5
#: position that is given to words of a name that are written as one
JOINED: Final = -1
#: least number of letters of a name that has a symbol inside
LEAST_MIXED: Final = 3
_MIXED: Final = re.compile(rf"\w[^\w\s{APOSTROPHES}{INVISIBLE}\-\u2010\u2011]+\w")
#: one emoji with its modifiers, or another symbol
_SIGN: Final = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|[^\\s\ufe0e\ufe0f\u200d](?:[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff]|\u200d[^\\s])*"
)
#: text that may separate two words of a name
GAP: Final = re.compile(r"[ \t\u00a0\u202f]+|[-\u2010\u2011]")


@dataclass(frozen=True)
class NamePart:
    """One grammatical form of a part of a name."""

    #: the whole name, and the position of this part in it
    name: str
    place: int
    #: this form in lower case
    key: str
    written: str
    #: the base form of the part, which is not declined, in lower case
    base: str
    #: groups of languages that have this form; if empty, all languages have it
    groups: frozenset[str] = frozenset()
    #: the other parts of the name in lower case
    beside: tuple[str, ...] = ()

    @property
    def is_base(self) -> bool:
        """True if this is the base form of the part, not a declined form."""
        return self.key == self.base

    def is_title(self, written: str) -> bool:
        """Return whether a word is capitalized like a name. In lower case, a short name may be an ordinary word."""
        return written[:1].isupper() and (written[1:] == written[1:].lower() or written == self.written)


@dataclass(frozen=True)
class PersonName:
    """One name of a person, with the forms in which texts may contain its parts."""

    name: str
    #: whether `parts` contains the declined forms
    is_declined: bool = True

    @cached_property
    def begins(self) -> frozenset[str]:
        """The first two letters of each part. If two names have none of these in common, they have no part in
        common.
        """
        words = (plain_of(key_of(word)) for word in [*_pieces(self.name), *_unspaced_letters(self.name)])
        return frozenset(word[:2] for word in words)

    @cached_property
    def parts(self) -> Sequence[NamePart]:
        """The parts of the name, in all their forms."""
        pieces = [(place, word) for place, word in enumerate(_pieces(self.name)) if len(key_of(word)) > 1]
        keys = tuple(dict.fromkeys(key_of(word) for _, word in pieces))
        parts: list[NamePart] = []
        for place, word in [*pieces, *_joined_words(pieces)]:
            beside = tuple(one for one in keys if one != key_of(word))
            for key in _spellings_of(key_of(word)):
                parts.append(NamePart(self.name, place, key, word, key, beside=beside))
                parts += (
                    NamePart(self.name, place, form, word, key, groups, beside)
                    for form, groups in (_folded_forms(key) if self.is_declined else {}).items()
                )
        return parts


def _spellings_of(key: str) -> Collection[str]:
    """Return a word, and its spellings with and without umlauts: müller, mueller."""
    found = {key: None, "".join(_SPELLED.get(one, one) for one in key): None}
    for letters in ("äöü", "æøå") if len(key) >= _LEAST_RESPELLED else ():
        other = key
        for one in letters:
            other = other.replace(_SPELLED[one], one)
        found[other] = None
    return found


def _joined_words(pieces: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    """Return the words of a name joined into one: each adjacent pair, and all of them. Short results are dropped."""
    words = [word for _, word in pieces]
    found = {"".join(some) for some in [*pairwise(words), words] if len(some) > 1}
    least = {True: _LEAST_JOINED_PLAIN, False: _LEAST_JOINED}
    return [(JOINED, one) for one in sorted(found) if len(one) >= least[one.lower() == one.upper()]]


def part_index(names: Collection[PersonName]) -> Mapping[str, list[NamePart]]:
    """Map each form in lower case to the parts of these names that have this form.

    A part in its base form also has a second key: "=", followed by the form without diacritics.
    """
    found: dict[str, list[NamePart]] = {}
    for part in (part for name in names for part in name.parts):
        found.setdefault(part.key, []).append(part)
        if part.is_base and len(part.key) >= _LEAST_PLAIN:
            found.setdefault("=" + plain_of(part.key), []).append(part)
    return found


def handle_spans(text: str, names: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each of these names in a text: usernames, and names made of symbols, not words."""
    for name in names:
        if re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{3,31}", name):
            is_word = name.isalpha() and (len(name) < 5 or name.casefold() in USUAL or not name.islower())
            before = r"(?:@|\bt\.me/)" if is_word else r"(?<![\w])@?"
            for one in re.finditer(rf"{before}({re.escape(name)})(?![\w])", text, re.IGNORECASE):
                yield one.span(1)
        elif _is_telling(name):
            yield from (one.span() for one in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))
        elif not any(one.isalnum() for one in name):  # symbols alone, such as a heart, are in many texts
            said = re.finditer(rf"(?<!\S)({re.escape(name.strip())})\s(?=(\w+))", text)
            yield from (one.span(1) for one in said if key_of(one[2]) in PERSONS_VERBS)


def _is_telling(name: str) -> bool:
    """Return whether a name that has no words identifies a person: K@tya, j.doe, two emoji."""
    if any(one.isalpha() for one in name):
        is_begun = unicodedata.category(name[0]) in {"Sm", "Sc"} and name[1:2].isalpha()
        return sum(map(str.isalnum, name)) >= LEAST_MIXED and (is_begun or bool(_MIXED.search(name)))
    signs = {one for one in _SIGN.findall(name) if unicodedata.category(one[0])[0] == "S"}
    return len(signs) > 1


def merge_spans(text: str, spans: Collection[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the spans in order. Spans that overlap, touch, or have only spaces or a hyphen in between are merged."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and (start <= found[-1][1] or GAP.fullmatch(text[found[-1][1] : start])):
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


@cache
def _folded_forms(key: str) -> Mapping[str, frozenset[str]]:
    return {key_of(form): groups for form, groups in forms_of(key).items()}


def _pieces(name: str) -> Sequence[str]:
    """Return the words of a name. An apostrophe is part of a word, and a hyphen separates two."""
    return _name_words().findall(name)


def _unspaced_letters(name: str) -> Sequence[str]:
    """Return the letters of a name in a script without spaces. A part of the name may begin at any of them."""
    return re.findall(f"[{UNSPACED}]", unicodedata.normalize("NFC", name))


@cache
def _name_words() -> re.Pattern[str]:
    one = rf"{letter()}(?:[{INVISIBLE}]*{letter()})*"
    return re.compile(rf"{one}(?:[{APOSTROPHES}]{one})*")
