"""People see the agent's activity while it works."""

import asyncio
from datetime import timedelta

import pytest

from shared.telegram.outbound.bot import TelegramChannel
from shared.turn.activity import showing, typing, typing_for
from shared.values.channel import Activity, Recipient
from tests.stories.play import Sandbox, until


async def actions(sandbox: Sandbox, chat_id: int) -> list[str]:
    calls = (await sandbox.telegram.get("/world/calls", params={"method": "sendChatAction"})).json()["calls"]
    shown = (c["params"] for c in calls)
    return [one["action"] for one in shown if str(one["chat_id"]) == str(chat_id)]


async def typed(sandbox: Sandbox, chat_id: int) -> int:
    return len(await actions(sandbox, chat_id))


async def test_typing_goes_on_for_as_long_as_the_work(sandbox: Sandbox) -> None:
    chat = await sandbox.private(await sandbox.person("Ann"))
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)

    async def has_typed_thrice() -> bool:
        return await typed(sandbox, chat.id) >= 3

    async with typing(channel, Recipient(chat_id=chat.id), every_s=0.02):
        await until(has_typed_thrice, "it types")
    await channel.aclose()


async def test_short_work_needs_no_typing(sandbox: Sandbox) -> None:
    chat = await sandbox.private(await sandbox.person("Ann"))
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)
    async with typing(channel, Recipient(chat_id=chat.id)):
        await asyncio.sleep(0)
    assert await typed(sandbox, chat.id) == 0


async def test_a_chat_that_was_told_to_wait_is_shown_nothing(sandbox: Sandbox) -> None:
    chat = await sandbox.private(await sandbox.person("Ann"))
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)
    async with typing(channel, Recipient(chat_id=chat.id), is_shown=False, every_s=0.02):
        await asyncio.sleep(0.2)
    assert await typed(sandbox, chat.id) == 0


async def test_an_error_of_the_block_comes_through(sandbox: Sandbox) -> None:
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)

    with pytest.raises(KeyError):
        async with typing(channel, Recipient(chat_id=1)):
            raise KeyError("gone")


async def test_some_time_passes_in_which_it_is_seen_typing(sandbox: Sandbox) -> None:
    chat = await sandbox.private(await sandbox.person("Ann"))
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)
    await typing_for(channel, Recipient(chat_id=chat.id), timedelta())
    assert await actions(sandbox, chat.id) == []
    await typing_for(channel, Recipient(chat_id=chat.id), timedelta(seconds=0.01))
    assert await actions(sandbox, chat.id) == ["typing"]
    await channel.aclose()


async def test_what_it_does_is_seen_from_the_first_moment_on(sandbox: Sandbox) -> None:
    chat = await sandbox.private(await sandbox.person("Ann"))
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)
    to, little = Recipient(chat_id=chat.id), timedelta(seconds=0.01)

    async def is_seen() -> bool:
        return bool(await actions(sandbox, chat.id))

    async with showing(channel, to, Activity.RECORDING, timedelta()):
        await until(is_seen, "it is seen")
    async with showing(channel, to, Activity.SENDING_PHOTO, little):
        await asyncio.sleep(0)
    assert await actions(sandbox, chat.id) == ["record_voice", "upload_photo"]
    await channel.aclose()


async def test_an_error_of_what_is_shown_comes_through_at_once(sandbox: Sandbox) -> None:
    channel = TelegramChannel(sandbox.cloud.tokens["lull"], sandbox.cloud.telegram_url)

    with pytest.raises(KeyError):
        async with showing(channel, Recipient(chat_id=1), Activity.TYPING, timedelta(hours=1)):
            raise KeyError("gone")
    await channel.aclose()
