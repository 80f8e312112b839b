"""The port to the model that turns texts into vectors, so that what means the same is near."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol


class EmbeddedAs(StrEnum):
    """What a vector is for: some models make another one of a question than of the text that answers it."""

    QUERY = "query"
    DOCUMENT = "document"


class Embedder(Protocol):
    """A model of embeddings. Vectors of different models are never compared."""

    @property
    def model(self) -> str:
        """Its name, which is stored with each vector; empty: there is none, and nothing is embedded."""

    async def embed(self, texts: Sequence[str], embedded_as: EmbeddedAs) -> Sequence[tuple[float, ...]]:
        """A vector of length 1 for each text, in their order. Raises ModelUnavailable or ModelRefused."""
