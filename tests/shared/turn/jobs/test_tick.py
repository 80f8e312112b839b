"""The tick, whole: over the real servers, with whatever may happen between any two of its steps."""

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
from tests.shared.fixtures import OpenRoom
from tests.shared.letting_in import own
from tests.shared.own_words import NOT_SENT, NOTHING_TO_STOP, STOPPED
from tests.shared.turn.room import LEASE, QUIET, Room
from tests.shared.turn.scenes import TWO_SENDS, WITH_A_WAIT, assert_at_rest, each_step
from tests.shared.turn.watched import Killed, Steps


async def unknown_deliveries(here: Room) -> int:
    return sum(incident.kind is IncidentKind.UNKNOWN_DELIVERY for incident in await here.incidents())


async def test_it_may_die_at_any_step(rooms: OpenRoom) -> None:
    async for at, here in each_step(rooms, WITH_A_WAIT):

        async def die() -> None:
            raise Killed

        here.steps.happens = die
        update_ids = await here.writes("hi")
        await here.rests()
        await assert_at_rest(here, update_ids)
        said = Counter(await here.said())
        assert max(said.values()) == 1, (at, said)
        missing = {"One.", "Two."} - said.keys()
        assert len(missing) <= await unknown_deliveries(here) <= 1, (at, said)


async def test_somebody_may_write_at_any_step(rooms: OpenRoom) -> None:
    async for at, here in each_step(rooms, TWO_SENDS):
        more = list[int]()

        async def write(here: Room = here, more: list[int] = more) -> None:
            more += await here.writes("and then")

        here.steps.happens = write
        update_ids = await here.writes("hi")
        await here.rests()
        assert len(more) == 1
        await assert_at_rest(here, update_ids + more)
        said = await here.said()
        assert said[-2:] == ["One.", "Two."], (at, said)
        assert max(Counter(said).values()) <= 2
        assert "and then" in (await here.asked())[-1]
        assert await here.incidents() == []


async def test_its_lease_may_run_out_at_any_step_while_another_takes_over(rooms: OpenRoom) -> None:
    async for at, here in each_step(rooms, TWO_SENDS):

        async def stall(here: Room = here) -> None:
            running = (await here.queue.wakes())[0]
            here.clock.now += LEASE + SECOND
            await tick(here.tick_services, running)

        here.steps.happens = stall
        update_ids = await here.writes("hi")
        await here.rests()
        await assert_at_rest(here, update_ids)
        said = Counter(await here.said())
        assert max(said.values()) == 1, (at, said)
        assert len({"One.", "Two."} - said.keys()) <= await unknown_deliveries(here) <= 1, (at, said)


async def test_a_task_that_is_run_twice_at_once_answers_once(here: Room) -> None:
    await here.will_plan(*TWO_SENDS, times=None)
    update_ids = await here.writes("hi")
    (wake,) = await here.queue.wakes()
    here.clock.now = wake.at
    await asyncio.gather(*(tick(here.tick_services, wake) for _ in range(4)))
    await here.rests()
    await assert_at_rest(here, update_ids)
    assert await here.said() == ["One.", "Two."]


async def test_a_burst_is_one_plan(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "All of it."})
    update_ids = list[int]()
    for n in range(10):
        update_ids += await here.writes(f"part {n}")
        here.clock.now += 0.5 * SECOND
    await here.rests()
    await assert_at_rest(here, update_ids)
    assert await here.said() == ["All of it."]
    (asked,) = await here.asked()
    assert all(f"part {n}" in asked for n in range(10))


