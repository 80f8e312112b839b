from pathlib import Path

import pytest
from starlette.responses import JSONResponse, Response

from local.telegram.serving import serve
from local.telegram.settings import TelegramSettings
from tests.local.telegram.receiver import Decide, Receiver
from tests.local.telegram.scene import Json, Scene, eventually, scene


def failing(times: int, text: str, **headers: str) -> Decide:
    """Make answers: 500 to a message for so many times, and 200 to everything else."""

    def decide(update: Json, before: int) -> Response:
        is_bad = update["message"].get("text") == text and before < times
        return Response("", status_code=500 if is_bad else 200, headers=headers if is_bad else None)

    return decide


async def reports(sandbox: Scene) -> list[Json]:
    return [dict(event) for event in await sandbox.events() if event["type"] in ("delivered", "undelivered")]


async def settled(sandbox: Scene) -> None:
    """Wait until no update is pending."""
    async for _ in sandbox.telegram.world.events.follow(0):
        if sandbox.telegram.world.updates.count(sandbox.marvin) == 0:
            return


async def test_updates_are_delivered_in_order_with_the_secret(sandbox: Scene, webhook: Receiver) -> None:
    await sandbox.say(sandbox.private, sandbox.ann, "before")
    await sandbox.bot.set_webhook(webhook.url, secret_token="s-1")
    for text in ("a", "b", "c"):
        await sandbox.say(sandbox.private, sandbox.ann, text)
    await webhook.until_count(4)
    assert webhook.texts() == ["before", "a", "b", "c"]
    assert {headers["x-telegram-bot-api-secret-token"] for headers in webhook.headers} == {"s-1"}
    await settled(sandbox)
    assert [report["status"] for report in await reports(sandbox)] == [200] * 4
    assert (await sandbox.bot.get_webhook_info()).pending_update_count == 0


async def test_a_refused_update_is_tried_again_before_the_next_of_its_chat(sandbox: Scene, webhook: Receiver) -> None:
    webhook.decide = failing(3, "bad")
    await sandbox.bot.set_webhook(webhook.url)
    for text in ("bad", "good"):
        await sandbox.say(sandbox.private, sandbox.ann, text)
    await webhook.until_count(5)
    assert webhook.texts() == ["bad"] * 4 + ["good"]
    await settled(sandbox)
    found = await reports(sandbox)
    assert [round(report["next_try_in"], 3) for report in found[:3]] == [0, 0.02, 0.04]
    assert found[0]["why"] == "Wrong response from the webhook: 500 Internal Server Error"
    assert [report["tries"] for report in found[3:]] == [4, 1]
    info = await sandbox.bot.get_webhook_info()
    assert info.last_error_message == "Wrong response from the webhook: 500 Internal Server Error"


async def test_the_receivers_own_wish_to_wait_is_honoured(sandbox: Scene, webhook: Receiver) -> None:
    webhook.decide = failing(1, "bad", **{"Retry-After": "9"})
    await sandbox.bot.set_webhook(webhook.url)
    await sandbox.say(sandbox.private, sandbox.ann, "bad")
    await webhook.until_count(2)
    assert (await reports(sandbox))[0]["next_try_in"] == pytest.approx(0.09)


async def test_one_chat_that_fails_does_not_stop_the_others(sandbox: Scene, webhook: Receiver) -> None:
    webhook.decide = failing(10**6, "bad")
    await sandbox.bot.set_webhook(webhook.url)
    group = await sandbox.group()
    await sandbox.say(sandbox.private, sandbox.ann, "bad")
    await sandbox.say(sandbox.private, sandbox.ann, "stuck")
    await sandbox.say(group["key"], sandbox.bob, "/fine")
    await webhook.until(lambda: "/fine" in [update.get("message", {}).get("text") for update in webhook.updates])
    assert "stuck" not in [update.get("message", {}).get("text") for update in webhook.updates]
    await eventually(lambda: any(event["type"] == "undelivered" for event in sandbox.telegram.world.events.after(0)))
    queue = await sandbox.act("GET", f"/world/bots/{sandbox.marvin}/queue")
    (stuck,) = [lane for lane in queue["queues"] if lane["chat"] == sandbox.private]
    assert len(stuck["updates"]) == 2
    assert stuck["tries"] >= 1
    assert "500" in stuck["last_error"]


async def test_chats_are_served_at_once_but_each_one_by_one(sandbox: Scene, webhook: Receiver) -> None:
    webhook.decide = lambda update, before: Response("")
    await sandbox.bot.set_webhook(webhook.url, max_connections=3)
    groups = [await sandbox.group() for _ in range(5)]
    await settled(sandbox)
    webhook.gate.clear()
    webhook.most_at_once = 0
    before = len(webhook.updates)
    for group in groups:
        for text in ("/one", "/two"):
            await sandbox.say(group["key"], sandbox.ann, text)
    await webhook.until_count(before + 3)
    assert all(update["message"]["text"] == "/one" for update in webhook.updates[before:])
    assert len({update["message"]["chat"]["id"] for update in webhook.updates[before:]}) == 3
    webhook.gate.set()
    await settled(sandbox)
    assert webhook.most_at_once == 3
    assert len(webhook.updates) == before + 10


