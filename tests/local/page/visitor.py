"""Somebody in front of the page."""

from dataclasses import dataclass
from typing import Any

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Error, Locator, Page, ViewportSize, expect

DESKTOP: ViewportSize = {"width": 1366, "height": 860}
PHONE: ViewportSize = {"width": 360, "height": 740}


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """A page, and what people do with it. `page` stays open to all that is not named here."""

    page: Page

    @property
    def field(self) -> Locator:
        """Where one writes (the first, if two chats are open)."""
        return self.page.locator("textarea").first

    @property
    def messages(self) -> Locator:
        """All messages that are shown."""
        return self.page.locator(".message:not(.is-draft)")

    def message(self, text: str) -> Locator:
        """The message with this text."""
        return self.messages.filter(has_text=text)

    def button(self, name: str, *, exact: bool = True) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    async def writes(self, text: str) -> None:
        """Type a message and send it with Enter; done when it is shown."""
        await self.field.fill(text)
        await self.field.press("Enter")
        await expect(self.message(text.partition("\n")[0])).to_be_visible()

    async def picks(self, text: str, entry: str) -> None:
        """Choose an entry of a message's menu."""
        await self.message(text).locator(".bubble").click(button="right")
        await self.page.get_by_role("menuitem", name=entry, exact=True).click()

    async def becomes(self, name: str) -> None:
        """Play another person, by the picture beside the field."""
        await self.page.locator(".you-picture").first.click()
        await self.page.get_by_role("menuitemradio", name=name).click()
        await expect(self.field).to_have_attribute("placeholder", f"Write as {name}")

    async def starts_a_group(self) -> None:
        """The one click that makes a group of three and the bot."""
        await self.button("Start a group").click()
        await expect(self.page.locator(".chat-name")).to_have_text("Ann, Ben, Cleo")

    async def module(self, name: str, expression: str, *given: Any) -> Any:
        """The value of an expression over a module of the page (`m`) and given values (`a`, a list)."""
        return await self.page.evaluate(
            f"async (a) => {{ const m = await import('/static/js/{name}.js'); return {expression}; }}", list(given)
        )


class Desk:
    """A window that the tests of a run sit at one after the other: opening one takes longer than most of them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._page: Page | None = None

    async def page(self) -> Page:
        """The window, with nothing in it."""
        if self._page is None:
            self._page = await (await self._browser.new_context(viewport=DESKTOP)).new_page()
        return self._page

    async def leave(self) -> None:
        """Forget what the page of a test kept: the next one is at the same address."""
        assert self._page is not None
        context = self._page.context
        for other in set(context.pages) - {self._page}:
            await other.close()
        await self._page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        await self._page.goto("about:blank")
        await self._page.emulate_media(color_scheme="light")
        await context.clear_permissions()


class Visits:
    """Opens the page as often as a test wants, and notes what the browser complains about."""

    def __init__(self, browser: Browser, url: str, desk: Desk | None = None) -> None:
        """The first visit at a desktop is at the desk, if there is one; each other opens a browser of its own."""
        self.problems: list[str] = []
        self._browser = browser
        self.url = url
        self._desk = desk
        self._at_desk: Page | None = None
        self._contexts: list[BrowserContext] = []

    async def visit(self, size: ViewportSize = DESKTOP, *, path: str = "/", **context: Any) -> Visitor:
        """A browser that was never here before, with the page loaded."""
        page = await self._window(size, context)
        page.on("console", self._note)
        page.on("pageerror", self._note_error)
        await page.goto(self.url + path)
        await expect(page.locator(".app")).to_be_visible()
        return Visitor(page=page)

    async def _window(self, size: ViewportSize, context: dict[str, Any]) -> Page:
        if self._desk is not None and self._at_desk is None and size == DESKTOP and not context:
            self._at_desk = await self._desk.page()
            return self._at_desk
        opened = await self._browser.new_context(viewport=size, **context)
        self._contexts.append(opened)
        return await opened.new_page()

    def expect_problem(self, words: str) -> None:
        """Take out what the browser had to complain about in this test."""
        found = [problem for problem in self.problems if words in problem]
        assert found, f"the browser did not say {words}"
        self.problems = [problem for problem in self.problems if words not in problem]

    async def close(self) -> None:
        """Close all."""
        if self._desk is not None and self._at_desk is not None:
            self._at_desk.remove_listener("console", self._note)
            self._at_desk.remove_listener("pageerror", self._note_error)
            await self._desk.leave()
        for context in self._contexts:
            await context.close()

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def _note_error(self, error: Error) -> None:
        self.problems.append(str(error))
