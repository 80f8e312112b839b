"""The picture of the README, made from the running program: three people and lull in a group, and what lull did."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

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


@pytest.fixture
def new_cloud() -> Iterator[LocalCloud]:
    """A cloud that nobody has been to: the picture shows a first visit."""
    with LocalCloud(forked(parts=ANSWERING, env=HURRIED, has_menus=True)).running() as cloud:
        yield cloud


async def test_three_people_and_lull_in_a_group(desks: Desks, new_cloud: LocalCloud, pictures: Path) -> None:
    async with httpx.AsyncClient(base_url=new_cloud.gemini_url, timeout=30) as gemini:
        await _play(Visits(desks, new_cloud.telegram_url), Model(gemini), pictures)


async def _play(visits: Visits, model: Model, pictures: Path) -> None:
    visitor = await visits.visit({"width": 1440, "height": 900}, path="/")
    await visitor.starts_a_group()
    await model.will_plan(
        {"id": "answer", "kind": "send", "text": ANSWER},
        {"id": "sleep", "kind": "wait", "seconds": 50400, "depends_on": ["answer"]},
        {"id": "remind", "kind": "send", "text": "Good morning! Noon, at the harbour.", "depends_on": ["sleep"]},
    )
    await visitor.becomes("Ann")
    await visitor.writes("Shall we go to the sea on Friday or Saturday?")
    await visitor.becomes("Ben")
    await visitor.writes("Saturday, I have to work until late on Friday")
    await visitor.becomes("Cleo")
    await visitor.writes("@lull_bot what do you say? 🌊")
    await expect(visitor.message("Shall I remind you in the morning?")).to_be_visible()
    await visitor.becomes("Ann")
    await expect(visitor.button("Task 3: send, planned, after 2")).to_be_visible()
    await expect(visitor.page.locator('[data-step="Deliveries"]')).to_contain_text("confirmed")
    await visitor.page.mouse.move(700, 200)  # no message shows what one can do with it
    await visitor.page.screenshot(path=pictures / "readme.png")
    await visits.close()
    assert visits.problems == []
