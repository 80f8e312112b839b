"""What comes after an occurrence."""

from datetime import UTC, datetime, timedelta

from shared.models.reminder import OccurrenceState
from shared.scheduling.following import following, occurred, snoozed
from tests.shared.reminding import reminder
from tests.shared.values import NOW

#: each day at 8 in Berlin, where clocks are set forward on 29 March 2026
DAILY = {"rule": "FREQ=DAILY", "zone": "Europe/Berlin", "start": "2026-03-01T08:00:00"}


def test_what_happens_once_does_not_come_again() -> None:
    after = occurred(reminder(), NOW + timedelta(hours=1))
    assert after.next_at is None
    assert after.last is not None
    assert (after.last.due_at, after.last.state) == (reminder().next_at, OccurrenceState.DUE)


def test_a_civil_time_is_kept_when_clocks_change() -> None:
    each = reminder(**DAILY)
    assert following(each, datetime(2026, 3, 28, 12, tzinfo=UTC)) == datetime(2026, 3, 29, 6, tzinfo=UTC)
    assert following(each, datetime(2026, 3, 27, 12, tzinfo=UTC)) == datetime(2026, 3, 28, 7, tzinfo=UTC)


def test_what_was_missed_is_not_made_up_for() -> None:
    each = reminder(**DAILY, next_at=datetime(2026, 3, 2, 7, tzinfo=UTC))
    after = occurred(each, datetime(2026, 3, 9, 12, tzinfo=UTC))
    assert after.next_at == datetime(2026, 3, 10, 7, tzinfo=UTC)
    assert after.last is not None
    assert after.last.due_at == each.next_at


def test_one_that_is_put_off_comes_once_more_in_its_zone() -> None:
    at = datetime(2026, 3, 29, 6, 30, tzinfo=UTC)
    later = snoozed(reminder(zone="Europe/Berlin"), at)
    assert (later.id, later.next_at, later.start) == (reminder().id, at, "2026-03-29T08:30:00")


def test_of_one_that_repeats_another_one_comes_however_often_it_is_put_off() -> None:
    each = reminder(**DAILY, next_at=datetime(2026, 3, 2, 7, tzinfo=UTC))
    at = NOW + timedelta(days=3)
    once = snoozed(each, at)
    assert (once.rule, once.next_at) == ("", at)
    assert once.id != each.id
    assert snoozed(each, at + timedelta(hours=1)).id == once.id
    assert snoozed(occurred(each, NOW + timedelta(days=1)), at).id == once.id
    assert snoozed(occurred(occurred(each, NOW + timedelta(days=1)), NOW + timedelta(days=2)), at).id != once.id
