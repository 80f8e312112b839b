"""Answering: the tasks that a new plan replaces, the messages that it must answer, and the tasks that continue."""

import pytest

from shared.tasks.plan import TaskState
from shared.values.message import Event
from tests.shared.own_words import STOPPED
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.scenes import assert_at_rest


async def test_who_was_waiting_for_a_replaced_plan_is_answered_by_the_next(group: ChatHarness) -> None:
    mention = f"@{group.backend.username}"
    await group.fault(kind="429", method="sendMessage", retry_after=30, times=1)
    await group.will_plan({"kind": "send", "text": "To the first."})
    await group.will_plan({"kind": "send", "text": "To both."})
    update_ids = await group.writes(f"{mention} one?")
    first = group.message_id
    while (await group.document()).due_at is None:
        await group.next_tick()
    update_ids += await group.writes(f"{mention} two?", **{"from": group.others[0]})
    await group.rests()
    assert await group.said() == ["To both."]
    assert (await group.plan()).answers == (first, group.message_id)
    assert f"messages {first}, {group.message_id}" in (await group.asked())[-1]
    await assert_at_rest(group, update_ids)


async def test_a_stopped_plan_is_told_in_the_conversation(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "wait", "seconds": 60}, {"kind": "send", "text": "Late."})
    update_ids = await harness.writes("hi")
    first = harness.message_id
    await harness.next_tick()
    update_ids += await harness.writes("/stop")
    await harness.rests()
    assert await harness.said() == [STOPPED]
    event, gone = (Event.model_validate(e) for e in await harness.transcript() if e["type"] == "event")
    assert event.note == f"the answer to message {first} was stopped before it was whole"
    assert gone.note.endswith('was taken back: "Late."')
    plan = await harness.plan()
    assert [t.state for t in plan.tasks] == [TaskState.DONE, TaskState.CANCELLED, TaskState.CANCELLED]
    await assert_at_rest(harness, update_ids)


@pytest.mark.parametrize("command", ["/stop", "/new", "/mute 1h"])
async def test_what_lull_itself_has_to_say_is_not_stopped(harness: ChatHarness, command: str) -> None:
    await harness.fault(kind="429", method="sendMessage", retry_after=30, times=1)
    update_ids = await harness.writes("/model scripted-lite")
    await harness.next_tick()
    assert await harness.said() == []
    update_ids += await harness.writes(command)
    await harness.rests()
    chosen, answer = await harness.said()
    assert "scripted-lite" in chosen
    assert answer != STOPPED, "nothing was stopped"
    assert "event" not in [entry["type"] for entry in await harness.transcript()]
    assert await harness.incidents() == []


async def test_who_removes_the_agent_is_told_nothing_more(harness: ChatHarness) -> None:
    await harness.fault(kind="429", method="sendMessage", retry_after=30, times=1)
    await harness.writes("/model scripted-lite")
    await harness.next_tick()
    (
        await harness.backend.telegram.post(f"/world/chats/{harness.chat}/block", json={"blocked": True})
    ).raise_for_status()
    await harness.arrive()
    await harness.rests()
    assert [task.state for task in (await harness.plan()).tasks] == [TaskState.CANCELLED]


REMINDER = (
    {"kind": "send", "text": "I will."},
    {"kind": "wait", "seconds": 3600},
    {"kind": "send", "text": "Tea!"},
)


async def test_thanks_does_not_take_a_reminder_with_it(harness: ChatHarness) -> None:
    await harness.will_plan(*REMINDER)
    await harness.will_plan({"kind": "send", "text": "You are welcome."})
    update_ids = await harness.writes("remind me in an hour")
    await harness.next_tick()
    update_ids += await harness.writes("thanks")
    await harness.rests()
    assert await harness.said() == ["I will.", "You are welcome.", "Tea!"]
    held = '{"kind": "send", "text": "I will."}, {"kind": "wait", "seconds": 3600}, {"kind": "send", "text": "Tea!"}'
    assert held in (await harness.asked())[1], "the model is shown the wait that belongs to its promise"
    assert (
        "Promised before, and it stays beside your new plan; do not plan it again: k1: wait"
        in (await harness.asked())[1]
    )
    await harness.will_plan({"kind": "send", "text": "Yes."})
    update_ids += await harness.writes("was it sent?")
    await harness.rests()
    told = (await harness.asked())[2]
    assert told.count("Tea!") == 2, "once as planned, once as sent"
    assert told.count('"kind": "wait"') == 1
    await assert_at_rest(harness, update_ids)


async def test_a_question_of_another_leaves_what_somebody_was_promised(group: ChatHarness) -> None:
    mention = f"@{group.backend.username}"
    await group.will_plan({**REMINDER[1], "seconds": 30}, REMINDER[2])
    await group.will_plan({"kind": "send", "text": "To the second."})
    update_ids = await group.writes(f"{mention} remind me in a while")
    while (await group.document()).due_at is None:
        await group.next_tick()
    update_ids += await group.writes(f"{mention} two?", **{"from": group.others[0]})
    second = group.message_id
    await group.rests()
    assert await group.said() == ["To the second.", "Tea!"]
    plan = await group.plan()
    assert plan.answers == (second,), "the first is not answered twice"
    assert [d.state.value for t in plan.tasks for d in t.deliveries] == ["confirmed", "confirmed"]
    past = await group.backend.chats.client.collection(f"plans/{group.key.id}/past").get()
    assert [t["state"] for p in past for t in (p.to_dict() or {})["tasks"]] == []
    await assert_at_rest(group, update_ids)


async def test_stop_in_a_group_ends_what_its_author_was_promised_and_no_more(group: ChatHarness) -> None:
    mention = f"@{group.backend.username}"
    await group.will_plan(*REMINDER)
    await group.will_plan({"kind": "send", "text": "And I will."}, REMINDER[1], {"kind": "send", "text": "Coffee!"})
    await group.writes(f"{mention} remind me")
    while (await group.document()).due_at is None:
        await group.next_tick()
    await group.writes(f"{mention} and me", **{"from": group.others[0]})
    while len(await group.said()) < 2:
        await group.next_tick()
    await group.writes(f"/stop@{group.backend.username}", **{"from": group.others[0]})
    await group.rests()
    assert await group.said() == ["I will.", "And I will.", STOPPED, "Tea!"]
    notes = [e["note"] for e in await group.transcript() if e["type"] == "event" and e["kind"] == "promise_gone"]
    assert [note.endswith('was taken back: "Coffee!"') for note in notes] == [True]


async def test_what_cannot_be_sent_of_one_plan_takes_no_promise_of_another_with_it(harness: ChatHarness) -> None:
    await harness.will_plan(*REMINDER)
    await harness.will_plan({"kind": "send", "text": "Lost."})
    await harness.writes("remind me in an hour")
    await harness.next_tick()
    await harness.fault(kind="500", method="sendMessage", times=3)
    await harness.writes("another thing")
    await harness.rests()
    assert [text for text in await harness.said() if text in {"Lost.", "Tea!"}] == ["Tea!"]
