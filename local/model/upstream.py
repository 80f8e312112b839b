"""Passes calls on to another server, unchanged: Google's API, or a model server that lull did not start.

The calls pass through here so that the recorder also sees the exchanges with these servers. Google's key is in the
caller's header. The key of a model server is added here, so that functions do not need it.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field

import httpx

from local.model.calls import Answer, ApiError, Call, ConnectionCut, Fault
from local.model.context import context_of, too_little
from local.model.model_list import is_refused, models_in, wants_key
from local.model.state import ModelReport, ModelState
from shared.values.agent import Codec
from shared.values.capabilities import InputKind, listed_capabilities

log = logging.getLogger(__name__)

GOOGLE = "https://generativelanguage.googleapis.com"
#: seconds between two checks of the server
LOOK_EVERY_S = 3.0
#: seconds to wait for a response if the caller sets no limit
LIMIT_S = 600.0
#: seconds for checking whether Google's API can be reached
LOOK_S = 5.0
ANOTHER = "LULL_LOCAL_MODEL=ask make dev lets you choose a model."

#: names of these programs in settings (shared/values/model_name.py)
_PROVIDERS = {"Ollama": "ollama", "LM Studio": "lmstudio", "llama.cpp": "llamacpp"}

#: headers of a connection, not of the message (RFC 9110 §7.6.1), and those that httpx sets itself
_OF_THE_CONNECTION = {
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "host",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
}


@dataclass(frozen=True, kw_only=True)
class ModelServer:
    """A model on a model server. `name` is the name of the server's program; `url` has neither a trailing slash nor
    `/v1`.

    `takes_pictures`, `calls_functions`: whether the model reads pictures and calls functions, as the server reports.
    """

    name: str
    url: str
    model: str
    key: str = field(default="", repr=False)
    takes_pictures: bool = False
    calls_functions: bool = False

    def __str__(self) -> str:
        """Return the description that people see."""
        return f"{self.label} of {self.name} at {self.url}"

    @property
    def label(self) -> str:
        """Return the model's name without the folders that some servers put before it."""
        return self.model.rpartition("/")[2]

    @property
    def provider(self) -> str:
        """Return the name of the provider by which settings refer to this model server."""
        return _PROVIDERS.get(self.name, "local")

    @property
    def capabilities(self) -> dict[str, object]:
        """Return the model's row in LULL_CAPABILITIES. The model answers in JSON, since all of these servers can
        enforce a JSON schema. Only models that are listed as too small for JSON answer in plain text.
        """
        is_small = listed_capabilities(f"{self.provider}:{self.model}").codec is Codec.TEXT
        takes = [InputKind.PICTURES] if self.takes_pictures else []
        codec = Codec.TEXT if is_small else Codec.JSON
        return {"takes": takes, "tools": self.calls_functions, "schema": True, "codec": codec}

    @property
    def headers(self) -> dict[str, str]:
        """Return the header that sends the server's key; no header if the server has no key."""
        return {"authorization": f"Bearer {self.key}"} if self.key else {}


