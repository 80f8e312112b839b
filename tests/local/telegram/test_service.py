from datetime import timedelta

import pytest
from telegram.error import NetworkError, RetryAfter, TelegramError

from tests.local.telegram.scene import Json, Scene


async def fault(sandbox: Scene, kind: str, **more: object) -> None:
    await sandbox.act("POST", "/world/faults", {"method": "sendMessage", "kind": kind} | more)


async def texts(sandbox: Scene) -> list[str]:
    messages: list[Json] = (await sandbox.act("GET", f"/world/chats/{sandbox.private}/messages"))["messages"]
    return [message["text"] for message in messages]


@pytest.fixture(autouse=True)
def _durations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


async def test_too_many_requests_on_demand(sandbox: Scene) -> None:
    await fault(sandbox, "429", retry_after=7, times=2)
    for _ in range(2):
        with pytest.raises(RetryAfter) as refused:
            await sandbox.bot.send_message(sandbox.ann, "x")
        assert refused.value.retry_after == timedelta(seconds=7)
    await sandbox.bot.send_message(sandbox.ann, "y")
    assert await texts(sandbox) == ["y"]


@pytest.mark.parametrize(("kind", "description"), [("500", "Internal Server Error"), ("502", "Bad Gateway")])
async def test_server_errors_on_demand(sandbox: Scene, kind: str, description: str) -> None:
    await fault(sandbox, kind)
    assert await sandbox.error("sendMessage", chat_id=sandbox.ann, text="x") == (int(kind), description)
    await fault(sandbox, kind)
    with pytest.raises(TelegramError):
        await sandbox.bot.send_message(sandbox.ann, "x")
    assert await texts(sandbox) == []


@pytest.mark.parametrize(("kind", "left"), [("cut_before", []), ("cut_after", ["x"])])
async def test_a_connection_cut_before_or_after_the_effect(sandbox: Scene, kind: str, left: list[str]) -> None:
    await fault(sandbox, kind)
    with pytest.raises(NetworkError, match="disconnected without sending a response"):
        await sandbox.bot.send_message(sandbox.ann, "x")
    assert await texts(sandbox) == left
    await sandbox.bot.send_message(sandbox.ann, "again")


async def test_a_slow_answer_comes_all_the_same(sandbox: Scene) -> None:
    await fault(sandbox, "slow", seconds=0.01)
    assert (await sandbox.bot.send_message(sandbox.ann, "x")).text == "x"


async def test_a_fault_may_be_meant_for_one_chat(sandbox: Scene) -> None:
    group = await sandbox.group()
    await fault(sandbox, "500", chat_id=group["id"])
    await sandbox.bot.send_message(sandbox.ann, "x")
    assert (await sandbox.error("sendMessage", chat_id=group["id"], text="x"))[0] == 500


async def test_faults_can_be_called_off(sandbox: Scene) -> None:
    await fault(sandbox, "500", times=9)
    await sandbox.act("DELETE", "/world/faults")
    await sandbox.bot.send_message(sandbox.ann, "x")


async def test_every_call_is_remembered_with_sizes_for_files(sandbox: Scene) -> None:
    await sandbox.error("sendMessage", chat_id=5, text="x")
    await sandbox.bot.send_document(sandbox.ann, b"12345", filename="a.zip")
    await fault(sandbox, "cut_before")
    with pytest.raises(NetworkError):
        await sandbox.bot.send_message(sandbox.ann, "x")
    calls = (await sandbox.act("GET", "/world/calls"))["calls"]
    refused, document, cut = calls[-3:]
    assert refused["description"] == "Bad Request: chat not found"
    assert (refused["method"], refused["status"], refused["ok"]) == ("sendMessage", 400, False)
    assert (document["method"], document["ok"]) == ("sendDocument", True)
    assert 5 in document["params"].values()
    assert (cut["status"], cut["ok"]) == (0, False)
    assert all(call["bot_id"] == sandbox.marvin for call in calls)
    after = (await sandbox.act("GET", f"/world/calls?after={document['n']}"))["calls"]
    assert after == [cut]


async def test_a_refusal_on_demand_in_telegrams_words(sandbox: Scene) -> None:
    await fault(sandbox, "400", why="not enough rights to send stickers to the chat")
    refused = (400, "Bad Request: not enough rights to send stickers to the chat")
    assert await sandbox.error("sendMessage", chat_id=sandbox.ann, text="x") == refused
    assert await texts(sandbox) == []
