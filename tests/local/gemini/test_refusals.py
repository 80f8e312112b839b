"""Requests that Ollama and LM Studio refuse, and their second form; through Google's official client."""

import logging

import pytest
from google.genai import errors, types
from starlette.responses import Response

from local.gemini.calls import Json
from local.gemini.refusals import not_thinking
from tests.local.gemini.conftest import ConnectTo
from tests.local.gemini.model_servers import ServerOfOthers, lm_studio_refuses, ollama_refuses, served
from tests.local.gemini.test_remote import backed_by
from tests.local.gemini.test_small import MODEL, PLAN, config

WHOLE = '{"tasks": []}'
FUNCTION = types.FunctionDeclaration(name="calculate", description="Works out a sum.", parameters_json_schema={})
WANTED = config(
    response_mime_type="application/json",
    response_json_schema=PLAN,
    tools=[types.Tool(function_declarations=[FUNCTION])],
)


def answers(asked: Json) -> list[Json]:
    return [{"role": "assistant", "content": WHOLE}]


def asked_twice(server: ServerOfOthers, connect: ConnectTo) -> list[str | None]:
    """Make the same request twice and give both answers."""
    for backend in backed_by(server.as_chosen):
        client = connect(backend)
        return [client.models.generate_content(model=MODEL, contents="hi", config=WANTED).text for _ in range(2)]
    return []


@pytest.mark.parametrize(
    ("refused", "word", "sentence"),
    [
        ("tools", "tools", ollama_refuses("registry.ollama.ai/library/gemma3:4b does not support tools")),
        ("reasoning_effort", "thinking", ollama_refuses('"thinker:latest" does not support thinking')),
        (
            "reasoning_effort",
            "reasoning",
            ollama_refuses('invalid reasoning value: \'none\' (must be "high", "medium", or "low")'),
        ),
        ("reasoning_effort", "think", ollama_refuses('think value "none" is not supported for this model', 500)),
        ("tools", "grammar", lm_studio_refuses("Failed to initialize samplers: failed to parse grammar")),
    ],
)
def test_what_is_refused_is_left_out_from_then_on(
    connect: ConnectTo, refused: str, word: str, sentence: Response
) -> None:
    with served("Ollama", "thinker:latest", lambda asked: sentence if refused in asked else answers(asked)) as server:
        assert asked_twice(server, connect) == [WHOLE, WHOLE]
    assert [refused in asked for asked in server.asked] == [True, False, False]
    assert all("response_format" in asked for asked in server.asked)
    kept = {"tools", "reasoning_effort"} - {refused}
    assert all(kept <= asked.keys() for asked in server.asked)


def test_both_may_be_refused_one_after_the_other(connect: ConnectTo) -> None:
    def answer(asked: Json) -> list[Json] | Response:
        if "tools" in asked:
            return ollama_refuses("registry.ollama.ai/library/old:1b does not support tools")
        if "reasoning_effort" in asked:
            return ollama_refuses("invalid reasoning value: 'none'")
        return answers(asked)

    with served("Ollama", "old:1b", answer) as server:
        assert asked_twice(server, connect) == [WHOLE, WHOLE]
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (404, 'model "tool-thinker:8b" not found'),
        (400, "request (5230 tokens) exceeds the available context size (4096 tokens), try increasing it"),
    ],
)
def test_another_refusal_is_told_at_once_and_nothing_is_given_up(
    connect: ConnectTo, caplog: pytest.LogCaptureFixture, status: int, message: str
) -> None:
    with served("Ollama", "tool-thinker:8b", lambda _: ollama_refuses(message, status)) as server:
        for backend in backed_by(server.as_chosen):
            with caplog.at_level(logging.INFO), pytest.raises(errors.ClientError, match="refused the request"):
                connect(backend).models.generate_content(model=MODEL, contents="hi", config=WANTED)
            server.answer = answers
            connect(backend).models.generate_content(model=MODEL, contents="hi", config=WANTED)
    assert [{"tools", "reasoning_effort"} <= asked.keys() for asked in server.asked] == [True, True]
    assert "is asked without" not in caplog.text


def test_a_refusal_that_is_none_is_forgotten(connect: ConnectTo) -> None:
    """Only the refusal of functions is remembered: a prompt that is too long is refused with and without them."""
    too_long = ollama_refuses("the prompt with its tools is longer than the context")
    with served("Ollama", "qwen3:8b", lambda _: too_long) as server:
        for backend in backed_by(server.as_chosen):
            with pytest.raises(errors.ClientError, match="longer than the context"):
                connect(backend).models.generate_content(model=MODEL, contents="hi", config=WANTED)
            server.answer = answers
            connect(backend).models.generate_content(model=MODEL, contents="hi", config=WANTED)
    assert ["tools" in asked for asked in server.asked] == [True, False, True]


def test_models_are_asked_not_to_think_and_gpt_oss_to_think_little() -> None:
    assert not_thinking("qwen3:8b")["reasoning_effort"] == "none"
    assert not_thinking("openai/gpt-oss-20b")["reasoning_effort"] == "low"
