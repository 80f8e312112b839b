import asyncio

import pytest

from local.bots import NotRegistered, register_bots, set_webhooks
from local.telegram.serving import serve
from shared.commands.registry import menus
from shared.telegram.inbound.envelope import ALLOWED_UPDATES
from shared.values.agent import Agent, FrontMatter

TOKEN = "7000000001:AAbcdefghijklmnopqrstuvwxyz012345"
AGENT = Agent(id="moss", front=FrontMatter(name="Moss", username="moss_test_bot"), instructions="Be Moss.")


async def test_an_agent_becomes_a_bot_once_and_its_webhook_is_set() -> None:
    async with serve() as telegram:
        for _ in range(2):
            await asyncio.to_thread(register_bots, telegram.url, {"moss": AGENT}, {"moss": TOKEN})
        await asyncio.to_thread(set_webhooks, telegram.url, {"moss": TOKEN}, "http://127.0.0.1:1", "a-secret")
        (bot,) = telegram.world.people.bots()
    assert (bot.first_name, bot.username) == ("Moss", "moss_test_bot")
    assert bot.webhook is not None
    assert (bot.webhook.url, bot.webhook.secret_token) == ("http://127.0.0.1:1/moss", "a-secret")
    assert set(bot.allowed_updates or ()) == set(ALLOWED_UPDATES)
    assert len(bot.commands) == len(menus())


async def test_without_menus_a_bot_shows_no_commands() -> None:
    place = ({"moss": TOKEN}, "http://127.0.0.1:1", "a-secret")
    async with serve() as telegram:
        await asyncio.to_thread(register_bots, telegram.url, {"moss": AGENT}, {"moss": TOKEN})
        await asyncio.to_thread(set_webhooks, telegram.url, *place, with_menus=False)
        (bot,) = telegram.world.people.bots()
    assert bot.webhook is not None
    assert bot.commands == {}


async def test_a_refusal_names_the_agent_and_never_the_token() -> None:
    async with serve() as telegram:
        with pytest.raises(NotRegistered, match="refused the agent 'moss'") as refused:
            await asyncio.to_thread(set_webhooks, telegram.url, {"moss": TOKEN}, "http://127.0.0.1:1", "a-secret")
    assert TOKEN not in str(refused.value)
