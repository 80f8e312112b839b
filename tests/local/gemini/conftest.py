"""The scripted backend, served; and Google's official client for it."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from google import genai
from google.genai import types

from local.gemini.scripted import ScriptedBackend
from local.model.recorder import Recorder
from local.model.server import build_app
from tests.local.serving import serving

Json = dict[str, Any]
ConnectTo = Callable[..., genai.Client]


class Served:
    """A server under test, with a view of its records."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60)

    def script(self, *replies: Json, **more: Any) -> None:
        self.http.post("/script", json={"replies": list(replies), **more}).raise_for_status()

    def exchanges(self, **query: Any) -> list[Json]:
        found: list[Json] = self.http.get("/exchanges", params=query).json()["exchanges"]
        return found

    def recorded(self, count: int, after: int = 0) -> list[Json]:
        """Wait for so many exchanges and give them: one whose client hung up is recorded a moment later."""
        while len(found := self.exchanges(after=after)) < count:
            time.sleep(0.02)
        return found


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[Served]:
    backend = ScriptedBackend()
    with serving(build_app(backend, Recorder(tmp_path / "model"), backend.routes())) as url:
        served = Served(url)
        yield served
        served.http.close()


@pytest.fixture
async def connect() -> AsyncIterator[ConnectTo]:
    """Give a function that makes official clients, which are closed after the test."""
    clients: list[genai.Client] = []

    def connect_to(served: Served | str, **options: Any) -> genai.Client:
        url = served if isinstance(served, str) else served.url
        options = {"timeout": 60_000, **options}
        client = genai.Client(api_key="a-secret-key", http_options=types.HttpOptions(base_url=url, **options))
        clients.append(client)
        return client

    yield connect_to
    for client in clients:
        client.close()
        await client.aio.aclose()
