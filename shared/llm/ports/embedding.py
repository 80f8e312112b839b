"""The port to the model that turns texts into vectors, so that what means the same is near; and how these are marked.

The mark names the model that made them, so that those of different models are never compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol

#: numbers in a vector of Gemini's, which has 3,072 unless fewer are asked for: 768 lose next to nothing
DIMENSIONS: Final = 768
#: the setting of the model with which none is made; what has no vector for that reason is marked with it, too
NO_VECTORS: Final = "no"
_GEMINI: Final = re.compile(r"gemini-embedding-\d+", re.ASCII)


class EmbeddingTask(StrEnum):
    """What a vector is for: some models make another one of a question than of the text that answers it."""

    QUERY = "query"
    DOCUMENT = "document"


class Embedder(Protocol):
    """A model of embeddings. Vectors of different models are never compared."""

    @property
    def model(self) -> str:
        """Its name, which is stored with each vector; empty: there is none, and nothing is embedded."""

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        """A vector of length 1 for each text, in their order. Raises ModelUnavailable or ModelRefused."""


def vector_mark(model: str) -> str:
    """The model's name, and the length of its vectors where that is a choice."""
    return f"{model}/{DIMENSIONS}" if _GEMINI.match(model) else model
