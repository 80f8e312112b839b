"""The complete tick over the real servers, with interruptions between any two of its steps."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from shared.base.errors import QueueRefused, QueueUnavailable, StoreRefused, TickFailed
from shared.base.logs import TextFormatter
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.wakes import FIRST_FOLLOW_UP
from shared.tasks.outcome import is_under_way
from shared.tasks.plan import TaskState
from shared.tasks.wait import LONGEST_WAIT_SECONDS
from shared.turn.jobs.tick import tick
from shared.turn.quarantine import QUARANTINE_AFTER
from shared.values.chat import Lease
from shared.values.incident import IncidentKind
from shared.values.trust import BlockedPerson
from shared.values.wake import WakeReason
from tests.shared.examples import SECOND
from tests.shared.fixtures import OpenHarness
from tests.shared.letting_in import own
from tests.shared.own_words import NOT_SENT, NOTHING_TO_STOP, STOPPED
from tests.shared.turn.harness import LEASE, QUIET, ChatHarness
from tests.shared.turn.scenes import TWO_SENDS, WITH_A_WAIT, assert_at_rest, each_step
from tests.shared.turn.watched import Killed, Steps


async def unknown_deliveries(harness: ChatHarness) -> int:
    return sum(incident.kind is IncidentKind.UNKNOWN_DELIVERY for incident in await harness.incidents())


async def test_it_may_die_at_any_step(open_harness: OpenHarness) -> None:
    async for at, harness in each_step(open_harness, WITH_A_WAIT):

        async def die() -> None:
            raise Killed

        harness.steps.happens = die
        update_ids = await harness.writes("hi")
        await harness.rests()
        await assert_at_rest(harness, update_ids)
        said = Counter(await harness.said())
        assert max(said.values()) == 1, (at, said)
        missing = {"One.", "Two."} - said.keys()
        assert len(missing) <= await unknown_deliveries(harness) <= 1, (at, said)


async def test_somebody_may_write_at_any_step(open_harness: OpenHarness) -> None:
    async for at, harness in each_step(open_harness, TWO_SENDS):
        more = list[int]()

        async def write(harness: ChatHarness = harness, more: list[int] = more) -> None:
            more += await harness.writes("and then")

        harness.steps.happens = write
        update_ids = await harness.writes("hi")
        await harness.rests()
        assert len(more) == 1
        await assert_at_rest(harness, update_ids + more)
        said = await harness.said()
        assert said[-2:] == ["One.", "Two."], (at, said)
        assert max(Counter(said).values()) <= 2
        assert "and then" in (await harness.asked())[-1]
        assert await harness.incidents() == []


async def test_its_lease_may_run_out_at_any_step_while_another_takes_over(open_harness: OpenHarness) -> None:
    async for at, harness in each_step(open_harness, TWO_SENDS):

        async def stall(harness: ChatHarness = harness) -> None:
            running = (await harness.queue.wakes())[0]
            harness.clock.now += LEASE + SECOND
            await tick(harness.tick_services, running)

        harness.steps.happens = stall
        update_ids = await harness.writes("hi")
        await harness.rests()
        await assert_at_rest(harness, update_ids)
        said = Counter(await harness.said())
        assert max(said.values()) == 1, (at, said)
        assert len({"One.", "Two."} - said.keys()) <= await unknown_deliveries(harness) <= 1, (at, said)


async def test_a_task_that_is_run_twice_at_once_answers_once(harness: ChatHarness) -> None:
    await harness.will_plan(*TWO_SENDS, times=None)
    update_ids = await harness.writes("hi")
    (wake,) = await harness.queue.wakes()
    harness.clock.now = wake.at
    await asyncio.gather(*(tick(harness.tick_services, wake) for _ in range(4)))
    await harness.rests()
    await assert_at_rest(harness, update_ids)
    assert await harness.said() == ["One.", "Two."]


async def test_a_burst_is_one_plan(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "All of it."})
    update_ids = list[int]()
    for n in range(10):
        update_ids += await harness.writes(f"part {n}")
        harness.clock.now += 0.5 * SECOND
    await harness.rests()
    await assert_at_rest(harness, update_ids)
    assert await harness.said() == ["All of it."]
    (asked,) = await harness.asked()
    assert all(f"part {n}" in asked for n in range(10))


async def test_while_people_write_it_waits_and_claims_nothing(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Yes."})
    await harness.writes("one")
    harness.clock.now += 0.9 * SECOND
    await harness.writes("two")
    first = await harness.next_tick()
    assert first is not None
    assert first.reason is WakeReason.SOON
    assert (await harness.document()).claim.generation == 0
    (waiting,) = await harness.queue.wakes()
    assert (waiting.reason, waiting.attempt, waiting.at - first.at) == (WakeReason.QUIET, 1, 0.9 * SECOND)
    assert [wake.reason for wake in await harness.rests()] == [WakeReason.QUIET]
    assert await harness.said() == ["Yes."]


async def test_a_chat_that_never_rests_is_answered_all_the_same(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Enough."}, times=None)
    began = harness.clock.now
    while not await harness.said():
        await harness.writes("and")
        await harness.next_tick()
        harness.clock.now += 0.2 * SECOND
        assert harness.clock.now - began < 15 * SECOND
    await harness.rests()
    assert (await harness.document()).claim.lease is None


async def test_a_chat_that_is_held_is_looked_at_again_until_that_ends(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Yes."})
    update_ids = await harness.writes("hi")
    lease = Lease(owner="another", until=harness.clock.now + LEASE)
    held = await harness.backend.chats.claim(await harness.backend.chats.see(harness.key), lease)
    first = await harness.next_tick()
    (after,) = await harness.queue.wakes()
    assert first is not None
    assert (after.reason, after.of) == (WakeReason.AFTER, "another")
    assert after.at == harness.clock.now + FIRST_FOLLOW_UP
    assert (await harness.document()) == held.chat
    await harness.rests()
    await assert_at_rest(harness, update_ids)


async def test_somebody_may_ask_it_to_stop_at_any_step(open_harness: OpenHarness) -> None:
    async for at, harness in each_step(open_harness, TWO_SENDS):
        more, said, calls = list[int](), list[str](), list[bool]()

        async def stop(
            harness: ChatHarness = harness, more: list[int] = more, said: list[str] = said, calls: list[bool] = calls
        ) -> None:
            standing = await harness.backend.chats.plan(harness.key)
            calls.append(standing is not None and is_under_way(standing, harness.clock.now))
            more += await harness.writes("/stop")
            (wake,) = (w for w in await harness.queue.wakes() if w.reason is WakeReason.STOP)
            await tick(harness.tick_services, wake)  # Cloud Tasks does not wait for the other tick
            said += await harness.said()

        harness.steps.happens = stop
        update_ids = await harness.writes("hi")
        await harness.rests()
        await assert_at_rest(harness, update_ids + more)
        after = (Counter(await harness.said()) - Counter(said)).keys() & {"One.", "Two."}
        assert len(after) <= calls[0], (at, harness.steps.taken[at], after)
        assert (await harness.said())[-1] in {STOPPED, NOTHING_TO_STOP}
        assert await harness.incidents() == []


async def test_the_first_answer_in_a_group_is_stopped_while_the_model_thinks(group: ChatHarness) -> None:
    await group.will_plan(*TWO_SENDS)
    more, said, reasons = list[int](), list[str](), list[WakeReason]()

    async def stop() -> None:
        more.extend(await group.writes("/stop"))
        wake = (await group.queue.wakes())[0]
        reasons.append(wake.reason)
        await tick(group.tick_services, wake)  # Cloud Tasks does not wait for the other tick
        said.extend(await group.said())

    update_ids = await group.writes(f"@house{group.backend.bot_id}_bot count")
    (first,) = await group.queue.wakes()
    thinking = ["before claim", "before commit", "after commit", "after reading", "after thinking"]
    group.steps.at, group.steps.happens = thinking.index("after thinking"), stop
    await group.queue.end(first)
    group.clock.now = first.at
    await tick(group.tick_services, first)
    assert group.steps.taken[: len(thinking)] == thinking
    assert (reasons, said) == ([WakeReason.STOP], [STOPPED])
    await group.rests()
    assert await group.said() == [STOPPED]
    await assert_at_rest(group, update_ids + more)


async def test_nobody_is_stopped_by_whom_the_owner_has_blocked(group: ChatHarness) -> None:
    await group.will_plan(*TWO_SENDS)
    more, reasons = list[int](), list[WakeReason]()
    blocked = group.others[0]
    await own(group)
    access_lists = group.tick_services.agents["lull"].dispatcher.ports[FirestoreAccessLists]
    assert await access_lists.block("lull", BlockedPerson(id=blocked, since=group.clock.now))

    async def stop() -> None:
        more.extend(await group.writes("/stop", **{"from": blocked}))
        wake = (await group.queue.wakes())[0]
        reasons.append(wake.reason)
        await tick(group.tick_services, wake)

    update_ids = await group.writes(f"@house{group.backend.bot_id}_bot count")
    (first,) = await group.queue.wakes()
    group.steps.at, group.steps.happens = 4, stop  # "after thinking"
    await group.queue.end(first)
    group.clock.now = first.at
    await tick(group.tick_services, first)
    assert reasons == [WakeReason.STOP]
    await group.rests()
    assert await group.said() == ["One.", "Two."]
    await assert_at_rest(group, update_ids + more)


async def test_a_mark_without_a_wish_changes_nothing_at_any_step(open_harness: OpenHarness) -> None:
    """This happens when the tick that carries out a stop is quicker than the one that marks it."""
    async for at, harness in each_step(open_harness, WITH_A_WAIT):

        async def mark(harness: ChatHarness = harness) -> None:
            if (await harness.document()).claim.generation:
                await harness.backend.chats.ask_to_stop(harness.key, 999)

        harness.steps.happens = mark
        update_ids = await harness.writes("hi")
        await harness.rests()
        await assert_at_rest(harness, update_ids)
        assert await harness.said() == ["One.", "Two."], (at, harness.steps.taken[at])
        assert {task.state for task in (await harness.plan()).tasks} == {TaskState.DONE}
        assert await harness.incidents() == []


async def test_a_queue_that_is_away_leaves_the_chat_free_and_is_nobodys_fault(harness: ChatHarness) -> None:
    class Away(Steps):
        async def take(self, name: str) -> None:
            if name == "before enqueue":
                raise QueueUnavailable("Cloud Tasks did not answer")

    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    (wake,) = await harness.queue.wakes()
    harness.clock.now = wake.at
    queue = harness.tick_services.agents["lull"].queue
    before, queue._steps = queue._steps, Away()  # type: ignore[attr-defined]
    for _ in range(QUARANTINE_AFTER + 1):
        with pytest.raises(QueueUnavailable):
            await tick(harness.tick_services, wake)
        chat = await harness.document()
        assert (chat.claim.lease, chat.claim.starts) == (None, 0)
    queue._steps = before  # type: ignore[attr-defined]
    await harness.rests()
    assert await harness.said() == ["One.", "Two."]
    await assert_at_rest(harness, update_ids)
    assert await harness.incidents() == []


@pytest.mark.parametrize("refused", [QueueRefused("it is wrong"), StoreRefused("it is too large")])
async def test_what_is_refused_for_good_is_counted(harness: ChatHarness, refused: Exception) -> None:
    class Refusing(Steps):
        async def take(self, name: str) -> None:
            if name == "before enqueue":
                raise refused

    await harness.will_plan(*WITH_A_WAIT, times=None)
    await harness.writes("hi")
    (wake,) = await harness.queue.wakes()
    harness.clock.now = wake.at
    queue = harness.tick_services.agents["lull"].queue
    queue._steps = Refusing()  # type: ignore[attr-defined]
    counted = list[int]()
    for _ in range(3):
        with pytest.raises(type(refused)):
            await tick(harness.tick_services, wake)
        chat = await harness.document()
        assert chat.claim.lease is None
        counted.append(chat.claim.starts)
    # the first one has sent something, and written that down
    assert counted == [0, 1, 2]


async def test_a_chat_whose_plan_cannot_be_read_is_taken_by_a_stop_request(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    await harness.writes("hi")
    await harness.next_tick()
    await harness.backend.chats.client.document(f"plans/{harness.key.id}").set({"id": "of a newer lull"})
    lease = Lease(owner="another", until=harness.clock.now + LEASE)
    await harness.backend.chats.claim(await harness.backend.chats.see(harness.key), lease)
    await harness.writes("/stop")
    ran = await harness.next_tick()
    assert ran is not None
    assert ran.reason is WakeReason.STOP
    assert (await harness.document()).claim.lease is None
    assert (await harness.said())[1:] == [NOT_SENT, NOTHING_TO_STOP]


async def test_a_wait_is_stopped(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    update_ids += await harness.writes("/stop")
    ran = await harness.rests()
    assert ran[0].reason is WakeReason.STOP
    assert await harness.said() == ["One.", STOPPED]
    await assert_at_rest(harness, update_ids)
    assert [task.state for task in (await harness.plan()).tasks] == [
        TaskState.DONE, TaskState.DONE, TaskState.CANCELLED, TaskState.CANCELLED,
    ]  # fmt: skip


async def test_a_stop_request_that_meets_the_call_before_a_wait_is_carried_out_by_its_tick(
    harness: ChatHarness,
) -> None:
    more = list[int]()

    async def stop() -> None:
        more.extend(await harness.writes("/stop"))
        (wake,) = (w for w in await harness.queue.wakes() if w.reason is WakeReason.STOP)
        await tick(harness.tick_services, wake)  # Cloud Tasks does not wait for the other tick

    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    thought = ["after reading", "after thinking", "after counting", "before commit", "after commit", "before send"]
    steps = ["before claim", "before commit", "after commit", *thought, "after send"]
    harness.steps.at, harness.steps.happens = steps.index("after send"), stop
    await harness.next_tick()
    assert harness.steps.taken[: len(steps)] == steps
    assert await harness.said() == ["One.", STOPPED]
    await harness.rests()
    assert await harness.said() == ["One.", STOPPED]
    await assert_at_rest(harness, update_ids + more)


async def test_what_is_written_after_a_long_hold_waits_for_no_old_follow_up(harness: ChatHarness) -> None:
    more = list[int]()

    async def write() -> None:
        more.extend(await harness.writes("two"))
        (wake,) = (w for w in await harness.queue.wakes() if w.of == "1")
        harness.clock.now = wake.at
        await tick(harness.tick_services, wake)  # it meets the held chat
        await harness.queue.end(wake)

    await harness.will_plan({"kind": "send", "text": "Yes."}, times=None)
    update_ids = await harness.writes("one")
    harness.steps.at, harness.steps.happens = 4, write
    await harness.next_tick()
    assert harness.steps.taken[4] == "after thinking"
    assert await harness.said() == ["Yes."]
    more += await harness.writes("three")
    (soon,) = (w for w in await harness.queue.wakes() if w.reason is WakeReason.SOON)
    assert soon.at == harness.clock.now + QUIET["private"]
    await harness.rests()
    await assert_at_rest(harness, update_ids + more)


async def test_a_tick_that_fails_leaves_the_chat_free_and_says_only_where(
    harness: ChatHarness, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise ZeroDivisionError("what Ann wrote")

    await harness.will_plan(*TWO_SENDS)
    harness.steps.at, harness.steps.happens = 3, fail
    update_ids = await harness.writes("hi")
    (wake,) = await harness.queue.wakes()
    harness.clock.now = wake.at
    with pytest.raises(TickFailed, match="ZeroDivisionError"):
        await tick(harness.tick_services, wake)
    assert (await harness.document()).claim.lease is None
    (line,) = (TextFormatter().format(r) for r in caplog.records if (r.name, r.levelname) == ("lull", "ERROR"))
    assert "ZeroDivisionError" in line
    assert "what Ann wrote" not in line
    await harness.rests()
    assert await harness.said() == ["One.", "Two."]
    await assert_at_rest(harness, update_ids)


async def test_a_wait_of_thirty_days_is_kept(harness: ChatHarness) -> None:
    one, pause, two = WITH_A_WAIT
    await harness.will_plan(one, pause | {"seconds": LONGEST_WAIT_SECONDS}, two)
    harness.clock.now = datetime.now(UTC) + timedelta(seconds=5)  # ahead of Cloud Tasks
    update_ids = await harness.writes("remind me in thirty days")
    first = await harness.next_tick()
    assert first is not None
    due_at = (await harness.document()).due_at
    assert due_at == first.at + timedelta(seconds=LONGEST_WAIT_SECONDS)
    # the task comes a little early
    (task,) = await harness.queue.tasks()
    assert task.schedule_time < due_at
    (early,) = await harness.queue.wakes()
    await tick(harness.tick_services, early)
    await harness.queue.end(early)
    assert len(await harness.said()) == 1
    assert (await harness.document()).due_at == due_at
    await harness.rests()
    assert harness.clock.now == due_at
    assert len(await harness.said()) == 2
    await assert_at_rest(harness, update_ids)
