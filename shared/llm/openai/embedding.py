"""Vectors of texts over OpenAI's protocol (platform.openai.com/docs/api-reference/embeddings)."""

import asyncio
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from shared.base.errors import ModelUnavailable
from shared.base.model_call import ModelCall
from shared.base.text import well_formed
from shared.llm.openai.api import OpenAIApi
from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.openai.errors import translate_errors
from shared.llm.openai.features import Feature
from shared.llm.openai.json_values import MOST_TOKENS, Json, as_count, as_list, as_object, parse_json
from shared.llm.ports.embedding import DIMENSIONS, EmbeddingTask, has_chosen_length, vector_mark

EMBEDDINGS_PATH: Final = "/embeddings"
#: the most texts in one request, and the most characters of a text: OpenAI reads 8,192 tokens
BATCH: Final = 100
LONGEST: Final = 8_000
#: the text in place of an empty one, which servers refuse
NOTHING: Final = "(nothing)"
#: seconds for a query's vector: a person waits, and a search by words only is better than a late search
QUESTION_S: Final = 4.0
#: the prefixes of a text that name its task for some models, by a part of the model's name
_PREFIXES: Final[Sequence[tuple[re.Pattern[str], Mapping[EmbeddingTask, str]]]] = tuple(
    (re.compile(name), MappingProxyType({EmbeddingTask.QUERY: query, EmbeddingTask.DOCUMENT: document}))
    for name, query, document in (
        (r"nomic-embed", "search_query: ", "search_document: "),
        (r"embedding-?gemma", "task: search result | query: ", "title: none | text: "),
        (r"\be5-", "query: ", "passage: "),
    )
)


class OpenAIEmbedder:
    """An embedding model with its own pool of connections."""

    def __init__(
        self, model: str, endpoint: OpenAIEndpoint, timeout_s: float, tries: int, count: Callable[[ModelCall], None]
    ) -> None:
        """`model` is the server's own name, without its provider. `count` is called with each successful call."""
        self._name, self._count, self._full_name = model, count, endpoint.full_name(model)
        self.api = OpenAIApi(endpoint, timeout_s, tries)
        prefixes = (prefixes for name, prefixes in _PREFIXES if name.search(model.lower()))
        self._prefixes = next(prefixes, MappingProxyType[EmbeddingTask, str]({}))

    @property
    def model(self) -> str:
        """The model's name with its provider, followed by the vectors' number of dimensions if that can be chosen."""
        return vector_mark(self._full_name)

    async def aclose(self) -> None:
        """Close the connections."""
        await self.api.aclose()

    async def embed(self, texts: Sequence[str], embedding_task: EmbeddingTask) -> Sequence[tuple[float, ...]]:
        """Return a unit vector (norm 1) for each text, in order. Raises ModelUnavailable or ModelRefused.

        An empty text gets a vector, too. A very long text is cut.
        """
        prefix = self._prefixes.get(embedding_task, "")
        read = [prefix + (well_formed(text[:LONGEST]).strip() or NOTHING) for text in texts]
        vectors: list[tuple[float, ...]] = []
        with translate_errors(self.api.endpoint.provider):
            async with asyncio.timeout(QUESTION_S if embedding_task is EmbeddingTask.QUERY else None):
                for first in range(0, len(read), BATCH):
                    vectors += await self._batch(read[first : first + BATCH])
        return vectors

    async def _batch(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        started = time.monotonic()
        provider = self.api.endpoint.provider

        async def ask(without: frozenset[Feature]) -> Json:
            body: Json = {"model": self._name, "input": list(texts), "encoding_format": "float"}
            if has_chosen_length(self._full_name) and Feature.DIMENSIONS not in without:
                body["dimensions"] = DIMENSIONS
            return as_object(parse_json((await self.api.post(self._name, EMBEDDINGS_PATH, body)).content))

        said = await self.api.features.negotiate(self._name, ask)
        found = [as_object(one) for one in as_list(said.get("data"))]
        # the protocol numbers the vectors, and does not promise an order
        vectors = [
            _unit_vector(one.get("embedding")) for one in sorted(found, key=lambda one: as_count(one.get("index")))
        ]
        if len(vectors) != len(texts):
            raise ModelUnavailable(f"{provider} gave {len(vectors)} vectors for {len(texts)} texts")
        if len({len(vector) for vector in vectors}) != 1:
            raise ModelUnavailable(f"{provider} gave vectors of different lengths")
        self._count(self._call(said.get("usage"), texts, round((time.monotonic() - started) * 1000)))
        return vectors

    def _call(self, usage: object, texts: Sequence[str], ms: int) -> ModelCall:
        """Return a batch as one ModelCall. Without a reported token count, every four characters count as one token."""
        told = as_count(as_object(usage).get("prompt_tokens"))
        is_told = 0 < told <= MOST_TOKENS
        tokens = told if is_told else sum(map(len, texts)) // 4
        return ModelCall(model=self._full_name, prompt_tokens=tokens, is_uncounted=not is_told, ms=ms)


def _unit_vector(values: object) -> tuple[float, ...]:
    """Return the unit vector in the same direction. Raises ValueError for values that have no direction."""
    numbers = as_list(values)
    if not all(isinstance(value, int | float) for value in numbers):
        raise ValueError("a vector's values must be numbers")
    length = math.hypot(*numbers)
    if not math.isfinite(length) or length == 0:
        raise ValueError("a vector is zero or infinite")
    return tuple(value / length for value in numbers)
