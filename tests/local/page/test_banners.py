"""Banners at the top of the page: the model's progress, a lost canary, a persona that cannot be read.

The real server of the local Gemini reports the model, whose file the test controls.
"""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

from local.model.calls import Answer, Backend, Call, Json
from local.model.engine import EngineOptions
from local.model.model_file import ModelFileError
from local.model.recorder import Recorder
from local.model.server import build_app
from local.model.small import SmallBackend
from local.model.state import ModelReport, ModelState, Progress, ReadingReport
from local.options import CannotStart
from local.parts import PERSONA_PROBLEM, PERSONAS
from local.persona_snapshot import PersonaSnapshot
from local.processes import ROOT
from local.scheduler.calls import Attempt, Caller
from local.scheduler.control import SchedulerControl
from local.scheduler.timetable import Timetable
from local.telegram.serving import serve
from tests.infra.test_schedules import job
from tests.local.page.visitor import PHONE, Desks, Visitor, Visits
from tests.local.serving import serving


@dataclass
class ComingFile:
    """The model's file: a third is downloaded, until the download fails."""

    fails: asyncio.Event = field(default_factory=asyncio.Event)
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    name: str = "Small Model 1.5B"
    reason: str = ""
    options: Json = field(default_factory=dict)

    async def get(self, progress: Progress) -> Path:
        progress.reached(400_000_000)
        waited = asyncio.run_coroutine_threadsafe(self.fails.wait(), self.loop)
        await asyncio.wrap_future(waited)
        raise ModelFileError("The file's hash is wrong; it was not used.")


@pytest.fixture
async def file() -> ComingFile:
    return ComingFile()


HALF = ReadingReport(names=["lull", "Moss"], done_tokens=451, total_tokens=902)


class ReadingModel:
    """A backend whose model has read half of its prompts ahead, until the test says that it is done."""

    def __init__(self, reading: ReadingReport | None = HALF) -> None:
        self.reading = reading

    async def start(self) -> None:
        """Do nothing."""

    async def stop(self) -> None:
        """Do nothing."""

    def report(self) -> ModelReport:
        return ModelReport(state=ModelState.READY, name="Small Model 1.5B", reading=self.reading)

    async def answer(self, call: Call) -> Answer:
        raise NotImplementedError(call.method)


@pytest.fixture
async def visitor(desks: Desks, file: ComingFile, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Visitor]:
    backend = SmallBackend(file, Progress(1_200_000_000), EngineOptions())
    async with visiting(desks, backend, monkeypatch) as visitor:
        yield visitor


@asynccontextmanager
async def timed(_: object) -> AsyncIterator[None]:
    """Run no scheduled job."""
    yield


async def test_a_lost_canary_is_told_until_one_comes_through(
    desks: Desks, monkeypatch: pytest.MonkeyPatch, pictures: Path
) -> None:
    timetable = Timetable([job(name="canary")], Caller(client=httpx.AsyncClient(), urls={}))
    seen = {"agent": "lull", "step": "queue and tick", "is_well": False, "said": "no tick came within 60 s: why"}
    timetable.latest["canary"] = Attempt(status=500, said=json.dumps({"steps": [seen]}))
    with serving(SchedulerControl(timetable).app(timed)) as scheduler:
        monkeypatch.setenv("LULL_LOCAL_SCHEDULER_URL", scheduler)
        async with visiting(desks, ReadingModel(), monkeypatch) as visitor:
            banner = visitor.page.get_by_role("alert")
            await expect(banner).to_contain_text("Queue and tick: no tick came within 60 s. Likely cause: the tick")
            await expect(banner.locator("code").first).to_have_text("make logs PART=tick")
            await visitor.page.screenshot(path=pictures / "canary-desktop.png")
            timetable.latest["canary"] = Attempt(status=200, said=json.dumps({"steps": [seen | {"is_well": True}]}))
            await expect(banner).to_have_count(0)


