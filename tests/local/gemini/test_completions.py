import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from local.gemini.calls import ApiError, Fault, Json
from local.gemini.completions import chunks_of
from tests.local.gemini.serving import serving

HELLO = {"choices": [{"delta": {"content": "Hello"}}]}


@contextmanager
def answering(answer: Callable[[Json], Response]) -> Iterator[str]:
    """Run a server of OpenAI's API with this answer."""

    async def complete(request: Request) -> Response:
        return answer(await request.json())

    with serving(Starlette(routes=[Route("/v1/chat/completions", complete, methods=["POST"])])) as url:
        yield url


async def chunks(url: str) -> list[Json]:
    async with httpx.AsyncClient(base_url=url) as client:
        return [chunk async for chunk in chunks_of(client, {"messages": []}, "qwen3 of Ollama")]


async def test_a_stream_comes_in_chunks_with_its_counts() -> None:
    asked: list[Json] = []

    def answer(request: Json) -> Response:
        asked.append(request)
        return PlainTextResponse(f": waiting\n\ndata: {json.dumps(HELLO)}\n\ndata: [DONE]\n\n")

    with answering(answer) as url:
        assert await chunks(url) == [HELLO]
    assert (asked[0]["stream"], asked[0]["stream_options"]) == (True, {"include_usage": True})


async def test_an_answer_without_a_stream_is_one_chunk() -> None:
    whole = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}
    with answering(lambda _: PlainTextResponse(json.dumps(whole))) as url:
        assert await chunks(url) == [whole]


async def test_an_answer_that_stops_in_the_middle_is_an_error() -> None:
    stopped = f"data: {json.dumps(HELLO)}\n\n"
    with answering(lambda _: PlainTextResponse(stopped)) as url, pytest.raises(ApiError) as raised:
        await chunks(url)
    assert raised.value.fault is Fault.UNAVAILABLE
    assert raised.value.message.startswith("qwen3 of Ollama stopped in the middle of its answer")


@pytest.mark.parametrize(
    ("status", "body", "fault", "said"),
    [
        (404, '{"error": {"message": "model not found"}}', Fault.NOT_FOUND, "refused the request: model not found."),
        (400, '{"error": "no tools here."}', Fault.INVALID_ARGUMENT, "refused the request: no tools here."),
        (503, "", Fault.UNAVAILABLE, "it gave no reason."),
        (502, "<h1>Bad\ngateway</h1>", Fault.INTERNAL, "<h1>Bad gateway</h1>."),
        (200, 'data: {"error": {"message": "out of memory"}}', Fault.INTERNAL, "failed: out of memory."),
        (200, "data: {not json", Fault.INTERNAL, "sent a response that is not JSON."),
    ],
)
async def test_what_goes_wrong_is_a_sentence(status: int, body: str, fault: Fault, said: str) -> None:
    with answering(lambda _: PlainTextResponse(body, status)) as url, pytest.raises(ApiError) as raised:
        await chunks(url)
    assert raised.value.fault is fault
    assert raised.value.message.startswith("qwen3 of Ollama ")
    assert raised.value.message.endswith(said)
