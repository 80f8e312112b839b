"""Tools over Gemini's API: declared, called, and answered, with the model's signatures passed back unchanged."""

import base64
import json
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import pytest
from google.genai import types

from shared.llm.gemini.model import GeminiModel, request_body, takes_schema, turn_content
from shared.planning.format.schema import plan_schema
from shared.tools.toolbox import TOOLS
from shared.values.evolve import evolve
from shared.values.prompt import Attachment, ModelReply, Prompt, PromptTurn, ToolAnswer, ToolCall, TurnRole
from tests.shared.conftest import model_at
from tests.shared.llm.gemini.test_credentials import credentials, vertex
from tests.shared.llm.gemini.test_model import both_ways, events
from tests.stories.play import Model

OnText = Callable[[str], None]
SCHEMA = plan_schema(("send",))
ASKED = "what Ann wants worked out"
PROMPT = Prompt(
    system="You are lull.",
    turns=(PromptTurn(role=TurnRole.USER, parts=(ASKED,)),),
    tools=tuple(tool.declaration for tool in TOOLS.values()),
)
CALL = {"name": "calculate", "args": {"expression": "1 + 1"}}


async def last_request(script: Model) -> Any:
    return (await script.asked(ASKED))[-1]["request"]


def answered(prompt: Prompt, reply: ModelReply, *texts: str) -> Prompt:
    """Continue the prompt with a reply with calls, and the answers to them."""
    answers = tuple(ToolAnswer(call=call, text=text) for call, text in zip(reply.tool_calls, texts, strict=True))
    called = PromptTurn(role=TurnRole.MODEL, verbatim=reply.verbatim)
    return prompt.with_turns(called, PromptTurn(role=TurnRole.USER, answers=answers))


@both_ways
async def test_functions_are_declared_beside_the_schema(
    gemini: GeminiModel, script: Model, on_text: OnText | None
) -> None:
    await script.will({"text": "ok"}, {"text": "ok"})
    await gemini.generate(PROMPT, SCHEMA, on_text)
    request = await last_request(script)
    (tools,) = request["tools"]
    assert [(each["name"], each["parametersJsonSchema"]) for each in tools["functionDeclarations"]] == [
        (tool.name, dict(tool.parameters)) for tool in TOOLS.values()
    ]
    assert request["generationConfig"]["responseJsonSchema"] == dict(SCHEMA)
    assert "toolConfig" not in request
    await gemini.generate(evolve(PROMPT, may_call=False), SCHEMA, on_text)
    last = await last_request(script)
    assert last["toolConfig"] == {"functionCallingConfig": {"mode": "NONE"}}
    assert last["tools"] == request["tools"]


@both_ways
async def test_calls_are_read_and_go_back_signed_as_they_came(
    gemini: GeminiModel, script: Model, on_text: OnText | None
) -> None:
    calls = [{**CALL, "id": "a1"}, {"name": "calculate", "args": {"expression": "é", "deep": [1, {"x": None}]}}]
    await script.will({"function_calls": calls, "text": "Let me see.", "thoughts": "hm", "chunks": 4}, {"text": "ok"})
    reply = await gemini.generate(PROMPT, SCHEMA, on_text)
    assert (reply.text, reply.is_complete) == ("Let me see.", True)
    assert [(call.id, call.name, call.arguments) for call in reply.tool_calls] == [
        (call.get("id", ""), call["name"], call["args"]) for call in calls
    ]
    again = await gemini.generate(answered(PROMPT, reply, "2", "no"), SCHEMA, on_text)
    assert (again.text, again.tool_calls, again.verbatim) == ("ok", (), "")
    _, called, answers = (await last_request(script))["contents"]
    assert called["role"] == "model"
    assert [part["functionCall"] for part in called["parts"] if "functionCall" in part] == calls
    assert "".join(part["text"] for part in called["parts"] if "text" in part and "thought" not in part) == reply.text
    assert answers["role"] == "user"
    assert [part["functionResponse"] for part in answers["parts"]] == [
        {"id": "a1", "name": "calculate", "response": {"output": "2"}},
        {"name": "calculate", "response": {"output": "no"}},
    ]


