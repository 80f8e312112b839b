import asyncio
from collections.abc import AsyncGenerator, Iterator

import httpx
import pytest
from google.genai import errors, types

from local.model.calls import SSE_HEADERS, Answer, ApiError, Call, ConnectionCut, Fault, event, json_answer
from local.model.recorder import Recorder
from local.model.server import build_app
from local.model.state import ModelReport, ModelState
from tests.local.gemini.conftest import ConnectTo, Served
from tests.local.serving import serving
from tests.local.watching import wait_until

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
TRACEPARENT = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}


class Slow:
    """A backend that answers by the name of the model, and counts the answers that were given up."""

    def __init__(self) -> None:
        self.started = self.closed = 0
        self.has_begun = False

    async def start(self) -> None:
        self.started += 1

    async def stop(self) -> None:
        self.started -= 1

    def report(self) -> ModelReport:
        return ModelReport(state=ModelState.READY, name="slow")

    async def answer(self, call: Call) -> Answer:
        if call.model == "refused":
            raise ApiError(Fault.RESOURCE_EXHAUSTED, "Too much.")
        if call.streams:
            return Answer(headers=SSE_HEADERS, stream=self._stream(call))
        try:
            self.has_begun = True
            await asyncio.sleep(600 if call.model == "endless" else 0)
        finally:
            self.closed += 1
        return json_answer({"candidates": []})

    async def _stream(self, call: Call) -> AsyncGenerator[bytes]:
        try:
            yield event({"candidates": [{"content": {"parts": [{"text": "first"}]}}]})
            if call.model == "breaks":
                raise ConnectionCut
            if call.model == "fails":
                raise ApiError(Fault.INTERNAL, "It broke.")
            await asyncio.sleep(600 if call.model == "endless" else 0)
        finally:
            self.closed += 1


@pytest.fixture
def backend() -> Slow:
    return Slow()


@pytest.fixture
def served(backend: Slow) -> Iterator[Served]:
    with serving(build_app(backend, Recorder())) as url:
        server = Served(url)
        yield server
        server.http.close()
    assert backend.started == 0


def test_health_and_model_are_told(served: Served) -> None:
    assert served.http.get("/healthz").json() == {"ready": True}
    assert served.http.get("/model").json()["state"] == "ready"


def test_what_is_not_the_api_is_not_found_in_geminis_form(served: Served) -> None:
    answer = served.http.get("/v1/files")
    assert (answer.status_code, answer.json()["error"]["status"]) == (404, "NOT_FOUND")
    assert served.exchanges() == []


def test_an_error_has_geminis_form_and_is_recorded(served: Served, connect: ConnectTo) -> None:
    with pytest.raises(errors.ClientError, match="Too much"):
        connect(served).models.generate_content(model="refused", contents="hi")
    assert [e["status"] for e in served.exchanges()] == [429]


def test_exchanges_are_found_by_the_trace_of_the_request(served: Served, connect: ConnectTo) -> None:
    config = types.GenerateContentConfig(http_options=types.HttpOptions(headers=TRACEPARENT))
    client = connect(served)
    client.models.generate_content(model="a", contents="hi")
    client.models.generate_content(model="b", contents="hi", config=config)
    [found] = served.exchanges(trace=TRACE)
    assert (found["n"], found["model"], found["method"], found["trace"]) == (2, "b", "generateContent", TRACE)
    assert '"text": "hi"' in found["request"].replace('":"', '": "')
    assert [e["n"] for e in served.exchanges(after=1)] == [2]
    assert ([e["n"] for e in served.exchanges(about='"hi"')], served.exchanges(about="ho")) == ([1, 2], [])
    assert served.http.get("/exchanges", params={"after": 2}).json() == {"exchanges": [], "last": 2}
    assert served.http.get("/exchanges", params={"after": "x"}).status_code == 400


def test_the_key_is_recorded_nowhere(served: Served, connect: ConnectTo) -> None:
    connect(served).models.generate_content(model="a", contents="hi")
    served.http.post("/v1/models/a:generateContent?key=a-secret-key", json={})
    assert "a-secret-key" not in served.http.get("/exchanges").text


def test_by_vertex_ais_address_a_token_is_asked_for(served: Served) -> None:
    address = "/v1beta1/projects/p/locations/global/publishers/google/models/a:generateContent"
    refused = served.http.post(address, json={}, headers={"x-goog-api-key": "a-key"})
    assert (refused.status_code, refused.json()["error"]["status"]) == (401, "UNAUTHENTICATED")
    answer = served.http.post(address, json={}, headers={"authorization": "Bearer a-secret-token"})
    assert (answer.status_code, answer.json()) == (200, {"candidates": []})
    assert [(e["model"], e["status"]) for e in served.exchanges()] == [("a", 401), ("a", 200)]
    assert "a-secret-token" not in served.http.get("/exchanges").text


async def test_a_caller_who_hangs_up_frees_the_backend(served: Served, backend: Slow) -> None:
    async with httpx.AsyncClient(base_url=served.url) as client:
        asked = asyncio.create_task(client.post("/v1/models/endless:generateContent", json={}))
        await asyncio.to_thread(wait_until, lambda: backend.has_begun)
        asked.cancel()
        async with client.stream("POST", "/v1/models/endless:streamGenerateContent?alt=sse", json={}) as answer:
            first = await anext(answer.aiter_bytes())
        ended = served.recorded(2)
    assert backend.closed == 2
    assert [(e["status"], e["response"]) for e in ended] == [(499, ""), (499, first.decode())]


def test_a_stream_that_fails_ends_with_the_error(served: Served, connect: ConnectTo) -> None:
    chunks = connect(served).models.generate_content_stream(model="fails", contents="hi")
    assert next(chunks).text == "first"
    with pytest.raises(errors.APIError, match="It broke"):
        next(chunks)
    assert "It broke" in served.exchanges()[0]["response"]


def test_a_cut_stream_breaks_the_connection(served: Served) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        served.http.post("/v1/models/breaks:streamGenerateContent?alt=sse", json={})
    assert len(served.recorded(1)) == 1


def test_a_caller_who_leaves_while_writing_is_nobody(served: Served) -> None:
    def body() -> Iterator[bytes]:
        yield b'{"contents": ['
        raise ConnectionAbortedError

    with pytest.raises(ConnectionAbortedError):
        served.http.post("/v1/models/a:generateContent", content=body())
    assert served.http.get("/healthz").is_success
    assert served.exchanges() == []
