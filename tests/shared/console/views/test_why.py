"""Why a message was answered or not, read from documents as ticks write them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from shared.chat.store import paths
from shared.chat.store.transcripts import TICK
from shared.console.route import BadRequest, ConsoleRequest, NotFound
from shared.console.services import ConsoleServices
from shared.console.views.why import read_turn
from tests.shared.turn.harness import ChatHarness

Json = dict[str, Any]


def services_of(harness: ChatHarness) -> ConsoleServices:
    client = harness.backend.chats.client
    return ConsoleServices(client=client, project="any", clock=harness.clock, jobs=harness.queue.jobs())


async def why(harness: ChatHarness, seq: int, conversation: str = "", agents: tuple[str, ...] = ("lull",)) -> Json:
    path = {"conversation": conversation or (await harness.document()).conversation, "seq": str(seq)}
    request = ConsoleRequest(owner=harness.person, agents=agents, path=path)
    return dict(await read_turn(services_of(harness), request))


def events(found: Json, kind: str) -> list[Json]:
    return [event for event in found["events"] if event["kind"] == kind]


async def seq_of(harness: ChatHarness, text: str) -> int:
    return next(int(entry["seq"]) for entry in await harness.transcript() if entry.get("text") == text)


async def test_an_answer_tells_its_whole_way(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Noon."})
    (update,) = await harness.writes("when do we eat?")
    stored = harness.clock.now
    await harness.rests()
    found = await why(harness, await seq_of(harness, "Noon."))
    assert [one["text"] for one in found["asked"]] == ["when do we eat?"]
    assert [one["text"] for one in found["said"]] == ["Noon."]
    kinds = [event["kind"] for event in found["events"]]
    assert kinds == ["update", "wake", "claim", "decision", "prompt", "call", "plan", "delivery"]
    assert events(found, "update")[0] | {"at": stored.isoformat(), "updates": [update]} == events(found, "update")[0]
    assert events(found, "wake")[0]["reason"] == "soon"
    assert events(found, "claim")[0]["at"] >= stored.isoformat()
    (decision,) = events(found, "decision")
    assert (decision["responds"], decision["tier"], decision["reason"]) == (True, "chat", "private chat")
    (prompt,) = events(found, "prompt")
    assert (prompt["model"], prompt["format"], prompt["messages_shown"]) == ("scripted", "meta", 1)
    assert prompt["layers"]["system"] > 0
    (delivery,) = events(found, "delivery")
    assert (delivery["state"], delivery["method"], delivery["seq"]) == ("confirmed", "sendMessage", found["seq"])
    assert [task["summary"] for task in found["plan"]["tasks"]] == ["Noon."]


async def test_an_answer_leads_to_its_logs(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Noon."})
    await harness.writes("when do we eat?")
    await harness.rests()
    services, seq = services_of(harness), await seq_of(harness, "Noon.")
    path = {"conversation": (await harness.document()).conversation, "seq": str(seq)}
    request = ConsoleRequest(owner=harness.person, agents=("lull",), path=path)
    found = await read_turn(services, request)
    assert f"traces%2F{found['trace']}" in found["logs"] if found["trace"] else found["logs"] == ""
    here = await read_turn(replace(services, is_local=True), request)
    assert (here["logs"], here["is_local"]) == ("", True)


async def test_every_turn_is_told_not_the_newest_alone(harness: ChatHarness) -> None:
    for number in range(3):
        await harness.will_plan({"kind": "send", "text": f"answer {number}"})
        await harness.writes(f"question {number}")
        await harness.rests()
        harness.clock.now += timedelta(minutes=1)
    plans = set()
    for number in range(3):
        asked = await why(harness, await seq_of(harness, f"question {number}"))
        said = await why(harness, await seq_of(harness, f"answer {number}"))
        assert [one["text"] for one in asked["said"]] == [f"answer {number}"]
        assert asked["plan"] == said["plan"]
        assert [one["state"] for one in events(asked, "delivery")] == ["confirmed"]
        plans.add(asked["plan"]["id"])
    assert len(plans) == 3


async def test_a_silence_tells_its_rule(group: ChatHarness) -> None:
    await group.writes("anybody for tea?")
    await group.rests()
    found = await why(group, await seq_of(group, "anybody for tea?"))
    assert (found["is_answered"], found["plan"], found["said"]) == (False, None, [])
    (decision,) = events(found, "decision")
    assert (decision["responds"], decision["tier"]) == (False, "none")
    assert [event["kind"] for event in found["events"]] == ["update", "wake", "claim", "decision"]


async def test_a_command_leads_to_its_answer(harness: ChatHarness) -> None:
    await harness.writes("/help")
    await harness.rests()
    (said,) = await harness.said()
    found = await why(harness, await seq_of(harness, "/help"))
    assert [one["text"] for one in found["said"]] == [said]
    assert events(found, "call") == []


async def test_a_refused_delivery_says_why(harness: ChatHarness) -> None:
    await harness.fault(method="sendMessage", kind="400", why="Bad Request: message is too long", times=1)
    await harness.will_plan({"kind": "send", "text": "Noon."})
    await harness.writes("when do we eat?")
    await harness.rests()
    found = await why(harness, await seq_of(harness, "when do we eat?"))
    first = events(found, "delivery")[0]
    assert first["state"] == "refused"
    assert first["why"]


async def test_turns_without_a_record_are_still_told(harness: ChatHarness) -> None:
    for number in range(2):
        await harness.will_plan({"kind": "send", "text": f"answer {number}"})
        await harness.writes(f"question {number}")
        await harness.rests()
    client, conversation = harness.backend.chats.client, (await harness.document()).conversation
    async for page in client.collection(paths.pages_path(conversation)).stream():
        kept = page.to_dict() or {}
        await page.reference.set({name: value for name, value in kept.items() if name != TICK})
    found = await why(harness, await seq_of(harness, "answer 0"))
    assert [event["kind"] for event in found["events"]] == ["update", "decision", "call", "sent"]
    assert [one["text"] for one in found["asked"]] == ["question 0"]
    newest = await why(harness, await seq_of(harness, "answer 1"))
    assert newest["plan"]["tasks"][0]["state"] == "done"


async def test_others_conversations_are_not_there(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Noon."})
    await harness.writes("when do we eat?")
    await harness.rests()
    with pytest.raises(NotFound):
        await why(harness, 1, agents=("other",))
    with pytest.raises(NotFound):
        await why(harness, 1, conversation="conv-none")
    with pytest.raises(NotFound):
        await why(harness, 99)
    with pytest.raises(BadRequest):
        await why(harness, -1)
