"""The protocol of embedding models, and the names that are stored with their vectors.

A vector's `mark` names the model that made it, so that vectors of different models are never compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol

#: the length of vectors, if the model leaves it open: 768 instead of 3,072 loses next to nothing
DIMENSIONS: Final = 768
#: the setting for no embedding model; also stored in place of a mark with things that therefore have no vector
NO_VECTORS: Final = "no"
#: models whose vectors have the length that is asked for
_RESIZABLE: Final = re.compile(r"gemini-embedding-\d+|(?:[^:]+:)?(?:openai/)?text-embedding-3", re.ASCII)


class EmbeddingTask(StrEnum):
    """The purpose of a vector: some models embed a query differently from the text that answers it."""

    QUERY = "query"
    DOCUMENT = "document"


class Embedder(Protocol):
    """An embedding model. Vectors of different models are never compared."""

    @property
    def model(self) -> str:
        """The model's name, which is stored with each vector; empty if there is no model."""

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        """Return a unit vector (norm 1) for each text, in order. Raises ModelUnavailable or ModelRefused."""


def has_chosen_length(model: str) -> bool:
    """Return whether a request can choose how many dimensions the model's vectors have."""
    return _RESIZABLE.match(model) is not None


def vector_mark(model: str) -> str:
    """Return the mark of a model's vectors: the model's name, and the number of dimensions if one can choose it."""
    return f"{model}/{DIMENSIONS}" if has_chosen_length(model) else model
