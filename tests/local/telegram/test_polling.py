import asyncio

import pytest
from telegram.error import Conflict

from tests.local.telegram.receiver import Receiver
from tests.local.telegram.scene import Json, Scene


def texts(updates: list[Json]) -> list[str]:
    return [update["message"]["text"] for update in updates]


async def test_updates_wait_until_they_are_confirmed(stage: Scene) -> None:
    for text in ("a", "b", "c"):
        await stage.say(stage.private, stage.ann, text)
    first = await stage.call("getUpdates", limit=2)
    assert texts(first) == ["a", "b"]
    assert texts(await stage.call("getUpdates")) == ["a", "b", "c"]
    assert texts(await stage.call("getUpdates", offset=first[-1]["update_id"] + 1)) == ["c"]
    assert texts(await stage.call("getUpdates")) == ["c"]
    assert await stage.call("getUpdates", offset=first[-1]["update_id"] + 2) == []


async def test_a_negative_offset_keeps_the_newest(stage: Scene) -> None:
    for text in ("a", "b", "c"):
        await stage.say(stage.private, stage.ann, text)
    assert texts(await stage.call("getUpdates", offset=-1)) == ["c"]
    assert texts(await stage.call("getUpdates")) == ["c"]


async def test_a_long_poll_ends_with_the_first_update(stage: Scene) -> None:
    waiting = asyncio.create_task(stage.bot.get_updates(timeout=50))
    await stage.polled()
    await stage.say(stage.private, stage.ann, "there")
    (update,) = await waiting
    assert update.message is not None
    assert update.message.text == "there"


async def test_a_long_poll_ends_after_its_time(stage: Scene) -> None:
    assert await stage.call("getUpdates", timeout=1) == []


async def test_there_is_one_poller_at_a_time(stage: Scene) -> None:
    first = asyncio.create_task(stage.bot.get_updates(timeout=50))
    await stage.polled()
    second = asyncio.create_task(stage.call("getUpdates", timeout=50))
    with pytest.raises(Conflict) as refused:
        await first
    assert refused.value.message == (
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
    )
    await stage.say(stage.private, stage.ann, "there")
    assert texts(await second) == ["there"]


async def test_setting_a_webhook_sends_the_poller_away(stage: Scene, webhook: Receiver) -> None:
    waiting = asyncio.create_task(stage.bot.get_updates(timeout=50))
    await stage.polled()
    await stage.bot.set_webhook(webhook.url)
    with pytest.raises(Conflict, match="terminated by setWebhook request"):
        await waiting


async def test_a_poll_chooses_the_kinds_of_update(stage: Scene) -> None:
    await stage.call("getUpdates", allowed_updates=["edited_message"])
    message = await stage.say(stage.private, stage.ann, "a")
    path = f"/world/chats/{stage.private}/messages/{message['message_id']}"
    await stage.act("PATCH", path, {"from": stage.ann, "text": "b"})
    assert await stage.kinds() == ["edited_message"]


async def test_what_is_too_old_is_not_told(stage: Scene) -> None:
    old = {"message": {"message_id": 1, "date": 1_600_000_000, "chat": {"id": stage.ann, "type": "private"}}}
    await stage.act("POST", f"/world/bots/{stage.marvin}/updates", {"update": old})
    assert await stage.call("getUpdates") == []
    assert (await stage.act("GET", f"/world/bots/{stage.marvin}/queue"))["pending"] == 0
