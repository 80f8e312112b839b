"""Tests of the outcomes of reminders in a plan."""

from collections.abc import Sequence

import pytest

from shared.base.errors import ChannelError, ChannelRefused, ChatUnreachable, NotDelivered, OutcomeUnknown
from shared.chat.store.outbox import StoredNotice
from shared.chat.store.writes import Record
from shared.reminders.outcomes import reminder_outcomes
from shared.reminders.store import ReminderOutcome
from shared.reminders.tasks.remind import Remind
from shared.tasks.graph import cancel_all, with_task
from shared.tasks.outcome import RetryPolicy, confirm_delivery, fail_delivery, mark_attempted, task_of, with_deliveries
from shared.tasks.plan import Plan, PlannedTask
from shared.turn.losses import loss_events
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.reminder import OccurrenceState, ReminderRef
from shared.values.retry import RetryBudget
from tests.shared.examples import ANN, GROUP_KEY, NOW, plan_of, send

RETRYING = RetryPolicy(now=NOW, budget=RetryBudget(tries=1))


def saying(*, is_notice: bool = False, saw_outside: bool = False) -> Plan:
    """Return a plan that is about to send a reminder, after another task."""
    said = ReminderRef(id="abc", person=ANN.id, due_at=NOW, language="de", is_notice=is_notice)
    remind = PlannedTask(task=Remind(id="r", text="Tea!", reminder=said), is_own=True, saw_outside=saw_outside)
    plan = plan_of(send("1"))
    plan = evolve(plan, tasks=(*plan.tasks, remind))
    return with_task(plan, mark_attempted(with_deliveries(task_of(plan, "r"), 1), 0, NOW))


def states(records: Sequence[Record]) -> list[OccurrenceState]:
    return [one.occurrence.state for one in records if isinstance(one, ReminderOutcome)]


def test_records_a_sent_reminder_once() -> None:
    before = saying()
    after = confirm_delivery(before, "r", 0, (7,))
    assert states(list(reminder_outcomes(before, after, GROUP_KEY, NOW))) == [OccurrenceState.SENT]
    assert list(reminder_outcomes(after, after, GROUP_KEY, NOW)) == []
    assert list(reminder_outcomes(before, before, GROUP_KEY, NOW)) == []


def test_an_uncertain_delivery_is_not_reported_as_lost() -> None:
    before = saying()
    after = fail_delivery(before, "r", 0, OutcomeUnknown("no answer"), RETRYING)
    assert states(list(reminder_outcomes(before, after, GROUP_KEY, NOW))) == [OccurrenceState.UNKNOWN]
    assert len(list(reminder_outcomes(before, after, GROUP_KEY, NOW))) == 1


@pytest.mark.parametrize("error", [ChannelRefused("too long"), ChatUnreachable("kicked")])
def test_tells_the_owner_of_a_lost_reminder_in_private(error: ChannelError) -> None:
    before = saying()
    found = list(reminder_outcomes(before, fail_delivery(before, "r", 0, error, RETRYING), GROUP_KEY, NOW))
    assert states(found) == [OccurrenceState.FAILED]
    (told,) = [one.notice for one in found if isinstance(one, StoredNotice)]
    assert told.chat == ChatKey(agent="lull", chat_id=ANN.id).id
    assert (told.next_at, told.person, told.is_notice, told.language) == (NOW, ANN.id, True, "de")
    assert "Tea!" in told.text
    assert found == list(reminder_outcomes(before, fail_delivery(before, "r", 0, error, RETRYING), GROUP_KEY, NOW)), (
        "one id"
    )


@pytest.mark.parametrize("saw_outside", [False, True])
def test_the_notice_keeps_the_mark_of_outside_text(saw_outside: bool) -> None:
    before = saying(saw_outside=saw_outside)
    after = fail_delivery(before, "r", 0, ChannelRefused("too long"), RETRYING)
    (told,) = [one.notice for one in reminder_outcomes(before, after, GROUP_KEY, NOW) if isinstance(one, StoredNotice)]
    (event,) = loss_events(before, after, NOW)
    assert "Tea!" in event.note
    assert (told.saw_outside, event.holds_outside) == (saw_outside, saw_outside)


def test_nobody_is_told_of_a_lost_notice() -> None:
    before = saying(is_notice=True)
    found = list(
        reminder_outcomes(before, fail_delivery(before, "r", 0, ChatUnreachable("kicked"), RETRYING), GROUP_KEY, NOW)
    )
    assert states(found) == [OccurrenceState.FAILED]
    assert len(found) == 1


def test_a_retried_reminder_is_not_over() -> None:
    before = saying()
    for error in (NotDelivered("no route"),):
        assert list(reminder_outcomes(before, fail_delivery(before, "r", 0, error, RETRYING), GROUP_KEY, NOW)) == []


def test_a_reminder_dropped_with_its_plan_is_lost() -> None:
    before = saying()
    assert states(list(reminder_outcomes(before, cancel_all(before, "removed"), GROUP_KEY, NOW))) == [
        OccurrenceState.FAILED
    ]
