"""Finds text that repeats itself without end, which a small model may write until its tokens are used up."""

from typing import Final

#: the longest repeated piece that is found
LONGEST_PIECE: Final = 200
#: repetitions with fewer characters in all are allowed, since people draw lines and laugh
LEAST_CHARACTERS: Final = 40
_LEAST_TIMES, _SHORT_PIECE = 4, 2


def end_of_sense(text: str) -> int:
    """Return the number of characters of a text that come before the repetitions at its end. If nothing is repeated,
    this is the length of the text.

    The number includes the first occurrence of the repeated piece, unless the piece has only one or two characters.
    """
    for size in range(1, min(LONGEST_PIECE, len(text) // _LEAST_TIMES) + 1):
        times = _times_at_end(text, size)
        if times >= _LEAST_TIMES and times * size >= LEAST_CHARACTERS:
            return len(text) - times * size + (size if size > _SHORT_PIECE else 0)
    return len(text)


def _times_at_end(text: str, size: int) -> int:
    piece, times, end = text[-size:], 1, len(text) - size
    while end >= size and text[end - size : end] == piece:
        times, end = times + 1, end - size
    return times
