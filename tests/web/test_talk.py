"""Talking to an agent in the console, with canned answers and events."""

from copy import deepcopy
from typing import Any

from playwright.async_api import expect

from tests.local.page.visitor import PHONE
from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners

PLACE = "/conversations/conv-013"
STATE = "GET /api/talk/lull/1796000000000"
API = "/api/talk/lull/1796000000000"
CHAT = "0a1b2c3d.lull.5.1796000000000"


def on_screen(console: ConsolePage, **changes: Any) -> None:
    """Change what is on the screen of the conversation, and tell all tabs."""
    state = deepcopy(console.answers[STATE])
    state["screen"] |= changes
    console.answers[STATE] = state
    console.say("screen", {"chat": CHAT})


async def opened(owners: Owners, count: int = 1) -> list[Owner]:
    tabs = [await owners.visit(path=PLACE) for _ in range(count)]
    for tab in tabs:
        await tab.settles()
        await expect(tab.page.locator(".status-live")).to_have_text("Live")
    return tabs


async def test_an_answer_is_seen_as_it_is_written_in_two_tabs_in_step(owners: Owners, console: ConsolePage) -> None:
    tabs = await opened(owners, 2)
    draft = {"text": "It depends on the", "entities": [], "at": "2999-01-01T00:00:00+00:00"}
    on_screen(console, draft=draft)
    for tab in tabs:
        await expect(tab.page.locator(".is-draft")).to_contain_text("It depends on the")
    on_screen(console, draft=draft | {"text": "It depends on the hour of"})
    for tab in tabs:
        await expect(tab.page.locator(".is-draft")).to_contain_text("the hour of")
    said = {
        "id": 2147483655, "at": "2999-01-01T00:00:01+00:00", "text": "It depends on the hour of the day.",
        "entities": [], "reply_to": None, "buttons": [], "file": None,
    }  # fmt: skip
    messages = [*console.answers[STATE]["screen"]["messages"], said]
    on_screen(console, draft=None, messages=messages)
    for tab in tabs:
        await expect(tab.page.locator(".is-draft")).to_have_count(0)
        await expect(tab.page.locator(".talk-items .talk-entry").last).to_contain_text("of the day.")


async def test_what_is_written_is_posted_once_and_shown_until_it_is_read(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    field = owner.page.get_by_role("textbox", name="Write a message")
    await field.fill("a cup of tea")
    state = deepcopy(console.answers[STATE])
    state["waiting"] = [{"id": 2147483700, "text": "a cup of tea", "media": "", "at": "2999-01-01T00:00:00+00:00"}]
    console.answers[STATE] = state
    await field.press("Enter")
    await field.press("Enter")
    await expect(owner.page.locator(".talk-items .talk-entry").last).to_contain_text("a cup of tea")
    await expect(owner.page.get_by_role("status").filter(has_text="at work")).to_be_visible()
    await expect(field).to_have_value("")
    posted = await console.bodies(f"{API}/messages", 1)
    assert [body["text"] for body in posted] == ["a cup of tea"]
    assert isinstance(posted[0]["id"], int)


async def test_a_button_is_pressed_once(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await owner.button("Coffee").click()
    (body,) = await console.bodies(f"{API}/presses", 1)
    assert (body["message"], body["data"]) == (2147483653, "choice:a:1")
    await expect(owner.button("Coffee")).to_be_enabled()


async def test_hostile_text_on_a_screen_is_shown_as_text(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    hostile = '<img src=x onerror="alert(1)">'
    on_screen(console, draft={"text": hostile, "entities": [], "at": "2999-01-01T00:00:00+00:00"})
    await expect(owner.page.locator(".is-draft")).to_contain_text(hostile)


async def test_a_new_conversation_begins_with_a_greeting(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit()
    await owner.opens("/talk/new")
    await expect(owner.page.locator("main")).to_contain_text("Write something to begin a conversation.")
    await expect(owner.page.get_by_role("textbox", name="Write a message")).to_be_focused()
    await owner.page.locator("main").get_by_role("combobox", name="Agent").select_option("moss")
    await expect(owner.page.locator("main")).to_contain_text("moss knows you here, too")


async def test_an_empty_message_cannot_be_sent(owners: Owners, console: ConsolePage) -> None:
    (owner,) = await opened(owners)
    await expect(owner.button("Record a voice message")).to_be_visible()
    await expect(owner.button("Send")).to_have_count(0)
    await owner.page.get_by_role("textbox", name="Write a message").press("Enter")
    assert [path for path, _ in await console.sent(0) if "messages" in path] == []


async def test_a_desk_begins_with_the_last_conversation_and_a_phone_with_the_list(
    owners: Owners, console: ConsolePage
) -> None:
    last = {"conversation": "conv-013", "number": 1796000000000}
    console.answers["GET /api/talk"]["agents"][0]["last"] = last
    desk = await owners.visit()
    await desk.settles()
    await expect(desk.page.locator("main .talk-items")).to_contain_text("Tea or coffee?")
    # "/" still searches, since the field of the conversation has not taken the focus
    await desk.page.keyboard.press("/")
    await expect(desk.page.locator("[data-search]").first).to_be_focused()
    phone = await owners.visit(PHONE)
    await phone.settles()
    await expect(phone.page.locator("main .talk-items")).to_have_count(0)
