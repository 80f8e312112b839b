"""Serves vectors at OpenAI's `/v1/embeddings`, and passes all other calls on to a backend."""

import base64
import struct
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from local.model.calls import Answer, ApiError, Backend, Call, Fault, Json, json_answer
from local.model.state import ModelReport

#: most texts of one request
BATCH = 100


class Vectors(Protocol):
    """A source of vectors for texts."""

    @property
    def name(self) -> str:
        """The name of the embedding model. A call that names another model is refused."""

    async def start(self) -> None:
        """Start preparing the embedding model in the background, and return at once."""

    async def stop(self) -> None:
        """Release all resources."""

    def report(self) -> ModelReport:
        """Return the state of the model, such as the progress of its download."""

    async def embed(self, texts: Sequence[str], limit_s: float | None) -> Sequence[Sequence[float]]:
        """Return a vector for each text. Raises ApiError if this fails or takes longer than `limit_s` seconds."""


class WithVectors:
    """A backend that sends calls for vectors to a source of vectors, and all other calls to another backend."""

    def __init__(self, backend: Backend, vectors: Vectors) -> None:
        """Combine a backend and a source of vectors, which start and stop together."""
        self._backend, self._vectors = backend, vectors

    async def start(self) -> None:
        """Begin to prepare the backend and the source of vectors."""
        await self._backend.start()
        await self._vectors.start()

    async def stop(self) -> None:
        """Release the resources of the backend and of the source of vectors."""
        await self._backend.stop()
        await self._vectors.stop()

    def report(self) -> ModelReport:
        """Return the state of the backend's model, with the state of the embedding model in `vectors`."""
        return replace(self._backend.report(), vectors=self._vectors.report())

    async def answer(self, call: Call) -> Answer:
        """Return the response of the source of vectors or of the backend. Raises ApiError."""
        return await (_embedded(call, self._vectors) if call.embeds else self._backend.answer(call))


async def _embedded(call: Call, vectors: Vectors) -> Answer:
    if call.model != vectors.name:
        raise ApiError(Fault.NOT_FOUND, f"Unknown model {call.model!r}; the embedding model is {vectors.name}.")
    body = call.json()
    texts, is_packed = _texts_in(body), body.get("encoding_format") == "base64"
    found = await vectors.embed(texts, call.limit_s)
    made = [_pack(one) if is_packed else list(one) for one in found]
    data = [{"object": "embedding", "index": at, "embedding": one} for at, one in enumerate(made)]
    tokens = sum(max(1, len(text.encode()) // 4) for text in texts)  # an estimate
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return json_answer({"object": "list", "model": vectors.name, "data": data, "usage": usage})


def _texts_in(body: Json) -> list[str]:
    given = body.get("input")
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not 0 < len(texts) <= BATCH:
        raise ApiError(Fault.INVALID_ARGUMENT, f"`input` is not a text or a list of 1 to {BATCH} texts.")
    if not all(isinstance(text, str) and text.strip() for text in texts):
        raise ApiError(Fault.INVALID_ARGUMENT, "Each item of `input` must be a text that is not empty.")
    return texts


def _pack(vector: Sequence[float]) -> str:
    """Return a vector in the format that the official client requests: 32-bit floats in base64."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
