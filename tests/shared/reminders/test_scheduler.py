"""Tests of scheduling: stored once with the plan, armed, and confirmed."""

from datetime import timedelta

import pytest

from shared.reminders.scheduler import TOO_MANY, is_same
from shared.reminders.store import encode_reminder
from shared.reminders.tasks.remind import Remind
from shared.tasks.graph import without_cancelled
from shared.tasks.plan import Plan, PlannedTask, TaskState
from shared.values.evolve import evolve
from shared.values.reminder import MOST_OPEN, Occurrence, OccurrenceState, Reminder, ReminderRef, reminder_id
from shared.values.update import Json
from shared.values.wake import WakeReason
from tests.shared.examples import NOW, plan_of, send
from tests.shared.fixtures import OpenHarness
from tests.shared.kept_reminders import due_in, kept
from tests.shared.reminding import reminder
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.watched import Killed

TEA: Json = {"kind": "schedule", "text": "Time for tea!", "after": "10 minutes"}


async def test_stores_the_reminder_and_confirms_it(group: ChatHarness) -> None:
    await group.will_plan(TEA, {"kind": "send", "text": "See you then."})
    (update_id,) = await group.writes(f"@{group.backend.username} tea in ten minutes", **{"from": group.others[0]})
    await due_in(group, timedelta(minutes=5))
    (one,) = await kept(group)
    assert (one.person, one.chat, one.text, one.rule) == (group.others[0], group.key.id, "Time for tea!", "")
    plan = await group.plan()
    assert one.id == reminder_id(plan.id, "1")
    confirmed, said = await group.messages()
    assert confirmed["text"].startswith("⏰")
    assert confirmed["reply_to"] == group.message_id
    assert [row[0]["text"] for row in confirmed["buttons"]] == ["Cancel"]
    assert said["text"] == "See you then."
    (armed,) = await group.queue.wakes()
    assert (armed.reason, armed.at) == (WakeReason.REMIND, one.next_at)
    assert update_id


async def test_the_same_request_twice_is_one_reminder(harness: ChatHarness) -> None:
    await harness.will_plan(TEA, {**TEA, "text": "time for tea"}, {**TEA, "text": "Time for coffee!"})
    await harness.writes("remind me of tea, of tea again, and of coffee")
    await due_in(harness, timedelta(minutes=5))
    assert sorted(one.text for one in await kept(harness)) == ["Time for coffee!", "Time for tea!"]
    assert [said.partition(": ")[2] for said in await harness.said()] == [
        "Time for tea!", "Time for tea!", "Time for coffee!",
    ]  # fmt: skip


async def test_a_repeated_request_shows_the_stored_reminder_even_at_the_limit(harness: ChatHarness) -> None:
    weekly: Json = {"kind": "schedule", "text": "Water the plants", "every": "monday at 9"}
    await harness.will_plan(weekly)
    await harness.writes("the plants, each monday at nine")
    await due_in(harness, timedelta(minutes=5))
    client = harness.backend.chats.client
    for number in range(MOST_OPEN - 1):
        one = reminder(id=reminder_id(harness.key.id, str(number)), chat="elsewhere", person=harness.person)
        await client.document(f"events/{one.id}").set(encode_reminder(one))
    await harness.will_plan({**weekly, "text": "water the plants."})
    await harness.writes("did I say: the plants, each monday at nine?")
    await due_in(harness, timedelta(minutes=5))
    first, again = await harness.said()
    assert (again, "I don't know your time zone" in again) == (first.partition("\n")[0], False), "it was asked before"
    assert len(await kept(harness)) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"person": 9}, {"text": "Water the plant"}, {"rule": "FREQ=DAILY"}, {"zone": "Asia/Tokyo"}, {"thread": 7},
        {"next_at": NOW + timedelta(minutes=6)}, {"next_at": None}, {"text": "", "instruction": "Water the plants"},
    ],
)  # fmt: skip
def test_any_difference_makes_another_reminder(other: Json) -> None:
    one = reminder(id="a" * 12, text="Water the plants", next_at=NOW + timedelta(minutes=5))
    assert is_same(one, evolve(one, id="b" * 12, text="water  the plants!"))
    assert not is_same(one.model_copy(update=other), one)