async def test_silence_counts_as_a_failure(webhook: Receiver) -> None:
    async with scene(TelegramSettings(clock_scale=0.01, silence_seconds=0.1)) as sandbox:
        await sandbox.bot.set_webhook(webhook.url)
        webhook.gate.clear()
        await sandbox.say(sandbox.private, sandbox.ann, "hello?")
        await webhook.until_count(2)
        webhook.gate.set()
        await settled(sandbox)
        assert (await reports(sandbox))[0]["why"] == "Read timeout expired"


async def test_a_method_in_the_answer_is_executed_and_its_outcome_is_nobodys_business(
    sandbox: Scene, webhook: Receiver
) -> None:
    def decide(update: Json, before: int) -> Response:
        text = update["message"]["text"]
        calls = {
            "type": {"method": "sendChatAction", "chat_id": sandbox.ann, "action": "typing"},
            "wrong": {"method": "sendMessage", "chat_id": 5, "text": "x"},
            "get": {"method": "getMe"},
        }
        return JSONResponse(calls[text])

    webhook.decide = decide
    await sandbox.bot.set_webhook(webhook.url)
    for text in ("get", "wrong", "type"):
        await sandbox.say(sandbox.private, sandbox.ann, text)
    await settled(sandbox)
    async for event in sandbox.telegram.world.events.follow(0):
        if event is not None and event["type"] == "typing":
            break
    calls = [(call.method, call.ok) for call in sandbox.telegram.world.calls.after(0)]
    assert ("sendMessage", False) in calls
    assert ("sendChatAction", True) in calls
    assert calls.count(("getMe", True)) == 1


async def test_a_lost_answer_makes_a_repeat(sandbox: Scene, webhook: Receiver) -> None:
    await sandbox.act("POST", "/world/faults", {"method": "webhook", "kind": "cut_after"})
    await sandbox.bot.set_webhook(webhook.url)
    await sandbox.say(sandbox.private, sandbox.ann, "once")
    await webhook.until_count(2)
    assert webhook.updates[0] == webhook.updates[1]


async def test_an_update_is_dropped_when_its_next_try_would_come_too_late(sandbox: Scene, webhook: Receiver) -> None:
    webhook.decide = failing(10**6, "old")
    await sandbox.bot.set_webhook(webhook.url)
    date = int(sandbox.telegram.world.now()) - 86_400 + 1
    chat = {"id": sandbox.ann, "type": "private", "first_name": "Ann"}
    old = {"message": {"message_id": 1, "date": date, "chat": chat, "text": "old"}}
    await sandbox.act("POST", f"/world/bots/{sandbox.marvin}/updates", {"update": old})
    await sandbox.say(sandbox.private, sandbox.ann, "new")
    await webhook.until(lambda: "new" in webhook.texts())
    await settled(sandbox)
    undelivered = [report for report in await reports(sandbox) if report["type"] == "undelivered"]
    assert undelivered[-1]["next_try_in"] is None


async def test_a_webhook_that_is_gone_for_good_is_removed(webhook: Receiver) -> None:
    webhook.decide = lambda update, before: Response("", status_code=410)
    async with scene(TelegramSettings(clock_scale=1e-7)) as sandbox:
        await sandbox.bot.set_webhook(webhook.url)
        await sandbox.say(sandbox.private, sandbox.ann, "hello?")
        bots = sandbox.telegram.world.people
        await eventually(lambda: bots.bots()[0].webhook is None)
        assert (await sandbox.updates())[0]["message"]["text"] == "hello?"


async def test_what_was_not_delivered_is_delivered_after_a_restart(webhook: Receiver, tmp_path: Path) -> None:
    settings = TelegramSettings(data_dir=tmp_path, clock_scale=0.01)
    webhook.decide = failing(10**6, "kept")
    async with scene(settings) as sandbox:
        await sandbox.bot.set_webhook(webhook.url)
        await sandbox.say(sandbox.private, sandbox.ann, "kept")
        await webhook.until_count(1)
    webhook.decide = lambda update, before: Response("")
    count = len(webhook.updates)
    async with serve(settings) as telegram:
        await webhook.until_count(count + 1)
        await eventually(lambda: telegram.world.updates.count(sandbox.marvin) == 0)
    assert set(webhook.texts()) == {"kept"}


async def test_removing_a_webhook_keeps_what_waits(sandbox: Scene, webhook: Receiver) -> None:
    webhook.decide = failing(10**6, "bad")
    await sandbox.bot.set_webhook(webhook.url)
    await sandbox.say(sandbox.private, sandbox.ann, "bad")
    await webhook.until_count(1)
    await sandbox.bot.delete_webhook()
    assert [update["message"]["text"] for update in await sandbox.updates()] == ["bad"]
