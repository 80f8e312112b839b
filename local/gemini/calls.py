"""One call of Gemini's REST API and what answers it, whichever backend does."""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from local.gemini.state import ModelReport

Json = dict[str, Any]

JSON_HEADERS = {"content-type": "application/json; charset=UTF-8"}
SSE_HEADERS = {"content-type": "text/event-stream"}

_PATH = re.compile(r"/v1(?:alpha|beta\d*)?/models(?:/(?P<model>[^/:]+)(?::(?P<method>\w+))?)?")
#: Vertex AI's, for the same models (cloud.google.com/vertex-ai/docs/reference/rest)
_VERTEX_PATH = re.compile(
    r"/v1(?:beta1)?/projects/[^/]+/locations/[^/]+/publishers/google/models/(?P<model>[^/:]+):(?P<method>\w+)"
)
_TRACE = re.compile(r"[0-9a-f]{2}-(?P<trace>[0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


class Fault(Enum):
    """The API's errors: HTTP status and canonical name (google.rpc.Code)."""

    INVALID_ARGUMENT = 400
    UNAUTHENTICATED = 401
    PERMISSION_DENIED = 403
    NOT_FOUND = 404
    RESOURCE_EXHAUSTED = 429
    INTERNAL = 500
    UNIMPLEMENTED = 501
    UNAVAILABLE = 503
    DEADLINE_EXCEEDED = 504


class ApiError(Exception):
    """A call that is answered with an error in Gemini's form; the message reaches the caller."""

    def __init__(self, fault: Fault, message: str) -> None:
        """The message is a sentence: what happened and what to do."""
        super().__init__(message)
        self.fault, self.message = fault, message

    def body(self) -> Json:
        """The error as the API spells it."""
        return {"error": {"code": self.fault.value, "message": self.message, "status": self.fault.name}}


class ConnectionCut(Exception):
    """Raised by a stream that ends as a broken connection does, with nothing more said."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request as it came; `model` and `method` are read from the path, headers have lower-case names.

    `method` is the API's name of what is asked (`generateContent`), and `list` or `get` for the models themselves.
    """

    http_method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes
    model: str
    method: str

    @property
    def trace(self) -> str:
        """The W3C trace id that the caller works under; empty without a valid `traceparent` header."""
        found = _TRACE.fullmatch(self.headers.get("traceparent", ""))
        return found["trace"] if found else ""

    @property
    def streams(self) -> bool:
        """Whether the answer is asked for in events."""
        return self.method == "streamGenerateContent"

    @property
    def lacks_token(self) -> bool:
        """Whether it came by Vertex AI's address without an access token; a key does not do there."""
        return bool(_VERTEX_PATH.fullmatch(self.path)) and not re.match(
            "Bearer .", self.headers.get("authorization", "")
        )

    @property
    def generates(self) -> bool:
        """Whether an answer of the model is asked for."""
        return self.streams or self.method == "generateContent"

    @property
    def embeds(self) -> bool:
        """Whether vectors are asked for."""
        return self.method in ("embedContent", "batchEmbedContents")

    @property
    def limit_s(self) -> float | None:
        """Seconds the caller waits, as the official client says in `X-Server-Timeout`; none: it did not say."""
        try:
            return float(self.headers["x-server-timeout"])
        except (KeyError, ValueError):
            return None

    def json(self) -> Json:
        """The body as an object; an `ApiError` when it is none."""
        try:
            body = json.loads(self.body or b"{}")
        except ValueError as cause:
            raise ApiError(Fault.INVALID_ARGUMENT, f"The request's body is not JSON: {cause}.") from cause
        if not isinstance(body, dict):
            raise ApiError(Fault.INVALID_ARGUMENT, "The request's body is not a JSON object.")
        return body


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What goes back: a whole body, or a stream of its bytes."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: dict(JSON_HEADERS))
    body: bytes = b""
    stream: AsyncGenerator[bytes] | None = None


class Backend(Protocol):
    """What stands behind the API."""

    async def start(self) -> None:
        """Begin to get ready; returns at once."""

    async def stop(self) -> None:
        """Let go of everything."""

    async def answer(self, call: Call) -> Answer:
        """The answer to one call; an `ApiError` is sent in Gemini's form. Cancelled when the caller hangs up."""

    def report(self) -> ModelReport:
        """How far the model behind it is."""


def named_in(http_method: str, path: str) -> tuple[str, str]:
    """The model and the method that a path names; two empty strings when it is not one of the API's."""
    found = _PATH.fullmatch(path) or _VERTEX_PATH.fullmatch(path)
    if not found:
        return "", ""
    model, method = found["model"] or "", found["method"] or ""
    if http_method == "GET" and not method:
        return model, "get" if model else "list"
    return (model, method) if http_method == "POST" else ("", "")


def json_answer(body: Json, status: int = 200) -> Answer:
    """An answer of one JSON object."""
    return Answer(status=status, body=json.dumps(body, ensure_ascii=False).encode())


def error_answer(error: ApiError) -> Answer:
    """An error as an answer."""
    return json_answer(error.body(), error.fault.value)


def event(body: Json) -> bytes:
    """One event of a stream (`alt=sse`), as Google's servers frame it."""
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\r\n\r\n"
