"""The tick function through functions-framework, as Cloud Tasks calls it."""

import asyncio
import json
from datetime import UTC, datetime

import httpx

from shared.values.chat_key import ChatKey
from shared.values.wake import Wake, WakeReason
from tests.shared.wiring.program import TICK, run_alone
from tests.stories.play import Sandbox


async def post(sandbox: Sandbox, body: bytes) -> int:
    async with httpx.AsyncClient(timeout=60) as client:
        return (await client.post(sandbox.cloud.tick_url, content=body)).status_code


def wake(key: ChatKey) -> bytes:
    moment = datetime.now(UTC)
    return Wake(key=key, reason=WakeReason.NOW, at=moment, of="0").to_json().encode()


async def test_a_body_that_is_no_wake_is_refused(sandbox: Sandbox) -> None:
    assert await post(sandbox, b"{}") == 400


async def test_a_wake_for_nothing_is_done(sandbox: Sandbox) -> None:
    assert await post(sandbox, wake(ChatKey(agent="lull", chat_id=810001))) == 200


async def test_a_wake_for_an_agent_that_is_gone_is_done(sandbox: Sandbox) -> None:
    assert await post(sandbox, wake(ChatKey(agent="gone", chat_id=810002))) == 200


async def test_ticks_that_come_at_once_answer_once(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will({"tasks": {"tasks": [{"kind": "send", "text": "Once."}]}, "times": 5, "delay_s": 0.5})
    await chat.writes(ann, "call me five times")
    assert set(await asyncio.gather(*(post(sandbox, wake(chat.chat_key)) for _ in range(5)))) == {200}
    await chat.rests()
    assert [m["text"] for m in await chat.said()] == ["Once."]


async def test_no_job_registers_bots_here(sandbox: Sandbox) -> None:
    # everyone who may enqueue ticks can call this function, so it takes no request that says where updates go
    for body in ({"job": "register"}, {"job": "register", "webhook_url": "https://evil.example"}, {"job": "canary"}):
        assert await post(sandbox, json.dumps(body).encode()) == 400


async def test_the_order_to_be_warm_is_done_as_it_is_spelled_and_no_other(sandbox: Sandbox) -> None:
    assert await post(sandbox, b'{"job": "warm"}') == 200
    assert await post(sandbox, b'{"job": "warm", "more": 1}') == 400


async def test_a_moment_is_rehearsed_for_the_console(sandbox: Sandbox) -> None:
    order = {"job": "rehearse", "agent": "lull", "conversation": "conv-none", "asked": [1], "owner": 7}
    async with httpx.AsyncClient(timeout=60) as client:
        answer = await client.post(sandbox.cloud.tick_url, json=order)
    assert (answer.status_code, answer.json()["problem"]) == (200, "unknown_moment")
    assert await post(sandbox, json.dumps({**order, "more": 1}).encode()) == 400


def test_the_start_leaves_the_models_client_for_later_and_garbage_is_collected_again() -> None:
    seen = "print(gc.isenabled(), gc.get_freeze_count() > 0, 'google.genai' in sys.modules)"
    done = run_alone(f"import gc, sys, functions.tick.main; {seen}", TICK)
    assert (done.stdout, done.stderr) == ("True True False\n", "")
