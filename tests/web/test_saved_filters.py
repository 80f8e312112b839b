"""Filters that are kept under a name in the browser, and filters in the address."""

import json

from playwright.async_api import expect

from tests.local.page.visitor import PHONE
from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners

SAVED = "Saved filters"
STRANGERS = "/?kind=group&tier=stranger"


async def keep(owner: Owner, name: str) -> None:
    """Keep the chosen filter under a name, by keys alone."""
    button = owner.button(SAVED)
    await button.focus()
    await owner.page.keyboard.press("Enter")
    entry = owner.page.get_by_role("menuitem", name="Save this filter")
    await entry.focus()
    await owner.page.keyboard.press("Enter")
    await owner.page.get_by_role("dialog").get_by_label("Name").fill(name)
    await owner.page.keyboard.press("Enter")
    await expect(owner.page.get_by_role("dialog")).to_have_count(0)


async def test_a_filter_of_the_list_is_kept_opened_again_and_removed(owners: Owners, console: ConsolePage) -> None:
    console.answers["GET /api/conversations?kind=group&tier=stranger"] = {"items": [], "next": ""}
    for size in (None, PHONE):
        owner = await (owners.visit(size) if size else owners.visit())
        await owner.settles()
        await expect(owner.button(SAVED)).to_have_count(0)
        await owner.opens(STRANGERS)
        await keep(owner, "<b>Strangers</b>")
        await owner.page.get_by_label("Person", exact=True).select_option("")
        await owner.page.get_by_label("Where").select_option("")
        await expect(owner.page.locator(".talk-row").first).to_be_visible()
        await owner.button(SAVED).click()
        assert await owner.faults() == []
        entry = owner.page.get_by_role("menuitemradio", name="<b>Strangers</b>")
        await expect(entry).to_have_attribute("aria-checked", "false")
        await entry.click()
        await expect(owner.page.get_by_text("No conversation matches these filters.")).to_be_visible()
        assert owner.page.url.endswith(f"#{STRANGERS}")
        await owner.page.reload()
        await owner.button(SAVED).click()
        assert await owner.is_sideways() == []
        await owner.page.get_by_role("menuitem", name="Remove “<b>Strangers</b>”").click()
        await expect(owner.page.locator(".toast").last).to_contain_text("The filter is removed")
        stored = await owner.page.evaluate("localStorage.getItem('lull.console.filters.conversations')")
        assert json.loads(stored) == []


async def test_a_filter_in_the_address_is_opened_and_a_wrong_one_is_ignored(owner: Owner, console: ConsolePage) -> None:
    console.answers["GET /api/conversations?kind=group&tier=stranger"] = {"items": [], "next": ""}
    await owner.opens("/?tier=nobody&agent=%3Cb%3E")
    await expect(owner.page.locator(".talk-row").first).to_be_visible()
    await owner.page.evaluate("location.hash = '#/?kind=group&tier=stranger'")
    await expect(owner.page.get_by_text("No conversation matches these filters.")).to_be_visible()
    await expect(owner.page.get_by_label("Where")).to_have_value("group")


async def test_at_most_twenty_filters_of_turns_are_kept(owner: Owner) -> None:
    kept = [{"name": f"filter {number}", "filter": {"kind": "slow", "reason": str(number)}} for number in range(19)]
    await owner.page.evaluate(
        "(kept) => localStorage.setItem('lull.console.filters.turns', JSON.stringify(kept))", [*kept, None, {"name": 1}]
    )
    await owner.opens("/turns?kind=silent")
    await keep(owner, "Silences")
    await owner.page.get_by_label("Show").select_option("failed")
    await owner.button(SAVED).click()
    await expect(owner.page.get_by_role("menuitemradio")).to_have_count(20)
    await expect(owner.page.get_by_role("menuitem", name="At most 20 filters")).to_be_disabled()
    assert await owner.faults() == []
    await owner.page.get_by_role("menuitemradio", name="Silences").click()
    assert owner.page.url.endswith("#/turns?kind=silent")
