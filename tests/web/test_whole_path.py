"""A story of the whole console: the owner claims an agent, comes in from its chat, and leaves by the chat."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from local.cloud import LocalCloud
from shared.chat.store.access_lists import decode_access_list
from shared.chat.store.bots import FirestoreOwners
from tests.conftest import ANSWERING, HURRIED, SOON
from tests.forking import forked
from tests.local.page.visitor import Desks
from tests.stories.play import until
from tests.stories.test_access import Owned, owned
from tests.stories.words import will_say
from tests.web.owner import Owner, Owners
from tests.web.test_story import launch

__all__ = ["owned"]


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a closed cloud with the console and all that it asks."""
    parts = (*ANSWERING, "console", "summarize", "erase", "storage")
    env = HURRIED | {"LULL_OPEN": "no"}
    with LocalCloud(forked(env=env, arguments={"telegram": SOON}, parts=parts)).running() as running:
        yield running


async def test_the_owner_comes_from_the_bot_looks_mends_talks_and_leaves_by_the_bot(
    owned: Owned, desks: Desks, pictures: Path
) -> None:
    owners = Owners(desks, owned.sandbox.cloud.url("console"))
    owner = await _comes_in(owned, owners)
    await _watches(owned, owner)
    await _asks_why_and_replays(owned, owner)
    await _lowers_a_limit(owned, owner)
    await _talks(owned, owner)
    await owner.page.screenshot(path=pictures / "console-whole-path.png")
    await _searches(owner)
    assert owners.problems == []
    await owned.chat.writes(owned.olga, "/console off")
    await expect(owner.page.get_by_role("heading", name="Signed out")).to_be_visible()
    await owner.page.goto(owners.url)
    await expect(owner.page.locator("body")).to_have_text("Not Found")
    said = [message["text"] for message in await owned.chat.said()]
    assert "Of the web." not in said, "what was said in the web stayed there"
    assert "It is La Paz, arr." not in said, "a replay sends nothing"
    await owners.close()


async def _comes_in(owned: Owned, owners: Owners) -> Owner:
    """Ask the bot for the console, and open it from there."""
    sandbox = owned.sandbox
    await FirestoreOwners(sandbox.firestore).keep_console("lull", sandbox.cloud.console_url)  # as the registration does
    await owned.chat.writes(owned.olga, "/console")
    (told,) = await owned.chat.answers()
    address = urlsplit(told.split()[-1])
    opened = await launch(owned)
    assert address.path == urlsplit(opened).path, "the answer and the button lead to the same door"
    owner = await owners.visit(address=opened)
    await owner.settles()
    return owner


async def _watches(owned: Owned, owner: Owner) -> None:
    """See a conversation in Telegram as it happens."""
    await will_say(owned.sandbox, owned.chat, "It is La Paz.")
    await owned.chat.writes(owned.olga, "What is the capital of Bolivia?")
    row = owner.page.locator(".talk-row").filter(has_text="It is La Paz.")
    await row.click()
    main = owner.page.locator("main")
    await expect(main.get_by_text("What is the capital of Bolivia?")).to_be_visible()
    await will_say(owned.sandbox, owned.chat, "Sucre, by the constitution.")
    await owned.chat.writes(owned.olga, "Really?")
    await expect(main.get_by_text("Sucre, by the constitution.")).to_be_visible()
    await owned.chat.rests()


async def _asks_why_and_replays(owned: Owned, owner: Owner) -> None:
    """Open what led to an answer, and plan it again with another persona."""
    page = owner.page
    await page.locator("main .talk-entry").filter(has_text="capital of Bolivia").locator("a.talk-decision").click()
    await owner.settles()
    steps = page.locator(".why-steps > .step")
    await expect(steps.first).to_be_visible()
    kinds = await steps.evaluate_all("found => found.map((each) => each.dataset.step)")
    assert kinds[:3] == ["update", "wake", "claim"]
    await owner.button("Replay this moment").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Persona").fill("You are a pirate.")
    await will_say(owned.sandbox, owned.chat, "It is La Paz, arr.")
    await dialog.get_by_role("button", name="Plan again").click()
    await expect(dialog.locator(".why-plan").nth(1)).to_contain_text("La Paz, arr")
    await page.keyboard.press("Escape")


async def _lowers_a_limit(owned: Owned, owner: Owner) -> None:
    await owner.opens("/costs")
    await owner.button("Change: The agent as a whole", exact=False).click()
    await owner.page.get_by_label("Dollars a day").fill("0.5")
    await owner.button("Save").click()
    await expect(owner.page.get_by_role("status").filter(has_text="Saved")).to_be_visible()

    async def is_lowered() -> bool:
        found = await owned.sandbox.firestore.document("bots/lull").get()
        return decode_access_list("lull", found.to_dict()).limits.agent.day_usd == 0.5

    await until(is_lowered, "the limit is stored")


async def _talks(owned: Owned, owner: Owner) -> None:
    """Begin a conversation in the console."""
    await owner.opens("/talk/new")
    await will_say(owned.sandbox, owned.chat, "Of the web.")
    field = owner.page.get_by_role("textbox", name="Write a message")
    await field.fill(f"Where are we, {owned.olga.name}?")
    await field.press("Enter")
    await expect(owner.page.locator(".talk-items .talk-entry").filter(has_text="Of the web.")).to_be_visible()


async def _searches(owner: Owner) -> None:
    """Find what was said in Telegram; it is found once it is in the index."""
    found = owner.page.locator("main .search-snippet mark").filter(has_text="Bolivia")

    async def is_found() -> bool:
        await owner.opens("/search?q=Bolivia")
        return await found.count() > 0

    await until(is_found, "the search finds what was said")
