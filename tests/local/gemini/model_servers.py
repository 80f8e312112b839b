"""Small servers that answer exactly as Ollama and LM Studio do, for tests that cannot run the real ones.

Sources for Ollama: its `openai` and `middleware` packages as of 0.40, and the issues that are named below. Sources for
LM Studio: the documents of lmstudio.ai and its bug tracker as of 0.4.23. Each server records its requests.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.gemini.calls import Json
from local.gemini.remote import ModelServer
from tests.local.gemini.serving import serving

USAGE = {"prompt_tokens": 26, "completion_tokens": 9, "total_tokens": 35}
#: makes the answer to a request: the deltas of a stream, or a refusal
Answer = Callable[[Json], Sequence[Json] | Response]


class ServerOfOthers:
    """A server with one model."""

    def __init__(self, name: str, model: str, answer: Answer, url: str = "") -> None:
        self.name, self.model, self.answer, self.url = name, model, answer, url
        self.asked: list[Json] = []

    @property
    def as_chosen(self) -> ModelServer:
        return ModelServer(name=self.name, url=self.url, model=self.model)

    async def list_models(self, _: Request) -> Response:
        """List the models, with `created` and `owned_by` as Ollama and LM Studio do."""
        entry = {"id": self.model, "object": "model", "created": 1_795_000_000, "owned_by": "library"}
        return JSONResponse({"object": "list", "data": [entry]})

    async def complete(self, request: Request) -> Response:
        """Answer in chunks as both servers do; the last two have the finish reason and the token counts."""
        asked = await request.json()
        self.asked.append(asked)
        answer = self.answer(asked)
        if isinstance(answer, Response):
            return answer
        ends_in_calls = any("tool_calls" in delta for delta in answer)
        chunks = [self._chunk([{"index": 0, "delta": delta, "finish_reason": None}]) for delta in answer]
        last = {"role": "assistant", "content": ""}
        reason = "tool_calls" if ends_in_calls else "stop"
        chunks.append(self._chunk([{"index": 0, "delta": last, "finish_reason": reason}]))
        chunks.append(self._chunk([]) | {"usage": USAGE})
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        return Response("".join([*lines, "data: [DONE]\n\n"]), media_type="text/event-stream")

    def _chunk(self, choices: list[Json]) -> Json:
        about = {"id": "chatcmpl-417", "object": "chat.completion.chunk", "created": 1_795_000_000}
        return about | {"model": self.model, "system_fingerprint": "fp_ollama", "choices": choices}


@contextmanager
def served(name: str, model: str, answer: Answer) -> Iterator[ServerOfOthers]:
    """Run such a server."""
    server = ServerOfOthers(name, model, answer)
    routes = [
        Route("/v1/models", server.list_models),
        Route("/v1/chat/completions", server.complete, methods=["POST"]),
    ]
    with serving(Starlette(routes=routes)) as server.url:
        yield server


def ollama_refuses(message: str, status: int = 400) -> Response:
    """Refuse as `NewError` of Ollama's `openai` package does."""
    kind = {400: "invalid_request_error", 404: "not_found_error"}.get(status, "api_error")
    return JSONResponse({"error": {"message": message, "type": kind, "param": None, "code": None}}, status)


def lm_studio_refuses(message: str, status: int = 400) -> Response:
    """Refuse as in lmstudio-bug-tracker issue 307."""
    return JSONResponse({"error": message}, status)
