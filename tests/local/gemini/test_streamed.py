import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from local.gemini.calls import ApiError, Call, Fault, Json
from local.gemini.streamed import answer_of, events_of, until

Chunk = dict[str, Any]
SAID: list[Chunk] = [
    {"choices": [{"delta": {"role": "assistant", "content": None}}]},
    {"choices": [{"delta": {"content": "Good "}}]},
    {"choices": [{"delta": {"content": "day."}}]},
    {"choices": [{"delta": {}, "finish_reason": "length"}]},
    {
        "choices": [],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
    },
]


async def said(chunks: list[Chunk]) -> AsyncGenerator[Json]:
    for chunk in chunks:
        yield chunk


def call(method: str) -> Call:
    path = f"/v1/models/m:{method}"
    return Call(http_method="POST", path=path, query="", headers={}, body=b"", model="m", method=method)


async def test_chunks_become_one_answer_with_its_counts() -> None:
    answer = await answer_of(call("generateContent"), events_of(said(SAID), "a model"))
    body = json.loads(answer.body)
    [candidate] = body["candidates"]
    assert candidate["content"]["parts"] == [{"text": "Good day."}]
    assert candidate["finishReason"] == "MAX_TOKENS"
    assert body["usageMetadata"]["cachedContentTokenCount"] == 4
    assert body["modelVersion"] == "a model"


async def test_chunks_become_a_stream() -> None:
    answer = await answer_of(call("streamGenerateContent"), events_of(said(SAID), "a model"))
    assert answer.stream
    frames = [json.loads(frame.removeprefix(b"data: ")) async for frame in answer.stream]
    texts = [frame["candidates"][0]["content"]["parts"][0]["text"] for frame in frames]
    assert texts == ["Good ", "day.", ""]


async def test_what_comes_too_late_is_a_time_out() -> None:
    async def never() -> AsyncGenerator[Json]:
        await asyncio.Event().wait()
        yield {}

    with pytest.raises(TimeoutError):
        await anext(until(0, never()))


async def test_an_error_before_the_first_chunk_has_a_status_of_its_own() -> None:
    async def broken() -> AsyncGenerator[Json]:
        raise ApiError(Fault.UNAVAILABLE, "It broke.")
        yield {}

    with pytest.raises(ApiError, match="It broke"):
        await answer_of(call("streamGenerateContent"), broken())
