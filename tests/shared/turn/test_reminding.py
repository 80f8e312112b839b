"""Due reminders: a text, an instruction, a recurrence; late, far away, in doubt."""

from datetime import timedelta
from typing import Any

import pytest

from shared.access.store.requests import FirestoreAccessRequests
from shared.chat.store.paths import chat_path
from shared.deciding.access_policy import BLOCKED, STRANGER
from shared.reminders.scheduler import HELD
from shared.turn.reminding import MOST_DUE
from shared.values.access_request import request_id
from shared.values.incident import IncidentKind
from shared.values.reminder import LONGEST_ARMED, OccurrenceState
from shared.values.trust import AdmittedPerson, BlockedPerson
from shared.values.wake import Wake, WakeReason
from tests.shared.doors import closed
from tests.shared.fixtures import OpenHarness
from tests.shared.kept_reminders import kept, kept_now, promised
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.harness import ChatHarness, HarnessBackend, make_harness
from tests.shared.turn.watched import Killed
from tests.stories.play import Model

OWNER = 7_000_000_009


async def test_an_instruction_is_answered_by_the_model(harness: ChatHarness) -> None:
    one = await promised(harness, text="", instruction="Say how warm it is.")
    await harness.will_plan({"kind": "send", "text": "It is 20 degrees."})
    await harness.rests()
    assert await harness.said() == ["It is 20 degrees."]
    (asked,) = await harness.asked()
    assert "[reminder: it is due now; do what it says] Say how warm it is." in asked
    after = await kept_now(harness, one)
    assert after.next_at is None
    assert after.last is not None
    assert after.last.state is OccurrenceState.SENT
    assert await harness.backend.chats.unread_count(harness.key) == 0


async def test_an_instruction_is_answered_late_when_the_model_was_down(harness: ChatHarness) -> None:
    one = await promised(harness, text="", instruction="Say how warm it is.")
    await harness.model.will({"status": 503, "times": 2, "match": f"chat_id={harness.key.chat_id} "})
    await harness.will_plan({"kind": "send", "text": "It is 20 degrees."})
    ran = await harness.rests()
    assert [wake.reason for wake in ran][-2:] == [WakeReason.RETRY] * 2
    assert await harness.said() == ["It is 20 degrees."]
    assert (await kept_now(harness, one)).last is not None


async def test_an_instruction_that_no_model_takes_is_told_with_its_words(harness: ChatHarness) -> None:
    one = await promised(harness, text="", instruction="Say how warm it is.", saw_outside=True)
    await harness.model.will({"status": 503, "times": None, "match": f"chat_id={harness.key.chat_id} "})
    await harness.rests()
    (told,) = await harness.said()
    assert "Say how warm it is." in told
    assert (await harness.transcript())[-1]["holds_outside"], "nothing is washed by being said again"
    last = (await kept_now(harness, one)).last
    assert last is not None
    assert last.state is OccurrenceState.FAILED
    assert [incident.kind for incident in await harness.incidents()] == [IncidentKind.DROPPED_PLAN]


async def test_a_recurrence_is_armed_again_until_its_end(harness: ChatHarness) -> None:
    start = (harness.clock.now + timedelta(minutes=10)).replace(tzinfo=None)
    one = await promised(harness, rule="FREQ=MINUTELY;INTERVAL=5;COUNT=3", start=start.isoformat())
    await harness.rests()
    assert await harness.said() == ["Time for tea!"] * 3
    after = await kept_now(harness, one)
    assert after.next_at is None
    assert after.last is not None
    assert one.next_at is not None
    assert after.last.due_at == one.next_at + timedelta(minutes=10)


async def test_what_is_far_away_is_armed_again_and_again(harness: ChatHarness) -> None:
    one = await promised(harness, next_at=harness.clock.now + 2.5 * LONGEST_ARMED)
    ran = await harness.rests()
    assert [wake.reason for wake in ran] == [WakeReason.REMIND] * 3
    assert await harness.said() == ["Time for tea!"]
    assert harness.clock.now == one.next_at


