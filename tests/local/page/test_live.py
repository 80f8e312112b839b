"""The page while the server goes away and comes back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.local.page.acted_bot import acted_bot
from tests.local.page.telegram_server import Telegram, TelegramProcess
from tests.local.page.visitor import Desks, Visits


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[TelegramProcess]:
    started = TelegramProcess(tmp_path / "telegram")
    await started.start()
    yield started
    await started.close()


async def test_a_restart_is_told_quietly_and_nothing_is_lost(desks: Desks, process: TelegramProcess) -> None:
    telegram = Telegram(process.url)
    visits = Visits(desks, process.url)
    async with acted_bot(telegram.client) as bot:
        visitor = await visits.visit()
        await visitor.writes("before")
        chat = (await bot.next("message"))["chat"]["id"]
        await process.stop()
        await expect(visitor.page.locator(".banner")).to_contain_text("isn't answering")
        await visitor.field.fill("in between")
        await visitor.field.press("Enter")
        await expect(visitor.page.locator(".toast")).to_contain_text("make dev")
        await expect(visitor.field).to_have_value("in between")
        await process.start()
        await bot.says(chat, "before the page was back")
        await expect(visitor.page.locator(".banner")).to_have_count(0)
        await expect(visitor.message("before the page was back")).to_be_visible()
        await expect(visitor.message("before").first.locator(".tick")).to_have_attribute("data-tick", "taken")
        await bot.says(chat, "after")
        await expect(visitor.message("after")).to_be_visible()
        await visitor.field.press("Enter")
        assert (await bot.next("message"))["text"] == "in between"
    await visits.close()
    await telegram.client.aclose()


async def test_a_server_that_forgot_everything_is_met_anew(
    desks: Desks, process: TelegramProcess, tmp_path: Path
) -> None:
    visits = Visits(desks, process.url)
    visitor = await visits.visit()
    await visitor.button("New").click()
    await visitor.page.get_by_role("menuitem", name="New person …").click()
    await visitor.page.get_by_label("First name").fill("Dora")
    await visitor.button("Create and become this person").click()
    await expect(visitor.page.locator(".you-are")).to_contain_text("Dora")
    await process.stop()
    for kept in (tmp_path / "telegram").glob("telegram.sqlite3*"):
        kept.unlink()
    await process.start()
    await expect(visitor.page.locator(".you-are")).to_contain_text("Ann")
    await visits.close()