@both_ways
async def test_over_vertex_ai_calls_are_read_and_go_back_too(
    model_url: str, script: Model, on_text: OnText | None
) -> None:
    await script.will({"function_calls": [{**CALL, "id": "a1"}]}, {"text": "ok"})
    async with model_at(model_url, 5.0, 1, vertex(credentials())) as model:
        reply = await model.generate(PROMPT, SCHEMA, on_text)
        assert (await model.generate(answered(PROMPT, reply, "2"), SCHEMA, on_text)).text == "ok"
    request = await last_request(script)
    assert [tool["name"] for tool in request["tools"][0]["functionDeclarations"]] == [t.name for t in PROMPT.tools]
    assert request["contents"][-1]["parts"][0]["functionResponse"]["id"] == "a1"


@both_ways
async def test_a_signature_may_stand_anywhere_and_be_of_any_bytes(
    gemini: GeminiModel, script: Model, on_text: OnText | None
) -> None:
    signature = base64.b64encode(bytes(range(256))).decode()
    parts = [{"text": "", "thoughtSignature": signature}, {"text": "so", "thoughtSignature": signature}]
    candidate = {"content": {"role": "model", "parts": [*parts, {"functionCall": CALL}]}, "finishReason": "STOP"}
    await script.will({"candidates": [candidate]})
    reply = await gemini.generate(PROMPT, SCHEMA, on_text)
    passed = types.Content.model_validate(turn_content(PromptTurn(role=TurnRole.MODEL, verbatim=reply.verbatim)))
    assert [part.thought_signature for part in passed.parts or []] == [bytes(range(256)), bytes(range(256)), None]


async def test_in_a_stream_calls_come_in_any_event(gemini: GeminiModel, script: Model) -> None:
    told: list[str] = []
    first = {"candidates": [{"content": {"role": "model", "parts": [{"text": "Let "}, {"functionCall": CALL}]}}]}
    then = {"candidates": [{"content": {"parts": [{"text": "me."}, {"functionCall": CALL}]}}]}
    last = {"candidates": [{"content": {}, "finishReason": "STOP"}]}
    await script.will({"body": events(first, then, last)})
    reply = await gemini.generate(PROMPT, SCHEMA, told.append)
    assert (reply.text, len(reply.tool_calls), told) == ("Let me.", 2, ["Let ", "Let me."])
    assert len(json.loads(reply.verbatim)["parts"]) == 4


@both_ways
@pytest.mark.parametrize(
    ("answer", "is_bad_call"),
    [
        ({"finish_reason": "MALFORMED_FUNCTION_CALL"}, True),
        ({"finish_reason": "UNEXPECTED_TOOL_CALL", "function_calls": [CALL]}, True),
        ({"finish_reason": "TOO_MANY_TOOL_CALLS"}, True),
        ({"finish_reason": "MALFORMED_RESPONSE"}, False),
        ({"finish_reason": "MAX_TOKENS", "function_calls": [CALL]}, False),
        ({"function_calls": [CALL, {"args": {}}]}, True),
    ],
)
async def test_a_call_that_cannot_be_used_is_no_whole_reply(
    gemini: GeminiModel, script: Model, answer: dict[str, Any], is_bad_call: bool, on_text: OnText | None
) -> None:
    await script.will(answer)
    reply = await gemini.generate(PROMPT, SCHEMA, on_text)
    assert (reply.is_complete, reply.is_bad_call) == (False, is_bad_call)


@both_ways
async def test_an_older_model_is_asked_for_either_functions_or_a_schema(
    gemini: GeminiModel, script: Model, on_text: OnText | None
) -> None:
    older = gemini.named("gemini-2.5-flash")
    await script.will({"text": "ok", "times": 2})
    await older.generate(PROMPT, SCHEMA, on_text)
    assert (await last_request(script))["generationConfig"] == {}
    await older.generate(evolve(PROMPT, tools=()), SCHEMA, on_text)
    assert (await last_request(script))["generationConfig"]["responseJsonSchema"] == dict(SCHEMA)


