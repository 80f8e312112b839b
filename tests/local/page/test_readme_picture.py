"""The film of the README, made from the running program: three people and lull in a group, and what lull did."""

import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from PIL import Image
from playwright.async_api import Page, expect

from local.cloud import LocalCloud
from tests.conftest import ANSWERING, HURRIED
from tests.forking import forked
from tests.local.page.visitor import Desks, Visits
from tests.stories.play import Model

ANSWER = """**Saturday.** Ben is free, and the forecast says sun from noon on:

```text
Fri  rain   14°
Sat  sun    21°
```
Shall I remind you in the morning?"""
SAID = {
    "Ann": "Shall we go to the sea on Friday or Saturday?",
    "Ben": "Saturday, I have to work until late on Friday",
    "Cleo": "@lull_bot what do you say?",
}


#: the film's width and height in pixels, and its colours
SIZE, COLOURS = (1080, 675), 160


class Film:
    """Pictures of a page, which become an animated GIF."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[Image.Image] = []
        self._lasts_ms: list[int] = []

    async def shoot(self, lasts_ms: int) -> None:
        """Add the page as it looks now; it is shown for so many milliseconds."""
        shot = Image.open(io.BytesIO(await self._page.screenshot())).convert("RGB")
        self._frames.append(shot.resize(SIZE, Image.Resampling.LANCZOS))
        self._lasts_ms.append(lasts_ms)

    def save(self, path: Path) -> None:
        """Write the GIF. All frames have the last one's colours, so that nothing flickers."""
        palette = self._frames[-1].quantize(COLOURS)
        first, *others = (frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self._frames)
        first.save(path, save_all=True, append_images=others, duration=self._lasts_ms, loop=0, optimize=True)


@pytest.fixture
def new_cloud() -> Iterator[LocalCloud]:
    """Run a new cloud, as the picture shows a first visit."""
    with LocalCloud(forked(parts=ANSWERING, env=HURRIED, has_menus=True)).running() as cloud:
        yield cloud


async def test_three_people_and_lull_in_a_group(desks: Desks, new_cloud: LocalCloud, pictures: Path) -> None:
    async with httpx.AsyncClient(base_url=new_cloud.model_url, timeout=30) as gemini:
        await _play(Visits(desks, new_cloud.telegram_url), Model(gemini), pictures)


async def _play(visits: Visits, model: Model, pictures: Path) -> None:
    visitor = await visits.visit({"width": 1440, "height": 900}, path="/")
    film = Film(visitor.page)
    await visitor.starts_a_group()
    await model.will_plan(
        {"id": "answer", "kind": "send", "text": ANSWER},
        {"id": "sleep", "kind": "wait", "seconds": 50400, "depends_on": ["answer"]},
        {"id": "remind", "kind": "send", "text": "Good morning! Noon, at the harbour.", "depends_on": ["sleep"]},
    )
    for name, text in SAID.items():
        await visitor.becomes(name)
        await visitor.page.mouse.move(700, 200)
        await visitor.field.fill(text)
        await film.shoot(900)
        await visitor.writes(text)
        await film.shoot(700)
    await expect(visitor.message("Shall I remind you in the morning?")).to_be_visible()
    await visitor.becomes("Ann")
    await visitor.page.mouse.move(700, 200)  # the mouse is beside the messages, so that none shows its actions
    await expect(visitor.button("Task 3: send, planned, after 2")).to_be_visible()
    await expect(visitor.page.locator('[data-step="Deliveries"]')).to_contain_text("confirmed")
    await film.shoot(5_000)
    film.save(pictures / "readme.gif")
    await visits.close()
    assert visits.problems == []