class Upstream:
    """Passes calls on to a server at another address, and returns the server's responses. A stream is passed on as it
    arrives.
    """

    def __init__(self, url: str, headers: dict[str, str] | None = None, *, trust_env: bool = False) -> None:
        """Use the server at `url`. `headers` replace those of callers; `trust_env`: use the proxy that the environment
        names.
        """
        self.url, self._headers = url, headers or {}
        self.client = httpx.AsyncClient(
            base_url=url,
            headers=self._headers,
            trust_env=trust_env,
            # idle connections are not reused, since servers may close them just as they are used
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    async def ask(self, call: Call) -> Answer:
        """Return the server's response. Raises httpx.TransportError if there is none."""
        request = self.client.build_request(
            call.http_method,
            httpx.URL(path=call.path, query=call.query.encode()),
            content=call.body,
            headers={**of_the_message(call.headers.items()), "accept-encoding": "identity", **self._headers},
            timeout=httpx.Timeout(call.limit_s or LIMIT_S, connect=10),
        )
        response = await self.client.send(request, stream=True)
        headers = of_the_message(response.headers.items())
        if "text/event-stream" in response.headers.get("content-type", ""):
            return Answer(status=response.status_code, headers=headers, stream=_relay(response))
        return Answer(status=response.status_code, headers=headers, body=await response.aread())


class GoogleBackend:
    """A backend that passes calls on to Google's API, with the caller's own key."""

    def __init__(self, upstream: str = GOOGLE) -> None:
        """Use the API at the address `upstream`."""
        self._upstream = Upstream(upstream, trust_env=True)
        self._state, self._error = ModelState.STARTING, ""
        self._looking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to check whether the API can be reached. Calls do not wait for the check."""
        self._looking = asyncio.create_task(self._look())

    async def stop(self) -> None:
        """Close the connections."""
        await _cancel(self._looking)
        await self._upstream.client.aclose()

    def report(self) -> ModelReport:
        """Return the state: starting until the first contact with the API, then ready, or failed if unreachable."""
        return ModelReport(state=self._state, name="Gemini", note="Google's own, over the network.", error=self._error)

    async def answer(self, call: Call) -> Answer:
        """Return Google's response. Raises ApiError with 503 or 504 if there is none."""
        try:
            answer = await self._upstream.ask(call)
        except httpx.TimeoutException as cause:
            raise ApiError(
                Fault.DEADLINE_EXCEEDED, f"{self._upstream.url} did not answer in time. Try again."
            ) from cause
        except httpx.TransportError as cause:
            self._state, self._error = ModelState.FAILED, self._away(cause)
            raise ApiError(Fault.UNAVAILABLE, self._error) from cause
        self._state, self._error = ModelState.READY, ""
        return answer

    async def _look(self) -> None:
        try:
            await self._upstream.client.get("/", timeout=LOOK_S)
        except httpx.TransportError as cause:
            self._state, self._error = ModelState.FAILED, self._away(cause)
        else:
            self._state, self._error = ModelState.READY, ""

    def _away(self, cause: httpx.TransportError) -> str:
        url = self._upstream.url
        return f"{url} could not be reached ({type(cause).__name__}). Check the network, then try again."


class ServerBackend:
    """A backend that passes calls on to a model server that lull did not start. The server is polled, so that the page
    can show when it is gone.
    """

    def __init__(self, server: ModelServer) -> None:
        """Prepare the backend. The server may start later."""
        self._server = server
        self._upstream = Upstream(server.url, server.headers)
        self._state, self._error, self._context = ModelState.STARTING, "", 0
        self._watching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to poll the server."""
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> None:
        """Stop polling and close the connections."""
        await _cancel(self._watching)
        await self._upstream.client.aclose()

    def report(self) -> ModelReport:
        """Return the state: ready if the server answers."""
        caution = too_little(self._context)
        takes = (
            "Reads text and pictures." if self._server.takes_pictures else "Reads text only, no images, sound or files."
        )
        note = f"A model of yours, on its own server. {takes} {caution}".rstrip()
        return ModelReport(state=self._state, name=self._server.label, note=note, caution=caution, error=self._error)

    async def answer(self, call: Call) -> Answer:
        """Return the server's response, even if its status is an error. Raises ApiError: 504 if the response does not
        come in time, 503 if the server cannot be reached.
        """
        try:
            answer = await self._upstream.ask(call)
        except httpx.TimeoutException as cause:
            why = f"{self._server} did not answer in time. Allow more time, or shorten the prompt."
            raise ApiError(Fault.DEADLINE_EXCEEDED, why) from cause
        except httpx.TransportError as cause:
            raise ApiError(Fault.UNAVAILABLE, self._away(cause)) from cause
        if answer.status >= 400:
            # the server's reason may quote the prompt
            log.warning("%s answered %d to %s", self._server, answer.status, call.method)
        return answer

    async def _watch(self) -> None:
        while True:
            self._error = await self._trouble()
            await self._look_at_context()  # before the state becomes ready, since both are reported together
            self._state = ModelState.FAILED if self._error else ModelState.READY
            await asyncio.sleep(LOOK_EVERY_S)

    async def _look_at_context(self) -> None:
        """Ask for the context's length until it is known, and again after the server was gone."""
        if self._error or not self._context:
            client = self._upstream.client
            self._context = 0 if self._error else await context_of(client, self._server.name, self._server.model)
            if sentence := too_little(self._context):
                log.warning("This is %s. %s", self._server, sentence)

    async def _trouble(self) -> str:
        """Return the reason why the model cannot answer now; empty if it can."""
        try:
            answer = await self._upstream.client.get("/v1/models", timeout=LOOK_EVERY_S)
            if is_refused(answer):
                return f"{self._server} {wants_key(self._server.key)}"
            found = models_in(answer.raise_for_status())
        except (httpx.HTTPError, ValueError) as cause:
            return self._away(cause)
        there = ", ".join(found) or "none"
        return (
            ""
            if self._server.model in found
            else f"{self._server} is no longer available; the server has: {there}. {ANOTHER}"
        )

    def _away(self, cause: Exception) -> str:
        why = f"{self._server} does not answer ({type(cause).__name__})."
        return f"{why} Start it again, or use a small local model: LULL_LOCAL_MODEL=small make dev."


def of_the_message(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the headers without those that apply to one connection only, such as `Connection` and
    `Transfer-Encoding`.
    """
    return {name: value for name, value in headers if name.lower() not in _OF_THE_CONNECTION}


async def _relay(response: httpx.Response) -> AsyncGenerator[bytes]:
    try:
        async for chunk in response.aiter_bytes():
            yield chunk
    except httpx.TransportError as cause:
        raise ConnectionCut from cause
    finally:
        await response.aclose()


async def _cancel(task: asyncio.Task[None] | None) -> None:
    if task:
        task.cancel()
        await asyncio.wait({task})
