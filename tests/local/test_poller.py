import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import httpx
import pytest
from starlette.responses import JSONResponse, Response

from local.poller import EX_CONFIG, Poller, Route, TokenRefused
from local.processes import ROOT
from tests.local.telegram.receiver import Receiver, receiver
from tests.local.telegram.scene import TOKEN, Scene, scene
from tests.local.watching import eventually


@pytest.fixture
async def real() -> AsyncIterator[Scene]:
    """Serve our Bot API in place of the real one."""
    async with scene() as made:
        yield made


@pytest.fixture
async def webhook() -> AsyncIterator[Receiver]:
    async with receiver() as made:
        yield made


def route(real: Scene, webhook: Receiver) -> Route:
    base, agent = webhook.url.rsplit("/", 1)
    return Route(
        agent=agent,
        token=TOKEN,
        webhook_url=base,
        secret="the-secret",
        api_url=real.telegram.url,
        pause_s=0.01,
        long_poll_s=5,
    )


@asynccontextmanager
async def polling(chosen: Route) -> AsyncIterator["asyncio.Task[None]"]:
    async with httpx.AsyncClient() as client:
        task = asyncio.create_task(Poller(chosen, client).run())
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def pending(real: Scene) -> int:
    return int((await real.call("getWebhookInfo"))["pending_update_count"])


async def until_confirmed(real: Scene) -> None:
    async def nothing_pending() -> bool:
        return await pending(real) == 0

    await eventually(nothing_pending)


async def test_updates_come_with_the_secret_in_order_and_each_until_it_is_taken(real: Scene, webhook: Receiver) -> None:
    webhook.decide = lambda _, before: Response(status_code=200 if before else 500)
    for text in ("one", "two"):
        await real.say(real.private, real.ann, text)
    async with polling(route(real, webhook)):
        await webhook.until_count(4)
        await until_confirmed(real)
    assert webhook.texts() == ["one", "one", "two", "two"]
    assert {headers["x-telegram-bot-api-secret-token"] for headers in webhook.headers} == {"the-secret"}


async def test_chats_go_side_by_side_and_a_chat_one_at_a_time(real: Scene, webhook: Receiver) -> None:
    group = (await real.group())["key"]
    await real.updates()  # the updates from making the group
    webhook.gate.clear()
    await real.say(real.private, real.ann, "one")
    await real.say(real.private, real.ann, "two")
    await real.say(group, real.bob, "/start@marvin_test_bot")
    async with polling(route(real, webhook)):
        await webhook.until_count(2)
        assert webhook.under_way == 2
        assert "two" not in webhook.texts()
        webhook.gate.set()
        await webhook.until_count(3)
        await until_confirmed(real)


async def test_a_crash_before_the_webhook_took_it_repeats_an_update(real: Scene, webhook: Receiver) -> None:
    webhook.gate.clear()
    await real.say(real.private, real.ann, "one")
    async with polling(route(real, webhook)):
        await webhook.until_count(1)
    assert await pending(real) == 1
    webhook.gate.set()
    async with polling(route(real, webhook)):
        await webhook.until_count(2)
        await until_confirmed(real)
    assert webhook.texts() == ["one", "one"]


async def test_a_method_in_the_answer_is_carried_out(real: Scene, webhook: Receiver) -> None:
    typing = {"method": "sendChatAction", "chat_id": real.ann, "action": "typing"}
    webhook.decide = lambda _, before: JSONResponse(typing)
    await real.say(real.private, real.ann, "one")
    async with polling(route(real, webhook)):
        await until_confirmed(real)
    calls = (await real.act("GET", "/world/calls?after=0"))["calls"]
    assert [call["params"]["action"] for call in calls if call["method"] == "sendChatAction"] == ["typing"]


@pytest.mark.parametrize("kind", ["cut_before", "cut_after", "500", "429"])
async def test_it_goes_on_when_telegram_fails(real: Scene, webhook: Receiver, kind: str) -> None:
    fault = {"method": "getUpdates", "kind": kind, "times": 2}
    await real.act("POST", "/world/faults", fault | ({"retry_after": 1} if kind == "429" else {}))
    async with polling(route(real, webhook)):
        await real.say(real.private, real.ann, "one")
        await webhook.until_count(1)


async def test_a_webhook_that_is_set_is_said_and_waited_for(
    real: Scene, webhook: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    async def said() -> bool:
        return "can't use getUpdates method while webhook is active" in caplog.text

    await real.call("setWebhook", url=f"{real.telegram.url}/nowhere")
    async with polling(route(real, webhook)):
        await eventually(said)
        await real.call("deleteWebhook", drop_pending_updates=True)
        await real.say(real.private, real.ann, "one")
        await webhook.until_count(1)
    assert caplog.text.count("webhook is active") == 1
    assert TOKEN not in caplog.text


async def test_a_wrong_token_ends_it(real: Scene, webhook: Receiver) -> None:
    wrong = replace(route(real, webhook), token="7000000009:AAbcdefghijklmnopqrstuvwxyz012345")
    async with polling(wrong) as task:
        with pytest.raises(TokenRefused, match="copy it again from @BotFather"):
            await task


async def test_the_command_says_a_wrong_token_in_one_sentence(real: Scene) -> None:
    token = "7000000009:AAbcdefghijklmnopqrstuvwxyz012345"
    env = {"TELEGRAM_BOT_TOKEN": token, "LULL_WEBHOOK_SECRET": "s", "TELEGRAM_API_URL": real.telegram.url}
    command = [sys.executable, "-m", "local.poller", "--agent", "lull", "--webhook", "http://127.0.0.1:1"]
    ended = await asyncio.to_thread(
        subprocess.run, command, cwd=ROOT, env={**os.environ, **env}, capture_output=True, text=True
    )
    assert ended.returncode == EX_CONFIG
    assert "does not know the bot token of lull" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert token not in ended.stdout + ended.stderr


def test_what_has_to_be_in_the_environment_is_told_without_a_traceback() -> None:
    command = [sys.executable, "-m", "local.poller", "--agent", "lull", "--webhook", "http://127.0.0.1:1"]
    env = {"PATH": os.environ["PATH"], "TELEGRAM_BOT_TOKEN": TOKEN}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].startswith("python -m local.poller: error: set LULL_WEBHOOK_SECRET in the")
    assert "Traceback" not in done.stderr
