"""The list of conversations and an open one, with canned answers and events."""

import json
from copy import deepcopy
from typing import Any

import pytest
from playwright.async_api import expect

from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners

HOSTILE = '<img src=x onerror="alert(1)">'
PLACE = "/conversations/conv-011"
API = f"/api{PLACE}"


@pytest.fixture
async def talk(owners: Owners) -> Owner:
    """Open a conversation on a desk."""
    owner = await owners.visit(path=PLACE)
    await owner.settles()
    return owner


def row_of(console: ConsolePage, at: int = 0) -> dict[str, Any]:
    """Copy a row of the list."""
    return deepcopy(dict(console.answers["GET /api/conversations"]["items"][at]))


async def test_the_list_has_active_and_recent_conversations(owner: Owner) -> None:
    await owner.settles()
    active = owner.page.get_by_role("region", name="Active")
    await expect(active.get_by_role("link")).to_have_count(0)  # the canned conversations are old
    recent = owner.page.get_by_role("region", name="Recent")
    await expect(recent.get_by_role("link")).to_have_count(5)
    first = recent.get_by_role("link").first
    for text in ("Garden friends", "Tea by the river", "Ann Petrenko:", "$0.012", "3 new turns"):
        await expect(first).to_contain_text(text)
    await expect(recent.get_by_role("link").nth(3)).to_contain_text("New conversation")


async def test_what_happens_is_shown_in_every_tab(owners: Owners, console: ConsolePage) -> None:
    tabs = [await owners.visit() for _ in range(2)]
    for tab in tabs:
        await tab.settles()
        await expect(tab.page.locator(".status-live")).to_have_text("Live")
    row = row_of(console, 3) | {"title": "A new title", "updated": "2999-01-01T00:00:00+00:00", "is_current": True}
    console.say("conversation", {"kind": "renamed", "id": row["id"], "row": row})
    for tab in tabs:
        active = tab.page.get_by_role("region", name="Active")
        await expect(active.get_by_role("link")).to_contain_text("A new title")
    console.say("conversation", {"kind": "deleted", "id": row["id"]})
    for tab in tabs:
        await expect(tab.page.get_by_text("A new title")).to_have_count(0)


async def test_decisions_stand_beside_messages(talk: Owner) -> None:
    entries = talk.page.locator(".talk-entry")
    await expect(entries.nth(0)).to_contain_text("silent: meant for somebody else")
    await expect(entries.nth(4)).to_contain_text("answered: a follow-up")
    await expect(entries.nth(3)).to_contain_text("84 out")
    await expect(entries.nth(3)).to_contain_text("searched the web")
    await expect(talk.page.get_by_text("Up to here, the model sees this summary")).to_be_visible()
    await expect(talk.page.get_by_text("can't be read")).to_be_visible()
    await entries.nth(2).get_by_role("button", name="edited once").click()
    await expect(entries.nth(2)).to_contain_text("lull, find us a café near the river")


async def test_nothing_that_people_write_becomes_markup(talk: Owner) -> None:
    await expect(talk.page.get_by_text(HOSTILE).first).to_be_visible()
    assert await talk.page.locator('img[src="x"]').count() == 0


async def test_a_title_is_given_where_it_stands(talk: Owner, console: ConsolePage) -> None:
    await talk.page.get_by_title("Rename.", exact=False).click()
    field = talk.page.get_by_role("textbox", name="Rename.", exact=False)
    await field.fill("Café Luna")
    await field.press("Enter")
    await expect(talk.page.locator(".toast")).to_contain_text("The title changes")
    (body,) = await console.bodies(f"{API}/rename", 1)
    assert body["title"] == "Café Luna"
    assert [at for at, _ in console.clicks if at.endswith("/rename")] == [f"{API}/rename"]


async def test_a_running_answer_is_stopped(talk: Owner, console: ConsolePage) -> None:
    await talk.button("Stop").click()
    await expect(talk.page.locator(".toast")).to_contain_text("being stopped")
    assert await console.bodies(f"{API}/stop", 1)


async def test_deleting_says_what_goes_and_asks(talk: Owner, console: ConsolePage) -> None:
    await talk.button("What you can do here").click()
    await talk.page.get_by_role("menuitem", name="Delete").click()
    dialog = talk.page.get_by_role("dialog", name="Delete this conversation?")
    for text in (
        "all 12 entries of the transcript",
        "its search data",
        "files that were sent",
        "its place as the chat's current conversation",
    ):
        await expect(dialog).to_contain_text(text)
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    await dialog.get_by_role("button", name="Delete").click()
    await expect(talk.page.locator(".toast")).to_contain_text("being deleted")
    assert await console.bodies(f"{API}/delete", 1)


async def test_a_new_turn_is_added_without_losing_what_is_there(talk: Owner, console: ConsolePage) -> None:
    known = console.answers[f"GET {API}"]
    new = deepcopy(known["items"][0]) | {"seq": 90, "id": 90, "text": "One more thing"}
    edit = {
        "type": "edit",
        "seq": 91,
        "at": new["at"],
        "id": 1,
        "by": new["by"],
        "text": "Sunday?",
        "entities": [],
        "decision": None,
    }
    console.answers[f"GET {API}/entries"] = {
        "header": known["header"] | {"turns": 5}, "items": [new, edit], "next": "", "paged": 91, "first": 90,
    }  # fmt: skip
    before = await talk.page.locator(".talk-entry").count()
    console.say("conversation", {"kind": "turn", "id": "conv-011", "row": row_of(console)})
    await expect(talk.page.get_by_text("One more thing")).to_be_visible()
    await expect(talk.page.locator("#entry-1")).to_contain_text("Sunday?")
    assert await talk.page.locator(".talk-entry").count() == before + 1


