"""A story in the browser, through all real functions: the owner watches a chat as it happens, and renames it."""

from pathlib import Path

from playwright.async_api import expect

from tests.local.page.visitor import PHONE, Desks
from tests.stories.test_access import Owned, owned
from tests.stories.test_console import cloud
from tests.stories.words import will_say
from tests.web.owner import Owners

__all__ = ["cloud", "owned"]


async def launch(owned: Owned) -> str:
    """Let the owner open the Mini App of the agent's bot; return its path and its data."""
    sandbox = owned.sandbox
    asked = {"person_id": owned.olga.id, "bot_id": int(sandbox.cloud.tokens["lull"].split(":")[0])}
    opened = (await sandbox.telegram.post("/world/mini-app", json=asked)).raise_for_status().json()
    return str(opened["url"]).removeprefix(sandbox.cloud.url("console"))


async def test_the_owner_watches_a_chat_and_renames_it(owned: Owned, desks: Desks, pictures: Path) -> None:
    owners = Owners(desks, owned.sandbox.cloud.url("console"))
    await will_say(owned.sandbox, owned.chat, "Lima.")
    await owned.chat.writes(owned.olga, "What is the capital of Peru?")
    owner = await owners.visit(address=await launch(owned))
    await owner.settles()
    page = owner.page
    row = page.locator(".talk-row").filter(has_text="Lima.")
    await expect(row).to_be_visible()
    await row.click()
    await expect(page.locator("main").get_by_text("What is the capital of Peru?")).to_be_visible()
    await will_say(owned.sandbox, owned.chat, "About ten million.")
    await owned.chat.writes(owned.olga, "And how many people live there?")
    await expect(page.locator("main").get_by_text("About ten million.")).to_be_visible()
    await expect(page.locator(".status-live")).to_have_text("Live")
    await page.get_by_role("button", name="Rename").click()
    await page.get_by_role("textbox", name="Rename").fill("Peru")
    await page.keyboard.press("Enter")
    await expect(page.locator(".talk-row").filter(has_text="Peru").first).to_be_visible()
    await expect(owner.title).to_contain_text("Peru")
    await page.screenshot(path=pictures / "console-story-desk.png")
    await page.set_viewport_size(PHONE)
    await page.screenshot(path=pictures / "console-story-phone.png")
    for path in ("trouble", "costs", "people", "memories", "metrics", "personas"):
        await owner.opens(f"/{path}")
        assert await page.locator(".problem").all_inner_texts() == [], path
        await page.screenshot(path=pictures / f"console-story-{path}.png")
    await owners.close()
    assert owners.problems == []
