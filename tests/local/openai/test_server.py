"""The scripted model behind OpenAI's protocol, asked by the adapter over the official client."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from local.gemini import hashed
from local.gemini.scripted import ScriptedBackend
from local.model.recorder import Recorder
from local.model.server import build_app
from local.openai.server import PREFIX, openai_routes
from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable
from shared.llm.openai.embedding import OpenAIEmbedder
from shared.llm.openai.endpoint import OpenAIEndpoint
from shared.llm.openai.model import OpenAIModel
from shared.llm.ports.embedding import EmbeddingTask
from shared.values.capabilities import OutputKind
from shared.values.prompt import Attachment, Prompt, PromptTurn, ToolAnswer, ToolDeclaration, TurnRole
from tests.local.serving import serving
from tests.stories.play import Model

ASKED = "a secret of Ann's"
TOOL = ToolDeclaration(name="clock", description="Tells the time.", parameters={"type": "object", "properties": {}})
PROMPT = Prompt(system="Be kind.", turns=(PromptTurn(role=TurnRole.USER, parts=(ASKED,)),), reply_tokens=50)
SCHEMA = {"type": "object"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    backend, recorder = ScriptedBackend(), Recorder()
    with serving(build_app(backend, recorder, [*backend.routes(), *openai_routes(backend, recorder)])) as url:
        yield url


@pytest.fixture
async def script(url: str) -> AsyncIterator[Model]:
    async with httpx.AsyncClient(base_url=url, timeout=30) as http:
        model = await Model.from_now(http)
        yield model
        await model.clear()


@pytest.fixture
async def model(url: str) -> AsyncIterator[OpenAIModel]:
    found = OpenAIModel("m-1", OpenAIEndpoint("scripted", f"{url}{PREFIX}"), 5.0, 1)
    yield found
    await found.aclose()


async def test_a_plan_is_answered_and_recorded_as_gemini_is_asked(model: OpenAIModel, script: Model) -> None:
    await script.will_say("Lima")
    reply = await model.generate(PROMPT, SCHEMA)
    assert reply.text == '{"tasks": [{"kind": "send", "text": "Lima"}]}'
    assert (reply.call.prompt_tokens > 0, reply.call.output_tokens > 0, reply.call.is_uncounted) == (True, True, False)
    (asked,) = await script.asked(ASKED)
    assert asked["model"] == "m-1"
    assert asked["request"]["systemInstruction"]["parts"] == [{"text": "Be kind."}]
    assert asked["request"]["generationConfig"]["responseJsonSchema"] == SCHEMA
    assert asked["request"]["generationConfig"]["maxOutputTokens"] == 50


async def test_a_stream_grows_without_thoughts(model: OpenAIModel, script: Model) -> None:
    told: list[str] = []
    await script.will({"text": "grüßt 🙂", "thoughts": "hm", "chunk_chars": 3})
    reply = await model.generate(PROMPT, SCHEMA, told.append)
    assert told == ["grü", "grüßt ", "grüßt 🙂"]
    assert (reply.text, reply.is_complete, reply.call.is_uncounted) == ("grüßt 🙂", True, False)


async def test_calls_come_back_signed_and_with_their_answers(model: OpenAIModel, script: Model) -> None:
    for on_text in (None, lambda _: None):
        await script.will({"function_calls": [{"name": "clock", "args": {}}] * 2, "text": None})
        prompt = PROMPT.with_tools([TOOL])
        reply = await model.generate(prompt, SCHEMA, on_text)
        assert [(call.id, call.name) for call in reply.tool_calls] == [("call_0", "clock"), ("call_1", "clock")]
        given = tuple(ToolAnswer(call=call, text="noon") for call in reply.tool_calls)
        after = prompt.with_turns(
            PromptTurn(role=TurnRole.MODEL, verbatim=reply.verbatim), PromptTurn(role=TurnRole.USER, answers=given)
        )
        await script.will({"text": "It is noon."})
        # the script refuses calls whose signatures are missing or changed
        assert (await model.generate(after, SCHEMA)).text == "It is noon."


async def test_files_are_shown(model: OpenAIModel, script: Model) -> None:
    files = (Attachment(mime_type="image/png", content=b"1234"), Attachment(mime_type="audio/ogg", content=b"12345"))
    turn = PromptTurn(role=TurnRole.USER, parts=(ASKED,), attached=files)
    await script.will({"text": "ok"})
    await model.generate(Prompt(system="", turns=(turn,)), None)
    ((picture, sound),) = await script.shown(ASKED)
    assert (picture["mimeType"], sound["mimeType"]) == ("image/png", "audio/ogg")


@pytest.mark.parametrize(
    ("reply", "kind", "trouble"),
    [
        ({"status": 503, "error": "Ann"}, ModelUnavailable, ModelTrouble.CAPACITY),
        ({"status": 429, "error": "Ann"}, ModelUnavailable, ModelTrouble.QUOTA),
        ({"status": 400, "error": "Ann"}, ModelRefused, ModelTrouble.UNKNOWN),
        ({"status": 403, "error": "Ann"}, ModelRefused, ModelTrouble.MISCONFIGURED),
        ({"text": "Ann", "finish_reason": "SAFETY"}, ModelRefused, ModelTrouble.BLOCKED),
        ({"text": "half and half", "cut": True}, ModelUnavailable, ModelTrouble.UNKNOWN),
    ],
)
@pytest.mark.parametrize("streams", [False, True])
async def test_scripted_failures_are_failures_here_too(
    model: OpenAIModel,
    script: Model,
    reply: dict[str, Any],
    kind: type[Exception],
    trouble: ModelTrouble,
    streams: bool,
) -> None:
    await script.will(reply)
    with pytest.raises(kind) as caught:
        await model.generate(PROMPT, None, (lambda _: None) if streams else None)
    assert isinstance(caught.value, ModelUnavailable | ModelRefused)
    assert caught.value.trouble is trouble


async def test_a_wait_that_the_script_asks_for(model: OpenAIModel, script: Model) -> None:
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "600s"}]
    await script.will({"status": 429, "error": "quota", "error_details": details})
    with pytest.raises(ModelUnavailable) as caught:
        await model.generate(PROMPT, None)
    assert caught.value.wait == timedelta(minutes=10)


@pytest.mark.parametrize(("makes", "kind"), [(OutputKind.SPEECH, "audio/wav"), (OutputKind.PICTURES, "image/png")])
async def test_media_are_made(model: OpenAIModel, script: Model, makes: OutputKind, kind: str) -> None:
    await script.will_echo()
    turn = PromptTurn(role=TurnRole.USER, parts=("a grey dot",))
    reply = await model.generate(Prompt(system="", turns=(turn,), makes=makes, voice="Kore"), None)
    assert [file.mime_type for file in reply.files] == [kind]


async def test_vectors_are_made(url: str, script: Model) -> None:
    model = OpenAIEmbedder(hashed.NAME, OpenAIEndpoint("scripted", f"{url}{PREFIX}"), 5.0, 1, lambda _: None)
    first, second, again = await model.embed(["a cat", "a train", "a cat"], EmbeddingTask.DOCUMENT)
    assert first == again != second
    await model.aclose()


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("chat/completions", b"{", 400),
        ("chat/completions", b"{}", 400),
        ("chat/completions", b'{"messages": [{}]}', 400),
        ("embeddings", b"{}", 400),
        ("responses", b"{}", 404),
    ],
)
async def test_requests_that_cannot_be_read_are_refused(url: str, path: str, body: bytes, status: int) -> None:
    async with httpx.AsyncClient(base_url=url) as http:
        answer = await http.post(f"{PREFIX}/{path}", content=body)
    assert (answer.status_code, "message" in answer.json()["error"]) == (status, True)
