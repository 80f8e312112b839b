"""The page of the real function over an empty database: signing in, and each view."""

import json
from collections.abc import AsyncIterator
from urllib.parse import quote

import pytest
import uvicorn
from playwright.async_api import expect

from local.guest_server import GuestServer, serving
from local.ports import ReservedPort, listen
from shared.console.app import console_app
from tests.local.page.visitor import Desks
from tests.shared.conftest import new_queue
from tests.shared.console.conftest import console as harness
from tests.shared.console.harness import BOTS, DOOR, OWNER, ConsoleHarness
from tests.web.owner import Owner, Owners
from tests.web.test_views import MORE, addresses

__all__ = ["harness", "new_queue"]

THEME = {"bg_color": "#18222d", "secondary_bg_color": "#131415", "text_color": "#ffffff"}


@pytest.fixture
async def visitors(harness: ConsoleHarness, console_address: ReservedPort, desks: Desks) -> AsyncIterator[Owners]:
    """Serve the function, and open its pages in a browser."""
    app = console_app(harness.door, lambda: harness.services)
    config = uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1)
    async with serving(GuestServer(config), listen("127.0.0.1", console_address.number)):
        opened = Owners(desks, f"http://127.0.0.1:{console_address.number}")
        yield opened
        await opened.close()
        assert opened.problems == []


async def enter(visitors: Owners, harness: ConsoleHarness) -> Owner:
    """Open the console as a Mini App of the owner's bot."""
    data = harness.telegram.init_data(OWNER, BOTS["lull"], harness.now)
    launch = f"tgWebAppData={quote(data)}&tgWebAppPlatform=ios&tgWebAppThemeParams={quote(json.dumps(THEME))}"
    owner = await visitors.launch(f"/{DOOR}#{launch}")
    await owner.settles()
    return owner


async def test_the_owner_comes_in_from_telegram(visitors: Owners, harness: ConsoleHarness) -> None:
    await harness.claim()
    owner = await enter(visitors, harness)
    await expect(owner.page.locator("html")).to_have_attribute("lang", "de")
    await expect(owner.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert "tgWebApp" not in owner.page.url
    assert await owner.faults() == []


async def test_a_refused_mini_app_is_told_so_in_its_own_language(visitors: Owners, harness: ConsoleHarness) -> None:
    await harness.claim()
    data = harness.telegram.init_data(OWNER, 666, harness.now)
    owner = await visitors.launch(f"/{DOOR}#tgWebAppData={quote(data)}&tgWebAppPlatform=ios")
    await expect(owner.page.get_by_role("status")).to_contain_text("Das hat nicht geklappt.")
    await expect(owner.page.locator("html")).to_have_attribute("lang", "de")
    visitors.expect_problem("404")


async def test_the_console_is_left(visitors: Owners, harness: ConsoleHarness) -> None:
    await harness.claim()
    owner = await enter(visitors, harness)
    await owner.button("Menü").click()
    await owner.page.get_by_role("menuitem", name="Abmelden").click()
    await owner.page.get_by_role("dialog").get_by_role("button", name="Abmelden").click()
    await expect(owner.page.get_by_role("heading", name="Abgemeldet")).to_be_visible()
    await owner.page.goto("about:blank")
    await owner.page.goto(visitors.url)
    await expect(owner.page.locator("body")).to_have_text("Not Found")
    visitors.expect_problem("404")


async def test_each_view_says_that_there_is_nothing_yet(visitors: Owners, harness: ConsoleHarness) -> None:
    await harness.claim()
    owner = await enter(visitors, harness)
    for path in (path for path in addresses() if path not in MORE):
        await owner.opens(path)
        assert await owner.page.locator(".problem").all_inner_texts() == [], path


async def test_words_that_are_searched_stand_in_no_address_and_stay_on_the_page(
    visitors: Owners, harness: ConsoleHarness
) -> None:
    await harness.claim()
    owner = await enter(visitors, harness)
    asked: list[str] = []
    owner.page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
    field = owner.page.locator(".search-box input[type=search]")
    await owner.opens("/search?q=zebrafish&person=Zebrafish")
    await owner.page.reload()
    await owner.settles()
    await expect(field).to_have_value("zebrafish")
    await field.fill("zebrafish again")
    await field.press("Enter")
    await owner.settles()
    await owner.page.go_back()
    await owner.settles()
    await expect(field).to_have_value("zebrafish")
    await owner.page.go_forward()
    await owner.settles()
    await expect(field).to_have_value("zebrafish again")
    await owner.opens("/people")
    await owner.page.locator("#people-search").fill("zebrafish")
    await owner.page.keyboard.press("Enter")
    await owner.settles()
    await owner.opens("/media?set=zebrafish")
    paths = [url.removeprefix(visitors.url) for url in asked]
    assert paths.count("/api/search") >= 4
    assert {"/api/people/lull/list/people", "/api/media"} <= {*paths}
    assert not [path for path in paths if "zebrafish" in path.lower()]
