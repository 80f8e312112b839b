"""The card of a link shows its target, and nothing is downloaded for it."""

from pathlib import Path

from playwright.async_api import Request, expect

from tests.local.page.acted_bot import ActedBot, entity
from tests.local.page.visitor import PHONE, Visitor, Visits

TEXT = "Read https://bank.example@tea.example/green?cups=2 and https://b.example/second"


async def test_the_link_that_is_previewed_has_a_card_that_names_its_host(
    visitor: Visitor, visits: Visits, bot: ActedBot, pictures: Path
) -> None:
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    visitor.page.on("request", note)
    await visitor.writes("see https://a.example/mine")
    chat = (await bot.next("message"))["chat"]["id"]
    await expect(visitor.message("mine").locator(".link-card strong")).to_have_text("a.example")
    first = await bot.says(chat, TEXT)
    card = visitor.message("Read").locator(".link-card")
    await expect(card.locator("strong")).to_have_text("tea.example")
    await expect(card.locator(".link-rest")).to_have_text("/green?cups=2")
    for link in await visitor.message("Read").locator("a").all():
        assert await link.get_attribute("target") == "_blank"
        assert await link.get_attribute("rel") == "noopener noreferrer"
    second = {"link_preview_options": {"url": "https://b.example/second"}}
    await bot.call("editMessageText", chat_id=chat, message_id=first, text=TEXT, **second)
    await expect(card.locator("strong")).to_have_text("b.example")
    off = {"link_preview_options": {"is_disabled": True}}
    await bot.call("editMessageText", chat_id=chat, message_id=first, text=TEXT, **off)
    await expect(card).to_have_count(0)
    words = "اقرأ هذا المقال الطويل"
    hidden = [entity(words, "المقال", "text_link", url=f"https://пример.example/{'long/' * 40}")]
    await bot.says(chat, words, entities=hidden)
    await expect(visitor.message("اقرأ").locator(".link-card strong")).to_have_text("xn--e1afmkfd.example")
    await visitor.page.screenshot(path=pictures / "cards-desktop.png")
    phone = await visits.visit(PHONE, path=f"/#/{chat}/p{chat}-{bot.id}", color_scheme="dark")
    await expect(phone.message("اقرأ").locator(".link-card")).to_be_visible()
    assert await phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await phone.page.screenshot(path=pictures / "cards-phone.png")
    assert [url for url in asked if not url.startswith(visits.url)] == []