@pytest.mark.parametrize(
    ("model", "takes"),
    [
        ("gemini-2.5-flash", False),
        ("models/gemini-2.0-flash-001", False),
        ("gemini-1.5-pro", False),
        ("gemini-3.8-flash", True),
        ("gemini-10-pro", True),
        ("gemini-4-argon", True),
        ("gemini-flash-latest", True),
        ("qwen2.5-coder", True),
    ],
)
def test_which_models_take_both(model: str, takes: bool) -> None:
    assert takes_schema(model, PROMPT) is takes
    assert takes_schema(model, evolve(PROMPT, tools=()))


def test_a_failed_answer_of_a_tool_is_an_error() -> None:
    failed = ToolAnswer(call=ToolCall(id="1", name="f", arguments={}), text="no", is_error=True)
    (part,) = turn_content(PromptTurn(role=TurnRole.USER, answers=(failed,)))["parts"]
    assert part == {"functionResponse": {"id": "1", "name": "f", "response": {"error": "no"}}}


def test_a_body_says_no_more_than_the_prompt() -> None:
    prompt = evolve(PROMPT, tools=())
    said = {"role": "user", "parts": [{"text": "You are lull."}]}
    asked = [{"role": "user", "parts": [{"text": ASKED}]}]
    assert request_body(prompt, None) == {"systemInstruction": said, "contents": asked, "generationConfig": {}}
    limited = request_body(evolve(prompt, reply_tokens=70), MappingProxyType({"type": "object"}))
    assert json.loads(json.dumps(limited))["generationConfig"] == {
        "maxOutputTokens": 70,
        "responseMimeType": "application/json",
        "responseJsonSchema": {"type": "object"},
    }


PICTURE = Attachment(mime_type="image/jpeg", content=bytes(range(256)))
STICKER = Attachment(mime_type="image/webp", content=b"RIFF", is_simple=True)


def test_files_stand_before_a_turns_texts_byte_for_byte() -> None:
    content = turn_content(PromptTurn(role=TurnRole.USER, parts=("look", "and say"), attached=(PICTURE, STICKER)))
    assert [next(iter(part)) for part in content["parts"]] == ["inlineData", "inlineData", "text", "text"]
    # as Google's own client reads them
    passed = types.Content.model_validate(json.loads(json.dumps(content)))
    files = [part.inline_data for part in passed.parts or [] if part.inline_data]
    assert [(file.mime_type, file.data) for file in files] == [
        ("image/jpeg", PICTURE.content),
        ("image/webp", STICKER.content),
    ]


def test_files_may_stand_between_a_turns_texts() -> None:
    turn = PromptTurn(
        role=TurnRole.USER, parts=("a", "b", "c"), attached=(PICTURE, STICKER, PICTURE), attached_at=(1, 3, 1)
    )
    parts = turn_content(turn)["parts"]
    assert [part.get("text") or part["inlineData"]["mimeType"] for part in parts] == [
        *("a\n", "image/jpeg", "image/jpeg", "b\n", "c", "image/webp"),
    ]


@pytest.mark.parametrize(
    ("attached", "said"),
    [((), {}), ((PICTURE,), {}), ((PICTURE, STICKER), {}), ((STICKER,), {"mediaResolution": "MEDIA_RESOLUTION_LOW"})],
)
def test_only_where_all_files_are_simple_they_are_looked_at_from_afar(
    attached: tuple[Attachment, ...], said: dict[str, str]
) -> None:
    turn = PromptTurn(role=TurnRole.USER, parts=(ASKED,), attached=attached)
    generation = request_body(Prompt(system="s", turns=(turn,)), None)["generationConfig"]
    assert generation == said
    types.GenerateContentConfig.model_validate(generation)