async def test_of_what_comes_late_it_is_said_how_late(harness: ChatHarness) -> None:
    one = await promised(harness)
    (wake,) = await harness.queue.wakes()
    await harness.queue.end(wake)
    assert one.next_at is not None
    harness.clock.now = one.next_at + timedelta(hours=2, minutes=5)
    # its task was lost: the sweep finds it
    sweeping = Wake(key=harness.key, reason=WakeReason.SWEEP, at=harness.clock.now, of="slot")
    await harness.tick_services.queue.enqueue(sweeping)
    await harness.rests()
    assert await harness.said() == ["Time for tea!\n\n(This is 2 h 5 min late.)"]


async def test_one_that_is_due_while_telegram_is_down_comes_when_it_is_up(harness: ChatHarness) -> None:
    one = await promised(harness)
    await harness.fault(kind="500", method="sendMessage", times=8)
    await harness.rests(60)
    (said,) = await harness.said()
    assert said.startswith("Time for tea!\n\n(This is ")
    last = (await kept_now(harness, one)).last
    assert last is not None
    assert last.state is OccurrenceState.SENT
    assert last.at - last.due_at > timedelta(minutes=10)
    assert await harness.incidents() == []


async def test_of_one_that_is_refused_in_a_group_its_owner_is_told_in_private(group: ChatHarness) -> None:
    backend = group.backend
    await backend.make("chats", type="private", person_id=group.person, bot_id=backend.bot_id)
    one = await promised(group)
    place = f"/world/chats/{group.chat}/members/{backend.bot_id}"
    (await backend.telegram.request("DELETE", place, json={"by": group.person})).raise_for_status()
    await group.next_tick()
    last = (await kept_now(group, one)).last
    assert last is not None
    assert last.state is OccurrenceState.FAILED
    assert [incident.kind for incident in await group.incidents()] == [IncidentKind.DROPPED_PLAN]
    (told,) = [wake for wake in await group.queue.wakes() if wake.reason is WakeReason.REMIND]
    assert told.key.chat_id == group.person
    await group.rests()
    found = await backend.telegram.get("/world/calls", params={"after": 0})
    sent = [c["params"] for c in found.raise_for_status().json()["calls"] if c["bot_id"] == backend.bot_id and c["ok"]]

    assert any(p.get("chat_id") == str(group.person) and "Time for tea!" in p.get("text", "") for p in sent)


async def test_of_hundreds_due_a_plan_holds_some_and_all_come(harness: ChatHarness) -> None:
    for number in range(MOST_DUE + 3):
        await promised(harness, str(number), is_armed=number == 0, text=f"Tea {number}!")
    await harness.fault(kind="500", method="sendMessage", times=MOST_DUE + 2)
    held = list[int]()
    for _ in range(40):
        if not await harness.queue.wakes():
            break
        await harness.next_tick()
        plan = await harness.backend.chats.plan(harness.key)
        held.append(sum(t.is_open for t in plan.tasks) if plan is not None else 0)
    assert max(held) == MOST_DUE, "Telegram was away: what is due waits where it is kept"
    assert sorted(text.partition("\n")[0] for text in await harness.said()) == sorted(
        f"Tea {n}!" for n in range(MOST_DUE + 3)
    )
    assert not await kept(harness)


async def test_a_muted_chat_is_reminded_all_the_same(harness: ChatHarness) -> None:
    await harness.writes("/mute")
    await harness.rests()
    said = len(await harness.said())
    await promised(harness)
    await promised(harness, "two", text="", instruction="Say how warm it is.")
    await harness.will_plan({"kind": "send", "text": "It is 20 degrees."})
    await harness.rests()
    assert (await harness.said())[said:] == ["Time for tea!", "It is 20 degrees."]


async def test_a_new_conversation_and_a_stop_take_nothing_away(harness: ChatHarness) -> None:
    await promised(harness)
    for command in ("/new", "/stop"):
        await harness.writes(command)
    await harness.rests()
    assert (await harness.said())[-1] == "Time for tea!"


