"""Gemini's API on the wire: lines, events, tries, headers, and bodies equal to those of the client's typed methods."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from google.genai import Client
from google.genai.types import HttpOptions

from shared.base.errors import ModelError, ModelTrouble, ModelUnavailable
from shared.base.logs import about
from shared.llm.gemini.api import GeminiApi, _events, make_client, new_request
from shared.llm.gemini.model import request_body
from tests.shared.conftest import model_at
from tests.shared.llm.gemini.heads import heads_of_requests
from tests.shared.llm.gemini.test_model import PROMPT, SCHEMA, TRACE, saying
from tests.stories.play import Model

ASKED = "a secret of Ann's"


async def bit_by_bit(wire: bytes, at_once: int) -> AsyncIterator[bytes]:
    """Yield a body in pieces, as a network may cut it."""
    for start in range(0, len(wire), at_once):
        yield wire[start : start + at_once]


@pytest.mark.parametrize("at_once", [1, 2, 3, 7, 1_000])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
async def test_events_are_read_however_they_are_cut(at_once: int, end: str) -> None:
    lines = [
        ": still there",
        "event: message",
        "id: 7",
        "retry: 10",
        'data: {"a": "x\u2028y\x85z 🙂"}',
        "",
        ":",
        'data:{"b":',
        "data: 1}",
        "",
        "",
    ]
    told = [text async for text in _events(bit_by_bit(end.join(lines).encode(), at_once))]
    assert told == [' {"a": "x\u2028y\x85z 🙂"}', '{"b":\n 1}']


async def test_what_is_no_event_comes_whole_at_the_end() -> None:
    wire = b'{\r\n  "error": {"code": 503}\r\n}'
    assert [text async for text in _events(bit_by_bit(wire, 4))] == ['{\n  "error": {"code": 503}\n}']


async def test_an_error_in_place_of_a_stream_is_a_refusal(model_url: str, script: Model) -> None:
    await script.will({"body": '{\n "error": {\n  "code": 503,\n  "status": "UNAVAILABLE"\n }\n}'})
    async with model_at(model_url, 5.0, 1) as model:
        with pytest.raises(ModelUnavailable, match="Gemini answered 503 UNAVAILABLE") as caught:
            _ = [event async for event in model.api.events("m", request_body(PROMPT, SCHEMA))]
    assert (caught.value.trouble, caught.value.may_be_paid) == (ModelTrouble.CAPACITY, False)


@pytest.mark.parametrize(("status", "times"), [(429, 3), (500, 3), (400, 1), (403, 1), (404, 1)])
async def test_what_may_pass_is_asked_again_and_what_will_not_is_not(
    model_url: str, script: Model, status: int, times: int
) -> None:
    before = len(await script.asked(ASKED))
    await script.will({"status": status, "error": "no", "times": times})
    async with model_at(model_url, 5.0, 3) as model:
        with pytest.raises(ModelError, match=f"Gemini answered {status}"):
            await model.api.answer("m", request_body(PROMPT, SCHEMA))
    assert len(await script.asked(ASKED)) - before == times


def told_to_wait(delay: str, **more: Any) -> dict[str, Any]:
    details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}]
    return {"status": 429, "error": "quota", "error_details": details, **more}


async def test_a_model_that_asks_for_a_long_while_is_asked_once_and_left_alone(model_url: str, script: Model) -> None:
    before = len(await script.asked(ASKED))
    await script.will(told_to_wait("52s", times=9))
    async with model_at(model_url, 5.0, 3) as model:
        for _ in range(3):
            with pytest.raises(ModelUnavailable) as caught:
                await model.generate(PROMPT, SCHEMA)
            assert caught.value.wait is not None
            assert timedelta(seconds=40) < caught.value.wait <= timedelta(seconds=52)
        assert len(await script.asked(ASKED)) - before == 1
        with pytest.raises(ModelUnavailable):  # another model may answer
            await model.named("another").generate(PROMPT, SCHEMA)
    assert len(await script.asked(ASKED)) - before == 2


async def test_a_short_while_is_waited_for_and_then_it_is_asked_again(model_url: str, script: Model) -> None:
    await script.will(told_to_wait("0.2s"), saying("Lima"))
    async with model_at(model_url, 5.0, 3) as model:
        assert "Lima" in (await model.generate(PROMPT, SCHEMA)).text


async def test_what_may_have_to_be_paid_is_not_asked_again_by_itself() -> None:
    """A call that timed out may cost, so the caller reserves again before each further try."""
    asked: list[bytes] = []

    async def stay_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        await reader.read()
        writer.close()

    async with await asyncio.start_server(stay_silent, "127.0.0.1", 0) as server:
        api = GeminiApi("a-key", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", 0.3, 3)
        with pytest.raises(ModelUnavailable, match="ReadTimeout") as caught:
            await api.answer("m", request_body(PROMPT, SCHEMA))
        await api.aclose()
    assert caught.value.may_be_paid
    assert len(asked) == 1


async def test_a_body_is_the_same_as_that_of_the_clients_typed_method(model_url: str, script: Model) -> None:
    """The types of Google's client know each field; the server keeps both requests."""
    await script.will({"text": "ok"}, {"text": "ok"})
    async with model_at(model_url, 5.0, 1) as model:
        with about(trace=TRACE):
            await model.api.answer("gemini-test", request_body(PROMPT, SCHEMA))
    ours = (await script.asked(ASKED))[-1]
    client = Client(enterprise=False, api_key="the-key", http_options=HttpOptions(base_url=model_url))
    config: Any = {
        "system_instruction": PROMPT.system,
        "response_mime_type": "application/json",
        "response_json_schema": dict(SCHEMA),
    }
    contents: Any = [
        {
            "role": turn.role.value,
            "parts": [{"text": f"{part}\n"} for part in turn.parts[:-1]] + [{"text": turn.parts[-1]}],
        }
        for turn in PROMPT.turns
    ]
    await client.aio.models.generate_content(model="gemini-test", contents=contents, config=config)
    await client.aio.aclose()
    client.close()
    theirs = (await script.asked(ASKED))[-1]
    assert (ours["request"], ours["model"], ours["method"]) == (theirs["request"], theirs["model"], theirs["method"])


