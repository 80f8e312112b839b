"""The console's page in a browser, with canned answers."""

from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import expect

from local.ports import ReservedPort, reserve_port
from tests.local.page.conftest import browser, desks, pictures
from tests.local.page.visitor import Desks
from tests.web.console_page import ConsolePage, console_page
from tests.web.owner import Owner, Owners

__all__ = ["browser", "console", "desks", "owner", "owners", "pictures"]

expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def console_address() -> Iterator[ReservedPort]:
    """Reserve one address for all tests: at a new address the browser would compile all modules again."""
    port = reserve_port()
    yield port
    port.release()


@pytest.fixture
async def console(console_address: ReservedPort) -> AsyncIterator[ConsolePage]:
    """Serve the page."""
    async with console_page(console_address.number) as served:
        yield served


@pytest.fixture
async def owners(console: ConsolePage, desks: Desks) -> AsyncIterator[Owners]:
    """Open the page in a browser, and check at the end that the browser reported no problem."""
    opened = Owners(desks, console.url)
    yield opened
    await opened.close()
    assert opened.problems == []


@pytest.fixture
async def owner(owners: Owners) -> Owner:
    """Let the owner open the page on a desk."""
    return await owners.visit()
