"""The record of a tick, which is stored with the page of its entries."""

from datetime import timedelta

from shared.chat.store import paths
from shared.chat.store.transcripts import TICK
from shared.chat.tick_record import TickRecord, decode_record
from shared.tasks.plan import DeliveryState, TaskState
from tests.shared.turn.harness import ChatHarness


async def records(harness: ChatHarness) -> list[TickRecord]:
    pages = harness.backend.chats.client.collection(paths.pages_path((await harness.document()).conversation))
    found = [(page.to_dict() or {}).get(TICK) for page in await pages.order_by("first_seq").get()]
    return [one for one in map(decode_record, found) if one is not None]


async def test_a_page_tells_when_its_tick_ran_and_why(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Noon."})
    stored_at = harness.clock.now
    (update,) = await harness.writes("when do we eat?")
    await harness.rests()
    (record,) = await records(harness)
    assert (record.reason, record.model_tries) == ("soon", 0)
    assert [(one.id, one.stored_at) for one in record.updates] == [(update, stored_at)]
    assert record.read_at is not None
    assert stored_at < record.claimed_at <= record.read_at <= record.written_at


async def test_a_page_tells_the_plan_as_it_ended(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Noon."})
    await harness.writes("when do we eat?")
    await harness.rests()
    (record,) = await records(harness)
    (plan,) = record.plans
    assert plan.id == (await harness.plan()).id
    assert plan.answers == (harness.message_id,)
    assert [task.state for task in plan.tasks] == [TaskState.DONE]
    assert [one.state for one in plan.tasks[0].deliveries] == [DeliveryState.CONFIRMED]
    assert len(plan.calls) == 1
    assert plan.prompt is not None
    assert plan.prompt.tokens <= plan.prompt.max_tokens
    assert plan.prompt.targets == plan.answers


async def test_a_plan_that_waits_is_told_again_with_its_later_message(harness: ChatHarness) -> None:
    await harness.will_plan(
        {"kind": "send", "text": "One moment."},
        {"kind": "wait", "seconds": 60, "depends_on": ["1"]},
        {"kind": "send", "text": "Noon.", "depends_on": ["2"]},
    )
    await harness.writes("when do we eat?")
    await harness.rests()
    first, second = await records(harness)
    assert [plan.id for plan in first.plans] == [plan.id for plan in second.plans]
    assert [[task.state for task in one.plans[0].tasks] for one in (first, second)] == [
        [TaskState.DONE, TaskState.PLANNED, TaskState.PLANNED],
        [TaskState.DONE] * 3,
    ]
    assert second.reason == "due"
    assert second.claimed_at - first.claimed_at >= timedelta(seconds=60)


async def test_a_silence_has_a_record_without_a_plan(group: ChatHarness) -> None:
    await group.writes("anybody for tea?")
    await group.rests()
    (record,) = await records(group)
    assert (len(record.updates), record.plans) == (1, ())


def test_a_record_of_another_version_is_left_out() -> None:
    assert decode_record('{"claimed_at": 7}') is None
    assert decode_record(None) is None
