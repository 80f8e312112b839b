"""Stories of files in web conversations, in a real browser and through all functions."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from local.cloud import LocalCloud
from tests import media_files
from tests.conftest import HURRIED, SOON
from tests.forking import forked
from tests.local.page.conftest import browser, desks, pictures
from tests.local.page.visitor import Desks
from tests.stories.describing import DESCRIBED, shows
from tests.stories.leaving import object_names
from tests.stories.play import Sandbox, until
from tests.stories.test_access import Owned, owned
from tests.stories.test_drawing import DRAWN, FOX
from tests.web.owner import Owner, Owners
from tests.web.test_story import launch

__all__ = ["browser", "desks", "owned", "pictures"]

A_SECOND = re.compile(r"^0:(0[1-9]|[1-5]\d)$")


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a cloud of its own that describes files and draws."""
    env = HURRIED | DESCRIBED | {"LULL_OPEN": "no", "LULL_IMAGE_MODEL": "gemini-nano-banana-2.1"}
    with LocalCloud(forked(env=env, arguments={"telegram": SOON})).running() as running:
        yield running


@pytest.fixture
async def owners(owned: Owned, desks: Desks) -> AsyncIterator[Owners]:
    opened = Owners(desks, owned.sandbox.cloud.url("console"))
    yield opened
    await opened.close()
    assert opened.problems == []


async def begun(owned: Owned, owners: Owners) -> Owner:
    """Let the owner begin a web conversation."""
    owner = await owners.visit(address=await launch(owned))
    await owner.settles()
    await owner.opens("/talk/new")
    return owner


async def attaches(page: Page, *files: Any) -> None:
    await page.locator("input[type=file]").first.set_input_files(list(files))
    await expect(page.get_by_role("button", name=f"Leave out {files[-1]['name']}")).to_be_visible()


async def writes(page: Page, text: str) -> None:
    field = page.get_by_role("textbox", name="Write a message")
    await field.fill(text)
    await field.press("Enter")


async def is_loaded(image: Locator) -> None:
    await expect(image).to_be_visible()
    assert await image.evaluate("(one) => one.complete || new Promise((done) => (one.onload = done))") is not None
    assert await image.evaluate("(one) => one.naturalWidth") > 0


def web_objects(sandbox: Sandbox) -> set[str]:
    """Name the stored files of web conversations. Those of other tests' owners are among them."""
    return {name for name in object_names(sandbox) if "/web-" in name}


async def asked_with(sandbox: Sandbox, text: str) -> str:
    """Return the prompt that contains a text."""
    return str((await sandbox.model.asked(text))[-1]["request"]["contents"])


async def test_a_photo_is_asked_about_and_goes_with_its_conversation(
    owned: Owned, owners: Owners, pictures: Path
) -> None:
    sandbox, owner = owned.sandbox, await begun(owned, owners)
    page, of_others = owner.page, web_objects(sandbox)
    await sandbox.model.will(shows("A bicycle without a saddle."))
    await sandbox.model.will_say("The saddle is missing.")
    await attaches(page, {"name": "bike.png", "mimeType": "image/png", "buffer": media_files.png((200, 30, 30))})
    await writes(page, "what is missing here?")
    said = page.locator(".talk-items")
    await expect(said).to_contain_text("The saddle is missing.")
    assert "inlineData" in await asked_with(sandbox, "what is missing here?"), "the model saw the photo itself"
    await expect(said).to_contain_text("A bicycle without a saddle.")
    await sandbox.model.will_say("I remember: a bicycle.")
    await writes(page, "and what was it?")
    await expect(said).to_contain_text("I remember: a bicycle.")
    assert "A bicycle without a saddle." in await asked_with(sandbox, "and what was it?")
    await page.reload()
    await owner.settles()
    await is_loaded(said.get_by_role("img", name="A bicycle without a saddle"))
    await page.screenshot(path=pictures / "console-story-photo.png")
    stored = web_objects(sandbox) - of_others
    assert stored
    await owner.button("What you can do here").click()
    await page.get_by_role("menuitem", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()

    async def is_gone() -> bool:
        return stored.isdisjoint(await asyncio.to_thread(web_objects, sandbox))

    await until(is_gone, "the photo and its parts are deleted")


async def test_a_voice_message_is_heard_and_played(owned: Owned, owners: Owners) -> None:
    sandbox, owner = owned.sandbox, await begun(owned, owners)
    page = owner.page
    await page.context.grant_permissions(["microphone"])
    await sandbox.model.will(shows(says="please water the basil"))
    await sandbox.model.will_say("The basil gets water.")
    await owner.button("Record a voice message").click()
    await expect(page.get_by_role("timer")).to_have_text(A_SECOND)
    await owner.button("Send the voice message").click()
    said = page.locator(".talk-items")
    await expect(said).to_contain_text("The basil gets water.")
    await expect(said).to_contain_text("please water the basil")
    assert "please water the basil" in await asked_with(sandbox, "please water the basil")
    player = page.get_by_role("group", name="the voice message")
    await player.get_by_role("button", name="Play the voice message").click()
    await expect(player.get_by_role("slider")).not_to_have_value("0")


async def test_what_the_agent_draws_is_shown(owned: Owned, owners: Owners) -> None:
    sandbox, owner = owned.sandbox, await begun(owned, owners)
    await sandbox.model.will_plan(FOX)
    await sandbox.model.will(DRAWN)
    await writes(owner.page, "draw me a fox")
    said = owner.page.locator(".talk-items")
    await expect(said).to_contain_text("Your fox!")
    await is_loaded(said.get_by_role("img"))
    await owner.page.reload()
    await owner.settles()
    await is_loaded(said.get_by_role("img"))
