"""One call of a model's API, OpenAI's or Gemini's, and the interface of the backends that answer it."""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from local.model.state import ModelReport

Json = dict[str, Any]

JSON_HEADERS = {"content-type": "application/json; charset=UTF-8"}
SSE_HEADERS = {"content-type": "text/event-stream"}

_PATH = re.compile(r"/v1(?:alpha|beta\d*)?/models(?:/(?P<model>[^/:]+)(?::(?P<method>\w+))?)?")
#: path of Vertex AI for the same models (cloud.google.com/vertex-ai/docs/reference/rest)
_VERTEX_PATH = re.compile(
    r"/v1(?:beta1)?/projects/[^/]+/locations/[^/]+/publishers/google/models/(?P<model>[^/:]+):(?P<method>\w+)"
)
#: OpenAI's API, as model servers have it (platform.openai.com/docs/api-reference)
_OPENAI_PATH = re.compile(r"/v1/(?P<method>chat/completions|embeddings)")
_TRACE = re.compile(r"[0-9a-f]{2}-(?P<trace>[0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}")


class Fault(Enum):
    """The errors with which a call can be answered: canonical names (google.rpc.Code) with their HTTP status."""

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
    """Raised to answer a call with an error. Clients of OpenAI's and of Gemini's API can read the response, which
    contains the message.
    """

    def __init__(self, fault: Fault, message: str) -> None:
        """Make the error. The message is a sentence that says what happened and what to do."""
        super().__init__(message)
        self.fault, self.message = fault, message

    def body(self) -> Json:
        """Return the error as JSON in Google's format: `{"error": {"code", "message", "status"}}`."""
        return {"error": {"code": self.fault.value, "message": self.message, "status": self.fault.name}}


class ConnectionCut(Exception):
    """Raised by a stream to close the caller's connection at once, without an error message."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request as it arrived. Headers have lower-case names.

    `method` is the API's name of the call (`generateContent`, `chat/completions`), or `list` or `get` for calls about
    models.
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
        """Return the caller's W3C trace id; an empty string if the request has no valid `traceparent` header."""
        found = _TRACE.fullmatch(self.headers.get("traceparent", ""))
        return found["trace"] if found else ""

    @property
    def streams(self) -> bool:
        """Return whether the caller wants a stream of events."""
        return self.method == "streamGenerateContent"

    @property
    def lacks_token(self) -> bool:
        """Return whether the call uses Vertex AI's path without an access token. Vertex AI accepts no API key."""
        return bool(_VERTEX_PATH.fullmatch(self.path)) and not re.match(
            "Bearer .", self.headers.get("authorization", "")
        )

    @property
    def generates(self) -> bool:
        """Return whether the call asks for a generated answer, rather than for vectors or about models."""
        return self.streams or self.method in ("generateContent", "chat/completions")

    @property
    def embeds(self) -> bool:
        """Return whether the call requests embeddings (vectors of texts)."""
        return self.method in ("embedContent", "batchEmbedContents", "embeddings")

    @property
    def limit_s(self) -> float | None:
        """Return how many seconds the caller waits for the response, from a header of Google's or OpenAI's official
        client; None if the request has no such header.
        """
        given = self.headers.get("x-server-timeout") or self.headers.get("x-stainless-read-timeout", "")
        try:
            return float(given)
        except ValueError:
            return None

    def json(self) -> Json:
        """Return the body as an object. Raises ApiError if it is not a JSON object."""
        try:
            body = json.loads(self.body or b"{}")
        except ValueError as cause:
            raise ApiError(Fault.INVALID_ARGUMENT, f"The request's body is not JSON: {cause}.") from cause
        if not isinstance(body, dict):
            raise ApiError(Fault.INVALID_ARGUMENT, "The request's body is not a JSON object.")
        return body


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The response to a call: a complete body, or a stream of bytes."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: dict(JSON_HEADERS))
    body: bytes = b""
    stream: AsyncGenerator[bytes] | None = None


class Backend(Protocol):
    """Answers the calls of a model's API: with a local model, another server or a script."""

    async def start(self) -> None:
        """Start preparing the model in the background, and return at once."""

    async def stop(self) -> None:
        """Release all resources."""

    async def answer(self, call: Call) -> Answer:
        """Return the response to one call. Raises ApiError. Cancelled if the caller hangs up."""

    def report(self) -> ModelReport:
        """Return the state of the model, such as the progress of its download."""


def named_in(http_method: str, path: str, body: bytes = b"") -> tuple[str, str]:
    """Return the model and the method that a request names; two empty strings if the path belongs to neither OpenAI's
    nor Gemini's API.
    """
    if (http_method, path) == ("GET", "/v1/models"):
        return "", "list"
    if http_method == "POST" and (named := _OPENAI_PATH.fullmatch(path)):
        return _model_in(body), named["method"]
    found = _PATH.fullmatch(path) or _VERTEX_PATH.fullmatch(path)
    if not found:
        return "", ""
    model, method = found["model"] or "", found["method"] or ""
    if http_method == "GET" and not method:
        return model, "get" if model else "list"
    return (model, method) if http_method == "POST" else ("", "")


def _model_in(body: bytes) -> str:
    try:
        return str(json.loads(body)["model"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""


def json_answer(body: Json, status: int = 200) -> Answer:
    """Return a response of one JSON object."""
    return Answer(status=status, body=json.dumps(body, ensure_ascii=False).encode())


def error_answer(error: ApiError) -> Answer:
    """Return an error as a JSON response with the error's HTTP status."""
    return json_answer(error.body(), error.fault.value)


def event(body: Json) -> bytes:
    """Return one server-sent event with `body`, in the format that Google's servers use."""
    return b"data: " + json.dumps(body, ensure_ascii=False).encode() + b"\r\n\r\n"
