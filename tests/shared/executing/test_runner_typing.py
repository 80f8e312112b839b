import asyncio

import pytest

from shared.adapters.telegram.bot import TelegramChannel
from shared.executing.runner import while_typing
from shared.models.channel import Recipient
from tests.stories.play import Stage, until


async def typed(stage: Stage, chat_id: int) -> int:
    calls = (await stage.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    return len([c for c in calls if c["method"] == "sendChatAction" and str(c["params"]["chat_id"]) == str(chat_id)])


async def test_typing_goes_on_for_as_long_as_the_work(stage: Stage) -> None:
    chat = await stage.private(await stage.person("Ann"))
    channel = TelegramChannel(stage.cloud.tokens["lull"], stage.cloud.telegram_url)

    async def has_typed_thrice() -> bool:
        return await typed(stage, chat.id) >= 3

    async def work() -> str:
        await until(has_typed_thrice, "it types")
        return "done"

    assert await while_typing(channel, Recipient(chat_id=chat.id), work(), every_s=0.02) == "done"
    await channel.aclose()


async def test_short_work_needs_no_typing(stage: Stage) -> None:
    chat = await stage.private(await stage.person("Ann"))
    channel = TelegramChannel(stage.cloud.tokens["lull"], stage.cloud.telegram_url)
    assert await while_typing(channel, Recipient(chat_id=chat.id), asyncio.sleep(0, "done")) == "done"
    assert await typed(stage, chat.id) == 0


async def test_a_chat_that_was_told_to_wait_is_shown_nothing(stage: Stage) -> None:
    chat = await stage.private(await stage.person("Ann"))
    channel = TelegramChannel(stage.cloud.tokens["lull"], stage.cloud.telegram_url)
    work = asyncio.sleep(0.2, "done")
    assert await while_typing(channel, Recipient(chat_id=chat.id), work, is_shown=False, every_s=0.02) == "done"
    assert await typed(stage, chat.id) == 0


async def test_an_error_of_the_work_comes_through(stage: Stage) -> None:
    channel = TelegramChannel(stage.cloud.tokens["lull"], stage.cloud.telegram_url)

    async def work() -> None:
        raise KeyError("gone")

    with pytest.raises(KeyError):
        await while_typing(channel, Recipient(chat_id=1), work())
