"""Usefulness: which memories an answer made use of, told from its words. Cheap, and never sure."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from shared.memory.likeness import words_of
from shared.models.memory import Memory

#: letters of a word that tells something, and of its beginning, which endings leave as it is
LEAST_LETTERS: Final = 4
STEM: Final = 5
#: of such words as many have to come up again, or all there are
LEAST_SHARED: Final = 2
#: that a memory was of use is written once in so long
AGAIN: Final = timedelta(days=1)


def used_in(memories: Iterable[Memory], answer: str, asked: str, now: datetime) -> frozenset[str]:
    """The ids of those whose words the answer brings up by itself, and that are not known to be of use lately.

    `asked`: what was answered; words that it brought up tell nothing.
    """
    said = _stems(answer) - _stems(asked)
    return frozenset(one.id for one in memories if is_due(one, now) and _is_used(one, said))


def is_due(memory: Memory, now: datetime) -> bool:
    """Whether it is worth a write that it was of use."""
    return now - memory.useful_at >= AGAIN


def _is_used(memory: Memory, said: frozenset[str]) -> bool:
    stems = _stems(memory.text)
    return bool(stems) and len(stems & said) >= min(LEAST_SHARED, len(stems))


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:STEM] for word in words_of(text) if len(word) >= LEAST_LETTERS)
