import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.local.telegram.scene import Json, Scene


@asynccontextmanager
async def following(stage: Scene, **request: object) -> AsyncIterator[AsyncIterator[Json]]:
    """The events of the stream, each with the id that it was sent under."""
    async with stage.http.stream("GET", "/world/events", **request) as response:  # type: ignore[arg-type]
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


async def test_events_come_as_they_happen(stage: Scene) -> None:
    async with following(stage) as events:
        await stage.say(stage.private, stage.ann, "hi")
        event = await anext(events)
    assert (event["type"], event["message"]["text"]) == ("message", "hi")


async def test_events_are_replayed_after_a_number(stage: Scene) -> None:
    for text in ("a", "b"):
        await stage.say(stage.private, stage.ann, text)
    seq = stage.telegram.world.events.seq
    async with following(stage, params={"after": str(seq - 1)}) as events:
        assert (await anext(events))["message"]["text"] == "b"
    async with following(stage, params={"after": "0"}, headers={"Last-Event-ID": str(seq - 2)}) as events:
        assert (await anext(events))["message"]["text"] == "a"
    async with following(stage, params={"after": "999"}) as events:
        assert (await anext(events))["type"] == "reset"


async def test_a_number_is_needed(stage: Scene) -> None:
    assert "number" in await stage.refused("GET", "/world/events?after=x")


async def test_a_raw_update_is_queued_as_it_is(stage: Scene) -> None:
    raw = {"update_id": 900_000_000, "telepathy": {"chat": {"id": stage.ann}, "thought": "x"}}
    path = f"/world/bots/{stage.marvin}/updates"
    assert await stage.act("POST", path, {"update": raw}) == {"update_id": 900_000_000}
    assert (await stage.raw_call("getUpdates"))["result"] == [raw]
    assert await stage.act("POST", path, {"update": {"poll": {}}}) == {"update_id": 900_000_001}
    assert "positive" in await stage.refused("POST", path, {"update": {"update_id": "x"}})
    assert "no bot 5" in await stage.refused("POST", "/world/bots/5/updates", {"update": {}})


async def test_the_queue_shows_what_waits_where(stage: Scene) -> None:
    group = await stage.group()
    await stage.updates()
    for text in ("/a", "/b"):
        await stage.say(group["key"], stage.ann, text)
    await stage.say(stage.private, stage.ann, "c")
    queue = await stage.act("GET", f"/world/bots/{stage.marvin}/queue")
    assert queue["pending"] == 3
    assert {lane["chat"]: len(lane["updates"]) for lane in queue["queues"]} == {group["key"]: 2, stage.private: 1}
    assert all((lane["tries"], lane["last_error"]) == (0, None) for lane in queue["queues"])


async def test_faults_are_asked_for_in_a_known_form(stage: Scene) -> None:
    assert "kind" in await stage.refused("POST", "/world/faults", {"method": "*", "kind": "earthquake"})