async def test_a_tick_may_die_at_any_step(open_harness: OpenHarness) -> None:
    steps, at = 1, 0
    while at < steps:
        harness = await open_harness()
        start = (harness.clock.now + timedelta(minutes=10)).replace(tzinfo=None)
        once = await promised(harness)
        again = await promised(harness, "two", text="Again!", rule="FREQ=HOURLY;COUNT=2", start=start.isoformat())
        harness.steps.taken.clear()

        async def die() -> None:
            raise Killed

        harness.steps.at, harness.steps.happens = at, die if at else None
        await harness.rests(99)
        steps = steps if at else len(harness.steps.taken)
        said = [text.partition("\n")[0] for text in await harness.said()]
        lost = len(await harness.incidents())
        assert lost <= 1, at
        assert sorted(said)[: 2 - lost] <= ["Again!", "Again!", "Time for tea!"], at
        assert len(said) + lost >= 3, at
        assert said.count("Time for tea!") <= 1, at
        assert said.count("Again!") <= 2, at
        for one in (once, again):
            after = await kept_now(harness, one)
            assert after.next_at is None, at
            assert after.last is not None, at
            assert after.last.state in {OccurrenceState.SENT, OccurrenceState.UNKNOWN}, at
        at += 1
    assert steps >= 12


async def test_what_a_group_was_promised_is_said_in_the_supergroup_that_it_becomes(
    shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model
) -> None:
    harness = await make_harness(shared_backend, paused_queue, script, people=1, type="group")
    await harness.writes("hi")
    await harness.rests()
    one = await promised(harness)
    far = await promised(harness, "far", text="Later!", next_at=harness.clock.now + 2 * LONGEST_ARMED)
    answer = await harness.backend.telegram.post(f"/world/chats/{harness.chat}/migrate", json={})
    harness.chat = answer.raise_for_status().json()["key"]
    await harness.arrive()
    await harness.rests()
    assert await harness.said() == ["Time for tea!", "Later!"]
    for each in (one, far):
        last = (await kept_now(harness, each)).last
        assert last is not None
        assert last.state is OccurrenceState.SENT


async def test_when_the_agent_is_removed_nothing_comes_any_more_and_each_is_told_in_private(group: ChatHarness) -> None:
    backend = group.backend
    for person in (group.person, group.others[0]):
        await backend.make("chats", type="private", person_id=person, bot_id=backend.bot_id)
    one, two = (
        await promised(group),
        await promised(group, "two", text="Bread!", rule="FREQ=DAILY", next_at=group.clock.now + timedelta(minutes=5)),
    )
    other = await promised(group, "other", person=group.others[0], text="Milk!")
    place = f"/world/chats/{group.chat}/members/{backend.bot_id}"
    (await backend.telegram.request("DELETE", place, params={"by": group.person})).raise_for_status()
    await group.arrive()
    await group.rests()
    for each in (one, two, other):
        after = await kept_now(group, each)
        assert after.next_at is None
        assert after.last is not None
        assert after.last.state is OccurrenceState.FAILED
    found = await backend.telegram.get("/world/calls", params={"after": 0})
    calls = [c for c in found.raise_for_status().json()["calls"] if c["bot_id"] == backend.bot_id and c["ok"]]
    told = {c["params"]["chat_id"]: c["params"]["text"] for c in calls if c["method"] == "sendMessage"}
    assert "Bread!; Time for tea!" in told[str(group.person)]
    assert "Milk!" in told[str(group.others[0])]
    assert len(await group.incidents()) == 3


async def test_a_sweep_takes_up_what_is_due(open_harness: OpenHarness) -> None:
    harness = await open_harness()
    one = await promised(harness, is_armed=False)
    assert one.next_at is not None
    harness.clock.now = one.next_at
    await harness.tick_services.queue.enqueue(
        Wake(key=harness.key, reason=WakeReason.SWEEP, at=harness.clock.now, of="slot")
    )
    await harness.rests()
    assert await harness.said() == ["Time for tea!"]


