"""Where a text may be cut without taking a letter from its accents, or an emoji apart.

A careful part of Unicode's rules for grapheme clusters (UAX 29): it cuts nowhere that they forbid in what people
write, and now and then holds together a little more.
"""

import unicodedata

JOINER = "\u200d"
MARKS = ("Mn", "Me", "Mc")


def is_boundary(text: str, at: int) -> bool:
    """Whether a cut before this index leaves both sides whole."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if JOINER in (before, after) or _extends(after):
        return False
    if _is_flag_letter(before) and _is_flag_letter(after):
        return _flag_letters_up_to(text, at) % 2 == 0
    return not (_is_jamo(before) and _is_jamo(after))


def _extends(letter: str) -> bool:
    """Whether it changes the letter before it: an accent, an emoji's skin tone, a tag of a regional flag."""
    return (
        unicodedata.category(letter) in MARKS
        or "\U0001f3fb" <= letter <= "\U0001f3ff"
        or "\U000e0020" <= letter <= "\U000e007f"
    )


def _is_flag_letter(letter: str) -> bool:
    """Whether two such letters make a country's flag."""
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _flag_letters_up_to(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_flag_letter(text[start - 1]):
        start -= 1
    return at - start


def _is_jamo(letter: str) -> bool:
    """Whether it is a part of a Korean syllable that is written in parts."""
    return "\u1100" <= letter <= "\u11ff" or "\ua960" <= letter <= "\ua97c" or "\ud7b0" <= letter <= "\ud7fb"
