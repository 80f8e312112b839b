"""Finds pieces of a text that identify its author: runs of words, and single tokens that do not occur by chance."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Final

from shared.base.language.languages import SMALL_WORDS
from shared.base.language.terms import UNSPACED, is_unspaced, letter
from shared.privacy.deletion.context_words import CALENDAR, POLITE

#: A run has this many words, with at least this many letters, and with at least this many words that are not function
#: words.
RUN: Final = 3
LEAST_LETTERS: Final = 12
LEAST_TELLING: Final = 2
#: number of words in a run of short words, as in Vietnamese
RUN_OF_SHORT: Final = 5
#: number of characters in a run in a script without spaces
RUN_OF_LETTERS: Final = 8
#: A single word with a digit counts as a number, a code or an address if it has at least so many characters.
LONG_TOKEN: Final = 8
#: A number with so many digits identifies somebody, however the digits are grouped: a phone, a card, an account. The
#: last digits are compared, since at home people leave out the beginning of phone numbers.
LONG_NUMBER: Final = 9
LONGEST_NUMBER: Final = 20
#: a web address: its host, and the rest of the address
_LINK: Final = re.compile(
    r"(?<![\w@./-])(?:https?://([\w.-]+(?::\d+)?)|((?:[\w-]+\.)+[a-z]{2,24}(?=/)))"
    r"([/?#][^\s<>\"'`\\^{}|\[\]()]*)?",
    re.IGNORECASE,
)
_MAIL: Final = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
#: numbers that may be grouped, such as those of phones and cards; and dates, which identify nobody
_NUMBER: Final = re.compile(r"(?<![\w.,])\+?\(?\d(?:[ ().\-/\u00a0\u2011\u202f]{0,2}\d){8,24}(?!\w)")
_DATE: Final = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}([./-])\d{1,2}\2\d{1,2}")


def words_in(text: str) -> Sequence[str]:
    """Return the normalized words of a text. A passage in a script without spaces counts as one word."""
    return _pattern().findall(unicodedata.normalize("NFC", text).casefold())


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}]+|{letter()}+")


def runs_of(words: Sequence[str]) -> Iterator[int]:
    """Yield a hash for each run of consecutive words that two texts are unlikely to share by chance."""
    begun = set[int]()
    for start in range(len(words) - RUN + 1):
        run = words[start : start + RUN]
        if _letters_of(run) >= LEAST_LETTERS and _is_telling(run):
            begun.add(start)
            yield hash(tuple(run))
    for start in range(len(words) - RUN_OF_SHORT + 1):
        run = words[start : start + RUN_OF_SHORT]
        is_new = begun.isdisjoint(range(start, start + RUN_OF_SHORT - RUN + 1)) and _letters_of(run) >= LEAST_LETTERS
        if is_new and _is_telling_long(run):
            yield hash(tuple(run))
    for letters in _unspaced_in(words):
        yield from (hash(letters[start : start + RUN_OF_LETTERS]) for start in range(len(letters) - RUN_OF_LETTERS + 1))


def _is_telling(run: Sequence[str]) -> bool:
    """Return whether a run identifies somebody. A run that is only a date does not."""
    telling = [word for word in run if word not in _small_words()]
    rest = [word for word in telling if word not in CALENDAR]
    told = rest if len(rest) == len(telling) else [word for word in rest if not word.isdecimal()]
    return len(told) >= LEAST_TELLING


def _is_telling_long(run: Sequence[str]) -> bool:
    """Return whether a run of `RUN_OF_SHORT` words identifies somebody: by three unusual words, or by one beside a
    date.
    """
    telling = [word for word in run if word not in _small_words() and not word.isdecimal()]
    rest = sum(word not in CALENDAR for word in telling)
    return rest > LEAST_TELLING or 0 < rest < len(telling)


def _letters_of(run: Sequence[str]) -> int:
    """Return the number of letters in these words. A Korean syllable counts as two letters."""
    return sum(len(word) * (2 if _is_korean(word) else 1) for word in run)


def _unspaced_in(words: Sequence[str]) -> Iterator[str]:
    """Yield the passages in scripts without spaces. The parts between punctuation marks are joined."""
    for is_joined, some in groupby(words, lambda word: is_unspaced(word) and not _is_korean(word)):
        if is_joined:
            yield "".join(some)
        else:
            yield from filter(is_unspaced, some)


def _is_korean(word: str) -> bool:
    return "\uac00" <= word[0] <= "\ud7a3"


@cache
def _small_words() -> frozenset[str]:
    return frozenset(word for words in SMALL_WORDS.values() for word in words) | POLITE


def words_beside_links(text: str) -> Sequence[str]:
    """Return the words of a text except for those in web addresses, since all addresses of a site begin with the same
    words.
    """
    return words_in(_LINK.sub(" ", text) if "." in text else text)


def tokens_of(text: str, words: Sequence[str]) -> Iterator[str]:
    """Yield the short pieces of a text that identify somebody: codes, long numbers, mail addresses and web pages."""
    yield from (word for word in words if len(word) >= LONG_TOKEN and any(c.isdigit() for c in word))
    if "@" in text:
        yield from (one.casefold() for one in _MAIL.findall(text))
    for one in _LINK.finditer(text) if "/" in text else ():
        if len(page := (one[3] or "").rstrip(".,;:!?…*_~/")) > 1:
            yield f"{(one[1] or one[2]).removeprefix('www.')}{page}".casefold()
    for one in _NUMBER.findall(text) if any(map(str.isdigit, text)) else ():
        groups = re.findall(r"\d+", one)
        digits = "".join(groups)
        is_long = LONG_NUMBER <= len(digits) <= LONGEST_NUMBER and all(len(group) > 1 for group in groups[1:])
        if is_long and not _DATE.match(one) and not digits.endswith("000000"):
            yield f"…{digits[-LONG_NUMBER:]}"
