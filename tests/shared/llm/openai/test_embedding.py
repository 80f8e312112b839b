"""Vectors over OpenAI's protocol, from a real server: requests, and the results of each answer."""

import math
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from shared.base.errors import ModelError, ModelRefused, ModelTrouble, ModelUnavailable
from shared.base.model_call import ModelCall
from shared.llm.openai.embedding import BATCH, LONGEST, NOTHING, OpenAIEmbedder
from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.ports.embedding import EmbeddingTask
from tests.shared.llm.openai.player import Player, playing

QUERY, DOCUMENT = EmbeddingTask.QUERY, EmbeddingTask.DOCUMENT


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, Player]]:
    with playing() as running:
        yield running


@asynccontextmanager
async def embedder(
    server: tuple[str, Player], *answers: Any, name: str = "text-embedding-3-small", provider: str = "openai"
) -> AsyncIterator[tuple[OpenAIEmbedder, list[Any], list[ModelCall]]]:
    """The embedder over a server with these answers, its requests, and the calls that it counted."""
    url, player = server
    case = str(len(player.answers))
    player.answers[case] = [dict(answer) for answer in answers]
    player.asked[case] = []
    calls: list[ModelCall] = []
    model = OpenAIEmbedder(name, OpenAIEndpoint(provider, f"{url}/{case}/v1", "the-key"), 5.0, 1, calls.append)
    yield model, player.asked[case], calls
    await model.aclose()


def vectors(*values: list[float], **usage: Any) -> dict[str, Any]:
    data = [{"object": "embedding", "index": n, "embedding": value} for n, value in enumerate(values)]
    return {"json": {"object": "list", "data": data, "usage": usage or {"prompt_tokens": 7, "total_tokens": 7}}}


async def test_each_text_has_a_vector_of_length_1_in_its_place(server: tuple[str, Player]) -> None:
    answer = vectors([3.0, 4.0], [0.0, 2.0])
    answer["json"]["data"].reverse()  # the protocol numbers them
    async with embedder(server, answer) as (model, asked, calls):
        found = await model.embed(["a", "b"], DOCUMENT)
    assert [list(map(pytest.approx, one)) for one in ([0.6, 0.8], [0.0, 1.0])] == [list(one) for one in found]
    assert asked[0]["path"] == "v1/embeddings"
    wanted = {"model": "text-embedding-3-small", "input": ["a", "b"], "encoding_format": "float", "dimensions": 768}
    assert asked[0]["body"] == wanted
    assert [(call.model, call.prompt_tokens, call.is_uncounted) for call in calls] == [
        ("openai:text-embedding-3-small", 7, False)
    ]


async def test_many_texts_are_sent_in_batches(server: tuple[str, Player]) -> None:
    full, rest = vectors(*([1.0, 0.0] for _ in range(BATCH))), vectors([0.0, 1.0])
    async with embedder(server, full, rest) as (model, asked, calls):
        found = await model.embed([f"text {n}" for n in range(BATCH + 1)], DOCUMENT)
    assert (len(found), found[-1]) == (BATCH + 1, (0.0, 1.0))
    assert [len(one["body"]["input"]) for one in asked] == [BATCH, 1]
    assert len(calls) == 2


async def test_no_texts_ask_nothing(server: tuple[str, Player]) -> None:
    async with embedder(server, vectors()) as (model, asked, calls):
        assert await model.embed([], DOCUMENT) == []
    assert (asked, calls) == ([], [])


async def test_empty_long_and_broken_texts_have_vectors_too(server: tuple[str, Player]) -> None:
    answer = vectors(*([1.0, 0.0] for _ in range(3)))
    async with embedder(server, answer) as (model, asked, _):
        await model.embed([" \n", "word " * 9_000, "half \ud83d a smile"], DOCUMENT)
    empty, long, broken = asked[0]["body"]["input"]
    assert (empty, len(long) <= LONGEST, broken) == (NOTHING, True, "half \ufffd a smile")


