"""The page without a mouse, and with a screen reader."""

from playwright.async_api import Page, expect

from tests.local.page.acted_bot import ActedBot
from tests.local.page.visitor import Visitor

MOST_TABS = 40


async def tab_to(page: Page, selector: str) -> None:
    """Wait for a matching element, and press Tab until it has the focus."""
    await expect(page.locator(selector).first).to_be_visible()
    for _ in range(MOST_TABS):
        await page.keyboard.press("Tab")
        if await page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Tab never came to {selector}")


async def test_a_whole_visit_by_keyboard(visitor: Visitor, bot: ActedBot) -> None:
    page = visitor.page
    await tab_to(page, ".suggestion .button")
    await page.keyboard.press("Enter")
    await expect(page.locator(".chat-name")).to_have_text("Ann, Ben, Cleo")
    await tab_to(page, ".row")
    await page.keyboard.press("ArrowDown")
    await tab_to(page, "textarea")
    await page.keyboard.type("@lu")
    await expect(page.get_by_role("option")).to_contain_text("@lull_bot")
    await page.keyboard.press("Enter")
    await page.keyboard.type("hello")
    await page.keyboard.press("Enter")
    await expect(visitor.message("hello")).to_be_visible()
    chat = (await bot.next("message"))["chat"]["id"]
    await bot.says(chat, "Hello to you")
    await expect(visitor.message("Hello to you")).to_be_visible()
    await page.keyboard.press("Shift+Tab")
    await tab_to(page, ".you-picture")
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(visitor.field).to_have_attribute("placeholder", "Write as Ben")


async def test_messages_are_walked_and_their_menu_opens(visitor: Visitor, bot: ActedBot) -> None:
    page = visitor.page
    await visitor.writes("one")
    await visitor.writes("two")
    await visitor.message("two").focus()
    await page.keyboard.press("ArrowUp")
    await expect(visitor.message("one")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("menuitem", name="Reply")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await expect(page.get_by_role("menuitem", name="Copy text")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("menu")).to_have_count(0)
    await expect(visitor.message("one")).to_be_focused()


async def test_escape_closes_dialogs_and_gives_the_focus_back(visitor: Visitor, bot: ActedBot) -> None:
    page = visitor.page
    await visitor.button("New").focus()
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog", name="New group")).to_be_visible()
    await expect(page.get_by_label("Name", exact=True)).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(visitor.button("New")).to_be_focused()


async def test_arrows_change_the_tabs_of_the_panel(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.page.get_by_role("tab", name="What lull did").focus()
    await visitor.page.keyboard.press("ArrowRight")
    about = visitor.page.get_by_role("tab", name="About this chat")
    await expect(about).to_be_focused()
    await expect(about).to_have_attribute("aria-selected", "true")
    await visitor.page.keyboard.press("Escape")
    await expect(visitor.page.locator(".panel")).to_have_count(0)


async def test_everything_that_can_be_pressed_has_a_name(visitor: Visitor, bot: ActedBot) -> None:
    await visitor.starts_a_group()
    await visitor.writes("named")
    unnamed = await visitor.page.evaluate(
        """() => [...document.querySelectorAll("button, a, input:not([hidden]), textarea, select")]
            .filter((each) => !(each.getAttribute("aria-label") || each.textContent.trim() || each.labels?.length))
            .map((each) => each.outerHTML)"""
    )
    assert unnamed == []


async def test_the_focus_can_be_seen(visitor: Visitor) -> None:
    await visitor.page.keyboard.press("Tab")
    outline = await visitor.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
