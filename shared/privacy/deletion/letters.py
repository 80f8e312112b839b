"""Words as they are compared, whichever way their letters are written."""

import re
import unicodedata
from typing import Final

#: what people write for an apostrophe
APOSTROPHES: Final = "'’ʼ`‘′´＇ʻʹ‛՚ꞌ׳"
#: what may be in a word unseen
INVISIBLE: Final = "\u00ad\u034f\u061c\u180e\u200b\u200d-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
_LOST: Final = re.compile(f"[{INVISIBLE}{APOSTROPHES}]")
#: points of vowels, which are mostly left out, and the letter that only stretches
_POINTS: Final = re.compile("[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]")
#: marks that make no letter with the one before them: a stress in Cyrillic, a stroke through a name for show
_LEFT_OVER: Final = re.compile("[\u0300-\u036f]")
_SAME: Final = str.maketrans(
    {"ё": "е", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ı": "i", "ς": "σ"}
    | dict(zip("άέήίόύώ", "αεηιουω", strict=True))  # in capitals they have no marks
)
_MARKED: Final = re.compile("[\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]")


def key_of(word: str) -> str:
    """Return a word as it is compared: in lower case, composed, without what is not seen in it."""
    if word.isascii():
        return word.lower().replace("'", "").replace("`", "")
    word = unicodedata.normalize("NFKC", _LOST.sub("", word))
    word = unicodedata.normalize("NFC", word.casefold().replace("i\u0307", "i"))
    return _LEFT_OVER.sub("", _POINTS.sub("", word)).translate(_SAME)


def plain_of(key: str) -> str:
    """Return what is compared without the marks of Latin and Greek letters."""
    if not _MARKED.search(key):
        return key
    letters = unicodedata.normalize("NFD", key)
    return "".join(one for one in letters if unicodedata.combining(one) == 0).replace("ł", "l").replace("ø", "o")


def bare(word: re.Match[str]) -> tuple[int, int, str] | None:
    """Return where a word is without the lines by which markdown slants it, and what is left; none: nothing is."""
    written = word.group().strip("_")
    start = word.start() + len(word.group()) - len(word.group().lstrip("_"))
    return (start, start + len(written), written) if written else None
