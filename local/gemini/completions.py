"""Reads one chat completion of an OpenAI-compatible server, in chunks. The server's errors become Gemini's errors."""

import json
from collections.abc import AsyncGenerator

import httpx

from local.gemini.calls import ApiError, Fault, Json

#: characters of a server's invalid response that are shown
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
    """Yield the chunks of a response as the model generates them. `server` is the server's name in errors.

    A response without a stream is read as one chunk. Raises ApiError and httpx.TransportError. A stream that ends early
    is an error, since Ollama cannot report that its model crashed in the middle of a stream.
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
        raise ApiError(Fault.INTERNAL, f"{server} sent a response that is not JSON.") from cause
    if "error" in chunk:
        raise ApiError(Fault.INTERNAL, f"{server} failed: {_reason(text)}")
    return dict(chunk)


def _reason(body: str) -> str:
    """Return the reason from a server's error response, in whatever form it has."""
    try:
        error = json.loads(body)["error"]
        said = str(error["message"] if isinstance(error, dict) else error)
    except (ValueError, KeyError, TypeError):
        said = body
    said = " ".join(said.split())[:LONGEST_REASON].rstrip(".")
    return f"{said or 'it gave no reason'}."
