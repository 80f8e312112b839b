"""The ids of a reminder, its wake and its update."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.reminder import (
    LONGEST_ARMED,
    OccurrenceState,
    instruction_update,
    is_wake_for,
    remind_wake,
    reminder_id,
    reminder_id_of,
)
from shared.values.wake import WakeReason
from tests.shared.examples import NOW, PROPERTY
from tests.shared.reminding import reminder

PARTS = st.lists(st.text("ab\n1", max_size=3), min_size=1, max_size=3)


@PROPERTY
@given(PARTS, PARTS)
def test_an_id_is_of_its_parts_alone(one: list[str], other: list[str]) -> None:
    assert (reminder_id(*one) == reminder_id(*other)) == ("\n".join(one) == "\n".join(other))
    assert reminder_id(*one).isalnum()
    assert len(reminder_id(*one)) == 12


def test_a_wake_is_named_for_the_occurrence_and_comes_within_what_cloud_tasks_takes() -> None:
    near, far = reminder(), reminder(next_at=NOW + timedelta(days=400))
    first = remind_wake(near, NOW)
    assert first is not None
    assert (first.reason, first.at, reminder_id_of(first)) == (WakeReason.REMIND, near.next_at, near.id)
    snoozed = remind_wake(evolve(near, next_at=NOW + timedelta(minutes=20)), NOW)
    assert snoozed is not None
    assert snoozed.name != first.name
    early = remind_wake(far, NOW)
    assert early is not None
    assert early.at == NOW + LONGEST_ARMED < NOW + timedelta(days=30)
    assert remind_wake(reminder(next_at=None), NOW) is None
    again = remind_wake(near, NOW, "another tick")
    assert again is not None
    assert again.name != first.name, "the first one may have come too early, and its name stays taken for an hour"
    assert [is_wake_for(wake, near) for wake in (first, again, snoozed)] == [True, True, False]
    assert not is_wake_for(first, reminder(id="abcdefghijkm"))


def test_an_update_is_one_for_each_occurrence_and_far_from_telegrams() -> None:
    told = reminder(text="", instruction="look")
    one = instruction_update(told, NOW, ChatKind.PRIVATE, NOW)
    assert one == instruction_update(told, NOW, ChatKind.PRIVATE, NOW)
    other = instruction_update(told, NOW + timedelta(minutes=1), ChatKind.PRIVATE, NOW)
    assert one.envelope.update_id != other.envelope.update_id
    for update in (one, other):
        assert 2**32 < update.envelope.update_id < 2**53
        assert update.raw["update_id"] == update.envelope.update_id


def test_what_became_of_it_is_kept_with_when_it_was_due() -> None:
    now = NOW + timedelta(minutes=11)
    over = reminder().with_outcome(OccurrenceState.FAILED, now, "gone").last
    assert over is not None
    assert (over.due_at, over.state, over.at, over.why) == (reminder().next_at, OccurrenceState.FAILED, now, "gone")