async def test_the_server_gives_up_before_its_answer_is_no_more_waited_for() -> None:
    """An error answer is free; the cost of an answer that nobody waits for is unknown."""
    async with httpx.AsyncClient() as http:
        for timeout_s in (1, 90):
            request = new_request(make_client("the-key", "", timeout_s, http), "models/m:generateContent", {})
            assert request.timeout is not None
            assert timeout_s == float(request.headers["X-Server-Timeout"]) < request.timeout


async def test_a_part_of_a_second_counts_as_a_whole_one() -> None:
    async with heads_of_requests() as (url, heads):
        api = GeminiApi("the-key", url, 90.5, 1)
        assert await api.answer("m", {}) == {}
        await api.aclose()
    assert heads[0].count("x-server-timeout: 91") == heads[0].count("timeout") == 1


async def test_a_key_is_a_header_and_never_part_of_an_address() -> None:
    async with heads_of_requests() as (url, heads):
        api = GeminiApi(" the-key\n", url, 5.0, 1)
        with about(trace=TRACE):
            assert await api.answer("m", saying("x")) == {}
        await api.aclose()
    line, *headers = heads[0].splitlines()
    assert line == "post /v1/models/m:generatecontent http/1.1"
    assert [header for header in headers if "the-key" in header] == ["x-goog-api-key: the-key"]
    named = dict(header.split(": ", 1) for header in headers)
    assert named["traceparent"].startswith(f"00-{TRACE}-")
    assert named["user-agent"].endswith(" lull")
