"""Answering: what a new plan replaces, what it has to answer, and what goes on whatever is planned."""

import pytest

from shared.commands.stop import STOPPED
from shared.models.message import Event
from shared.tasks.plan import TaskState
from tests.shared.flows.room import Room
from tests.shared.flows.scenes import assert_at_rest


async def test_who_was_waiting_for_a_replaced_plan_is_answered_by_the_next(group: Room) -> None:
    mention = f"@{group.house.username}"
    await group.will_plan({"kind": "wait", "seconds": 60}, {"kind": "send", "text": "To the first."})
    await group.will_plan({"kind": "send", "text": "To both."})
    update_ids = await group.writes(f"{mention} one?")
    first = group.message_id
    while (await group.document()).due_at is None:
        await group.next_tick()
    update_ids += await group.writes(f"{mention} two?", **{"from": group.others[0]})
    await group.rests()
    assert await group.said() == ["To both."]
    assert (await group.plan()).answers == (first, group.message_id)
    assert f"message {first}, {group.message_id}" in (await group.asked())[-1]
    await assert_at_rest(group, update_ids)


async def test_a_stopped_plan_is_told_in_the_conversation(here: Room) -> None:
    await here.will_plan({"kind": "wait", "seconds": 60}, {"kind": "send", "text": "Late."})
    update_ids = await here.writes("hi")
    first = here.message_id
    await here.next_tick()
    update_ids += await here.writes("/stop")
    await here.rests()
    assert await here.said() == [STOPPED]
    (event,) = (Event.model_validate(e) for e in await here.transcript() if e["type"] == "event")
    assert event.note == f"the answer to message {first} was stopped before it was whole"
    plan = await here.plan()
    assert [t.state for t in plan.tasks] == [TaskState.DONE, TaskState.CANCELLED, TaskState.CANCELLED]
    await assert_at_rest(here, update_ids)


@pytest.mark.parametrize("command", ["/stop", "/new", "/mute 1h"])
async def test_what_lull_itself_has_to_say_is_not_stopped(here: Room, command: str) -> None:
    await here.fault(kind="429", method="sendMessage", retry_after=30, times=1)
    update_ids = await here.writes("/model scripted-lite")
    await here.next_tick()
    assert await here.said() == []
    update_ids += await here.writes(command)
    await here.rests()
    chosen, answer = await here.said()
    assert "scripted-lite" in chosen
    assert answer != STOPPED, "nothing was stopped"
    assert "event" not in [entry["type"] for entry in await here.transcript()]
    assert await here.incidents() == []


async def test_who_removes_the_agent_is_told_nothing_more(here: Room) -> None:
    await here.fault(kind="429", method="sendMessage", retry_after=30, times=1)
    await here.writes("/model scripted-lite")
    await here.next_tick()
    (await here.house.telegram.post(f"/world/chats/{here.chat}/block", json={"blocked": True})).raise_for_status()
    await here.arrive()
    await here.rests()
    assert [task.state for task in (await here.plan()).tasks] == [TaskState.CANCELLED]
