"""One chat completion of a server that speaks OpenAI's API, in chunks; what it refuses, in Gemini's words."""

import json
from collections.abc import AsyncGenerator

import httpx

from local.gemini.calls import ApiError, Fault, Json

#: an answer of a server that is wrong is told to this length
LONGEST_REASON = 300

_FAULTS = {
    400: Fault.INVALID_ARGUMENT,
    401: Fault.PERMISSION_DENIED,
    403: Fault.PERMISSION_DENIED,
    404: Fault.NOT_FOUND,
    422: Fault.INVALID_ARGUMENT,
    429: Fault.RESOURCE_EXHAUSTED,
    503: Fault.UNAVAILABLE,
}


async def chunks_of(client: httpx.AsyncClient, chat: Json, server: str) -> AsyncGenerator[Json]:
    """The chunks of an answer as the model writes them; `server` is its name in errors.

    A server that answers whole, without a stream, is read as one chunk. Raises ApiError and httpx.TransportError.
    A stream that ends before the answer does is an error: Ollama has no way to say that its model broke down meanwhile.
    """
    has_ended = False
    request = {**chat, "stream": True, "stream_options": {"include_usage": True}}
    async with client.stream("POST", "/v1/chat/completions", json=request) as response:
        if response.status_code != 200:
            fault = _FAULTS.get(response.status_code, Fault.INTERNAL)
            raise ApiError(fault, f"{server} refused the request: {_reason((await response.aread()).decode())}")
        async for line in response.aiter_lines():
            has_ended = has_ended or line.startswith("data: [DONE]")
            if line.startswith(("data: {", "{")):
                chunk = _chunk(line.removeprefix("data: "), server)
                has_ended = has_ended or any(choice.get("finish_reason") for choice in chunk.get("choices") or [])
                yield chunk
    if not has_ended:
        raise ApiError(Fault.UNAVAILABLE, f"{server} stopped in the middle of its answer; its own log may say why.")


def _chunk(text: str, server: str) -> Json:
    try:
        chunk = json.loads(text)
    except ValueError as cause:
        raise ApiError(Fault.INTERNAL, f"{server} answered what is not JSON.") from cause
    if "error" in chunk:
        raise ApiError(Fault.INTERNAL, f"{server} failed: {_reason(text)}")
    return dict(chunk)


def _reason(body: str) -> str:
    """What a server says is wrong, in whatever form it says it."""
    try:
        error = json.loads(body)["error"]
        said = str(error["message"] if isinstance(error, dict) else error)
    except (ValueError, KeyError, TypeError):
        said = body
    said = " ".join(said.split())[:LONGEST_REASON].rstrip(".")
    return f"{said or 'it gave no reason'}."