async def test_while_people_write_it_waits_and_claims_nothing(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Yes."})
    await here.writes("one")
    here.clock.now += 0.9 * SECOND
    await here.writes("two")
    first = await here.next_tick()
    assert first is not None
    assert first.reason is WakeReason.SOON
    assert (await here.document()).claim.generation == 0
    (waiting,) = await here.queue.wakes()
    assert (waiting.reason, waiting.attempt, waiting.at - first.at) == (WakeReason.QUIET, 1, 0.9 * SECOND)
    assert [wake.reason for wake in await here.rests()] == [WakeReason.QUIET]
    assert await here.said() == ["Yes."]


async def test_a_chat_that_never_rests_is_answered_all_the_same(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Enough."}, times=None)
    began = here.clock.now
    while not await here.said():
        await here.writes("and")
        await here.next_tick()
        here.clock.now += 0.2 * SECOND
        assert here.clock.now - began < 15 * SECOND
    await here.rests()
    assert (await here.document()).claim.lease is None


async def test_a_chat_that_is_held_is_looked_at_again_until_that_ends(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Yes."})
    update_ids = await here.writes("hi")
    lease = Lease(owner="another", until=here.clock.now + LEASE)
    held = await here.house.chats.claim(await here.house.chats.see(here.key), lease)
    first = await here.next_tick()
    (after,) = await here.queue.wakes()
    assert first is not None
    assert (after.reason, after.of) == (WakeReason.AFTER, "another")
    assert after.at == here.clock.now + FIRST_FOLLOW_UP
    assert (await here.document()) == held.chat
    await here.rests()
    await assert_at_rest(here, update_ids)


async def test_somebody_may_ask_it_to_stop_at_any_step(rooms: OpenRoom) -> None:
    async for at, here in each_step(rooms, TWO_SENDS):
        more, said, calls = list[int](), list[str](), list[bool]()

        async def stop(
            here: Room = here, more: list[int] = more, said: list[str] = said, calls: list[bool] = calls
        ) -> None:
            standing = await here.house.chats.plan(here.key)
            calls.append(standing is not None and is_under_way(standing, here.clock.now))
            more += await here.writes("/stop")
            (wake,) = (w for w in await here.queue.wakes() if w.reason is WakeReason.STOP)
            await tick(here.tick_services, wake)  # Cloud Tasks does not wait for the other tick
            said += await here.said()

        here.steps.happens = stop
        update_ids = await here.writes("hi")
        await here.rests()
        await assert_at_rest(here, update_ids + more)
        after = (Counter(await here.said()) - Counter(said)).keys() & {"One.", "Two."}
        assert len(after) <= calls[0], (at, here.steps.taken[at], after)
        assert (await here.said())[-1] in {STOPPED, NOTHING_TO_STOP}
        assert await here.incidents() == []


async def test_the_first_answer_in_a_group_is_stopped_while_the_model_thinks(group: Room) -> None:
    await group.will_plan(*TWO_SENDS)
    more, said, reasons = list[int](), list[str](), list[WakeReason]()

    async def stop() -> None:
        more.extend(await group.writes("/stop"))
        wake = (await group.queue.wakes())[0]
        reasons.append(wake.reason)
        await tick(group.tick_services, wake)  # Cloud Tasks does not wait for the other tick
        said.extend(await group.said())

    update_ids = await group.writes(f"@house{group.house.bot_id}_bot count")
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


async def test_nobody_is_stopped_by_whom_the_owner_has_blocked(group: Room) -> None:
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

    update_ids = await group.writes(f"@house{group.house.bot_id}_bot count")
    (first,) = await group.queue.wakes()
    group.steps.at, group.steps.happens = 4, stop  # "after thinking"
    await group.queue.end(first)
    group.clock.now = first.at
    await tick(group.tick_services, first)
    assert reasons == [WakeReason.STOP]
    await group.rests()
    assert await group.said() == ["One.", "Two."]
    await assert_at_rest(group, update_ids + more)


async def test_a_mark_without_a_wish_changes_nothing_at_any_step(rooms: OpenRoom) -> None:
    """As when the tick that carries out a stop request was quicker than the one that marked it."""
    async for at, here in each_step(rooms, WITH_A_WAIT):

        async def mark(here: Room = here) -> None:
            if (await here.document()).claim.generation:
                await here.house.chats.ask_to_stop(here.key, 999)

        here.steps.happens = mark
        update_ids = await here.writes("hi")
        await here.rests()
        await assert_at_rest(here, update_ids)
        assert await here.said() == ["One.", "Two."], (at, here.steps.taken[at])
        assert {task.state for task in (await here.plan()).tasks} == {TaskState.DONE}
        assert await here.incidents() == []


async def test_a_queue_that_is_away_leaves_the_chat_free_and_is_nobodys_fault(here: Room) -> None:
    class Away(Steps):
        async def take(self, name: str) -> None:
            if name == "before enqueue":
                raise QueueUnavailable("Cloud Tasks did not answer")

    await here.will_plan(*WITH_A_WAIT)
    update_ids = await here.writes("hi")
    (wake,) = await here.queue.wakes()
    here.clock.now = wake.at
    queue = here.tick_services.agents["lull"].queue
    before, queue._steps = queue._steps, Away()  # type: ignore[attr-defined]
    for _ in range(QUARANTINE_AFTER + 1):
        with pytest.raises(QueueUnavailable):
            await tick(here.tick_services, wake)
        chat = await here.document()
        assert (chat.claim.lease, chat.claim.starts) == (None, 0)
    queue._steps = before  # type: ignore[attr-defined]
    await here.rests()
    assert await here.said() == ["One.", "Two."]
    await assert_at_rest(here, update_ids)
    assert await here.incidents() == []


@pytest.mark.parametrize("refused", [QueueRefused("it is wrong"), StoreRefused("it is too large")])
async def test_what_is_refused_for_good_is_counted(here: Room, refused: Exception) -> None:
    class Refusing(Steps):
        async def take(self, name: str) -> None:
            if name == "before enqueue":
                raise refused

    await here.will_plan(*WITH_A_WAIT, times=None)
    await here.writes("hi")
    (wake,) = await here.queue.wakes()
    here.clock.now = wake.at
    queue = here.tick_services.agents["lull"].queue
    queue._steps = Refusing()  # type: ignore[attr-defined]
    counted = list[int]()
    for _ in range(3):
        with pytest.raises(type(refused)):
            await tick(here.tick_services, wake)
        chat = await here.document()
        assert chat.claim.lease is None
        counted.append(chat.claim.starts)
    # the first one has sent something, and written that down
    assert counted == [0, 1, 2]


async def test_a_chat_whose_plan_cannot_be_read_is_taken_by_a_stop_request(here: Room) -> None:
    await here.will_plan(*WITH_A_WAIT)
    await here.writes("hi")
    await here.next_tick()
    await here.house.chats.client.document(f"plans/{here.key.id}").set({"id": "of a newer lull"})
    lease = Lease(owner="another", until=here.clock.now + LEASE)
    await here.house.chats.claim(await here.house.chats.see(here.key), lease)
    await here.writes("/stop")
    ran = await here.next_tick()
    assert ran is not None
    assert ran.reason is WakeReason.STOP
    assert (await here.document()).claim.lease is None
    assert (await here.said())[1:] == [NOT_SENT, NOTHING_TO_STOP]


async def test_a_wait_is_stopped(here: Room) -> None:
    await here.will_plan(*WITH_A_WAIT)
    update_ids = await here.writes("hi")
    await here.next_tick()
    update_ids += await here.writes("/stop")
    ran = await here.rests()
    assert ran[0].reason is WakeReason.STOP
    assert await here.said() == ["One.", STOPPED]
    await assert_at_rest(here, update_ids)
    assert [task.state for task in (await here.plan()).tasks] == [
        TaskState.DONE, TaskState.DONE, TaskState.CANCELLED, TaskState.CANCELLED,
    ]  # fmt: skip


async def test_a_stop_request_that_meets_the_call_before_a_wait_is_carried_out_by_its_tick(
    here: Room,
) -> None:
    more = list[int]()

    async def stop() -> None:
        more.extend(await here.writes("/stop"))
        (wake,) = (w for w in await here.queue.wakes() if w.reason is WakeReason.STOP)
        await tick(here.tick_services, wake)  # Cloud Tasks does not wait for the other tick

    await here.will_plan(*WITH_A_WAIT)
    update_ids = await here.writes("hi")
    thought = ["after reading", "after thinking", "after counting", "before commit", "after commit", "before send"]
    steps = ["before claim", "before commit", "after commit", *thought, "after send"]
    here.steps.at, here.steps.happens = steps.index("after send"), stop
    await here.next_tick()
    assert here.steps.taken[: len(steps)] == steps
    assert await here.said() == ["One.", STOPPED]
    await here.rests()
    assert await here.said() == ["One.", STOPPED]
    await assert_at_rest(here, update_ids + more)


async def test_what_is_written_after_a_long_hold_waits_for_no_old_follow_up(here: Room) -> None:
    more = list[int]()

    async def write() -> None:
        more.extend(await here.writes("two"))
        (wake,) = (w for w in await here.queue.wakes() if w.of == "1")
        here.clock.now = wake.at
        await tick(here.tick_services, wake)  # it meets the held chat
        await here.queue.end(wake)

    await here.will_plan({"kind": "send", "text": "Yes."}, times=None)
    update_ids = await here.writes("one")
    here.steps.at, here.steps.happens = 4, write
    await here.next_tick()
    assert here.steps.taken[4] == "after thinking"
    assert await here.said() == ["Yes."]
    more += await here.writes("three")
    (soon,) = (w for w in await here.queue.wakes() if w.reason is WakeReason.SOON)
    assert soon.at == here.clock.now + QUIET["private"]
    await here.rests()
    await assert_at_rest(here, update_ids + more)


async def test_a_tick_that_fails_leaves_the_chat_free_and_says_only_where(
    here: Room, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise ZeroDivisionError("what Ann wrote")

    await here.will_plan(*TWO_SENDS)
    here.steps.at, here.steps.happens = 3, fail
    update_ids = await here.writes("hi")
    (wake,) = await here.queue.wakes()
    here.clock.now = wake.at
    with pytest.raises(TickFailed, match="ZeroDivisionError"):
        await tick(here.tick_services, wake)
    assert (await here.document()).claim.lease is None
    (line,) = (TextFormatter().format(r) for r in caplog.records if (r.name, r.levelname) == ("lull", "ERROR"))
    assert "ZeroDivisionError" in line
    assert "what Ann wrote" not in line
    await here.rests()
    assert await here.said() == ["One.", "Two."]
    await assert_at_rest(here, update_ids)


async def test_a_wait_of_thirty_days_is_kept(here: Room) -> None:
    one, pause, two = WITH_A_WAIT
    await here.will_plan(one, pause | {"seconds": LONGEST_WAIT_SECONDS}, two)
    here.clock.now = datetime.now(UTC) + timedelta(seconds=5)  # ahead of Cloud Tasks
    update_ids = await here.writes("remind me in thirty days")
    first = await here.next_tick()
    assert first is not None
    due_at = (await here.document()).due_at
    assert due_at == first.at + timedelta(seconds=LONGEST_WAIT_SECONDS)
    # the task comes a little early
    (task,) = await here.queue.tasks()
    assert task.schedule_time < due_at
    (early,) = await here.queue.wakes()
    await tick(here.tick_services, early)
    await here.queue.end(early)
    assert len(await here.said()) == 1
    assert (await here.document()).due_at == due_at
    await here.rests()
    assert here.clock.now == due_at
    assert len(await here.said()) == 2
    await assert_at_rest(here, update_ids)