async def test_a_broken_persona_is_told_with_its_line_until_it_is_mended(
    desks: Desks, monkeypatch: pytest.MonkeyPatch, pictures: Path, tmp_path: Path
) -> None:
    """A persona that was saved in part has its error shown until a complete one is saved."""
    folder, kept = tmp_path / "agents", tmp_path / PERSONAS
    shutil.copytree(ROOT / "agents", folder)
    snapshot, persona = PersonaSnapshot((folder,), kept), folder / "moss" / "agent.md"
    snapshot.take()
    whole = persona.read_text()
    monkeypatch.setenv("LULL_PERSONA_PROBLEM", str(kept / PERSONA_PROBLEM))
    async with visiting(desks, ReadingModel(reading=None), monkeypatch) as visitor:
        banner = visitor.page.get_by_role("alert")
        persona.write_text(whole.replace("prompts:", "promts:"))
        with pytest.raises(CannotStart):
            snapshot.take()
        line = whole.splitlines().index(next(one for one in whole.splitlines() if one.startswith("prompts:"))) + 1
        await expect(banner).to_contain_text(f"moss/agent.md, line {line}: unknown key 'promts'")
        await expect(banner).to_contain_text("did you mean 'prompts'?")
        await expect(banner).to_contain_text("The previous version keeps answering")
        await visitor.page.screenshot(path=pictures / "persona-desktop.png")
        await visitor.page.set_viewport_size(PHONE)
        await visitor.page.screenshot(path=pictures / "persona-phone.png")
        assert await banner.evaluate("it => it.scrollWidth <= it.clientWidth"), "a long path is broken"
        persona.write_text(f"{whole}<script>alert(1)</script> {{nobody}}\n")
        with pytest.raises(CannotStart):
            snapshot.take()
        await expect(banner).to_contain_text(f"line {len(whole.splitlines()) + 1}: there is no variable {{nobody}}")
        folder.rename(tmp_path / "elsewhere")
        with pytest.raises(CannotStart):
            snapshot.take()
        await expect(banner).to_contain_text("No such file or directory")
        (tmp_path / "elsewhere").rename(folder)
        persona.write_text(whole)
        snapshot.take()
        await expect(banner).to_have_count(0)


@asynccontextmanager
async def visiting(desks: Desks, backend: Backend, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Visitor]:
    """Open the page of a Telegram that runs beside this model."""
    with serving(build_app(backend, Recorder())) as gemini:
        monkeypatch.setenv("LULL_LOCAL_MODEL_URL", gemini)
        async with serve() as telegram:
            visits = Visits(desks, telegram.url)
            yield await visits.visit()
            await visits.close()
            assert visits.problems == []


async def test_a_download_has_a_bar_and_a_failure_says_what_to_do(
    visitor: Visitor, file: ComingFile, pictures: Path
) -> None:
    banner = visitor.page.locator(".banner")
    await expect(banner).to_contain_text("Downloading the model Small Model 1.5B (only once): 400.0 MB of 1.2 GB")
    bar = visitor.page.get_by_role("progressbar", name="Download of the model")
    await expect(bar).to_have_attribute("max", "1200000000")
    await expect(bar).to_have_js_property("value", 400_000_000)
    await visitor.page.screenshot(path=pictures / "download-desktop.png")
    file.fails.set()
    await expect(banner).to_contain_text("The file's hash is wrong")
    await expect(banner).to_contain_text("make logs")
    await expect(visitor.page.locator(".model-note")).to_contain_text("not running")


async def test_how_far_the_reading_is_has_a_bar_and_goes(desks: Desks, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ReadingModel()
    async with visiting(desks, model, monkeypatch) as visitor:
        banner = visitor.page.locator(".banner")
        await expect(banner).to_contain_text("the instructions of lull, Moss (only once): 50 %. You can already write")
        bar = visitor.page.get_by_role("progressbar", name="Reading of the instructions")
        await expect(bar).to_have_js_property("value", 451)
        await expect(bar).to_have_attribute("max", "902")
        model.reading = None
        await expect(banner).to_have_count(0)
