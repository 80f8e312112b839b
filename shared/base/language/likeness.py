"""Compares two texts by their words and symbols, or by hashes of their words."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Final, TypeAlias

from shared.base.language.terms import query_terms, terms_of

#: scripts without spaces: each letter counts as a word
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_ALONE: Final = re.compile(f"[{_UNSPACED}]")
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
#: all forms of apostrophes and minus signs, each replaced by one form; a dash counts as a minus only where a minus is
#: possible
_ALIKE: Final = {
    **dict.fromkeys(map(ord, "’‘ʼ‛`´"), "'"),
    **dict.fromkeys(map(ord, "−‐‑‒–"), "-"),
    # variation selectors and joiners of emoji
    **dict.fromkeys(map(ord, "\ufe0e\ufe0f\u200d\u200b\u2060\ufeff\u00ad"), None),
}
#: punctuation that carries meaning anywhere in a text, as symbols (+, €, 🦊) do
_TELLING: Final = "#%‰&@/\\§†"
#: punctuation that carries meaning only in certain places: a minus before a number or after a letter ("-18", "A-"), a
#: point before a name (".NET"), punctuation in a number (3.5, 10:30, 2-3), an asterisk next to a number (5*), and
#: faces, such as :-)
_PLACED: Final = re.compile(
    r"(?<![\w)\]])-(?=[^\w\s]?\d)|(?<=\w)-(?![\w'\"(])|(?<![\w.])\.(?=\w)|(?<=\d)[.,:'-](?=\d)|(?<=\d)\*|\*(?=\d)"
    r"|(?<!\w)[:;=][-'^]?[()\[\]{}<>|]+|(?<!\w)[()\[\]{}]+[-'^]?[:;=]"
)

#: parts that are enough to identify a fact: an address, a long number in any grouping, a code; not a date
_KEY: Final = re.compile(
    r"(?P<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?P<date>\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4})"
    r"|(?P<code>(?=[^\W\d_]+\d|\d+[^\W\d_])[^\W_]{6,})|(?P<number>\d(?:[ ()/.\u00a0-]{0,3}\d){6,})"
)
#: of a long number only this many last digits count, since a prefix may be written in several ways
KEY_DIGITS: Final = 7
#: letters of a word that are hashed as its beginning
BEGINNING: Final = 4
#: the unchanging start of a verb, for scripts whose verbs change much with the grammatical person: `боится` and
#: `боюсь`, `تخاف` and `أخاف`. A match of such starts (`LOOSE`) counts only if other words match too
_ROOT: Final = re.compile("(?P<cyrillic>[\u0400-\u04ff]{2})|[ايتن](?P<arabic>[\u0621-\u06d3]{3})")
LOOSE: Final = "~"
#: a word, given by the hashes (marks) of its forms
MarkedWord: TypeAlias = frozenset[str]


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in order. Differences of case and width, and punctuation, are removed."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def has_same_meaning(one: str, other: str) -> bool:
    """Return whether two texts have the same words and symbols in the same order.

    Case, width, spaces and sentence punctuation do not count. Characters that change the meaning count: A+ and A-
    differ, and so do C and C++, 18 and -18, 5 € and 5 $, one emoji and another.
    """
    return _pieces_of(one) == _pieces_of(other)


def _pieces_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, and the characters that have a meaning of their own, in order."""
    plain = unicodedata.normalize("NFKC", text.translate(_ALIKE)).casefold().translate(_ALIKE)
    placed = {place for found in _PLACED.finditer(plain) for place in range(*found.span())}
    return tuple("".join(_spaced_signs(plain, placed)).split())


def _spaced_signs(text: str, placed: set[int]) -> Iterator[str]:
    """Yield the characters of a text: letters as they are; symbols, and characters at the indexes in `placed`, with
    spaces around them; and spaces instead of characters without meaning.
    """
    for place, letter in enumerate(text):
        kind = unicodedata.category(letter)
        if kind[0] in "LMN" or letter == "_" or _is_within(text, place):
            yield f" {letter} " if _ALONE.fullmatch(letter) else letter
        elif kind[0] == "S" or letter in _TELLING or place in placed:
            yield f" {letter} "
        else:
            yield " "


def _is_within(text: str, place: int) -> bool:
    """Return whether the character at index `place` is an apostrophe inside a word."""
    is_apostrophe = text[place] == "'" and 0 < place < len(text) - 1
    return is_apostrophe and text[place - 1].isalpha() and text[place + 1].isalpha()


def keys_of(text: str) -> Iterator[str]:
    """Yield the parts of a text that identify a fact by themselves: addresses, long numbers, codes."""
    for found in _KEY.finditer(text):
        if found["number"]:
            yield "".join(filter(str.isdigit, found["number"]))[-KEY_DIGITS:]
        elif not found["date"]:
            yield found.group().casefold()


@lru_cache(maxsize=4_000)
def marked_words(text: str) -> tuple[frozenset[str], tuple[MarkedWord, ...]]:
    """Return two things: one set with the hashes of every form of every word of a text; and, for each word that carries
    meaning, a set with the hashes of its forms.
    """
    asked = query_terms(text)
    every = [form for one in asked for form in one.variants]
    return marks_of((*every, *terms_of(text))), tuple(marks_of(one.variants) for one in asked if not one.is_small)


def marks_of(stems: tuple[str, ...]) -> MarkedWord:
    """Return hashes of a word's stems, and of the beginnings of these stems.

    Stored facts are in the third person, so people may write the same words with other endings. The beginnings match
    nevertheless.
    """
    beginnings = (f"^{one[:BEGINNING]}" for one in stems if one.isalpha() and len(one) >= BEGINNING)
    roots = (found[found.lastgroup or 0] for one in stems if len(one) > 2 and (found := _ROOT.match(one)))
    return frozenset((*map(mark_of, (*stems, *beginnings)), *(f"{LOOSE}{mark_of(one)}" for one in roots)))


@lru_cache(maxsize=20_000)
def mark_of(word: str) -> str:
    return blake2b(word.encode(errors="replace"), digest_size=4).hexdigest()
