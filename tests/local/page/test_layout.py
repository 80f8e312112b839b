"""The look of the page: screenshots in every size and colour scheme, nothing cut off, enough contrast."""

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.async_api import ViewportSize, expect

from shared.commands.conversations import respond
from shared.commands.pager import page_of
from shared.telegram.markdown.render import render
from shared.telegram.outbound.bot import keyboard
from shared.values.chat import ConversationInfo
from tests.local.page.acted_bot import ActedBot, entity
from tests.local.page.telegram_server import Telegram
from tests.local.page.visitor import DESKTOP, PHONE, Visitor, Visits
from tests.shared.commands.requests import CONVERSATION, asked
from tests.shared.examples import NOW

TABLET: ViewportSize = {"width": 820, "height": 1000}
WIDE: ViewportSize = {"width": 1920, "height": 1080}
SIZES = {"phone": PHONE, "tablet": TABLET, "desktop": DESKTOP, "wide": WIDE}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

ANSWER = "Friday looks good: 18:00 at the harbour.\nfor day in week:\n    plan(day)\nBring a coat."
GROUNDS = ("--ground", "--surface", "--mine", "--theirs", "--accent-soft")
#: pairs of text and background colours, with the contrast that WCAG 2.2 requires (AA)
PAIRS = [
    *[(text, ground) for text in ("--text", "--quiet") for ground in (*GROUNDS, "--sunken", "--code")],
    *[("--accent", ground) for ground in GROUNDS],
    *[(f"--{state}", f"--{state}-soft") for state in ("good", "busy", "bad", "calm")],
    *[(f"--tone-{number}", ground) for number in range(8) for ground in ("--ground", "--surface")],
    ("--on-accent", "--accent"),
    ("--warn-text", "--warn-soft"),
    ("--bad", "--surface"),
]  # fmt: skip
LEAST_CONTRAST = 4.5


async def a_conversation(visitor: Visitor, bot: ActedBot) -> None:
    """Fill a group of three with every kind of visible element."""
    await visitor.starts_a_group()
    await visitor.writes(
        "Shall we meet this week? I have time from Thursday on, and I would love to see the sea again."
    )
    await visitor.becomes("Ben")
    await visitor.writes("Friday or Saturday?")
    await visitor.picks("Shall we meet", "React with 🎉")
    await visitor.becomes("Ann")
    await visitor.picks("Friday or Saturday?", "Reply")
    await visitor.writes("@lull_bot which is better?")
    chat = (await bot.next("message"))["chat"]["id"]
    code = entity(ANSWER, "for day in week:\n    plan(day)", "pre", language="python")
    keys = {"inline_keyboard": [[{"text": "Friday it is", "callback_data": "friday"}]]}
    await bot.says(chat, ANSWER, entities=[entity(ANSWER, "Friday", "bold"), code], reply_markup=keys)
    await expect(visitor.message("Bring a coat")).to_be_visible()


async def test_a_conversation_in_every_size_and_colour(
    visitor: Visitor, visits: Visits, bot: ActedBot, pictures: Path
) -> None:
    await a_conversation(visitor, bot)
    for size in SIZES:
        other = await visits.visit(SIZES[size])
        for scheme in SCHEMES:
            await other.page.emulate_media(color_scheme=scheme)
            await other.page.goto("about:blank")
            await other.page.goto(visits.url)
            await looks_right(other, f"{size}-{scheme}", pictures)


async def looks_right(visitor: Visitor, name: str, pictures: Path) -> None:
    """Open the conversation from the list, check that it fits into the window, and save a screenshot."""
    page = visitor.page
    if name.startswith("phone"):
        await page.screenshot(path=pictures / f"list-{name}.png")
    await page.locator(".row").filter(has_text="Ann, Ben, Cleo").click()
    await expect(visitor.message("Bring a coat")).to_be_in_viewport()
    await page.screenshot(path=pictures / f"chat-{name}.png")
    for element in (".app", ".messages", ".list"):
        wide = await page.locator(element).evaluate("n => n.scrollWidth > n.clientWidth")
        assert not wide, f"{element} can be moved sideways"
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_phone_shows_list_then_chat_then_panel(visits: Visits, bot: ActedBot, pictures: Path) -> None:
    visitor = await visits.visit(PHONE, has_touch=True, is_mobile=True)
    page = visitor.page
    await expect(page.locator(".pane")).not_to_be_visible()
    await page.locator(".row").tap()
    await expect(page.locator(".list")).not_to_be_visible()
    await visitor.writes("from a phone")
    await page.locator(".chat-title").tap()
    await expect(page.locator(".about-head")).to_be_visible()
    await expect(page.locator(".pane")).not_to_be_visible()
    await page.screenshot(path=pictures / "panel-phone.png")
    await visitor.button("Back to the chat").tap()
    await visitor.button("Back to the chats").tap()
    await expect(page.locator(".list")).to_be_visible()


async def test_the_panel_is_a_drawer_on_a_tablet(visits: Visits, bot: ActedBot) -> None:
    visitor = await visits.visit(TABLET)
    panel = visitor.page.locator(".panel")
    await expect(panel).not_to_be_visible()
    await visitor.page.locator(".panel-toggle").click()
    await expect(panel).to_be_visible()
    await visitor.button("Close the side panel").click()
    await expect(panel).not_to_be_visible()


