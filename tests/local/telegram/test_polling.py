import asyncio

import pytest
from telegram.error import Conflict

from tests.local.telegram.receiver import Receiver
from tests.local.telegram.scene import Json, Scene


def texts(updates: list[Json]) -> list[str]:
    return [update["message"]["text"] for update in updates]


async def test_updates_wait_until_they_are_confirmed(sandbox: Scene) -> None:
    for text in ("a", "b", "c"):
        await sandbox.say(sandbox.private, sandbox.ann, text)
    first = await sandbox.call("getUpdates", limit=2)
    assert texts(first) == ["a", "b"]
    assert texts(await sandbox.call("getUpdates")) == ["a", "b", "c"]
    assert texts(await sandbox.call("getUpdates", offset=first[-1]["update_id"] + 1)) == ["c"]
    assert texts(await sandbox.call("getUpdates")) == ["c"]
    assert await sandbox.call("getUpdates", offset=first[-1]["update_id"] + 2) == []


async def test_a_negative_offset_keeps_the_newest(sandbox: Scene) -> None:
    for text in ("a", "b", "c"):
        await sandbox.say(sandbox.private, sandbox.ann, text)
    assert texts(await sandbox.call("getUpdates", offset=-1)) == ["c"]
    assert texts(await sandbox.call("getUpdates")) == ["c"]


async def test_a_long_poll_ends_with_the_first_update(sandbox: Scene) -> None:
    waiting = asyncio.create_task(sandbox.bot.get_updates(timeout=50))
    await sandbox.polled()
    await sandbox.say(sandbox.private, sandbox.ann, "there")
    (update,) = await waiting
    assert update.message is not None
    assert update.message.text == "there"


async def test_a_long_poll_ends_after_its_time(sandbox: Scene) -> None:
    assert await sandbox.call("getUpdates", timeout=1) == []


async def test_there_is_one_poller_at_a_time(sandbox: Scene) -> None:
    first = asyncio.create_task(sandbox.bot.get_updates(timeout=50))
    await sandbox.polled()
    second = asyncio.create_task(sandbox.call("getUpdates", timeout=50))
    with pytest.raises(Conflict) as refused:
        await first
    assert refused.value.message == (
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
    )
    await sandbox.say(sandbox.private, sandbox.ann, "there")
    assert texts(await second) == ["there"]


async def test_setting_a_webhook_sends_the_poller_away(sandbox: Scene, webhook: Receiver) -> None:
    waiting = asyncio.create_task(sandbox.bot.get_updates(timeout=50))
    await sandbox.polled()
    await sandbox.bot.set_webhook(webhook.url)
    with pytest.raises(Conflict, match="terminated by setWebhook request"):
        await waiting


async def test_a_poll_chooses_the_kinds_of_update(sandbox: Scene) -> None:
    await sandbox.call("getUpdates", allowed_updates=["edited_message"])
    message = await sandbox.say(sandbox.private, sandbox.ann, "a")
    path = f"/world/chats/{sandbox.private}/messages/{message['message_id']}"
    await sandbox.act("PATCH", path, {"from": sandbox.ann, "text": "b"})
    assert await sandbox.kinds() == ["edited_message"]


async def test_what_is_too_old_is_not_told(sandbox: Scene) -> None:
    old = {"message": {"message_id": 1, "date": 1_600_000_000, "chat": {"id": sandbox.ann, "type": "private"}}}
    await sandbox.act("POST", f"/world/bots/{sandbox.marvin}/updates", {"update": old})
    assert await sandbox.call("getUpdates") == []
    assert (await sandbox.act("GET", f"/world/bots/{sandbox.marvin}/queue"))["pending"] == 0
