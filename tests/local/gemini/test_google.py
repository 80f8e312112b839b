from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from google.genai import errors
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from local.gemini.google import GoogleBackend
from local.gemini.recorder import Recorder
from local.gemini.server import build_app
from tests.local.gemini.conftest import ConnectTo, Served
from tests.local.gemini.serving import serving

ANSWER = {"candidates": [{"content": {"parts": [{"text": "hello"}]}, "finishReason": "STOP"}], "new": {"field": 1}}


class Upstream:
    """Google's API as a proxy sees it: it records requests, and answers by the model's name."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.app = Starlette(routes=[Route("/{path:path}", self._answer, methods=["GET", "POST"])])

    async def _answer(self, request: Request) -> Response:
        if request.url.path == "/":  # the request that checks that Google can be reached
            return Response(status_code=404)
        body = (await request.body()).decode()
        self.asked.append({"url": str(request.url), "headers": dict(request.headers), "body": body})
        if "quota" in request.url.path:
            error = {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED"}
            return JSONResponse({"error": error}, 429, headers={"retry-after": "7"})
        if "streamGenerateContent" in request.url.path:
            return StreamingResponse(self._events("cut" in request.url.path), media_type="text/event-stream")
        return JSONResponse(ANSWER, headers={"x-gemini-service-tier": "standard"})

    async def _events(self, is_cut: bool) -> Any:
        for text in ("one", "two"):
            yield f'data: {{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}}}]}}\r\n\r\n'
        if is_cut:
            raise ConnectionAbortedError


@pytest.fixture
def upstream() -> Upstream:
    return Upstream()


@pytest.fixture
def served(upstream: Upstream) -> Iterator[Served]:
    with serving(upstream.app) as google, serving(build_app(GoogleBackend(google), Recorder())) as url:
        server = Served(url)
        yield server
        server.http.close()


async def test_the_call_and_its_key_reach_google_and_only_the_call_is_kept(
    served: Served, upstream: Upstream, connect: ConnectTo
) -> None:
    answer = await connect(served).aio.models.generate_content(model="m", contents="ї")
    assert answer.text == "hello"
    [asked] = upstream.asked
    assert asked["url"].endswith("/v1/models/m:generateContent")
    assert asked["headers"]["x-goog-api-key"] == "a-secret-key"
    [kept] = served.exchanges()
    assert (kept["request"], kept["status"]) == (asked["body"], 200)
    assert "a-secret-key" not in str(kept)


def test_an_answer_comes_back_as_it_is(served: Served) -> None:
    answer = served.http.post("/v1beta/models/m:generateContent?key=k&alt=json", json={"contents": []})
    assert (answer.json(), answer.headers["x-gemini-service-tier"]) == (ANSWER, "standard")


def test_the_query_is_passed_on(served: Served, upstream: Upstream) -> None:
    served.http.get("/v1/models?pageSize=5&pageToken=a%2Fb")
    assert upstream.asked[0]["url"].endswith("/v1/models?pageSize=5&pageToken=a%2Fb")


def test_streams_are_passed_on(served: Served, connect: ConnectTo) -> None:
    chunks = connect(served).models.generate_content_stream(model="m", contents="hi")
    assert [chunk.text for chunk in chunks] == ["one", "two"]
    assert '"two"' in served.exchanges()[0]["response"]


def test_googles_errors_are_googles(served: Served, connect: ConnectTo) -> None:
    with pytest.raises(errors.ClientError, match=r"Slow down\."):
        connect(served).models.generate_content(model="quota", contents="hi")
    answer = served.http.post("/v1/models/quota:generateContent", json={})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")


def test_a_stream_that_google_cuts_is_cut(served: Served) -> None:
    with pytest.raises(Exception, match="closed"):
        served.http.post("/v1/models/cut:streamGenerateContent?alt=sse", json={})


def test_no_network_is_unavailable_in_geminis_form(connect: ConnectTo) -> None:
    with serving(build_app(GoogleBackend("http://127.0.0.1:9"), Recorder())) as url:
        with pytest.raises(errors.ServerError, match="could not be reached") as raised:
            connect(url).models.generate_content(model="m", contents="hi")
        assert (raised.value.code, raised.value.status) == (503, "UNAVAILABLE")
        report = httpx.get(f"{url}/model").json()
        assert report["state"] == "failed"
        assert "could not be reached" in report["error"]
