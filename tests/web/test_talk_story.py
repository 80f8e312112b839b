"""A story in two browsers, through all real functions: the owner talks to the agent in the console."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from tests.local.page.visitor import PHONE, Desks
from tests.stories.test_access import Owned, owned
from tests.stories.test_console import cloud
from tests.stories.words import last_prompt, will_say
from tests.web.owner import Owner, Owners
from tests.web.test_story import launch

__all__ = ["cloud", "owned"]

LONG = "A long story. " * 357  # more than Telegram allows, fewer than 5,000 characters


@pytest.fixture
async def talking(owned: Owned, desks: Desks) -> AsyncIterator[tuple[Owned, Owners, Owner]]:
    """Give an owner who has opened the console, and sees the greeting."""
    owners = Owners(desks, owned.sandbox.cloud.url("console"))
    owner = await owners.visit(address=await launch(owned))
    await owner.settles()
    await owner.opens("/talk")
    await expect(owner.page.locator("main")).to_contain_text("Write something to begin a conversation.")
    yield owned, owners, owner
    await owners.close()
    assert owners.problems == []


def field(owner: Owner) -> Locator:
    return owner.page.get_by_role("textbox", name="Write a message")


def said(owner: Owner, text: str) -> Locator:
    """The messages that contain a text."""
    return owner.page.locator(".talk-items .talk-bubble").filter(has_text=text)


async def says(owner: Owner, text: str) -> None:
    await field(owner).fill(text)
    await field(owner).press("Enter")


async def begins(owned: Owned, owner: Owner, text: str, answer: str) -> str:
    """Write the first message, wait for the answer, and return the path of the conversation."""
    await will_say(owned.sandbox, owned.chat, answer)
    await says(owner, text)
    await expect(said(owner, answer)).to_be_visible()
    await owner.page.wait_for_url("**/#/conversations/*")
    return owner.page.url.partition("#")[2]


async def other_tab(owner: Owner, path: str) -> Owner:
    """Open another tab of the same browser."""
    tab = Owner(page=await owner.page.context.new_page(), url=owner.url)
    await tab.opens(path)
    return tab


async def test_the_owner_replies_edits_and_reacts_in_two_tabs(
    talking: tuple[Owned, Owners, Owner], pictures: Path
) -> None:
    owned, _, owner = talking
    path = await begins(owned, owner, "What shall I drink?", "Perhaps some tea?")
    other = await other_tab(owner, path)
    await will_say(owned.sandbox, owned.chat, "With lemon, then.")
    await said(owner, "Perhaps some tea?").click(button="right")
    await owner.page.get_by_role("menuitem", name="Reply").click()
    await says(owner, "yes, but how?")
    await expect(said(owner, "yes, but how?").locator(".talk-quote")).to_contain_text("Perhaps some tea?")
    for tab in (owner, other):
        await expect(said(tab, "With lemon, then.")).to_be_visible()
    assert "Perhaps some tea?" in await last_prompt(owned.sandbox, owned.chat)
    await said(owner, "With lemon, then.").click(button="right")
    await owner.page.get_by_role("menuitem", name="React with 👍").click()
    for tab in (owner, other):
        await expect(said(tab, "With lemon, then.").locator(".reaction")).to_contain_text("👍")
    await will_say(owned.sandbox, owned.chat, "Hot, then.")
    await field(owner).press("ArrowUp")
    await expect(field(owner)).to_have_value("yes, but how?")
    await says(owner, "yes, but how hot?")
    for tab in (owner, other):
        await expect(said(tab, "yes, but how hot?")).to_contain_text("edited once")
    await owner.page.screenshot(path=pictures / "talk-story-desk.png")
    await owner.page.set_viewport_size(PHONE)
    await owner.page.screenshot(path=pictures / "talk-story-phone.png")
    await other.page.close()


async def test_a_new_conversation_is_begun_and_the_old_one_goes_on(talking: tuple[Owned, Owners, Owner]) -> None:
    owned, _, owner = talking
    path = await begins(owned, owner, "Let us talk of apples", "Apples it is.")
    other = await other_tab(owner, path)
    await says(owner, "/new")
    for tab in (owner, other):
        await expect(tab.title).to_contain_text("New conversation")
        await expect(said(tab, "Apples it is.")).to_have_count(0)
    await expect(field(owner)).to_be_focused()
    await will_say(owned.sandbox, owned.chat, "Pears it is.")
    await says(owner, "Now of pears")
    for tab in (owner, other):
        await expect(said(tab, "Pears it is.")).to_be_visible()
    await field(owner).fill("half a thought")
    await owner.page.locator(".talk-row").filter(has_text="Apples it is.").click()
    await owner.button("Continue here").click()
    await expect(field(owner)).to_have_value("")
    await will_say(owned.sandbox, owned.chat, "Apples again.")
    await says(owner, "Back to apples")
    await expect(said(owner, "Apples again.")).to_be_visible()
    await expect(said(owner, "Apples it is.")).to_be_visible()
    await owner.page.locator(".talk-row").filter(has_text="Pears it is.").click()
    await expect(field(owner)).to_have_value("half a thought")
    await expect(field(owner)).to_be_focused()
    await other.page.close()


async def test_a_long_message_and_a_double_click_are_sent_once(talking: tuple[Owned, Owners, Owner]) -> None:
    owned, _, owner = talking
    await will_say(owned.sandbox, owned.chat, "What a story.")
    await field(owner).fill(LONG)
    await owner.button("Send").dblclick()
    await expect(said(owner, "What a story.")).to_be_visible()
    await owner.page.wait_for_url("**/#/conversations/*")
    await expect(said(owner, "A long story.")).to_have_count(1)
    assert await last_prompt(owned.sandbox, owned.chat) != ""


async def test_the_tool_that_works_is_shown(talking: tuple[Owned, Owners, Owner]) -> None:
    owned, _, owner = talking
    match = f"chat_id={owned.chat.id} "
    call = {"name": "calculate", "args": {"expression": "0.17 * 2340"}}
    await owned.sandbox.model.will({"function_calls": [call], "match": match})
    plan = {"tasks": [{"kind": "send", "text": "It is 397.8."}]}
    await owned.sandbox.model.will({"tasks": plan, "match": match, "hold": "the-sum"})
    await says(owner, "what is 17% of 2,340?")
    await expect(owner.page.locator(".is-draft")).to_contain_text("Using calculate…")
    await owned.sandbox.model.go_on("the-sum")
    await expect(said(owner, "It is 397.8.")).to_be_visible()
    await expect(owner.page.locator(".is-draft")).to_have_count(0)
