"""Normalizes words, so that they can be compared."""

import re
import unicodedata
from typing import Final

#: characters that people use as an apostrophe
APOSTROPHES: Final = "'’ʼ`‘′´＇ʻʹ‛՚ꞌ׳"
#: invisible characters inside words
INVISIBLE: Final = "\u00ad\u034f\u061c\u180e\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
_LOST: Final = re.compile(f"[{INVISIBLE}{APOSTROPHES}]")
#: Hebrew and Arabic vowel marks, which are mostly not written, and the Arabic character that only makes a word longer
_POINTS: Final = re.compile("[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]")
#: marks that do not turn the letter before into another letter: a stress mark in Cyrillic, a stroke through a name
_LEFT_OVER: Final = re.compile("[\u0300-\u036f]")
_SAME: Final = str.maketrans(
    {"ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ı": "i", "ς": "σ"}
    | dict(zip("άέήίόύώ", "αεηιουω", strict=True))  # capitals are written without these accents
)
_MARKED: Final = re.compile("[\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]")


def key_of(word: str) -> str:
    """Return a word in the form by which words are compared: lower case, composed, without invisible characters."""
    if word.isascii():
        return word.lower().replace("'", "").replace("`", "")
    word = unicodedata.normalize("NFKC", _LOST.sub("", word))
    word = unicodedata.normalize("NFC", word.casefold().replace("i\u0307", "i"))
    return _LEFT_OVER.sub("", _POINTS.sub("", word)).translate(_SAME)


def plain_of(key: str) -> str:
    """Return a normalized word (`key_of`) without the diacritics of Latin and Greek letters."""
    if not _MARKED.search(key):
        return key
    letters = unicodedata.normalize("NFD", key)
    return "".join(one for one in letters if unicodedata.combining(one) == 0).replace("ł", "l").replace("ø", "o")


def strip_underscores(word: re.Match[str]) -> tuple[int, int, str] | None:
    """Return the start, end and text of a word without the underscores of markdown around it; None if nothing is
    left.
    """
    written = word.group().strip("_")
    start = word.start() + len(word.group()) - len(word.group().lstrip("_"))
    return (start, start + len(written), written) if written else None
