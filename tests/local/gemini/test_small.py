import asyncio
import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import httpx2
import jsonschema
import psutil
import pytest
from google import genai
from google.genai import errors, types
from pydantic import BaseModel

from local.gemini.engine import EngineOptions
from local.gemini.model_file import ModelFileError
from local.gemini.recorder import Recorder
from local.gemini.server import build_app
from local.gemini.small import SmallBackend
from local.gemini.state import Progress
from shared.values.evolve import evolve
from tests.local.gemini.conftest import CONTEXT, ConnectTo, Served, named, small_gguf
from tests.local.gemini.serving import serving

MODEL = "gemini-3.8-flash"
PLAN = {
    "type": "object",
    "properties": {
        "tasks": {
            "type": "array",
            "minItems": 1,
            "maxItems": 2,
            "items": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"type": "string", "enum": ["send"]},
                            "text": {"type": "string", "minLength": 1, "maxLength": 40},
                            "reply_to": {"type": "integer"},
                        },
                        "required": ["kind", "text"],
                        "additionalProperties": False,
                    },
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"type": "string", "enum": ["wait"]},
                            "seconds": {"type": "integer", "maximum": 99},
                        },
                        "required": ["kind", "seconds"],
                        "additionalProperties": False,
                    },
                ]
            },
        }
    },
    "required": ["tasks"],
    "additionalProperties": False,
}

#: by this size, the engines of these servers differ from those of other tests
KILLED_CONTEXT = 768

#: room for a very long answer
ENDLESS = {"type": "array", "minItems": 1_000, "maxItems": 1_000, "items": {"type": "integer"}}


class Colour(BaseModel):
    name: Literal["red", "green"]
    is_warm: bool


@pytest.fixture
def client(small: Served, connect: ConnectTo) -> genai.Client:
    return connect(small)


def config(**fields: Any) -> types.GenerateContentConfig:
    off = types.AutomaticFunctionCallingConfig(disable=True)
    return types.GenerateContentConfig(**{"max_output_tokens": 12, "automatic_function_calling": off, **fields})


async def test_a_text_comes_sync_and_async(client: genai.Client) -> None:
    for answer in (
        client.models.generate_content(model=MODEL, contents="Say hello.", config=config()),
        await client.aio.models.generate_content(model=MODEL, contents="Say hello.", config=config()),
    ):
        assert answer.text
        assert answer.model_version == "SmolLM2"
        assert answer.usage_metadata
        assert answer.usage_metadata.candidates_token_count


async def test_a_stream_comes_token_by_token(client: genai.Client) -> None:
    endless = config(response_mime_type="application/json", response_json_schema=ENDLESS)
    stream = await client.aio.models.generate_content_stream(model=MODEL, contents="Count.", config=endless)
    chunks = [chunk async for chunk in stream]
    assert len(chunks) > 2
    assert chunks[-1].candidates
    assert chunks[-1].candidates[0].finish_reason is types.FinishReason.MAX_TOKENS
    assert chunks[-1].usage_metadata
    assert chunks[-1].usage_metadata.candidates_token_count == 12
    assert [chunk.usage_metadata for chunk in chunks[:-1]] == [None] * (len(chunks) - 1)
    assert list(client.models.generate_content_stream(model=MODEL, contents="Count.", config=endless))


async def test_a_plan_is_held_to_its_schema(client: genai.Client) -> None:
    held = config(max_output_tokens=300, response_mime_type="application/json", response_json_schema=PLAN)
    answer = await client.aio.models.generate_content(model=MODEL, contents="Greet Ann with a plan.", config=held)
    jsonschema.validate(json.loads(answer.text or ""), PLAN)


