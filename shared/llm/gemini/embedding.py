"""Vectors of texts from an embedding model (ai.google.dev/gemini-api/docs/embeddings).

Gemini's API and Vertex AI have the same method, `batchEmbedContents`, and the same answer, but put options in different
places. For `gemini-embedding-2`, the task is a prefix of the text; older models take `taskType`.
"""

import asyncio
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from shared.base.errors import ModelUnavailable
from shared.base.model_call import ModelCall
from shared.llm.gemini.api import GeminiApi
from shared.llm.gemini.errors import translate_errors
from shared.llm.ports.embedding import DIMENSIONS, EmbeddingTask, vector_mark

#: the most texts in one request ("at most 100 requests can be in one batch")
BATCH: Final = 100
#: the most characters of a text; each is at most one token. Models read 8,192 tokens; older models cut a text at 2,048
LONGEST: Final = 8_000
#: more tokens than any batch has
_MOST_TOKENS: Final = BATCH * LONGEST
#: the text in place of an empty one, which the API refuses
NOTHING: Final = "(nothing)"
#: seconds for a query's vector: a person waits, and a search by words only is better than a late search
QUESTION_S: Final = 4.0

_GEMINI: Final = re.compile(r"gemini-embedding-(?P<number>\d+)", re.ASCII)
#: the prefixes of a text that name its task for the model (ai.google.dev/gemini-api/docs/embeddings)
_PREFIXES: Final = {
    EmbeddingTask.QUERY: "task: search result | query: ",
    EmbeddingTask.DOCUMENT: "title: none | text: ",
}
_TASKS: Final = {EmbeddingTask.QUERY: "RETRIEVAL_QUERY", EmbeddingTask.DOCUMENT: "RETRIEVAL_DOCUMENT"}


class GeminiEmbedder:
    """An embedding model with its own pool of connections. Must be created inside the running event loop."""

    def __init__(self, name: str, api: GeminiApi, count: Callable[[ModelCall], None]) -> None:
        """`count` is called with each successful call and its token count."""
        self._name, self.api, self._count = name, api, count
        found = _GEMINI.match(name)
        self._dimensions = DIMENSIONS if found else None
        self._has_prefix = found is not None and int(found["number"]) >= 2

    @property
    def model(self) -> str:
        """The model's name, followed by the vectors' number of dimensions if that can be chosen."""
        return vector_mark(self._name)

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        """Return a unit vector (norm 1) for each text, in order. Raises ModelUnavailable or ModelRefused.

        An empty text gets a vector, too. A very long text is cut.
        """
        requests = [self._request(text, embedding_task) for text in texts]
        vectors: list[tuple[float, ...]] = []
        with translate_errors():
            async with asyncio.timeout(QUESTION_S if embedding_task is EmbeddingTask.QUERY else None):
                for first in range(0, len(requests), BATCH):
                    vectors += await self._batch(requests[first : first + BATCH])
        return vectors

    def _request(self, text: str, embedding_task: EmbeddingTask) -> dict[str, Any]:
        """Return the request to embed one text, in the API's JSON."""
        # a lone surrogate cannot be sent, and becomes a question mark
        read = text[:LONGEST].encode("utf-8", "replace").decode().strip() or NOTHING
        options: dict[str, Any] = {"outputDimensionality": self._dimensions} if self._dimensions else {}
        if self._has_prefix:
            read = _PREFIXES[embedding_task] + read
        else:
            options["taskType"] = _TASKS[embedding_task]
        content = {"content": {"parts": [{"text": read}]}}
        if isinstance(self.api.access, str):
            return {"model": f"models/{self._name}", **content, **options}
        return {**content, "embedContentConfig": options}

    async def _batch(self, requests: Sequence[Mapping[str, Any]]) -> list[tuple[float, ...]]:
        started = time.monotonic()
        body = await self.api.answer(self._name, {"requests": requests}, "batchEmbedContents")
        said = body if isinstance(body, dict) else {}
        vectors = [unit_vector(_values(one)) for one in _list(said.get("embeddings"))]
        if len(vectors) != len(requests):
            raise ModelUnavailable(f"Gemini gave {len(vectors)} vectors for {len(requests)} texts")
        if len({len(vector) for vector in vectors} | ({self._dimensions} if self._dimensions else set())) != 1:
            raise ModelUnavailable("Gemini returned vectors with a wrong number of dimensions")
        self._count(self._call(said.get("usageMetadata"), requests, round((time.monotonic() - started) * 1000)))
        return vectors

    def _call(self, usage: object, requests: Sequence[Mapping[str, Any]], ms: int) -> ModelCall:
        """Return a batch as one ModelCall. Without a reported token count, every four characters count as one token."""
        told = usage.get("promptTokenCount") if isinstance(usage, dict) else None
        letters = sum(len(one["content"]["parts"][0]["text"]) for one in requests)
        is_told = isinstance(told, int) and not isinstance(told, bool) and 0 < told <= _MOST_TOKENS
        tokens = told if is_told and isinstance(told, int) else letters // 4
        return ModelCall(model=self._name, prompt_tokens=tokens, is_uncounted=not is_told, ms=ms)


def unit_vector(values: Sequence[float]) -> tuple[float, ...]:
    """Return the unit vector in the same direction. Raises ModelUnavailable for a zero or infinite vector.

    The API does not normalize vectors that have fewer dimensions than the model's own.
    """
    length = math.hypot(*values)
    if not math.isfinite(length) or length == 0:
        raise ModelUnavailable("Gemini returned a vector that is zero or infinite")
    return tuple(value / length for value in values)


def _values(embedding: object) -> list[float]:
    """Return the numbers of a vector; [] if there are none. Raises ValueError for a value that is not a number."""
    values = _list(embedding.get("values")) if isinstance(embedding, dict) else []
    if not all(isinstance(value, int | float) for value in values):
        raise ValueError("a vector's values must be numbers")
    return [float(value) for value in values]


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
