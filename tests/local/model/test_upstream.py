"""Calls that are passed on: to llama.cpp's own server as somebody might run it, and to one that says what it got."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from local.model.calls import Backend
from local.model.recorder import Recorder
from local.model.server import build_app
from local.model.upstream import GoogleBackend, ModelServer, ServerBackend
from tests.local.model.conftest import Served
from tests.local.model.llama_server import CONTEXT, llama_server
from tests.local.serving import serving

NOBODY = ModelServer(name="Ollama", url="http://127.0.0.1:9", model="qwen3:8b")


@pytest.fixture(scope="module")
def llama() -> Iterator[ModelServer]:
    with llama_server() as server:
        yield server


@pytest.fixture
def served(llama: ModelServer) -> Iterator[Served]:
    with backed_by(ServerBackend(llama)) as made:
        yield made


@contextmanager
def backed_by(backend: Backend) -> Iterator[Served]:
    with serving(build_app(backend, Recorder())) as url:
        made = Served(url)
        yield made
        made.http.close()


def test_an_answer_comes_whole_and_as_a_stream_and_is_recorded(served: Served, llama: ModelServer) -> None:
    assert served.text(model=llama.model)
    streamed = served.ask(model=llama.model, stream=True)
    assert "data: [DONE]" in streamed.text
    whole, stream = served.recorded(2)
    assert (whole["model"], whole["method"], whole["status"]) == (llama.model, "chat/completions", 200)
    assert whole["usage"]["completion_tokens"]
    assert stream["response"] == streamed.text


def test_models_are_told(served: Served, llama: ModelServer) -> None:
    assert [model["id"] for model in served.http.get("/v1/models").json()["data"]] == [llama.model]
    assert served.report()["state"] == "ready"


def test_what_the_server_refuses_is_passed_on_and_not_logged(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    long = served.ask("word " * 3 * CONTEXT)
    assert (long.status_code, long.json()["error"]["type"]) == (400, "exceed_context_size_error")
    told = [record.getMessage() for record in caplog.records if record.name == "local.model.upstream"]
    assert any("answered 400 to chat/completions" in line for line in told)


def test_a_wrong_key_is_a_sentence_without_the_key(llama: ModelServer) -> None:
    with backed_by(ServerBackend(replace(llama, key="another-key"))) as served:
        refused = served.ask()
        assert refused.status_code == 401
        assert "another-key" not in refused.text
        assert served.report()["error"].endswith("does not accept the key in LULL_LOCAL_MODEL_KEY.")
    with backed_by(ServerBackend(replace(llama, key=""))) as served:
        assert served.report()["error"].endswith("requires a key: set LULL_LOCAL_MODEL_KEY.")


def test_a_context_that_is_too_little_is_told(served: Served) -> None:
    assert served.report()["caution"].startswith("Its context is 768 tokens, and lull needs 4,096")
    assert served.report()["caution"] in served.report()["note"]


def test_a_model_that_is_gone_is_told_with_those_that_are_there(llama: ModelServer) -> None:
    with backed_by(ServerBackend(replace(llama, model="qwen3:8b"))) as served:
        report = served.report()
        assert report["state"] == "failed"
        assert report["error"].startswith("qwen3:8b of llama.cpp at http://127.0.0.1")
        assert Path(llama.model).name in report["error"]


def test_a_server_that_is_not_there_is_a_sentence() -> None:
    with backed_by(ServerBackend(NOBODY)) as served:
        answer = served.ask()
        assert answer.status_code == 503
        assert "qwen3:8b of Ollama at http://127.0.0.1:9 does not answer" in answer.json()["error"]["message"]
        assert "LULL_LOCAL_MODEL=small" in served.report()["error"]


async def tell(request: Request) -> JSONResponse:
    said = {"path": request.url.path, "query": request.url.query, "headers": dict(request.headers)}
    return JSONResponse({**said, "body": (await request.body()).decode()}, headers={"x-own": "1"})


TELLING = Starlette(routes=[Route("/{path:path}", tell, methods=["GET", "POST"])])


def test_google_gets_a_call_with_its_key_as_it_was_sent() -> None:
    with serving(TELLING) as upstream, backed_by(GoogleBackend(upstream)) as served:
        path = "/v1beta/models/gemini-3.8-flash:generateContent"
        body = json.dumps({"contents": []})
        answer = served.http.post(f"{path}?alt=sse", content=body, headers={"x-goog-api-key": "a-secret-key"})
        told = answer.json()
        assert (told["path"], told["query"], told["body"]) == (path, "alt=sse", body)
        assert told["headers"]["x-goog-api-key"] == "a-secret-key"
        assert told["headers"]["host"] == upstream.removeprefix("http://")
        assert answer.headers["x-own"] == "1"
        assert served.report()["state"] == "ready"
        assert "a-secret-key" not in served.recorded(1)[0]["request"]


def test_google_that_cannot_be_reached_is_a_sentence() -> None:
    with backed_by(GoogleBackend("http://127.0.0.1:9")) as served:
        answer = served.http.post("/v1beta/models/gemini-3.8-flash:generateContent", json={})
        assert answer.status_code == 503
        assert "Check the network" in answer.json()["error"]["message"]
        assert served.report()["state"] == "failed"


def test_a_key_of_the_server_replaces_what_a_function_sends() -> None:
    with serving(TELLING) as url:
        server = ModelServer(name="vLLM", url=url, model="m", key="the-servers-key")
        with backed_by(ServerBackend(server)) as served:
            told = served.ask(headers={"authorization": "Bearer none"}).json()
    assert told["headers"]["authorization"] == "Bearer the-servers-key"