async def test_functions_are_passed_over_and_the_plan_is_written_all_the_same(client: genai.Client) -> None:
    function = types.FunctionDeclaration(name="calculate", description="Works out a sum.", parameters_json_schema={})
    held = config(
        max_output_tokens=300,
        response_mime_type="application/json",
        response_json_schema=PLAN,
        tools=[types.Tool(function_declarations=[function])],
    )
    for mode in types.FunctionCallingConfigMode.AUTO, types.FunctionCallingConfigMode.NONE:
        calling = types.FunctionCallingConfig(mode=mode)
        asked = evolve(held, tool_config=types.ToolConfig(function_calling_config=calling))
        answer = await client.aio.models.generate_content(model=MODEL, contents="What is 2 + 2?", config=asked)
        assert not answer.function_calls
        jsonschema.validate(json.loads(answer.text or ""), PLAN)


def test_a_pydantic_schema_is_held_as_well(client: genai.Client) -> None:
    held = config(max_output_tokens=60, response_mime_type="application/json", response_schema=Colour)
    answer = client.models.generate_content(model=MODEL, contents="A colour, please.", config=held)
    assert isinstance(answer.parsed, Colour)


def test_counted_tokens_are_those_of_the_prompt(client: genai.Client) -> None:
    counted = client.models.count_tokens(model=MODEL, contents="Say hello.")
    answer = client.models.generate_content(model=MODEL, contents="Say hello.", config=config())
    assert answer.usage_metadata
    assert counted.total_tokens == answer.usage_metadata.prompt_token_count


def test_models_are_told(small: Served, client: genai.Client) -> None:
    assert client.models.get(model=MODEL).input_token_limit == CONTEXT
    assert [model.display_name for model in client.models.list()] == ["SmolLM2"]
    report = small.http.get("/model").json()
    assert (report["state"], report["name"]) == ("ready", "SmolLM2")
    assert "text only" in report["note"]


def test_what_is_expected_is_read_while_nobody_calls(small: Served) -> None:
    lull = {"name": "lull", "instruction": "You are lull, a friendly assistant. " * 40}
    assert small.http.post("/reading", json={"prompts": [lull]}).is_success
    seen: list[Any] = []
    while (reading := small.http.get("/model").json()["reading"]) or not seen:
        seen += [reading] if reading else []
    assert seen[-1]["names"] == ["lull"]
    assert 0 <= seen[0]["done_tokens"] < seen[0]["total_tokens"]
    wrong = small.http.post("/reading", json={"prompts": [{"name": "lull"}]})
    assert (wrong.status_code, "instruction" in wrong.json()["error"]) == (400, True)


def test_what_it_cannot_do_is_said(client: genai.Client) -> None:
    picture = types.Part.from_bytes(data=base64.b64decode("iVBORw0KGgo="), mime_type="image/png")
    question = types.Content(role="user", parts=[picture, types.Part(text="What is it?")])
    with pytest.raises(errors.ClientError, match="reads text only") as wrong:
        client.models.generate_content(model=MODEL, contents=question)
    assert (wrong.value.code, wrong.value.status) == (400, "INVALID_ARGUMENT")
    with pytest.raises(errors.ServerError, match="has no batchEmbedContents") as missing:
        client.models.embed_content(model=MODEL, contents="x")
    assert (missing.value.code, missing.value.status) == (501, "UNIMPLEMENTED")
    for ask in (client.models.generate_content, client.models.generate_content_stream):
        with pytest.raises(errors.ClientError, match=f"exceeds the maximum number of tokens allowed \\({CONTEXT}\\)"):
            list(ask(model=MODEL, contents="word " * 3 * CONTEXT))


async def test_callers_take_turns(client: genai.Client) -> None:
    asked = [client.aio.models.generate_content(model=MODEL, contents=f"{n}?", config=config()) for n in range(3)]
    assert all(answer.text for answer in await asyncio.gather(*asked))


