"""Likeness: whether two memories say the same, told from their words alone."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

#: scripts that are written without spaces count letter by letter
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
#: a memory says all that another does if that one's words are at least this share of its own, in their order
LEAST_SHARE: Final = 0.6
#: fewer words than these are in too many sentences
LEAST_WORDS: Final = 3


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in their order, without case, width, marks of punctuation."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts have the same words in the same order."""
    return words_of(one) == words_of(other)


def says_all_of(newer: str, older: str) -> bool:
    """Whether a text has all words of an older one in their order, and little besides.

    Nothing of the older one is lost then, and where it contradicts the older one, it is what was said last.
    """
    new, old = words_of(newer), words_of(older)
    return len(old) >= LEAST_WORDS and len(old) >= LEAST_SHARE * len(new) and _holds(new, old)


def _holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    rest = iter(words)
    return all(one in rest for one in wanted)