async def test_there_is_a_limit_for_each_person(harness: ChatHarness) -> None:
    client = harness.backend.chats.client
    for number in range(MOST_OPEN - 1):
        one = reminder(id=reminder_id(harness.key.id, str(number)), chat="elsewhere", person=harness.person)
        await client.document(f"events/{one.id}").set(encode_reminder(one))
    await harness.will_plan(TEA, {**TEA, "text": "Or for coffee!"}, *({**TEA, "text": f"Or {n}!"} for n in range(8)))
    await harness.writes("remind me of tea and of coffee")
    await due_in(harness, timedelta(minutes=5))
    assert [one.text for one in await kept(harness)] == ["Time for tea!"]
    confirmed, refused = await harness.said()
    assert confirmed.startswith("⏰")
    assert refused.startswith(f"You have {MOST_OPEN} open reminders")
    await harness.will_plan({"kind": "send", "text": "The second is not set."})
    await harness.writes("are both set?")
    await due_in(harness, timedelta(minutes=1))
    prompt = (await harness.asked())[-1]
    assert ("Time for tea!" in prompt, "Or for coffee!" in prompt) == (True, False), (
        "what was refused is not shown as done"
    )
    assert prompt.count(f"your `schedule` was not done: {TOO_MANY}") == 1


def test_cancelling_stops_only_that_reminder_of_a_plan() -> None:
    def says(one: Reminder) -> PlannedTask:
        said = ReminderRef(id=one.id, person=one.person, due_at=NOW)
        return PlannedTask(task=Remind(id=one.id, text=one.text, reminder=said), is_own=True)

    ended = Occurrence(due_at=NOW, state=OccurrenceState.CANCELLED, at=NOW)
    gone, stays, other = (reminder(id=name * 12, last=last) for name, last in (("a", ended), ("b", None), ("c", None)))
    sent = evolve(says(gone), state=TaskState.DONE)
    plan = Plan(id="p1", created_at=NOW, tasks=(says(gone), says(stays), says(other), plan_of(send("1")).tasks[0]))
    left = without_cancelled(plan, [gone, stays])
    assert left is not None
    assert [one.state for one in left.tasks] == [TaskState.CANCELLED, *[TaskState.PLANNED] * 3]
    was_sent = evolve(plan, tasks=(sent,))
    assert without_cancelled(was_sent, [gone]) == was_sent
    assert without_cancelled(None, [gone]) is None


async def test_a_tick_killed_at_any_step_stores_it_once(open_harness: OpenHarness) -> None:
    steps, at = 1, 0
    while at < steps:
        harness = await open_harness()
        await harness.will_plan(TEA, times=None)

        async def die() -> None:
            raise Killed

        harness.steps.at, harness.steps.happens = at, die if at else None
        await harness.writes("remind me in 10 minutes")
        await due_in(harness, timedelta(minutes=5))
        steps = steps if at else len(harness.steps.taken)
        assert len(await kept(harness)) == 1, at
        (one,) = await kept(harness)
        assert one.next_at in {wake.at for wake in await harness.queue.wakes()}, at
        said = await harness.said()
        assert len(said) <= 1, at
        assert said or len(await harness.incidents()) == 1, at
        at += 1
    assert steps >= 8


@pytest.mark.parametrize("words", ["", "  "])
async def test_asks_the_model_for_missing_words(harness: ChatHarness, words: str) -> None:
    await harness.will_plan({"kind": "schedule", "text": words, "after": "10 minutes"})
    await harness.will_plan(TEA)
    await harness.writes("remind me")
    await due_in(harness, timedelta(minutes=5))
    assert len(await kept(harness)) == 1
    assert len(await harness.asked()) == 2