@pytest.mark.parametrize(
    ("name", "task", "text", "mark"),
    [
        ("nomic-embed-text", QUERY, "search_query: hi", "ollama:nomic-embed-text"),
        ("nomic-embed-text", DOCUMENT, "search_document: hi", "ollama:nomic-embed-text"),
        ("embeddinggemma:300m", QUERY, "task: search result | query: hi", "ollama:embeddinggemma:300m"),
        ("intfloat/multilingual-e5-large", DOCUMENT, "passage: hi", "ollama:intfloat/multilingual-e5-large"),
        ("bge-m3", QUERY, "hi", "ollama:bge-m3"),
    ],
)
async def test_a_model_is_told_what_a_vector_is_for(
    server: tuple[str, Player], name: str, task: EmbeddingTask, text: str, mark: str
) -> None:
    async with embedder(server, vectors([1.0]), name=name, provider="ollama") as (model, asked, _):
        await model.embed(["hi"], task)
        assert model.model == mark
    assert asked[0]["body"]["input"] == [text]
    assert "dimensions" not in asked[0]["body"]


async def test_the_mark_tells_the_length_where_it_is_a_choice(server: tuple[str, Player]) -> None:
    async with embedder(server, vectors([1.0])) as (model, _, _):
        assert model.model == "openai:text-embedding-3-small/768"


async def test_a_server_that_cannot_choose_a_length_is_asked_without(server: tuple[str, Player]) -> None:
    refusal = {"status": 400, "json": {"error": {"message": "Model does not support matryoshka representation"}}}
    async with embedder(server, refusal, vectors([1.0]), vectors([1.0])) as (model, asked, _):
        await model.embed(["a"], DOCUMENT)
        await model.embed(["b"], DOCUMENT)
    assert ["dimensions" in one["body"] for one in asked] == [True, False, False]


async def test_a_call_without_counts_is_estimated(server: tuple[str, Player]) -> None:
    async with embedder(server, vectors([1.0], prompt_tokens="many")) as (model, _, calls):
        await model.embed(["x" * 400], DOCUMENT)
    assert (calls[0].prompt_tokens, calls[0].is_uncounted) == (100, True)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (vectors(), "gave 0 vectors for 1 texts"),
        (vectors([1.0], [1.0]), "gave 2 vectors for 1 texts"),
        (vectors([0.0, 0.0]), "cannot be read"),
        (vectors([math.inf]), "cannot be read"),
        ({"json": {"data": [{"embedding": ["a"]}]}}, "cannot be read"),
        ({"json": {"data": [{"embedding": None}]}}, "cannot be read"),
        ({"json": {"data": 7}}, "gave 0 vectors"),
        ({"text": "<html>"}, "cannot be read"),
        ({"status": 429, "json": {"error": {"message": "rate limit"}}}, "answered 429"),
        ({"status": 503, "json": {"error": {"message": "overloaded"}}}, "answered 503"),
    ],
)
async def test_unusable_answers_are_unavailable(server: tuple[str, Player], answer: Any, words: str) -> None:
    async with embedder(server, answer) as (model, _, calls):
        with pytest.raises(ModelUnavailable, match=words):
            await model.embed(["Ann"], DOCUMENT)
    assert calls == []


async def test_vectors_of_different_lengths_are_unavailable(server: tuple[str, Player]) -> None:
    async with embedder(server, vectors([1.0], [1.0, 0.0])) as (model, _, _):
        with pytest.raises(ModelUnavailable, match="different lengths"):
            await model.embed(["a", "b"], DOCUMENT)


@pytest.mark.parametrize(
    ("status", "trouble"), [(401, ModelTrouble.MISCONFIGURED), (402, ModelTrouble.MONEY), (400, ModelTrouble.UNKNOWN)]
)
async def test_a_refusal_tells_its_cause_and_quotes_nothing(
    server: tuple[str, Player], status: int, trouble: ModelTrouble
) -> None:
    answer = {"status": status, "json": {"error": {"message": "Ann's words"}}}
    async with embedder(server, answer) as (model, _, _):
        with pytest.raises(ModelError) as caught:
            await model.embed(["Ann's words"], DOCUMENT)
    assert isinstance(caught.value, ModelRefused)
    assert caught.value.trouble is trouble
    assert "Ann" not in str(caught.value)
