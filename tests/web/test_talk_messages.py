"""What the owner does with messages of a web conversation: replies, edits, reactions, commands, and sending them."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from tests.local.page.visitor import DESKTOP, PHONE
from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners
from tests.web.test_talk import API, CHAT, PLACE, STATE, opened

OWN, AGENTS = 2147483650, 2147483653
HEADER = "GET /api/conversations/conv-013"


async def posted(console: ConsolePage, what: str, count: int = 1) -> list[dict[str, Any]]:
    """Return the bodies that were posted to a route of the conversation, once there are at least `count`."""
    return await console.bodies(f"{API}/{what}", count)


def field(owner: Owner) -> Locator:
    return owner.page.get_by_role("textbox", name="Write a message")


def message(owner: Owner, text: str) -> Locator:
    return owner.page.locator(".talk-items .talk-entry").filter(has_text=text)


async def picks(owner: Owner, text: str, entry: str) -> None:
    """Choose an entry in the menu of a message."""
    await message(owner, text).locator(".talk-bubble").click(button="right")
    await owner.page.get_by_role("menuitem", name=entry, exact=True).click()


async def test_a_reply_names_its_message_and_leads_to_it(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await picks(owner, "Tea or coffee?", "Reply")
    await expect(owner.page.locator(".answering")).to_contain_text("Reply to lull")
    await expect(field(owner)).to_be_focused()
    await owner.page.keyboard.type("Tea")
    await owner.page.keyboard.press("Enter")
    await expect(owner.page.locator(".answering")).to_have_count(0)
    (body,) = await posted(console, "messages")
    assert (body["text"], body["reply_to"]) == ("Tea", AGENTS)


async def test_a_quote_leads_to_the_message(owners: Owners, console: ConsolePage) -> None:
    answer = deepcopy(console.answers[HEADER])
    answer["items"][1]["reply"] = {"id": OWN, "by": "Olga", "text": "What shall I drink?"}
    console.answers[HEADER] = answer
    (owner,) = await opened(owners)
    await owner.page.get_by_role("button", name="In reply to Olga What shall I drink?").click()
    await expect(owner.page.locator(f'[data-message="{OWN}"]')).to_have_class("talk-entry is-found")


async def test_escape_gives_a_reply_up_and_keeps_the_text(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await field(owner).fill("half a thought")
    await picks(owner, "Tea or coffee?", "Reply")
    await field(owner).press("Escape")
    await expect(owner.page.locator(".answering")).to_have_count(0)
    await expect(field(owner)).to_have_value("half a thought")
    await expect(owner.title).to_contain_text("Notes on the budget")


async def test_the_up_key_edits_the_last_own_message(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await field(owner).press("ArrowUp")
    await expect(field(owner)).to_have_value("What shall I drink?")
    await field(owner).fill("What shall I drink today?")
    await field(owner).press("Enter")
    await expect(message(owner, "What shall I drink today?")).to_be_visible()
    await expect(field(owner)).to_have_value("")
    (body,) = await posted(console, "edits")
    assert (body["message"], body["text"]) == (OWN, "What shall I drink today?")
    assert await posted(console, "messages", 0) == []


async def test_an_edit_that_is_refused_comes_back_into_the_field(owners: Owners, console: ConsolePage) -> None:
    console.answers[f"POST {API}/edits"] = (400, {"code": "text_too_long", "values": {"count": 16000}})
    (owner,) = await opened(owners)
    await picks(owner, "What shall I drink?", "Edit")
    await field(owner).fill("What now?")
    await field(owner).press("Enter")
    told = "That is too long. A message can have at most 16,000 characters."
    await expect(owner.page.locator(".toast")).to_have_text(told)
    await expect(field(owner)).to_have_value("What now?")
    await expect(message(owner, "What shall I drink?")).to_be_visible()
    owners.expect_problem("400")


async def test_a_message_of_the_agent_cannot_be_edited(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await message(owner, "Tea or coffee?").locator(".talk-bubble").click(button="right")
    await expect(owner.page.get_by_role("menuitem", name="Copy text")).to_be_visible()
    await expect(owner.page.get_by_role("menuitem", name="Edit")).to_have_count(0)


async def test_a_reaction_is_given_and_taken_back(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await picks(owner, "Tea or coffee?", "React with 👍")
    given = message(owner, "Tea or coffee?").get_by_role("button", name="👍 from Olga")
    await expect(given).to_have_attribute("aria-pressed", "true")
    await given.click()
    await expect(given).to_have_count(0)
    given_and_taken = await posted(console, "reactions", 2)
    assert [(body["message"], body["emoji"]) for body in given_and_taken] == [(AGENTS, "👍"), (AGENTS, "")]


async def test_all_reactions_are_one_click_away(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await picks(owner, "Tea or coffee?", "All reactions")
    await owner.page.get_by_role("menuitem", name="React with 🦄").click()
    await expect(message(owner, "Tea or coffee?").locator(".reaction")).to_contain_text("🦄")


async def test_the_menu_is_opened_and_used_by_keys(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    more = message(owner, "Tea or coffee?").get_by_role("button", name="More about this message")
    await more.focus()
    await owner.page.keyboard.press("Enter")
    await expect(owner.page.get_by_role("menuitem", name="Reply")).to_be_focused()
    await owner.page.keyboard.press("Escape")
    await expect(more).to_be_focused()
    await expect(owner.title).to_contain_text("Notes on the budget")


async def test_a_slash_lists_the_commands_with_their_descriptions(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await field(owner).fill("/")
    commands = owner.page.get_by_role("listbox", name="Commands")
    await expect(commands).to_contain_text("/memories See what I remember about you")
    await field(owner).press_sequentially("mem")
    await field(owner).press("Tab")
    await expect(field(owner)).to_have_value("/memories ")
    await expect(commands).to_have_count(0)
    await field(owner).press("Enter")
    assert [body["text"] for body in await posted(console, "messages")] == ["/memories"]


async def test_a_double_click_sends_once(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await field(owner).fill("only once")
    await owner.button("Send").dblclick()
    await expect(message(owner, "only once")).to_have_count(0)
    assert [body["text"] for body in await posted(console, "messages")] == ["only once"]


async def test_a_message_that_is_too_long_is_told_before_it_is_sent(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await field(owner).fill("😀" * 5000)
    await expect(owner.button("Send")).to_be_enabled()
    await field(owner).fill("x" * 16_001)
    await expect(owner.page.get_by_text("Too long by 1 character: a message has at most 16,000.")).to_be_visible()
    await expect(owner.button("Send")).to_be_disabled()
    await field(owner).press("Enter")
    assert await posted(console, "messages", 0) == []
    await field(owner).fill("x" * 15_999)
    await expect(owner.page.get_by_text("1 character left")).to_be_visible()


async def test_without_a_network_messages_wait_and_are_sent_once(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await owner.page.route("**/messages", lambda route: route.abort("internetdisconnected"))
    for text in ("first", "second"):
        await field(owner).fill(text)
        await field(owner).press("Enter")
        await expect(message(owner, text)).to_contain_text("Waits for the network")
    await owner.opens(PLACE)
    await expect(message(owner, "second")).to_contain_text("Waits for the network")
    await owner.page.unroute("**/messages")
    await owner.page.evaluate("dispatchEvent(new Event('online'))")
    await expect(message(owner, "second")).to_have_count(0)
    assert [body["text"] for body in await posted(console, "messages", 2)] == ["first", "second"]
    owners.expect_problem("ERR_INTERNET_DISCONNECTED")


async def test_a_message_that_is_refused_comes_back_into_the_field(owners: Owners, console: ConsolePage) -> None:
    console.answers[f"POST {API}/messages"] = (400, {"code": "outdated_page", "why": "no text"})
    (owner,) = await opened(owners)
    await field(owner).fill("good words")
    await field(owner).press("Enter")
    await expect(owner.page.locator(".toast")).to_have_text("This page is out of date. Reload it.")
    await expect(field(owner)).to_have_value("good words")
    owners.expect_problem("400")


async def test_the_page_goes_on_with_the_conversation_that_is_begun(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await field(owner).fill("kept for later")
    begun = deepcopy(console.answers[HEADER])
    begun["header"] |= {"id": "conv-014", "title": "", "is_named": False}
    console.answers["GET /api/conversations/conv-014"] = begun | {"items": []}
    console.answers["GET /api/conversations/conv-014/marks"] = {"items": []}
    console.answers["POST /api/conversations/conv-014/look"] = {}
    entries = console.answers["GET /api/conversations/conv-013/entries"] | begun | {"items": []}
    console.answers["GET /api/conversations/conv-014/entries"] = entries
    console.answers[STATE] = console.answers[STATE] | {"conversation": "conv-014", "entries": 1}
    console.say("chat", {"chat": CHAT, "conversation": "conv-014"})
    await expect(owner.title).to_contain_text("New conversation")
    assert owner.page.url.endswith("/conversations/conv-014")
    await expect(field(owner)).to_be_focused()
    await expect(field(owner)).to_have_value("")
    console.answers[STATE] = console.answers[STATE] | {"conversation": "conv-013"}  # the owner went on with it
    await owner.opens(PLACE)
    await expect(field(owner)).to_have_value("kept for later")


async def test_a_conversation_without_words_waits_for_the_first_ones(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    console.answers[STATE] = console.answers[STATE] | {"conversation": "conv-015", "entries": 0, "screen": None}
    console.say("chat", {"chat": CHAT, "conversation": "conv-015"})
    await expect(owner.page.locator("main")).to_contain_text("Write something to begin a conversation.")
    await expect(field(owner)).to_be_focused()


async def test_a_stopped_answer_keeps_what_was_written(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    state = deepcopy(console.answers[STATE])
    state["screen"]["draft"] = {"text": "It depends on", "entities": [], "at": "2999-01-01T00:00:00+00:00"}
    console.answers[STATE] = state | {"is_running": True}
    console.say("screen", {"chat": CHAT})
    await expect(owner.page.locator(".is-draft")).to_contain_text("is writing…")
    console.answers[STATE] = state
    console.say("chat", {"chat": CHAT, "conversation": "conv-013"})
    await expect(owner.page.locator(".is-draft")).to_contain_text("stopped")
    await expect(owner.page.locator(".is-draft")).to_contain_text("It depends on")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
async def test_everybody_can_use_it(owners: Owners, console: ConsolePage, pictures: Path, size: dict[str, int]) -> None:
    answer = deepcopy(console.answers[HEADER])
    answer["items"][1]["reply"] = {"id": OWN, "by": "Olga", "text": "What shall I drink?"}
    answer["items"][0]["reactions"] = [{"by": answer["items"][1]["by"], "emoji": "🤔"}]
    console.answers[HEADER] = answer
    owner = await owners.visit({"width": size["width"], "height": size["height"]}, path=PLACE)
    await owner.settles()
    await picks(owner, "Tea or coffee?", "React with 🔥")
    await field(owner).fill("/")
    shots = {"commands": None, "reply": ("Tea or coffee?", "Reply"), "menu": None}
    for name, pick in shots.items():
        if pick:
            await field(owner).fill("")
            await picks(owner, *pick)
        if name == "menu":
            await message(owner, "What shall I drink?").first.locator(".talk-bubble").click(button="right")
        for scheme in ("light", "dark"):
            await owner.page.locator("html").evaluate("(html, scheme) => { html.dataset.theme = scheme }", scheme)
            await owner.page.screenshot(path=pictures / f"talk-{name}-{size['width']}-{scheme}.png")
            assert await owner.faults() == []
        assert await owner.is_sideways() == []
