"""A browser, a local Telegram for each test, and the bot that the test plays."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from local.browser import find_browser
from local.ports import ReservedPort, reserve_port
from local.telegram.serving import serve
from local.telegram.settings import TelegramSettings
from tests.local.page.acted_bot import ActedBot, acted_bot
from tests.local.page.telegram_server import ROOT, Telegram
from tests.local.page.visitor import Desks, Visitor, Visits

# no time is measured here, and the machine may be busy with other tests
expect.set_options(timeout=20_000)

#: without Chromium's own interface, which takes half of the processor time of a visit
NEEDLESS = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "MediaRouter", "OptimizationHints", "LensOverlay")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # a microphone that beeps; a page must still ask for permission
    "--use-fake-device-for-media-stream",
    f"--disable-features={','.join(NEEDLESS)}",
)


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    found = await asyncio.to_thread(find_browser)
    if found is None:
        pytest.fail("These tests need Chromium: `make test` installs it, or `python -m local.browser`.")
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield started
        await started.close()


@pytest.fixture(scope="session")
def desks(browser: Browser) -> Desks:
    return Desks(browser)


@pytest.fixture(scope="session")
def address() -> Iterator[ReservedPort]:
    """Reserve one address for the page in all tests: at a new address the browser would compile all of it again."""
    port = reserve_port()
    yield port
    port.release()


@pytest.fixture
async def telegram(address: ReservedPort) -> AsyncIterator[Telegram]:
    """Serve a new world that is not stored; retries of webhooks come ten times as fast."""
    async with serve(TelegramSettings(clock_scale=0.1), port=address.number) as served:
        telegram = Telegram(served.url)
        yield telegram
        await telegram.client.aclose()


@pytest.fixture
async def bot(telegram: Telegram) -> AsyncIterator[ActedBot]:
    async with acted_bot(telegram.client) as acted:
        yield acted


@pytest.fixture
async def visits(telegram: Telegram, desks: Desks) -> AsyncIterator[Visits]:
    """Open the page in a browser, and check at the end that its console shows no error."""
    opened = Visits(desks, telegram.url)
    yield opened
    await opened.close()
    assert opened.problems == []


@pytest.fixture
async def visitor(visits: Visits, bot: ActedBot) -> Visitor:
    """Let Ann open the private chat with the bot on a desktop, on her first visit."""
    return await visits.visit()


@pytest.fixture
async def page(visitor: Visitor) -> Page:
    return visitor.page


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Give the folder for screenshots that remain after the run."""
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
