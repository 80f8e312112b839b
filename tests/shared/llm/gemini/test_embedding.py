"""Vectors over Gemini's API, against the local server: requests, and the results of each answer."""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import google.oauth2.credentials
import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from local.gemini import hashed
from local.gemini.scripted import ScriptedBackend
from local.model.recorder import Recorder
from local.model.server import build_app
from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable
from shared.base.model_call import ModelCall
from shared.llm.gemini import embedding
from shared.llm.gemini.api import GeminiApi
from shared.llm.gemini.credentials import GeminiAccess, VertexAI
from shared.llm.gemini.embedding import GeminiEmbedder, unit_vector
from shared.llm.ports.embedding import EmbeddingTask
from tests.local.serving import serving

QUERY, DOCUMENT = EmbeddingTask.QUERY, EmbeddingTask.DOCUMENT


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    backend = ScriptedBackend()
    with serving(build_app(backend, Recorder(), backend.routes())) as url:
        yield url


@pytest.fixture
async def server(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Connect to the control side of the server."""
    async with httpx.AsyncClient(base_url=url, timeout=30) as client:
        yield client
        await client.delete("/script")


async def asked_of(server: httpx.AsyncClient) -> list[list[str]]:
    """List the texts of each embedding request."""
    requests = (await server.get("/embeddings")).json()["requests"]
    return [[one["content"]["parts"][0]["text"] for one in request["body"]["requests"]] for request in requests]


@asynccontextmanager
async def embedder(
    url: str, name: str = hashed.NAME, access: GeminiAccess = "a-key", timeout_s: float = 10.0
) -> AsyncIterator[tuple[GeminiEmbedder, list[ModelCall]]]:
    """Make an embedder with one try, and the list of its counted calls."""
    calls: list[ModelCall] = []
    api = GeminiApi(access, url, timeout_s, 1)
    yield GeminiEmbedder(name, api, calls.append), calls
    await api.aclose()


@asynccontextmanager
async def answering(body: Any) -> AsyncIterator[tuple[str, list[Any]]]:
    """Run a server with one fixed answer, and record its requests."""
    asked: list[Any] = []

    async def say(request: Request) -> Response:
        asked.append((request.url.path, await request.json()))
        return Response(json.dumps(body(asked[-1][1]) if callable(body) else body))

    app = Starlette(routes=[Route("/{path:path}", say, methods=["POST"])])
    with serving(app) as url:
        yield url, asked


def ones(body: Any) -> Any:
    """Make vectors of 768 numbers, not normalized, which encode the number of texts."""
    return {"embeddings": [{"values": [3.0] * 768} for _ in body["requests"]], "usageMetadata": {"promptTokenCount": 9}}


async def test_each_text_has_a_vector_in_its_place_however_many_there_are(server: httpx.AsyncClient, url: str) -> None:
    texts = [f"text {n} of {n * 7}" for n in range(300)]
    async with embedder(url) as (model, calls):
        vectors = await model.embed(texts, DOCUMENT)
        again = await model.embed(texts[250:251], QUERY)
    assert len(vectors) == 300
    assert vectors[250] == pytest.approx(again[0])
    assert vectors[250] != vectors[251]
    assert all(math.hypot(*vector) == pytest.approx(1) for vector in vectors)
    assert [len(asked) for asked in await asked_of(server)][-4:] == [100, 100, 100, 1]
    assert all(call.model == hashed.NAME and call.prompt_tokens for call in calls)
    assert len(calls) == 4


async def test_no_texts_ask_nothing(url: str) -> None:
    async with embedder(url) as (model, calls):
        assert await model.embed([], DOCUMENT) == []
    assert calls == []


async def test_empty_long_and_broken_texts_have_vectors_too(server: httpx.AsyncClient, url: str) -> None:
    async with embedder(url) as (model, _):
        vectors = await model.embed(["", "  \n", "word " * 9_000, "half \ud83d a smile"], DOCUMENT)
    assert len(vectors) == 4
    assert vectors[0] == vectors[1]
    texts = (await asked_of(server))[-1]
    assert texts[0] == embedding.NOTHING
    assert len(texts[2]) <= embedding.LONGEST
    assert texts[3] == "half ? a smile"


@pytest.mark.parametrize(
    ("name", "embedding_task", "text", "options"),
    [
        ("gemini-embedding-2", QUERY, "task: search result | query: hi", {}),
        ("gemini-embedding-2-preview", DOCUMENT, "title: none | text: hi", {}),
        ("gemini-embedding-001", QUERY, "hi", {"taskType": "RETRIEVAL_QUERY"}),
        ("gemini-embedding-001", DOCUMENT, "hi", {"taskType": "RETRIEVAL_DOCUMENT"}),
    ],
)
async def test_a_model_is_told_what_a_vector_is_for(
    name: str, embedding_task: EmbeddingTask, text: str, options: dict[str, str]
) -> None:
    async with answering(ones) as (url, asked), embedder(url, name) as (model, calls):
        (vector,) = await model.embed(["hi"], embedding_task)
    content = {"content": {"parts": [{"text": text}]}, "outputDimensionality": 768}
    assert asked == [
        (f"/v1/models/{name}:batchEmbedContents", {"requests": [{"model": f"models/{name}", **content, **options}]})
    ]
    assert vector == pytest.approx([1 / math.sqrt(768)] * 768)
    assert model.model == f"{name}/768"
    assert [call.prompt_tokens for call in calls] == [9]


async def test_vertex_ai_is_asked_in_its_own_form() -> None:
    credentials = google.oauth2.credentials.Credentials("a-token")  # type: ignore[no-untyped-call]
    access = VertexAI(project="p", location="eu", credentials=credentials)
    async with answering(ones) as (url, asked), embedder(url, "gemini-embedding-001", access) as (model, _):
        await model.embed(["hi"], QUERY)
    path = "/v1beta1/projects/p/locations/eu/publishers/google/models/gemini-embedding-001:batchEmbedContents"
    config = {"outputDimensionality": 768, "taskType": "RETRIEVAL_QUERY"}
    assert asked == [
        (path, {"requests": [{"content": {"parts": [{"text": "hi"}]}, "embedContentConfig": config}]}),
    ]


async def test_the_local_server_speaks_vertex_ais_form_too(server: httpx.AsyncClient, url: str) -> None:
    credentials = google.oauth2.credentials.Credentials("a-token")  # type: ignore[no-untyped-call]
    access = VertexAI(project="p", location="global", credentials=credentials)
    async with embedder(url, access=access) as (model, _):
        assert len(await model.embed(["hi", "there"], DOCUMENT)) == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"embeddings": [{"values": [1.0] * 768}] * 2},
        {"embeddings": [{"values": [1.0, 2.0]}]},
        {"embeddings": [{"values": [0.0] * 768}]},
        {"embeddings": [{"values": ["a"] * 768}]},
        {"embeddings": [{}]},
    ],
)
async def test_an_answer_of_another_shape_is_none(body: object) -> None:
    async with answering(body) as (url, _), embedder(url, "gemini-embedding-2") as (model, calls):
        with pytest.raises(ModelUnavailable):
            await model.embed(["hi"], DOCUMENT)
    assert calls == []


@pytest.mark.parametrize("embedding_task", EmbeddingTask)
async def test_failing_is_told_apart_from_refusing(
    server: httpx.AsyncClient, url: str, embedding_task: EmbeddingTask
) -> None:
    async with embedder(url) as (model, calls):
        await server.post("/script", json={"vectors": {"status": 503, "error": "a secret", "times": 1}})
        with pytest.raises(ModelUnavailable) as raised:
            await model.embed(["hi"], embedding_task)
        assert "secret" not in str(raised.value)
        await server.post("/script", json={"vectors": {"status": 400, "error": "a secret", "times": 1}})
        with pytest.raises(ModelRefused) as refused:
            await model.embed(["hi"], embedding_task)
        assert "secret" not in str(refused.value)
        assert len(await model.embed(["hi"], embedding_task)) == 1
    assert len(calls) == 1


async def test_a_model_that_is_not_there_is_a_matter_of_settings(server: httpx.AsyncClient, url: str) -> None:
    async with embedder(url, "another") as (model, _):
        with pytest.raises(ModelRefused) as raised:
            await model.embed(["hi"], DOCUMENT)
    assert raised.value.trouble is ModelTrouble.MISCONFIGURED


async def test_what_takes_too_long_is_unavailable(server: httpx.AsyncClient, url: str) -> None:
    await server.post("/script", json={"vectors": {"status": 200, "delay_s": 600}})
    async with embedder(url, timeout_s=0.2) as (model, _):
        with pytest.raises(ModelUnavailable):
            await model.embed(["hi"], DOCUMENT)


async def test_it_can_be_called_off(server: httpx.AsyncClient, url: str) -> None:
    await server.post("/script", json={"vectors": {"status": 200, "delay_s": 600}})
    async with embedder(url) as (model, _):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await model.embed(["hi"], DOCUMENT)


def test_a_vector_is_made_one_of_length_one() -> None:
    assert unit_vector([3.0, 4.0]) == (0.6, 0.8)
    for values in ([0.0, 0.0], [math.nan, 1.0], [math.inf], []):
        with pytest.raises(ModelUnavailable):
            unit_vector(values)
