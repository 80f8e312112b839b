"""The routes of OpenAI's protocol (`/openai/v1/…`), answered by a backend that has the format of Gemini's API.

A request is recorded in Gemini's format, so that tests read all recorded requests in the same way.
"""

import json
from urllib.parse import quote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Mount
from starlette.types import Message, Receive, Scope, Send

from local.model.calls import Answer, ApiError, Backend, Call
from local.model.recorder import Recorder
from local.model.server import ModelApi
from local.model.state import ModelReport
from local.openai.replies import translate_answer
from local.openai.requests import gemini_request

#: the path of the protocol on the scripted server
PREFIX = "/openai/v1"


def openai_routes(backend: Backend, recorder: Recorder) -> list[Mount]:
    """Return the routes of the protocol."""
    return [Mount(PREFIX, app=OpenAIApi(backend, recorder))]


class OpenAIApi:
    """Serves OpenAI's protocol (ASGI): passes each request on in the format of Gemini's API, and translates the
    answer.
    """

    def __init__(self, backend: Backend, recorder: Recorder) -> None:
        """Use a backend and a recorder, which exist as long as the server."""
        self._api = ModelApi(_Translated(backend), recorder)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI)."""
        request = Request(scope, receive)
        try:
            body = json.loads(await request.body())
            method, asked = gemini_request(scope["path"].removeprefix(f"{PREFIX}/"), body)
        except ClientDisconnect:
            return
        except (ValueError, KeyError, TypeError) as cause:
            wrong = {"error": {"message": f"The request cannot be read: {type(cause).__name__}.", "code": 400}}
            await JSONResponse(wrong, 400)(scope, receive, send)
            return
        except ApiError as error:
            await JSONResponse(error.body(), error.fault.value)(scope, receive, send)
            return
        path = f"/v1/models/{quote(body.get('model', ''), safe='')}:{method}"
        asked_scope = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}
        await self._api(asked_scope, _Body(json.dumps(asked, ensure_ascii=False).encode(), receive), send)


class _Body:
    """An ASGI `receive` function that first returns a new body for the request, and then the connection's further
    messages, such as a disconnect.
    """

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        """Return the next message (ASGI)."""
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        return await self._receive()


class _Translated:
    """A backend with answers in OpenAI's format, made from those of a backend of Gemini's API."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def start(self) -> None:
        """Do nothing: the backend is started by its own server."""

    async def stop(self) -> None:
        """Do nothing: the backend is stopped by its own server."""

    def report(self) -> ModelReport:
        """Return the state of the backend's model."""
        return self._backend.report()

    async def answer(self, call: Call) -> Answer:
        """Return the response to one call. Raises ApiError."""
        return translate_answer(await self._backend.answer(call), call)
