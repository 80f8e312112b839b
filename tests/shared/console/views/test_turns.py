"""Turns of many conversations, read from documents as ticks write them."""

from datetime import timedelta
from typing import Any

import pytest

from shared.console.route import BadRequest, ConsoleRequest
from shared.console.views.turns import list_turns
from tests.shared.console.views.test_why import services_of
from tests.shared.turn.harness import ChatHarness

Json = dict[str, Any]


async def turns(harness: ChatHarness, agents: tuple[str, ...] = ("lull",), **query: str) -> list[Json]:
    """Return the turns of the harness's own conversation: other tests talk to the same agent."""
    request = ConsoleRequest(owner=harness.person, agents=agents, body=query)
    found, own = await list_turns(services_of(harness), request), (await harness.document()).conversation
    return [dict(one) for one in found["items"] if one["conversation"] == own]


async def talk(harness: ChatHarness) -> None:
    """Have a turn that is answered, and one whose answer Telegram refuses."""
    await harness.will_plan({"kind": "send", "text": "Noon."})
    await harness.writes("when do we eat?")
    await harness.rests()
    harness.clock.now += timedelta(minutes=1)
    await harness.fault(method="sendMessage", kind="400", why="Bad Request: message is too long", times=1)
    await harness.will_plan({"kind": "send", "text": "Soup."})
    await harness.writes("what do we eat?")
    await harness.rests()


async def test_turns_tell_what_was_decided_and_what_came_of_it(harness: ChatHarness) -> None:
    await talk(harness)
    newest, first = await turns(harness)
    assert (first["text"], first["answer"], first["responds"]) == ("when do we eat?", "Noon.", True)
    assert (first["tier"], first["reason"], first["problems"]) == ("chat", "private chat", [])
    assert first["models"] == ["scripted"]
    assert first["answer_s"] >= 0
    assert newest["text"] == "what do we eat?"
    assert newest["problems"]


async def test_a_choice_leaves_out_the_others(harness: ChatHarness) -> None:
    await talk(harness)
    assert [one["text"] for one in await turns(harness, kind="failed")] == ["what do we eat?"]
    assert await turns(harness, kind="silent") == []
    assert await turns(harness, kind="tools") == []
    assert len(await turns(harness, kind="answered", reason="private chat", tier="chat")) == 2
    assert await turns(harness, reason="not addressed") == []
    assert await turns(harness, agents=("moss",)) == []
    with pytest.raises(BadRequest):
        await turns(harness, kind="odd")


async def test_a_silence_is_a_turn(group: ChatHarness) -> None:
    await group.writes("anybody for tea?")
    await group.rests()
    (found,) = await turns(group, kind="silent")
    assert (found["text"], found["responds"], found["is_answered"]) == ("anybody for tea?", False, False)
    assert found["answer_s"] is None