@pytest.mark.parametrize("words", [{"text": "Time for tea!"}, {"text": "", "instruction": "Say how warm it is."}])
async def test_who_is_blocked_is_reminded_of_nothing_until_they_are_not(
    harness: ChatHarness, words: dict[str, Any]
) -> None:
    access_lists = await closed(harness, OWNER)
    await access_lists.let_in("lull", AdmittedPerson(id=harness.person, since=harness.clock.now, by=OWNER))
    await access_lists.block("lull", BlockedPerson(id=harness.person, since=harness.clock.now, by=OWNER))
    start = (harness.clock.now + timedelta(minutes=10)).replace(tzinfo=None)
    one = await promised(harness, **words, rule="FREQ=DAILY;COUNT=2", start=start.isoformat())
    await harness.next_tick()
    assert await harness.said() == []
    after = await kept_now(harness, one)
    assert after.last is not None
    assert (after.last.state, after.last.why) == (OccurrenceState.FAILED, BLOCKED)
    assert one.next_at is not None
    assert after.next_at == one.next_at + timedelta(days=1)
    assert await harness.incidents() == []
    await access_lists.unblock("lull", harness.person)
    await harness.will_plan({"kind": "send", "text": "Time for tea!"})
    await harness.rests()
    assert await harness.said() == ["Time for tea!"]


async def test_while_the_agent_is_blocked_what_is_due_is_looked_at_once_a_day(harness: ChatHarness) -> None:
    one, chat = await promised(harness), harness.backend.chats.client.document(chat_path(harness.key))
    await chat.set({"is_blocked": True}, merge=True)
    await harness.next_tick()
    first = await kept_now(harness, one)
    assert (first.held_at, first.next_at) == (one.next_at, harness.clock.now + HELD)
    await harness.next_tick()
    again = await kept_now(harness, one)
    assert (again.held_at, again.next_at) == (one.next_at, harness.clock.now + HELD)
    assert await harness.said() == []
    await chat.set({"is_blocked": False}, merge=True)  # a tick that died behind this left it held
    await harness.next_tick()
    (told,) = await harness.said()
    assert told.startswith("Time for tea!")
    assert "(This is 2 d" in told
    last = await kept_now(harness, one)
    assert (last.next_at, last.held_at) == (None, None)


async def test_a_group_that_was_shut_out_is_reminded_of_nothing_and_a_stranger_of_what_was_promised(
    group: ChatHarness, harness: ChatHarness
) -> None:
    for each, said in ((group, []), (harness, ["Time for tea!"])):
        await closed(each, OWNER)
        await promised(each)
        await each.rests()
        assert await each.said() == said


async def test_who_is_a_stranger_by_now_is_told_what_is_not_done_and_the_owner_nothing(harness: ChatHarness) -> None:
    """Instructions need the model, which a stranger may not use; and a reminder is no request for access."""
    access_lists = await closed(harness, OWNER)
    start = (harness.clock.now + timedelta(minutes=10)).replace(tzinfo=None)
    words: dict[str, Any] = {"text": "", "instruction": "Say how warm it is.", "saw_outside": True}
    one = await promised(harness, **words, rule="FREQ=DAILY;COUNT=2", start=start.isoformat())
    await harness.next_tick()
    assert await harness.said() == [
        "It's time for this, but I'm not allowed to answer you right now: Say how warm it is."
    ]
    assert (await harness.transcript())[-1]["holds_outside"], "nothing is washed by being said again"
    after = await kept_now(harness, one)
    assert after.last is not None
    assert (after.last.state, after.last.why) == (OccurrenceState.FAILED, STRANGER)
    requests = harness.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessRequests]
    assert await requests.find(request_id(harness.key)) is None
    assert await harness.asked() == []
    await access_lists.let_in("lull", AdmittedPerson(id=harness.person, since=harness.clock.now, by=OWNER))
    await harness.will_plan({"kind": "send", "text": "It is 20 degrees."})
    await harness.rests()
    assert (await harness.said())[1:] == ["It is 20 degrees."]