async def test_a_deleted_conversation_says_so(talk: Owner, console: ConsolePage) -> None:
    console.say("conversation", {"kind": "deleted", "id": "conv-011"})
    await expect(talk.title).to_have_text("This conversation doesn't exist")


async def test_filters_are_asked_for_and_remembered(owner: Owner, console: ConsolePage) -> None:
    await owner.settles()
    console.answers["GET /api/conversations?kind=group&tier=stranger"] = {"items": [], "next": ""}
    await owner.page.get_by_label("Person", exact=True).select_option("stranger")
    await owner.page.get_by_label("Where").select_option("group")
    await expect(owner.page.get_by_text("No conversation matches these filters.")).to_be_visible()
    await owner.page.reload()
    await expect(owner.page.get_by_text("No conversation matches these filters.")).to_be_visible()
    assert json.loads(await owner.page.evaluate("JSON.stringify(Object.keys(localStorage))"))


async def test_a_silence_is_marked_as_wrong(talk: Owner, console: ConsolePage) -> None:
    await expect(talk.page.locator(".talk-entry").nth(0)).to_contain_text("Right")
    await talk.page.locator(".talk-entry").nth(1).get_by_role("button", name="Right or wrong?").click()
    async with talk.page.expect_response(f"**{API}/marks"):
        await talk.page.get_by_role("menuitemradio").nth(1).click()
    await expect(talk.page.get_by_role("menu")).to_have_count(0)
    assert await console.bodies(f"{API}/marks", 1) == [{"seq": 2, "verdict": "should_have_answered"}]


async def test_what_was_seen_is_not_unread_any_more(owner: Owner, console: ConsolePage) -> None:
    await owner.settles()
    await expect(owner.page.get_by_text("3 new turns")).to_have_count(1)
    # the page may read the list again, and the function counts none by then
    seen = deepcopy(console.answers["GET /api/conversations"])
    seen["items"][0]["unread"] = 0
    console.answers["GET /api/conversations"] = seen
    await owner.page.get_by_role("region", name="Recent").get_by_role("link").first.click()
    await expect(owner.page.get_by_text("3 new turns")).to_have_count(0)
    assert await console.bodies("/api/conversations/conv-011/look", 1)


def with_photo(console: ConsolePage, file: dict[str, Any], kinds: tuple[str, ...] = ("photo", "sticker")) -> None:
    """Let the canned conversation have one file, in a deployment that stores files of these kinds."""
    answer = deepcopy(console.answers[f"GET {API}"])
    (item,) = [one for one in answer["items"] if one.get("files")]
    item["files"] = [item["files"][0] | {"id": "AgADphoto", "words": "a photo"} | file]
    answer["header"]["stored_kinds"] = list(kinds)
    console.answers[f"GET {API}"] = answer


PART = "/api/media/files/AgADphoto/parts/0"
ONLY_TELEGRAM = "only in Telegram, not stored here"
UNSUPPORTED = {
    "outcome": "unsupported",
    "shows": "",
    "written": "",
    "says": "",
    "why": "It is shown none.",
    "source": "",
}
OWN = UNSUPPORTED | {"outcome": "described", "shows": "A drawn fox.", "why": "", "source": "agent"}


@pytest.mark.parametrize(
    ("file", "kinds"),
    [
        ({"description": None}, ("document",)),
        ({"description": UNSUPPORTED}, ("photo",)),
        ({"description": OWN}, ("photo",)),
        ({"kind": "sticker", "emoji": "\U0001f98a", "description": None}, ()),
    ],
)
async def test_a_file_that_was_never_stored_is_not_loaded(
    owners: Owners, console: ConsolePage, file: dict[str, Any], kinds: tuple[str, ...]
) -> None:
    with_photo(console, file, kinds)
    owner = await owners.visit(path=PLACE)
    shown = owner.page.locator(".talk-file")
    await expect(shown).to_contain_text(ONLY_TELEGRAM)
    await expect(shown).to_contain_text(file.get("emoji") or "a photo")
    await expect(shown).not_to_contain_text("not described yet")
    await expect(shown.locator("img, video, a")).to_have_count(0)


async def test_a_picture_that_is_not_there_is_only_in_telegram(owners: Owners, console: ConsolePage) -> None:
    with_photo(console, {"description": None})
    owner = await owners.visit(path=PLACE)
    shown = owner.page.locator(".talk-file")
    await expect(shown).to_contain_text(ONLY_TELEGRAM)
    await expect(shown).not_to_contain_text("could not be loaded")
    await expect(shown).not_to_contain_text("not described yet")
    owners.expect_problem(PART)


async def test_a_picture_that_cannot_be_loaded_says_so(owners: Owners, console: ConsolePage) -> None:
    with_photo(console, {"description": None})
    console.answers[f"GET {PART}"] = (503, {"code": "did_not_work"})
    owner = await owners.visit()
    async with owner.page.expect_response(lambda one: PART in one.url and one.request.resource_type == "fetch"):
        await owner.opens(PLACE)
    shown = owner.page.locator(".talk-file")
    await expect(shown).to_contain_text("This photo could not be loaded.")
    await expect(shown).to_contain_text("not described yet")
    await expect(shown).not_to_contain_text(ONLY_TELEGRAM)
    owners.expect_problem(PART)
