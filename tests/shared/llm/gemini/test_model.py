"""Gemini over its API, against the scripted server: requests, and the results of each answer."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from local.ports import reserve_port
from shared.base.errors import ModelRefused, ModelUnavailable
from shared.base.logs import about
from shared.llm.gemini.model import GeminiModel
from shared.planning.format.schema import plan_schema
from shared.values.evolve import evolve
from shared.values.prompt import Prompt, PromptTurn, TurnRole
from tests.shared.conftest import model_at
from tests.stories.play import Model

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
SCHEMA = plan_schema(("send",))
PROMPT = Prompt(
    system="You are lull.",
    turns=(
        PromptTurn(role=TurnRole.USER, parts=("hi", "there")),
        PromptTurn(role=TurnRole.MODEL, parts=("{}",)),
        PromptTurn(role=TurnRole.USER, parts=("a secret of Ann's",)),
    ),
)


OnText = Callable[[str], None]
#: the answer is requested in one piece, or as a stream for a listener
both_ways = pytest.mark.parametrize("on_text", [None, lambda _: None], ids=["whole", "streamed"])


def events(*bodies: Any) -> str:
    """Write the bytes of a stream."""
    return "".join(f"data: {json.dumps(body)}\r\n\r\n" for body in bodies)


def saying(text: str, **more: Any) -> dict[str, Any]:
    """Make one event of a stream."""
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": text, **more}]}}]}


@both_ways
async def test_the_prompt_goes_out_as_it_is_with_the_schema_and_the_trace(
    gemini: GeminiModel, script: Model, on_text: OnText | None
) -> None:
    await script.will({"text": "ok"})
    with about(trace=TRACE):
        reply = await gemini.generate(PROMPT, SCHEMA, on_text)
    assert (reply.text, reply.is_complete) == ("ok", True)
    exchange = (await script.asked("a secret of Ann's"))[-1]
    asked = exchange["request"]
    assert exchange["trace"] == TRACE
    assert [(turn["role"], [part["text"] for part in turn["parts"]]) for turn in asked["contents"]] == [
        ("user", ["hi\n", "there"]),
        ("model", ["{}"]),
        ("user", ["a secret of Ann's"]),
    ]
    assert asked["systemInstruction"]["parts"][0]["text"] == "You are lull."
    assert asked["generationConfig"] == {"responseMimeType": "application/json", "responseJsonSchema": dict(SCHEMA)}
    assert exchange["method"] == ("generateContent" if on_text is None else "streamGenerateContent")


async def test_without_a_schema_any_text_is_asked_for(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": "ok"})
    assert (await gemini.generate(PROMPT, None)).text == "ok"
    assert (await script.asked("a secret of Ann's"))[-1]["request"]["generationConfig"] == {}


@both_ways
async def test_a_reply_is_asked_for_of_so_many_tokens_at_most(
    gemini: GeminiModel, script: Model, on_text: OnText | None
) -> None:
    await script.will({"text": "ok"})
    await gemini.generate(evolve(PROMPT, reply_tokens=2_048), None, on_text)
    assert (await script.asked("a secret of Ann's"))[-1]["request"]["generationConfig"] == {"maxOutputTokens": 2_048}


@both_ways
async def test_what_a_call_took_is_recorded(gemini: GeminiModel, script: Model, on_text: OnText | None) -> None:
    usage = {"promptTokenCount": 10, "cachedContentTokenCount": 4, "thoughtsTokenCount": 3, "candidatesTokenCount": 2}
    await script.will({"text": "ok and more", "usage": usage, "chunks": 3})
    call = (await gemini.generate(PROMPT, SCHEMA, on_text)).call
    counts = (call.prompt_tokens, call.cached_tokens, call.thought_tokens, call.output_tokens)
    assert counts == (10, 4, 3, 2)
    assert call.ms >= 0
    await script.will({"body": '{"candidates": []}'})
    assert (await gemini.generate(PROMPT, SCHEMA, on_text)).call.prompt_tokens == 0


@both_ways
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
    gemini: GeminiModel, script: Model, answer: dict[str, Any], text: str, is_complete: bool, on_text: OnText | None
) -> None:
    await script.will(answer)
    reply = await gemini.generate(PROMPT, SCHEMA, on_text)
    assert (reply.text, reply.is_complete) == (text, is_complete)


@both_ways
@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        ({"status": 400, "error": "Ann's secret"}, ModelRefused, "Gemini answered 400"),
        ({"status": 403, "error": "Ann's secret"}, ModelRefused, "check GEMINI_API_KEY"),
        ({"status": 404, "error": "Ann's secret"}, ModelRefused, "Gemini answered 404"),
        ({"status": 429, "error": "Ann's secret", "times": 2}, ModelUnavailable, "Gemini answered 429"),
        ({"status": 503, "error": "Ann's secret", "times": 2}, ModelUnavailable, "Gemini answered 503"),
        ({"text": "Ann's secret", "finish_reason": "SAFETY"}, ModelRefused, r"blocked its answer \(SAFETY\)"),
        ({"text": "Ann's secret", "finish_reason": "PROHIBITED_CONTENT"}, ModelRefused, "blocked its answer"),
        ({"body": '{"promptFeedback": {"blockReason": "SAFETY"}}'}, ModelRefused, "blocked the prompt"),
        ({"body": "Ann's secret", "times": 2}, ModelUnavailable, "cannot be read"),
        ({"body": "[" * 100_000, "times": 2}, ModelUnavailable, "cannot be read"),
        ({"status": 400, "body": "[" * 100_000}, ModelRefused, "Gemini answered 400"),
        ({"text": "Ann's secret", "cut": True, "times": 2}, ModelUnavailable, "Gemini did not answer"),
    ],
    ids=lambda value: json.dumps(value)[:40] if isinstance(value, dict) else "",
)
async def test_a_failure_says_whether_to_try_again_and_quotes_nobody(
    gemini: GeminiModel,
    script: Model,
    answer: dict[str, Any],
    kind: type[Exception],
    words: str,
    on_text: OnText | None,
) -> None:
    await script.will(answer)
    with pytest.raises(kind, match=words) as caught:
        await gemini.generate(PROMPT, SCHEMA, on_text)
    assert "Ann" not in str(caught.value)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@both_ways
async def test_a_failing_server_is_asked_again(gemini: GeminiModel, script: Model, on_text: OnText | None) -> None:
    await script.will({"status": 503}, {"text": "ok"})
    assert (await gemini.generate(PROMPT, SCHEMA, on_text)).text == "ok"


@both_ways
async def test_a_model_that_takes_too_long_is_unavailable(
    model_url: str, script: Model, on_text: OnText | None
) -> None:
    await script.will({"text": "late", "delay_s": 30})
    async with model_at(model_url, 0.3, 1) as model:
        with pytest.raises(ModelUnavailable, match="Gemini did not answer"):
            await model.generate(PROMPT, SCHEMA, on_text)


@both_ways
async def test_a_model_that_is_not_there_is_unavailable(on_text: OnText | None) -> None:
    port = reserve_port()
    async with model_at(f"http://127.0.0.1:{port.number}", 5.0, 1) as model:
        with pytest.raises(ModelUnavailable, match="Gemini did not answer"):
            await model.generate(PROMPT, SCHEMA, on_text)
    port.release()


async def test_a_stream_is_told_as_it_grows_without_thoughts(gemini: GeminiModel, script: Model) -> None:
    told: list[str] = []
    await script.will({"text": "grüßt 🙂", "thoughts": "hm", "chunk_chars": 3})
    reply = await gemini.generate(PROMPT, SCHEMA, told.append)
    assert told == ["grü", "grüßt ", "grüßt 🙂"]
    assert (reply.text, reply.is_complete) == ("grüßt 🙂", True)


async def test_what_each_event_of_a_stream_tells_is_put_together(gemini: GeminiModel, script: Model) -> None:
    told: list[str] = []
    counts = [{"promptTokenCount": 9}, {"promptTokenCount": 9, "candidatesTokenCount": 5, "thoughtsTokenCount": 2}]
    first = {**saying("se", thought=True), "usageMetadata": counts[0], "modelVersion": "gemini-x"}
    last = {"candidates": [{"content": {}, "finishReason": "MAX_TOKENS"}], "usageMetadata": counts[1]}
    await script.will({"body": events(first, saying("half an "), {}, saying("answ"), last)})
    reply = await gemini.generate(PROMPT, SCHEMA, told.append)
    assert told == ["half an ", "half an answ"]
    assert (reply.text, reply.is_complete) == ("half an answ", False)
    assert (reply.call.prompt_tokens, reply.call.output_tokens) == (9, 5)
    assert reply.call.model != "gemini-x", "what was asked is paid"


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (events(saying("Ann's")), ModelUnavailable, "broke off"),
        (events(saying("Ann's"), {"error": {"code": 503, "message": "Ann"}}), ModelUnavailable, "answered 503"),
        (events(saying("Ann's"), {"error": {"code": 400, "message": "Ann"}}), ModelRefused, "answered 400"),
        (events({"error": {"code": 429, "message": "Ann"}}), ModelUnavailable, "answered 429"),
        (events(saying("Ann's"), {"error": {}}), ModelUnavailable, "cannot be read"),
        (events(saying("Ann's"), {"error": "Ann"}), ModelUnavailable, "cannot be read"),
        (events(saying("Ann's")) + "data: {Ann", ModelUnavailable, "cannot be read"),
        (events(saying("Ann's"), {"promptFeedback": {"blockReason": "SAFETY"}}), ModelRefused, "blocked the prompt"),
        (
            events(saying("Ann's"), {"candidates": [{"content": {}, "finishReason": "SAFETY"}]}),
            ModelRefused,
            "blocked its answer",
        ),
    ],
)
async def test_a_stream_that_fails_in_the_middle_is_no_answer(
    gemini: GeminiModel, script: Model, body: str, kind: type[Exception], words: str
) -> None:
    told: list[str] = []
    await script.will({"body": body})
    with pytest.raises(kind, match=words) as caught:
        await gemini.generate(PROMPT, SCHEMA, told.append)
    assert "Ann" not in str(caught.value)
    assert told in ([], ["Ann's"])


async def test_a_stream_that_falls_silent_is_given_up(model_url: str, script: Model) -> None:
    told: list[str] = []
    await script.will({"text": "half and half", "chunks": 2, "pause_s": 600})
    async with model_at(model_url, 1.0, 1) as model:
        with pytest.raises(ModelUnavailable, match="Gemini did not answer"):
            await model.generate(PROMPT, SCHEMA, told.append)
    assert told == ["half an"]


async def test_a_stream_that_never_ends_is_given_up(model_url: str, script: Model) -> None:
    told: list[str] = []
    await script.will({"text": "drop " * 5_000, "chunk_chars": 5, "pause_s": 0.2})
    async with model_at(model_url, 1.0, 1) as model:
        with pytest.raises(ModelUnavailable, match=r"Gemini did not answer \(TimeoutError\)"):
            await model.generate(PROMPT, SCHEMA, told.append)
    assert told[0] == "drop "


async def test_another_model_is_asked_over_the_same_client(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": "ok"})
    other = gemini.named("gemini-other")
    reply = await other.generate(PROMPT, None)
    assert (reply.call.model, gemini.model, other.api) == ("gemini-other", "gemini-test", gemini.api)


async def test_a_blocked_answer_tells_what_it_took(gemini: GeminiModel, script: Model) -> None:
    await script.will({"text": "", "finish_reason": "SAFETY", "usage": {"promptTokenCount": 12}})
    with pytest.raises(ModelRefused) as refusal:
        await gemini.generate(PROMPT, SCHEMA)
    assert refusal.value.call is not None
    assert refusal.value.call.prompt_tokens == 12