async def test_the_switch_turns_dark_and_is_remembered(visitor: Visitor) -> None:
    root = visitor.page.locator("html")
    await expect(root).to_have_attribute("data-theme", "light")
    await visitor.button("Switch to dark").click()
    await expect(root).to_have_attribute("data-theme", "dark")
    await visitor.page.reload()
    await expect(root).to_have_attribute("data-theme", "dark")
    await visitor.button("Switch to light").click()
    await visitor.page.emulate_media(color_scheme="dark")
    await expect(root).to_have_attribute("data-theme", "dark")


def luminance(colour: str) -> float:
    """Compute WCAG's relative luminance of #rrggbb."""
    channels = [int(pair, 16) / 255 for pair in re.findall("..", colour.removeprefix("#"))]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_texts_stand_out_from_their_ground(visits: Visits, telegram: Telegram, scheme: str) -> None:
    visitor = await visits.visit(color_scheme=scheme)
    weak = {}
    for text, ground in PAIRS:
        read = "names => names.map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())"
        light, dark = sorted(map(luminance, await visitor.page.evaluate(read, [text, ground])), reverse=True)
        ratio = (light + 0.05) / (dark + 0.05)
        if ratio < LEAST_CONTRAST:
            weak[f"{text} on {ground}"] = round(ratio, 2)
    assert weak == {}


async def test_back_on_a_phone_leads_to_the_list(visits: Visits, bot: ActedBot) -> None:
    visitor = await visits.visit(PHONE)
    await visitor.page.locator(".row").click()
    await visitor.writes("to and fro")
    await visitor.page.go_back()
    await expect(visitor.page.locator(".list")).to_be_visible()
    await visitor.page.go_forward()
    await expect(visitor.message("to and fro")).to_be_visible()
    await visitor.page.reload()
    await expect(visitor.message("to and fro")).to_be_visible()


async def test_back_on_a_phone_closes_the_panel_and_stays_in_the_chat(visits: Visits, bot: ActedBot) -> None:
    visitor = await visits.visit(PHONE)
    await visitor.page.locator(".row").click()
    await visitor.writes("look here")
    await visitor.page.locator(".panel-toggle").click()
    await expect(visitor.page.locator(".panel")).to_be_visible()
    await visitor.page.go_back()
    await expect(visitor.page.locator(".panel")).not_to_be_visible()
    await expect(visitor.message("look here")).to_be_visible()
    await visitor.page.locator(".panel-toggle").click()
    await expect(visitor.page.locator(".panel")).to_be_visible()
    await visitor.button("Back to the chat").click()
    await expect(visitor.message("look here")).to_be_visible()
    await visitor.page.go_back()
    await expect(visitor.page.locator(".list")).to_be_visible()


async def test_what_a_phone_hides_is_not_seen(visits: Visits, bot: ActedBot) -> None:
    visitor = await visits.visit(PHONE)
    await visitor.page.locator(".row").click()
    await visitor.writes("hello")
    chat = (await bot.next("message"))["chat"]["id"]
    await visitor.button("Back to the chats").click()
    await bot.says(chat, "still unseen")
    await expect(visitor.page.locator(".badge")).to_have_text("1 unread")
    await expect(visitor.page).to_have_title("(1) lull")
    await visitor.page.locator(".row").click()
    await expect(visitor.page).to_have_title("lull")


async def test_the_numbers_of_a_list_stand_in_one_row_on_a_phone(
    visits: Visits, bot: ActedBot, telegram: Telegram, pictures: Path
) -> None:
    """The numbers of `/conversations` stay aligned beside names that take more than a line."""
    names = [
        "What we said about the garden beds in spring",
        "A WARM AND WOMANLY MAMMOTH WITH MANY MEMORIES",
        "Що ми казали про грядки щоденно навесні",
        "春の庭の花壇について私たちが話したことのすべて",
        "ما قلناه عن أحواض الحديقة في الربيع الماضي",
        "🌻🌷🌹🌺🌸🌼🪻🪷🌻🌷🌹🌺🌸🌼🪻🪷🌻🌷🌹🌺🌸🌼",
    ]
    kept = [ConversationInfo(id=CONVERSATION, chat="c", title=name, updated_at=NOW) for name in names]
    listed = respond(asked(result=page_of(kept, 0)))
    (part,) = render(listed.text)
    keys = keyboard(listed.buttons)
    assert keys is not None
    visitor = await visits.visit(PHONE)
    await visitor.page.get_by_role("button", name="lull").first.click()
    await visitor.writes("/conversations")
    message = await bot.next("message")
    await bot.says(message["chat"]["id"], part.text, reply_markup=keys.to_dict())
    shown = visitor.page.locator(".key")
    await expect(shown).to_have_count(len(names))
    await visitor.page.screenshot(path=pictures / "conversations-phone.png")
    tops = [await key.evaluate("key => key.offsetTop") for key in await shown.all()]
    assert len(set(tops)) == 1
