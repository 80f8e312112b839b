"""Thoughts of models as Ollama and LM Studio send them, through Google's official client."""

import json
from collections.abc import AsyncGenerator

import pytest

from local.gemini.calls import Json
from local.gemini.thinking import TaggedThoughts, without_thoughts
from tests.local.gemini.conftest import ConnectTo
from tests.local.gemini.model_servers import Answer, served
from tests.local.gemini.test_remote import backed_by
from tests.local.gemini.test_small import MODEL, PLAN, config

PLANNED = json.dumps({"tasks": [{"kind": "send", "text": "Hi Ann"}]})
HELD = config(response_mime_type="application/json", response_json_schema=PLAN)


def pieces(text: str, field: str = "content") -> list[Json]:
    """Split a text into streamed pieces: with a thought, Ollama sends `role` and an empty `content`."""
    return [{"role": "assistant", "content": "", field: text[at : at + 3]} for at in range(0, len(text), 3)]


def saying(deltas: list[Json]) -> Answer:
    """Make an answer that is always the same."""
    return lambda _: deltas


@pytest.mark.parametrize(
    ("name", "deltas"),
    [
        ("Ollama", [*pieces("Ann says hi.", "reasoning"), *pieces(PLANNED)]),
        ("llama.cpp", [*pieces('Maybe {"tasks": []}?', "reasoning_content"), *pieces(PLANNED)]),
        ("Ollama", pieces(f"<think>\nOkay, <Ann> says hi.\n</think>\n\n{PLANNED}")),
        ("LM Studio", pieces(PLANNED, "reasoning_content")),  # lmstudio-bug-tracker issue 1698
    ],
)
def test_the_plan_comes_without_what_was_thought(connect: ConnectTo, name: str, deltas: list[Json]) -> None:
    with served(name, "qwen3.5-9b", saying(deltas)) as server:
        for backend in backed_by(server.as_chosen):
            client = connect(backend)
            assert client.models.generate_content(model=MODEL, contents="hi", config=HELD).text == PLANNED
            streamed = list(client.models.generate_content_stream(model=MODEL, contents="hi", config=HELD))
            assert "".join(chunk.text or "" for chunk in streamed) == PLANNED
            assert streamed[-1].usage_metadata
            assert streamed[-1].usage_metadata.prompt_token_count == 26


def test_thoughts_are_no_answer_where_no_plan_is_asked_for_or_none_is_in_them(connect: ConnectTo) -> None:
    for held, thought in ((config(), PLANNED), (HELD, "I should greet Ann.")):
        with served("LM Studio", "qwen3.5-9b", saying(pieces(thought, "reasoning_content"))) as server:
            for backend in backed_by(server.as_chosen):
                answer = connect(backend).models.generate_content(model=MODEL, contents="hi", config=held)
                assert not answer.text


def test_each_call_of_ollama_is_one_though_all_are_at_the_first_place(connect: ConnectTo) -> None:
    """Models without their own parser answer as in ollama issue 15497."""
    calls = [
        {"id": f"call_{city}", "index": 0, "type": "function", "function": {"name": "weather", "arguments": arguments}}
        for city, arguments in (("a", '{"city":"Oslo"}'), ("b", '{"city":"Rome"}'))
    ]
    deltas = [{"role": "assistant", "content": "", "tool_calls": [call]} for call in calls]
    with served("Ollama", "qwen2.5-coder:7b", saying(deltas)) as server:
        for backend in backed_by(server.as_chosen):
            answer = connect(backend).models.generate_content(model=MODEL, contents="hi", config=config())
            made = [(call.name, call.args) for call in answer.function_calls or []]
    assert made == [("weather", {"city": "Oslo"}), ("weather", {"city": "Rome"})]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think> b </think>", "b </think>"),
        (" \n<think></think>b", "b"),
        ("<thanks>", "<thanks>"),
        ("a <think>b</think>", "a <think>b</think>"),
        (" \n", " \n"),
        ("<thi", "<thi"),
        ("<think>never ends", ""),
    ],
)
def test_only_what_a_text_begins_with_is_thought(text: str, left: str) -> None:
    for size in (1, 4, 100):
        tagged = TaggedThoughts()
        told = [tagged.take(text[at : at + size]) for at in range(0, len(text), size)]
        assert "".join([*told, tagged.rest()]) == left


async def test_chunks_of_other_kinds_go_through() -> None:
    given: list[Json] = [{"choices": []}, {"usage": {}}, {"choices": [{"delta": {"tool_calls": [{}]}}]}]

    async def chunks() -> AsyncGenerator[Json]:
        for chunk in given:
            yield chunk

    assert [chunk async for chunk in without_thoughts(chunks(), is_json=True)] == given
