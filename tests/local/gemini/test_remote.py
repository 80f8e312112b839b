"""Gemini's API over llama.cpp's own server, through Google's official client."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from google.genai import errors, types

from local.gemini.recorder import Recorder
from local.gemini.remote import ModelServer, ServerBackend
from local.gemini.server import build_app
from shared.planning.format.schema import plan_schema
from shared.tasks.registry import plannable
from shared.tools.toolbox import TOOLS
from shared.values.evolve import evolve
from tests.local.gemini.conftest import ConnectTo, Served
from tests.local.gemini.llama_server import CONTEXT, llama_server
from tests.local.gemini.serving import serving
from tests.local.gemini.test_small import MODEL, PLAN, config

NOBODY = ModelServer(name="Ollama", url="http://127.0.0.1:9", model="qwen3:8b")


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    with llama_server(tmp_path_factory.mktemp("states")) as server:
        yield server


@pytest.fixture
def served(llama: ModelServer) -> Iterator[Served]:
    yield from backed_by(llama)


def backed_by(server: ModelServer) -> Iterator[Served]:
    with serving(build_app(ServerBackend(server), Recorder())) as url:
        made = Served(url)
        yield made
        made.http.close()


def state_of(served: Served) -> dict[str, str]:
    """Wait until the state of the model is known, and give it."""
    while (report := served.http.get("/model").json())["state"] == "starting":
        pass
    return dict(report)


async def test_an_answer_comes_whole_and_as_a_stream(served: Served, connect: ConnectTo, llama: ModelServer) -> None:
    client = connect(served)
    answer = await client.aio.models.generate_content(model=MODEL, contents="Say hello.", config=config())
    assert answer.text
    assert answer.model_version == llama.model
    assert answer.usage_metadata
    assert answer.usage_metadata.candidates_token_count
    stream = await client.aio.models.generate_content_stream(model=MODEL, contents="Say hello.", config=config())
    chunks = [chunk async for chunk in stream]
    assert len(chunks) > 2
    assert chunks[-1].candidates
    # the server's cache changes rounding, so the same question may get a shorter answer
    ends = [chunk.candidates[0].finish_reason for chunk in chunks if chunk.candidates]
    assert ends[-1] in {types.FinishReason.STOP, types.FinishReason.MAX_TOKENS}
    assert not any(ends[:-1])


async def test_a_plan_is_held_to_its_schema_with_functions_beside_it(served: Served, connect: ConnectTo) -> None:
    function = types.FunctionDeclaration(name="calculate", description="Works out a sum.", parameters_json_schema={})
    plain = config(max_output_tokens=300, response_mime_type="application/json", response_json_schema=PLAN)
    with_functions = evolve(plain, tools=[types.Tool(function_declarations=[function])])
    for held in (plain, with_functions):
        answer = await connect(served).aio.models.generate_content(model=MODEL, contents="Greet Ann.", config=held)
        if not answer.function_calls:
            jsonschema.validate(json.loads(answer.text or ""), PLAN)


async def test_every_kind_of_task_and_every_tool_is_taken(
    served: Served, connect: ConnectTo, caplog: pytest.LogCaptureFixture
) -> None:
    declared = [tool.declaration for tool in TOOLS.values()]
    functions = [
        types.FunctionDeclaration(
            name=one.name, description=one.description, parameters_json_schema=dict(one.parameters)
        )
        for one in declared
    ]
    held = config(
        response_mime_type="application/json",
        response_json_schema=plan_schema(tuple(plannable())),
        tools=[types.Tool(function_declarations=functions)],
    )
    with caplog.at_level("INFO", "local.gemini.refusals"):
        answer = await connect(served).aio.models.generate_content(model=MODEL, contents="Greet Ann.", config=held)
    assert answer.text or answer.function_calls
    assert not [record for record in caplog.records if record.name == "local.gemini.refusals"]


def test_models_are_told(served: Served, connect: ConnectTo, llama: ModelServer) -> None:
    assert [model.display_name for model in connect(served).models.list()] == [llama.model]
    assert state_of(served)["state"] == "ready"


def test_what_it_refuses_is_a_sentence(served: Served, connect: ConnectTo) -> None:
    client = connect(served)
    with pytest.raises(errors.ClientError, match=r"llama.cpp at .* refused the request: .*exceeds") as long:
        client.models.generate_content(model=MODEL, contents="word " * 3 * CONTEXT)
    assert long.value.status == "INVALID_ARGUMENT"
    with pytest.raises(errors.ServerError, match="has no batchEmbedContents"):
        client.models.embed_content(model=MODEL, contents="x")


def test_a_wrong_key_is_a_sentence_without_the_key(llama: ModelServer, connect: ConnectTo) -> None:
    for served in backed_by(replace(llama, key="another-key")):
        with pytest.raises(errors.ClientError, match="refused the request") as raised:
            connect(served).models.generate_content(model=MODEL, contents="hi")
        assert raised.value.status == "PERMISSION_DENIED"
        assert "another-key" not in str(raised.value)
        assert state_of(served)["error"].endswith("takes another key than LULL_LOCAL_MODEL_KEY.")
    for served in backed_by(replace(llama, key="")):
        assert state_of(served)["error"].endswith("wants a key: set LULL_LOCAL_MODEL_KEY.")


def test_a_context_that_is_too_little_is_told_and_so_is_what_the_server_refuses(
    served: Served, connect: ConnectTo, caplog: pytest.LogCaptureFixture
) -> None:
    assert state_of(served)["caution"].startswith("Its context is 768 tokens, and lull needs 4,096")
    assert state_of(served)["caution"] in state_of(served)["note"]
    assert [model.input_token_limit for model in connect(served).models.list()] == [CONTEXT]
    with pytest.raises(errors.ClientError):
        connect(served).models.generate_content(model=MODEL, contents="word " * 3 * CONTEXT)
    told = [record.getMessage() for record in caplog.records if record.name == "local.gemini.remote"]
    assert any("llama.cpp at" in line and "768" in line and "exceed" in line for line in told)


def test_a_model_that_is_gone_is_told_with_those_that_are_there(llama: ModelServer) -> None:
    for served in backed_by(replace(llama, model="qwen3:8b")):
        report = state_of(served)
        assert report["state"] == "failed"
        assert report["error"].startswith("qwen3:8b of llama.cpp at http://127.0.0.1")
        assert Path(llama.model).name in report["error"]


def test_a_server_that_is_not_there_is_a_sentence(connect: ConnectTo) -> None:
    for served in backed_by(NOBODY):
        with pytest.raises(errors.ServerError, match=r"qwen3:8b of Ollama at .* does not answer") as raised:
            connect(served).models.generate_content(model=MODEL, contents="hi")
        assert raised.value.status == "UNAVAILABLE"
        assert "LULL_LOCAL_MODEL=small" in state_of(served)["error"]


def test_time_that_is_up_is_said(served: Served) -> None:
    call = {"contents": [{"parts": [{"text": "Write."}]}]}
    headers = {"x-server-timeout": "0.01"}
    answer = served.http.post(f"/v1/models/{MODEL}:generateContent", json=call, headers=headers)
    assert (answer.status_code, answer.json()["error"]["status"]) == (504, "DEADLINE_EXCEEDED")
