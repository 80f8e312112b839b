"""How far the model is, on the page: told by the real server of the local Gemini over a file that comes when we say."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from local.gemini.engine import EngineOptions
from local.gemini.model_file import ModelFileError
from local.gemini.recorder import Recorder
from local.gemini.server import build_app
from local.gemini.small import SmallBackend
from local.gemini.state import Progress
from local.telegram.serving import serve
from tests.local.gemini.serving import serving
from tests.local.page.visitor import Visitor, Visits


@dataclass
class ComingFile:
    """The model's file: a third of it is here, until it fails."""

    fails: asyncio.Event = field(default_factory=asyncio.Event)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)

    async def get(self, progress: Progress) -> Path:
        progress.reached(400_000_000)
        waited = asyncio.run_coroutine_threadsafe(self.fails.wait(), self.loop)
        await asyncio.wrap_future(waited)
        raise ModelFileError("The file's hash is wrong; it was not used.")


@pytest.fixture
async def file() -> ComingFile:
    return ComingFile()


@pytest.fixture
async def visitor(browser: Browser, file: ComingFile, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Visitor]:
    backend = SmallBackend("Small Model 1.5B", file.get, Progress(1_200_000_000), EngineOptions())
    with serving(build_app(backend, Recorder())) as gemini:
        monkeypatch.setenv("LULL_LOCAL_GEMINI_URL", gemini)
        async with serve() as telegram:
            visits = Visits(browser, telegram.url)
            yield await visits.visit()
            await visits.close()
            assert visits.problems == []


async def test_a_download_has_a_bar_and_a_failure_says_what_to_do(
    visitor: Visitor, file: ComingFile, pictures: Path
) -> None:
    banner = visitor.page.locator(".banner")
    await expect(banner).to_contain_text("Downloading the model Small Model 1.5B, once: 400.0 MB of 1.2 GB")
    bar = visitor.page.get_by_role("progressbar", name="Download of the model")
    await expect(bar).to_have_attribute("max", "1200000000")
    await expect(bar).to_have_js_property("value", 400_000_000)
    await visitor.page.screenshot(path=pictures / "download-desktop.png")
    file.fails.set()
    await expect(banner).to_contain_text("The file's hash is wrong")
    await expect(banner).to_contain_text("make logs")
    await expect(visitor.page.locator(".model-note")).to_contain_text("not running")