async def test_a_caller_who_hangs_up_frees_the_model_for_the_next(small: Served, connect: ConnectTo) -> None:
    seen = small.exchanges()[-1]["n"] if small.exchanges() else 0
    url, hasty = f"{small.url}/v1/models/{MODEL}:streamGenerateContent?alt=sse", connect(small, timeout=1_500)
    async with httpx2.AsyncClient() as http, http.stream("POST", url, json=_endless_call()) as stream:
        written = stream.aiter_bytes()
        await anext(written)
        with pytest.raises(httpx2.TimeoutException):  # it had to wait for its turn
            await hasty.aio.models.generate_content(model=MODEL, contents="Quick.", config=config())
        small.recorded(1, after=seen)
    answer = await connect(small).aio.models.generate_content(model=MODEL, contents="Say hello.", config=config())
    assert answer.text
    assert [e["status"] for e in small.exchanges(after=seen)] == [499, 499, 200]


async def test_a_time_that_is_up_is_said(small: Served) -> None:
    headers = {"x-server-timeout": "1"}
    answer = small.http.post(f"/v1/models/{MODEL}:generateContent", json=_endless_call(), headers=headers)
    assert (answer.status_code, answer.json()["error"]["status"]) == (504, "DEADLINE_EXCEEDED")
    assert "within 1 s" in answer.json()["error"]["message"]


def _endless_call() -> dict[str, Any]:
    return {"contents": [{"parts": [{"text": "Write."}]}], "generationConfig": {"responseJsonSchema": ENDLESS}}


@contextmanager
def small_server(get_file: Any, patience_s: float = 0.1) -> Iterator[Served]:
    progress = Progress(1_000)
    progress.reached(400)
    backend = SmallBackend("Tiny", get_file, progress, EngineOptions(context=KILLED_CONTEXT, threads=2), patience_s)
    with serving(build_app(backend, Recorder())) as url:
        served = Served(url)
        yield served
        served.http.close()


def test_until_the_model_is_here_it_is_said_how_far_it_is(connect: ConnectTo) -> None:
    async def coming(_: Progress) -> Path:
        await asyncio.sleep(600)
        raise AssertionError("nobody waited so long")

    with small_server(coming) as served:
        report = served.http.get("/model").json()
        assert (report["state"], report["done_bytes"], report["total_bytes"]) == ("downloading", 400, 1_000)
        for ask in (connect(served).models.generate_content, connect(served).models.generate_content_stream):
            with pytest.raises(errors.ServerError, match="is being downloaded: 0 of 0 MB") as raised:
                list(ask(model=MODEL, contents="hi"))
            assert (raised.value.code, raised.value.status) == (503, "UNAVAILABLE")
        assert served.http.get("/healthz").is_success


def test_a_model_that_cannot_be_had_says_why(connect: ConnectTo) -> None:
    async def failing(_: Progress) -> Path:
        raise ModelFileError("The disk is full. Free space there.")

    with small_server(failing) as served:
        with pytest.raises(errors.ServerError, match=r"There is no local model\. The disk is full"):
            connect(served).models.generate_content(model=MODEL, contents="hi")
        report = served.http.get("/model").json()
        assert (report["state"], report["error"]) == ("failed", "The disk is full. Free space there.")


def test_a_file_that_does_not_load_says_why(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF and nothing more")
    with small_server(named(tmp_path / "broken.gguf"), patience_s=60) as served:
        served.http.post(f"/v1/models/{MODEL}:countTokens", json={"contents": [{"parts": [{"text": "x"}]}]})
        assert "broken.gguf does not load" in served.http.get("/model").json()["error"]


def test_an_engine_that_dies_is_started_again(connect: ConnectTo) -> None:
    with small_server(named(small_gguf()), patience_s=60) as served:
        client = connect(served)
        assert client.models.generate_content(model=MODEL, contents="hi", config=config()).text
        before = _engines()
        for engine in before:
            engine.kill()
        psutil.wait_procs(before)
        while served.http.get("/model").json()["state"] == "ready" and not set(_engines()) - set(before):
            time.sleep(0.05)
        assert client.models.generate_content(model=MODEL, contents="hi", config=config()).text


def _engines() -> list[psutil.Process]:
    """Find the engines of this test by its context size."""
    return [child for child in psutil.Process().children() if f"--context {KILLED_CONTEXT}" in _command(child)]


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:  # it was another test's and has ended
        return ""
