"""Converts chunks of a chat completion, in OpenAI's form, into events of Gemini's API."""

import asyncio
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing

from local.gemini.answers import candidate, generation, text_part, usage_of
from local.gemini.calling import CallsWritten
from local.gemini.calls import SSE_HEADERS, Answer, Call, Json, event, json_answer

_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "tool_calls": "STOP"}


async def answer_of(call: Call, events: AsyncGenerator[Json]) -> Answer:
    """Return the events as a stream or as one object, as the call wants. An error before the first event sets the
    HTTP status.
    """
    if not call.streams:
        async with aclosing(events):
            return json_answer(await _whole(events))
    return Answer(headers=SSE_HEADERS, stream=_framed(await anext(events), events))


async def until(deadline: float, chunks: AsyncGenerator[Json]) -> AsyncGenerator[Json]:
    """Yield the same chunks. Raises TimeoutError if a chunk does not arrive before the deadline."""
    while True:
        async with asyncio.timeout_at(deadline):
            chunk = await anext(chunks, None)
        if chunk is None:
            return
        yield chunk


async def events_of(chunks: AsyncGenerator[Json], model: str) -> AsyncGenerator[Json]:
    """Yield the engine's chunks as the API's events."""
    answer_id, finish, counts = uuid.uuid4().hex, "OTHER", None
    calls = CallsWritten()
    async for chunk in chunks:
        choice = (chunk.get("choices") or [{}])[0]
        delta = choice.get("delta") or choice.get("message") or {}
        calls.take(delta)
        text = delta.get("content")
        if text:
            yield generation([candidate([text_part(text)])], model, answer_id)
        finish = _FINISH.get(choice.get("finish_reason"), finish)
        if usage := chunk.get("usage"):
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
            counts = usage_of(usage["prompt_tokens"], usage["completion_tokens"], cached)
    yield generation([candidate(calls.parts() or [text_part("")], finish)], model, answer_id, counts)


async def _whole(events: AsyncGenerator[Json]) -> Json:
    """Return a streamed response as one object."""
    bodies = [body async for body in events]
    parts = [part for body in bodies for part in body["candidates"][0]["content"]["parts"]]
    text = "".join(part.get("text", "") for part in parts)
    calls = [part for part in parts if "functionCall" in part]
    finish = bodies[-1]["candidates"][0].get("finishReason", "OTHER")
    return {**bodies[-1], "candidates": [candidate(([text_part(text)] if text else []) + calls, finish)]}


async def _framed(first: Json, rest: AsyncGenerator[Json]) -> AsyncGenerator[bytes]:
    async with aclosing(rest):
        yield event(first)
        async for body in rest:
            yield event(body)
