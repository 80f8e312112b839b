from datetime import timedelta

import pytest
from telegram.error import NetworkError, RetryAfter, TelegramError

from tests.local.telegram.scene import Json, Scene


async def fault(stage: Scene, kind: str, **more: object) -> None:
    await stage.act("POST", "/world/faults", {"method": "sendMessage", "kind": kind} | more)


async def texts(stage: Scene) -> list[str]:
    messages: list[Json] = (await stage.act("GET", f"/world/chats/{stage.private}/messages"))["messages"]
    return [message["text"] for message in messages]


@pytest.fixture(autouse=True)
def _durations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "true")


async def test_too_many_requests_on_demand(stage: Scene) -> None:
    await fault(stage, "429", retry_after=7, times=2)
    for _ in range(2):
        with pytest.raises(RetryAfter) as refused:
            await stage.bot.send_message(stage.ann, "x")
        assert refused.value.retry_after == timedelta(seconds=7)
    await stage.bot.send_message(stage.ann, "y")
    assert await texts(stage) == ["y"]


@pytest.mark.parametrize(("kind", "description"), [("500", "Internal Server Error"), ("502", "Bad Gateway")])
async def test_server_errors_on_demand(stage: Scene, kind: str, description: str) -> None:
    await fault(stage, kind)
    assert await stage.error("sendMessage", chat_id=stage.ann, text="x") == (int(kind), description)
    await fault(stage, kind)
    with pytest.raises(TelegramError):
        await stage.bot.send_message(stage.ann, "x")
    assert await texts(stage) == []


@pytest.mark.parametrize(("kind", "left"), [("cut_before", []), ("cut_after", ["x"])])
async def test_a_connection_cut_before_or_after_the_effect(stage: Scene, kind: str, left: list[str]) -> None:
    await fault(stage, kind)
    with pytest.raises(NetworkError, match="disconnected without sending a response"):
        await stage.bot.send_message(stage.ann, "x")
    assert await texts(stage) == left
    await stage.bot.send_message(stage.ann, "again")


async def test_a_slow_answer_comes_all_the_same(stage: Scene) -> None:
    await fault(stage, "slow", seconds=0.01)
    assert (await stage.bot.send_message(stage.ann, "x")).text == "x"


async def test_a_fault_may_be_meant_for_one_chat(stage: Scene) -> None:
    group = await stage.group()
    await fault(stage, "500", chat_id=group["id"])
    await stage.bot.send_message(stage.ann, "x")
    assert (await stage.error("sendMessage", chat_id=group["id"], text="x"))[0] == 500


async def test_faults_can_be_called_off(stage: Scene) -> None:
    await fault(stage, "500", times=9)
    await stage.act("DELETE", "/world/faults")
    await stage.bot.send_message(stage.ann, "x")


async def test_every_call_is_remembered_with_sizes_for_files(stage: Scene) -> None:
    await stage.error("sendMessage", chat_id=5, text="x")
    await stage.bot.send_document(stage.ann, b"12345", filename="a.zip")
    await fault(stage, "cut_before")
    with pytest.raises(NetworkError):
        await stage.bot.send_message(stage.ann, "x")
    calls = (await stage.act("GET", "/world/calls"))["calls"]
    refused, document, cut = calls[-3:]
    assert refused["description"] == "Bad Request: chat not found"
    assert (refused["method"], refused["status"], refused["ok"]) == ("sendMessage", 400, False)
    assert (document["method"], document["ok"]) == ("sendDocument", True)
    assert 5 in document["params"].values()
    assert (cut["status"], cut["ok"]) == (0, False)
    assert all(call["bot_id"] == stage.marvin for call in calls)
    after = (await stage.act("GET", f"/world/calls?after={document['n']}"))["calls"]
    assert after == [cut]


async def test_a_refusal_on_demand_in_telegrams_words(stage: Scene) -> None:
    await fault(stage, "400", why="not enough rights to send stickers to the chat")
    refused = (400, "Bad Request: not enough rights to send stickers to the chat")
    assert await stage.error("sendMessage", chat_id=stage.ann, text="x") == refused
    assert await texts(stage) == []
