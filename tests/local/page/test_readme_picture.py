"""The picture of the README, made from the running program: three people and lull in a group, and what lull did."""

from pathlib import Path

from playwright.async_api import Browser, expect

from tests.local.page.visitor import Visits
from tests.stories.play import Stage

ANSWER = """**Saturday.** Ben is free, and the forecast says sun from noon on:

```text
Fri  rain   14°
Sat  sun    21°
```
Shall I remind you in the morning?"""


async def test_three_people_and_lull_in_a_group(browser: Browser, stage: Stage, pictures: Path) -> None:
    visits = Visits(browser, stage.cloud.telegram_url)
    visitor = await visits.visit({"width": 1440, "height": 900}, path="/")
    await visitor.starts_a_group()
    await stage.model.will_plan(
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
    await expect(visitor.button("Task remind: send, planned, after sleep")).to_be_visible()
    await expect(visitor.page.locator('[data-step="Deliveries"]')).to_contain_text("confirmed")
    await visitor.page.screenshot(path=pictures / "readme.png")
    await visits.close()
    assert visits.problems == []
