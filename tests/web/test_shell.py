"""The console's shell: its states, its keys, its status line, and its place inside Telegram."""

import asyncio
import json
from typing import Any

from playwright.async_api import expect

from tests.local.page.visitor import PHONE
from tests.web.console_page import ConsolePage
from tests.web.owner import Owner, Owners


async def test_all_is_well(owner: Owner) -> None:
    await expect(owner.page.locator(".status")).to_contain_text("All is well")
    await expect(owner.page.locator(".status-live")).to_have_text("Live")


async def test_the_first_trouble_is_told_with_the_number_of_others(owners: Owners, console: ConsolePage) -> None:
    troubles = [{"kind": "job", "about": f"number {number}", "path": "/trouble"} for number in (1, 2, 3)]
    console.answers["GET /api/status"] = {"is_well": False, "problems": troubles}
    owner = await owners.visit()
    await expect(owner.page.locator(".status")).to_contain_text("The job number 1 failed")
    await expect(owner.page.locator(".status")).to_contain_text("and 2 more")
    console.answers["GET /api/status"] = {"is_well": True, "problems": []}
    console.say("status", {})
    await expect(owner.page.locator(".status")).to_contain_text("All is well")


async def test_a_sign_in_that_ended_leads_to_the_door(owners: Owners, console: ConsolePage) -> None:
    console.is_signed_in = False
    owner = await owners.visit(path="/costs")
    await expect(owner.page.get_by_role("heading", name="Signed out")).to_be_visible()
    await owner.button("Sign in").click()
    await owner.page.wait_for_url("**/door#/costs")
    owners.expect_problem("404")


async def test_a_view_is_loaded_when_it_is_opened_and_again_if_that_failed(owners: Owners) -> None:
    owner = await owners.visit()
    await owner.settles()
    loaded = "performance.getEntriesByType('resource').filter((each) => each.name.endsWith('/views/costs.js')).length"
    assert await owner.page.evaluate(loaded) == 0
    await owner.page.route("**/views/costs.js", lambda route: route.fulfill(status=404))
    await owner.opens("/costs")
    await expect(owner.page.get_by_role("alert")).to_contain_text("This page is out of date. Reload it.")
    await owner.page.unroute("**/views/costs.js")
    await owner.button("Try again").click()
    await expect(owner.title).to_have_text("Costs")
    owners.expect_problem("404")


async def test_a_function_that_fails_is_asked_again(owners: Owners, console: ConsolePage) -> None:
    owner = await owners.visit()
    await owner.page.route("**/api/words", lambda route: route.fulfill(status=503, json={"code": "does_not_answer"}))
    await owner.page.reload()
    await expect(owner.page.get_by_role("alert")).to_contain_text("doesn't answer")
    await owner.page.unroute("**/api/words")
    await owner.button("Try again").click()
    await expect(owner.page.locator(".console")).to_be_visible()
    owners.expect_problem("503")


async def test_an_address_that_is_unknown_says_so(owner: Owner) -> None:
    await owner.opens("/nowhere/at/all")
    await expect(owner.title).to_have_text("This page doesn't exist")


async def test_the_page_tells_that_it_is_offline_and_comes_back(owner: Owner, owners: Owners) -> None:
    await expect(owner.page.locator(".status-live")).to_have_text("Live")
    await owner.page.context.set_offline(True)
    await expect(owner.page.locator(".status")).to_contain_text("You're offline")
    await owner.page.context.set_offline(False)
    await expect(owner.page.locator(".status")).to_contain_text("All is well")


async def test_what_was_missed_while_the_connection_was_away_is_read_again(owner: Owner, console: ConsolePage) -> None:
    await expect(owner.page.locator(".status-live")).to_have_text("Live")
    console.answers["GET /api/status"] = {"is_well": False, "problems": [{"kind": "overdue"}]}
    console.cut()
    await expect(owner.page.locator(".status")).to_contain_text("An answer is overdue")
    await expect(owner.page.locator(".status-live")).to_have_text("Live")


