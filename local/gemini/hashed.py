"""Makes embeddings without a model, for tests (feature hashing). A hash of each word, and of each pair of adjacent
words, selects an index of the vector, and whether 1 or -1 is added there.

Texts that share words are close to each other; other texts are not. The same text has the same vector on every machine.
"""

import hashlib
import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from local.model.state import ModelReport, ModelState

NAME = "hashed-words"
DIMENSIONS = 256

_WORD = re.compile(r"\w+")


class HashedWords:
    """A source of embeddings that hashes words. It needs no model, so it is always ready."""

    name = NAME

    async def start(self) -> None:
        """Do nothing: no preparation is needed."""

    async def stop(self) -> None:
        """Do nothing: there is nothing to release."""

    def report(self) -> ModelReport:
        """Report the model as ready."""
        return ModelReport(state=ModelState.READY, name=NAME, note="Knows words, and no meanings.")

    async def embed(self, texts: Sequence[str], limit_s: float | None) -> Sequence[Sequence[float]]:
        """Return a unit vector (norm 1) for each text, in order."""
        return [hashed(text) for text in texts]


def hashed(text: str) -> list[float]:
    """Return the vector of one text. A text without words is close only to other texts without words."""
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
