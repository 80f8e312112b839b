"""The owner at the console."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import ConsoleMessage, Error, Locator, Page, ViewportSize, expect

from tests.local.page.visitor import DESKTOP, Desks

#: how axe is run: all rules of WCAG 2.2 AA and axe's best practices
_RUN = """async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}"""


#: a browser that is Telegram's WebView: a kind of desk of its own, and the object that Telegram's app adds to pages
WEBVIEW = {"user_agent": "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Telegram-Android/12.1"}
PROXY = "window.TelegramWebviewProxy = { postEvent() {} };"


@dataclass(frozen=True, kw_only=True)
class Owner:
    """A page of the console with the owner's actions on it."""

    page: Page
    url: str

    def button(self, name: str, *, exact: bool = True) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    @property
    def title(self) -> Locator:
        """The title of the shown view."""
        return self.page.locator("main h1")

    async def opens(self, path: str) -> None:
        """Load the page at a path of the console, and wait until nothing is loading any more."""
        await self.page.goto("about:blank")
        await self.page.goto(f"{self.url}/#{path}")
        await self.settles()

    async def settles(self) -> None:
        """Wait until the view is there and nothing in it is loading."""
        await expect(self.page.locator(".console")).to_be_visible()
        await expect(self.page.locator(".skeleton")).to_have_count(0)

    async def faults(self) -> list[str]:
        """Return what axe finds wrong with the page."""
        await self.page.evaluate(AXE_SCRIPT)
        found: list[str] = await self.page.evaluate(_RUN)
        return found

    async def is_sideways(self) -> list[str]:
        """Return the elements that can be moved sideways, apart from those that are meant to be."""
        found: list[str] = await self.page.evaluate(
            """() => [document.documentElement, ...document.querySelectorAll(".console, .main, .side, .side-list")]
                .filter((each) => each.scrollWidth > each.clientWidth + 1)
                .map((each) => `${each.className || each.tagName}: ${each.scrollWidth} > ${each.clientWidth}`)"""
        )
        return found


class Owners:
    """Opens the page as often as a test wants, and records problems that the browser reports."""

    def __init__(self, desks: Desks, url: str) -> None:
        """Begin without visits; each visit takes another desk."""
        self.problems: list[str] = []
        self._expected: list[str] = []
        self.url = url
        self._desks = desks
        self._taken: list[tuple[Page, ViewportSize, Mapping[str, Any]]] = []

    async def visit(self, size: ViewportSize = DESKTOP, path: str = "/", *, address: str = "", **context: Any) -> Owner:
        """Load the page at a path of the console, or another address, in a browser without data of earlier visits."""
        page = await self._take(size, context)
        await page.goto(self.url + (address or f"/#{path}"))
        return Owner(page=page, url=self.url)

    async def launch(self, address: str) -> Owner:
        """Load an address of the console in the WebView of a Telegram app."""
        page = await self._take(DESKTOP, WEBVIEW)
        await page.context.add_init_script(PROXY)
        await page.goto(self.url + address)
        return Owner(page=page, url=self.url)

    def expect_problem(self, words: str) -> None:
        """Accept the problems with these words: the reported ones, of which there must be one, and later ones."""
        assert any(words in problem for problem in self.problems), f"the browser did not say {words}"
        self._expected.append(words)
        self.problems = [problem for problem in self.problems if words not in problem]

    async def close(self) -> None:
        """Leave all desks."""
        for page, size, context in self._taken:
            page.remove_listener("console", self._note)
            page.remove_listener("pageerror", self._note_error)
            await self._desks.leave(page, size, context)
        self._taken.clear()

    async def _take(self, size: ViewportSize, context: Mapping[str, Any]) -> Page:
        page = await self._desks.take(size, context)
        self._taken.append((page, size, context))
        page.on("console", self._note)
        page.on("pageerror", self._note_error)
        return page

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._add(f"{message.text} {message.location['url']}")

    def _note_error(self, error: Error) -> None:
        self._add(str(error))

    def _add(self, problem: str) -> None:
        if not any(words in problem for words in self._expected):
            self.problems.append(problem)
