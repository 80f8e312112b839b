"""The way from the page to the console."""

from urllib.parse import parse_qs, urlsplit

import httpx
from playwright.async_api import expect

from local.ports import ReservedPort
from local.telegram.serving import serve
from local.telegram.settings import TelegramSettings
from tests.local.page.acted_bot import ActedBot, acted_bot
from tests.local.page.visitor import Desks, Visitor, Visits


async def test_the_console_opens_as_the_person_who_is_played(address: ReservedPort, desks: Desks) -> None:
    console = f"http://127.0.0.1:{address.number}/healthz"
    settings = TelegramSettings(clock_scale=0.1, console=console)
    async with (
        serve(settings, port=address.number) as served,
        httpx.AsyncClient(base_url=served.url) as client,
        acted_bot(client),
    ):
        visits = Visits(desks, served.url)
        visitor = await visits.visit()
        async with visitor.page.context.expect_page() as opened:
            await visitor.button("Open the console").click()
        page = await opened.value
        await page.wait_for_url(f"{console}#*")
        launch = parse_qs(urlsplit(page.url).fragment)
        assert "Ann" in parse_qs(launch["tgWebAppData"][0])["user"][0]
        await visits.close()


async def test_without_a_console_nothing_leads_there(visitor: Visitor, bot: ActedBot) -> None:
    await expect(visitor.field).to_be_visible()
    await expect(visitor.button("Open the console")).to_have_count(0)