async def test_a_tab_that_was_paused_goes_on_when_somebody_looks_at_it(owner: Owner, console: ConsolePage) -> None:
    connection = owner.page.locator(".status-live")
    await owner.settles()  # a stream is opened again for the conversation that the page opens with
    await expect(connection).to_have_text("Live")
    streams = console.streams
    console.say("paused", {})
    await expect(connection).to_contain_text("Paused")
    await asyncio.sleep(1.5)  # longer than the page waits before it connects again by itself
    assert (console.streams, await connection.is_visible()) == (streams, True)
    assert await owner.faults() == []
    assert await owner.is_sideways() == []
    await owner.button("Continue").click()
    await expect(connection).to_have_text("Live")
    console.say("paused", {})
    await expect(connection).to_contain_text("Paused")
    await owner.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await expect(connection).to_have_text("Live")
    assert console.streams == streams + 2


async def test_the_keys_are_listed_and_escape_closes_them(owner: Owner) -> None:
    await expect(owner.page.locator(".console")).to_be_visible()
    await owner.page.keyboard.press("?")
    await expect(owner.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    await owner.page.keyboard.press("Escape")
    await expect(owner.page.get_by_role("dialog")).to_have_count(0)


async def test_signing_out_asks_before(owner: Owner, owners: Owners, console: ConsolePage) -> None:
    console.answers["POST /api/sign-out"] = {}
    await owner.button("Menu").click()
    await owner.page.get_by_role("menuitem", name="Sign out").click()
    dialog = owner.page.get_by_role("dialog", name="Sign out?")
    await expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    assert await console.sent(0) == []
    await dialog.get_by_role("button", name="Sign out").click()
    await expect(owner.page.get_by_role("heading", name="Signed out")).to_be_visible()
    assert await console.sent(1) == [("/api/sign-out", {})]


async def test_the_theme_is_switched_and_remembered(owner: Owner) -> None:
    await owner.button("Menu").click()
    await owner.page.get_by_role("menuitem", name="Dark theme").click()
    await expect(owner.page.locator("html")).to_have_attribute("data-theme", "dark")
    await owner.page.reload()
    await expect(owner.page.locator("html")).to_have_attribute("data-theme", "dark")


def as_mini_app(theme: dict[str, str]) -> str:
    """Return a script that lets the page believe that the door opened it as a Mini App with this theme."""
    kept = json.dumps(json.dumps({"theme": theme, "platform": "ios", "version": "9.1"}))
    return f"""if (origin !== "null") sessionStorage.setItem("lull.telegram", {kept}); window.sent = [];
        window.TelegramWebviewProxy = {{ postEvent: (type, data) => window.sent.push([type, JSON.parse(data)]) }};"""


NIGHT = {"bg_color": "#18222d", "secondary_bg_color": "#131415", "text_color": "#ffffff", "link_color": "#62bcf9"}


async def colour(owner: Owner, name: str) -> Any:
    return await owner.page.evaluate("n => getComputedStyle(document.documentElement).getPropertyValue(n).trim()", name)


async def test_inside_of_telegram_the_page_has_its_colours_and_its_back_button(owners: Owners) -> None:
    owner = await owners.visit(PHONE, locale="en-US")
    await owner.page.context.add_init_script(as_mini_app(NIGHT))
    await owner.opens("/nowhere")
    await expect(owner.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert await colour(owner, "--surface") == "#18222d"
    assert await colour(owner, "--accent") == "#62bcf9"
    sent = await owner.page.evaluate("window.sent")
    assert ["web_app_ready", {}] in sent
    assert ["web_app_setup_back_button", {"is_visible": True}] in sent
    day = {"theme_params": {"bg_color": "#ffffff", "text_color": "#000000"}}
    await owner.page.evaluate("day => Telegram.WebView.receiveEvent('theme_changed', day)", day)
    await expect(owner.page.locator("html")).to_have_attribute("data-theme", "light")


async def test_colours_of_telegram_that_nobody_can_read_are_not_taken(owners: Owners) -> None:
    owner = await owners.visit(PHONE, locale="en-GB")
    await owner.page.context.add_init_script(
        as_mini_app({"bg_color": "#ffffff", "text_color": "#cccccc", "link_color": "url(https://evil.example)"})
    )
    await owner.opens("/")
    assert await colour(owner, "--surface") == "#ffffff"
    assert await colour(owner, "--text") == "#18211f"
    assert await colour(owner, "--accent") == "#0b6b63"
