"""Vectors without a model, for tests: each word, and each pair of words, counts in a place that its hash tells.

Texts with words in common are near each other, and others are not; the same text has the same vector everywhere.
"""

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from local.gemini.state import ModelReport, ModelState

NAME = "hashed-words"
DIMENSIONS = 256

_WORD = re.compile(r"\w+")


class HashedWords:
    """A bag of words, hashed; always ready."""

    name = NAME

    async def start(self) -> None:
        """Nothing to prepare."""

    async def stop(self) -> None:
        """Nothing to let go of."""

    def report(self) -> ModelReport:
        """Always ready."""
        return ModelReport(state=ModelState.READY, name=NAME, note="Knows words, and no meanings.")

    async def embed(self, texts: Sequence[str], limit_s: float | None) -> Sequence[Sequence[float]]:
        """A vector of length 1 for each text."""
        return [hashed(text) for text in texts]


def hashed(text: str) -> list[float]:
    """The vector of one text; one without words is near to none with words."""
    vector = [0.0] * DIMENSIONS
    for gram in _grams(text):
        digest = hashlib.blake2s(gram.encode("utf-8", "replace"), digest_size=4).digest()
        vector[int.from_bytes(digest[:2]) % DIMENSIONS] += 1.0 if digest[2] % 2 else -1.0
    length = math.hypot(*vector)
    return [value / length for value in vector] if length else [1.0, *vector[1:]]


def _grams(text: str) -> Iterator[str]:
    words = _WORD.findall(text.casefold())
    yield from words
    yield from (f"{one} {other}" for one, other in pairwise(words))
