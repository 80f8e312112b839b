import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.local.telegram.scene import Json, Scene


@asynccontextmanager
async def following(sandbox: Scene, **request: object) -> AsyncIterator[AsyncIterator[Json]]:
    """Give the events of the stream, each with its id."""
    async with sandbox.http.stream("GET", "/world/events", **request) as response:  # type: ignore[arg-type]
        assert response.headers["content-type"].startswith("text/event-stream")
        yield _events(response.aiter_lines())


async def _events(lines: AsyncIterator[str]) -> AsyncIterator[Json]:
    seq = 0
    async for line in lines:
        if line.startswith("id: "):
            seq = int(line.removeprefix("id: "))
        if line.startswith("data: "):
            event = json.loads(line.removeprefix("data: "))
            assert event["seq"] == seq
            yield event


async def test_events_come_as_they_happen(sandbox: Scene) -> None:
    async with following(sandbox) as events:
        await sandbox.say(sandbox.private, sandbox.ann, "hi")
        event = await anext(events)
    assert (event["type"], event["message"]["text"]) == ("message", "hi")


async def test_events_are_replayed_after_a_number(sandbox: Scene) -> None:
    for text in ("a", "b"):
        await sandbox.say(sandbox.private, sandbox.ann, text)
    seq = sandbox.telegram.world.events.seq
    async with following(sandbox, params={"after": str(seq - 1)}) as events:
        assert (await anext(events))["message"]["text"] == "b"
    async with following(sandbox, params={"after": "0"}, headers={"Last-Event-ID": str(seq - 2)}) as events:
        assert (await anext(events))["message"]["text"] == "a"
    async with following(sandbox, params={"after": "999"}) as events:
        assert (await anext(events))["type"] == "reset"


async def test_a_number_is_needed(sandbox: Scene) -> None:
    assert "number" in await sandbox.refused("GET", "/world/events?after=x")


async def test_a_raw_update_is_queued_as_it_is(sandbox: Scene) -> None:
    raw = {"update_id": 900_000_000, "telepathy": {"chat": {"id": sandbox.ann}, "thought": "x"}}
    path = f"/world/bots/{sandbox.marvin}/updates"
    assert await sandbox.act("POST", path, {"update": raw}) == {"update_id": 900_000_000}
    assert (await sandbox.raw_call("getUpdates"))["result"] == [raw]
    assert await sandbox.act("POST", path, {"update": {"poll": {}}}) == {"update_id": 900_000_001}
    assert "positive" in await sandbox.refused("POST", path, {"update": {"update_id": "x"}})
    assert "no bot 5" in await sandbox.refused("POST", "/world/bots/5/updates", {"update": {}})


async def test_the_queue_shows_what_waits_where(sandbox: Scene) -> None:
    group = await sandbox.group()
    await sandbox.updates()
    for text in ("/a", "/b"):
        await sandbox.say(group["key"], sandbox.ann, text)
    await sandbox.say(sandbox.private, sandbox.ann, "c")
    queue = await sandbox.act("GET", f"/world/bots/{sandbox.marvin}/queue")
    assert queue["pending"] == 3
    assert {lane["chat"]: len(lane["updates"]) for lane in queue["queues"]} == {group["key"]: 2, sandbox.private: 1}
    assert all((lane["tries"], lane["last_error"]) == (0, None) for lane in queue["queues"])


async def test_faults_are_asked_for_in_a_known_form(sandbox: Scene) -> None:
    assert "kind" in await sandbox.refused("POST", "/world/faults", {"method": "*", "kind": "earthquake"})
