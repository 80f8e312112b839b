"""A visitor of the page."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Browser, ConsoleMessage, Error, Locator, Page, ViewportSize, expect

DESKTOP: ViewportSize = {"width": 1366, "height": 860}
PHONE: ViewportSize = {"width": 360, "height": 740}


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """A page with people's actions on it. Other actions can use `page` directly."""

    page: Page

    @property
    def field(self) -> Locator:
        """The field for messages (the first, if two chats are open)."""
        return self.page.locator("textarea").first

    @property
    def messages(self) -> Locator:
        """All shown messages."""
        return self.page.locator(".message:not(.is-draft)")

    def message(self, text: str) -> Locator:
        """The message with this text."""
        return self.messages.filter(has_text=text)

    def button(self, name: str, *, exact: bool = True) -> Locator:
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    async def writes(self, text: str) -> None:
        """Type a message, send it with Enter, and wait until it is shown."""
        await self.field.fill(text)
        await self.field.press("Enter")
        await expect(self.message(text.partition("\n")[0])).to_be_visible()

    async def picks(self, text: str, entry: str) -> None:
        """Choose an entry in a message's menu."""
        await self.message(text).locator(".bubble").click(button="right")
        await self.page.get_by_role("menuitem", name=entry, exact=True).click()

    async def becomes(self, name: str) -> None:
        """Play another person, with a click on the picture beside the field."""
        await self.page.locator(".you-picture").first.click()
        await self.page.get_by_role("menuitemradio", name=name).click()
        await expect(self.field).to_have_attribute("placeholder", f"Write as {name}")

    async def starts_a_group(self) -> None:
        """Make a group of three and the bot with one click."""
        await self.button("Start a group").click()
        await expect(self.page.locator(".chat-name")).to_have_text("Ann, Ben, Cleo")

    async def module(self, name: str, expression: str, *given: Any) -> Any:
        """Evaluate an expression with a module of the page (`m`) and a list of values (`a`)."""
        return await self._evaluate(f"/static/js/{name}.js", expression, given)

    async def part(self, name: str, expression: str, *given: Any) -> Any:
        """Evaluate an expression with a module of `web/parts` (`m`) and a list of values (`a`)."""
        return await self._evaluate(f"/web/parts/{name}.js", expression, given)

    async def _evaluate(self, module: str, expression: str, given: Sequence[Any]) -> Any:
        return await self.page.evaluate(
            f"async (a) => {{ const m = await import('{module}'); return {expression}; }}", list(given)
        )


class Desks:
    """Windows that tests use one after another, as opening one takes longer than most tests.

    Each is its own browser, and is empty for the next test.
    """

    def __init__(self, browser: Browser) -> None:
        """Begin without an open window."""
        self._browser = browser
        self._free: defaultdict[str, list[Page]] = defaultdict(list)

    async def take(self, size: ViewportSize, context: Mapping[str, Any]) -> Page:
        """Take a free window of this size whose context was made with these options."""
        free = self._free[_kind(size, context)]
        if free:
            return free.pop()
        return await (await self._browser.new_context(viewport=size, **context)).new_page()

    async def leave(self, page: Page, size: ViewportSize, context: Mapping[str, Any]) -> None:
        """Delete a page's data, and undo requests to the browser about it."""
        for other in set(page.context.pages) - {page}:
            await other.close()
        # while a route intercepts requests, the browser uses no cache and compiles everything again
        await page.unroute_all(behavior="ignoreErrors")
        await page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        await page.goto("about:blank")
        await page.set_viewport_size(size)  # a test may have changed the size
        await page.emulate_media(color_scheme=context.get("color_scheme", "light"))
        await page.context.clear_permissions()
        await page.context.clear_cookies()
        self._free[_kind(size, context)].append(page)


def _kind(size: ViewportSize, context: Mapping[str, Any]) -> str:
    return repr((size, sorted(context.items())))


class Visits:
    """Opens the page as often as a test wants, and records problems that the browser reports."""

    def __init__(self, desks: Desks, url: str) -> None:
        """Begin without visits; each visit takes another desk."""
        self.problems: list[str] = []
        self._expected: list[str] = []
        self.url = url
        self._desks = desks
        self._taken: list[tuple[Page, ViewportSize, Mapping[str, Any]]] = []

    async def visit(self, size: ViewportSize = DESKTOP, *, path: str = "/", **context: Any) -> Visitor:
        """Load the page in a browser without data of earlier visits."""
        page = await self._desks.take(size, context)
        self._taken.append((page, size, context))
        page.on("console", self._note)
        page.on("pageerror", self._note_error)
        await page.goto(self.url + path)
        await expect(page.locator(".app")).to_be_visible()
        return Visitor(page=page)

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

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._add(message.text)

    def _note_error(self, error: Error) -> None:
        self._add(str(error))

    def _add(self, problem: str) -> None:
        if not any(words in problem for words in self._expected):
            self.problems.append(problem)
