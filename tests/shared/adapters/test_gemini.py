"""Gemini through its official client, against the scripted server: what is asked, and what each answer means."""

import json
from typing import Any

import pytest

from local.cloud import LocalCloud
from local.ports import reserve_port
from shared.adapters.gemini import GeminiModel
from shared.errors import ModelRefused, ModelUnavailable
from shared.logs import about
from shared.models.prompt import Prompt, PromptTurn, Role
from shared.planning.schema import plan_schema
from tests.shared.conftest import model_at
from tests.stories.play import Model

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SCHEMA = plan_schema(("send",))
PROMPT = Prompt(
    system="You are lull.",
    turns=(
        PromptTurn(role=Role.USER, parts=("hi", "there")),
        PromptTurn(role=Role.MODEL, parts=("{}",)),
        PromptTurn(role=Role.USER, parts=("a secret of Ann's",)),
    ),
)


async def test_the_prompt_goes_out_as_it_is_with_the_schema_and_the_trace(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": "ok"})
    with about(trace=TRACE):
        reply = await gemini.generate(PROMPT, SCHEMA)
    assert (reply.text, reply.is_complete) == ("ok", True)
    exchange = (await script.asked("a secret of Ann's"))[-1]
    asked = exchange["request"]
    assert exchange["trace"] == TRACE
    assert [(turn["role"], [part["text"] for part in turn["parts"]]) for turn in asked["contents"]] == [
        ("user", ["hi", "there"]),
        ("model", ["{}"]),
        ("user", ["a secret of Ann's"]),
    ]
    assert asked["systemInstruction"]["parts"][0]["text"] == "You are lull."
    assert asked["generationConfig"] == {"responseMimeType": "application/json", "responseJsonSchema": dict(SCHEMA)}


async def test_what_a_call_took_is_recorded(gemini: GeminiModel, script: Model) -> None:
    usage = {"promptTokenCount": 10, "cachedContentTokenCount": 4, "thoughtsTokenCount": 3, "candidatesTokenCount": 2}
    await script.will({"text": "ok", "usage": usage})
    call = (await gemini.generate(PROMPT, SCHEMA)).call
    counts = (call.prompt_tokens, call.cached_tokens, call.thought_tokens, call.output_tokens)
    assert counts == (10, 4, 3, 2)
    assert call.ms >= 0
    await script.will({"body": '{"candidates": []}'})
    assert (await gemini.generate(PROMPT, SCHEMA)).call.prompt_tokens == 0


@pytest.mark.parametrize(
    ("answer", "text", "is_complete"),
    [
        ({"text": "ok", "thoughts": "hm"}, "ok", True),
        ({"thoughts": "only thoughts"}, "", True),
        ({}, "", True),
        ({"candidates": []}, "", True),
        ({"candidates": [{}]}, "", True),
        ({"body": "[1]"}, "", True),
        ({"body": '{"candidates": "x"}'}, "", True),
        ({"body": ""}, "", True),
        ({"candidates": [{"content": {}}]}, "", True),
        ({"text": "cut", "finish_reason": "MAX_TOKENS"}, "cut", False),
        ({"text": "x", "finish_reason": "OTHER"}, "x", False),
        ({"function_calls": [{"name": "f", "args": {}}]}, "", True),
    ],
)
async def test_an_answer_of_any_shape_is_a_reply(
    gemini: GeminiModel, script: Model, answer: dict[str, Any], text: str, is_complete: bool
) -> None:
    await script.will(answer)
    reply = await gemini.generate(PROMPT, SCHEMA)
    assert (reply.text, reply.is_complete) == (text, is_complete)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ({"status": 400, "error": "Ann's secret"}, ModelRefused, "Gemini answered 400"),
        ({"status": 403, "error": "Ann's secret"}, ModelRefused, "check GEMINI_API_KEY"),
        ({"status": 404, "error": "Ann's secret"}, ModelRefused, "Gemini answered 404"),
        ({"status": 429, "error": "Ann's secret", "times": 2}, ModelUnavailable, "Gemini answered 429"),
        ({"status": 503, "error": "Ann's secret", "times": 2}, ModelUnavailable, "Gemini answered 503"),
        ({"text": "Ann's secret", "finish_reason": "SAFETY"}, ModelRefused, "blocked its answer"),
        ({"text": "Ann's secret", "finish_reason": "PROHIBITED_CONTENT"}, ModelRefused, "blocked its answer"),
        ({"body": '{"promptFeedback": {"blockReason": "SAFETY"}}'}, ModelRefused, "blocked the prompt"),
        ({"body": "Ann's secret", "times": 2}, ModelUnavailable, "cannot be read"),
        ({"text": "Ann's secret", "cut": True, "times": 2}, ModelUnavailable, "Gemini did not answer"),
    ],
    ids=lambda value: json.dumps(value)[:40] if isinstance(value, dict) else "",
)
async def test_a_failure_says_whether_to_try_again_and_quotes_nobody(
    gemini: GeminiModel, script: Model, answer: dict[str, Any], kind: type[Exception], words: str
) -> None:
    await script.will(answer)
    with pytest.raises(kind, match=words) as caught:
        await gemini.generate(PROMPT, SCHEMA)
    assert "Ann" not in str(caught.value)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


async def test_a_failing_server_is_asked_again(gemini: GeminiModel, script: Model) -> None:
    await script.will({"status": 503}, {"text": "ok"})
    assert (await gemini.generate(PROMPT, SCHEMA)).text == "ok"


async def test_a_model_that_takes_too_long_is_unavailable(cloud: LocalCloud, script: Model) -> None:
    await script.will({"text": "late", "delay_s": 30})
    async with model_at(cloud.gemini_url, 0.3, 1) as model:
        with pytest.raises(ModelUnavailable, match="Gemini did not answer"):
            await model.generate(PROMPT, SCHEMA)


async def test_a_model_that_is_not_there_is_unavailable() -> None:
    port = reserve_port()
    async with model_at(f"http://127.0.0.1:{port.number}", 5.0, 1) as model:
        with pytest.raises(ModelUnavailable, match="Gemini did not answer"):
            await model.generate(PROMPT, SCHEMA)
    port.release()
