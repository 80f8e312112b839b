"""Tests of coming occurrences and of changed reminders."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.reminders.times.changes import (
    advance_reminder,
    apply_change,
    move_to_zone,
    next_occurrence,
    snooze,
    spec_of,
)
from shared.reminders.times.civil import civil_of
from shared.reminders.times.reminder_text import next_time_text
from shared.reminders.times.zones import known_zones
from shared.values.agent import parse_zone
from shared.values.evolve import evolve
from shared.values.origin import ConversationSpan
from shared.values.reminder import OccurrenceState, ReminderChange, occurrence_mark
from tests.shared.examples import NOW, PROPERTY
from tests.shared.own_words import ENGLISH
from tests.shared.reminding import reminder

#: each day at 8 in Berlin, where clocks are set forward on 29 March 2026
DAILY = {"rule": "FREQ=DAILY", "zone": "Europe/Berlin", "start": "2026-03-01T08:00:00"}


def test_a_one_time_reminder_does_not_repeat() -> None:
    after = advance_reminder(reminder(), NOW + timedelta(hours=1))
    assert after.next_at is None
    assert after.last is not None
    assert (after.last.due_at, after.last.state) == (reminder().next_at, OccurrenceState.DUE)


def test_keeps_the_civil_time_across_clock_changes() -> None:
    each = reminder(**DAILY)
    assert next_occurrence(each, datetime(2026, 3, 28, 12, tzinfo=UTC)) == datetime(2026, 3, 29, 6, tzinfo=UTC)
    assert next_occurrence(each, datetime(2026, 3, 27, 12, tzinfo=UTC)) == datetime(2026, 3, 28, 7, tzinfo=UTC)


def test_skips_missed_occurrences() -> None:
    each = reminder(**DAILY, next_at=datetime(2026, 3, 2, 7, tzinfo=UTC))
    after = advance_reminder(each, datetime(2026, 3, 9, 12, tzinfo=UTC))
    assert after.next_at == datetime(2026, 3, 10, 7, tzinfo=UTC)
    assert after.last is not None
    assert after.last.due_at == each.next_at


def test_a_snoozed_reminder_comes_once_in_its_zone() -> None:
    at = datetime(2026, 3, 29, 6, 30, tzinfo=UTC)
    later = snooze(reminder(zone="Europe/Berlin"), at, "abcde")
    assert (later.id, later.next_at, later.start) == (reminder().id, at, "2026-03-29T08:30:00")


def test_snoozing_a_repeating_reminder_makes_one_more() -> None:
    each = reminder(**DAILY, next_at=datetime(2026, 3, 2, 7, tzinfo=UTC))
    at = NOW + timedelta(days=3)
    assert each.next_at is not None
    mark = occurrence_mark(each.next_at)
    once = snooze(each, at, mark)
    assert (once.rule, once.next_at) == ("", at)
    assert once.id != each.id
    came = advance_reminder(each, NOW + timedelta(days=1))
    assert snooze(each, at + timedelta(hours=1), mark).id == once.id
    assert snooze(came, at, mark).id == once.id
    assert came.next_at is not None
    assert snooze(came, at, occurrence_mark(came.next_at)).id != once.id, "the next one is another"


ZONES = st.sampled_from(sorted(known_zones()))
INSTANTS = st.datetimes(datetime(2000, 1, 1), datetime(2037, 1, 1)).map(
    lambda at: at.replace(second=0, microsecond=0, tzinfo=UTC)
)


@PROPERTY
@given(ZONES, INSTANTS, st.sampled_from(["FREQ=DAILY", "FREQ=WEEKLY", "FREQ=HOURLY;INTERVAL=5", "FREQ=MONTHLY"]))
def test_in_every_zone_repetitions_continue_once_each(zone: str, at: datetime, rule: str) -> None:
    start = civil_of(at, parse_zone(zone)).isoformat()
    each = reminder(zone=zone, rule=rule, start=start, next_at=at)
    due = [each]
    for _ in range(4):
        before = due[-1].next_at
        assert before is not None
        due.append(advance_reminder(due[-1], before))
        assert due[-1].last is not None
        assert due[-1].last.due_at == before
    times = [one.next_at for one in due if one.next_at is not None]
    assert times == sorted(set(times))


@PROPERTY
@given(ZONES, INSTANTS)
def test_in_every_zone_a_snoozed_reminder_comes_on_time(zone: str, at: datetime) -> None:
    later = snooze(reminder(zone=zone, rule="FREQ=DAILY"), at, "abcde")
    assert later.next_at == at
    assert later.start == civil_of(at, parse_zone(zone)).isoformat()
    assert next_occurrence(later, at) is None


@pytest.mark.parametrize("odd", [{"zone": "Mars/Olympus"}, {"zone": ""}, {"start": "2026-03-01T08:00:00+01:00"}])
def test_a_missing_zone_is_utc(odd: dict[str, str]) -> None:
    each = reminder(**DAILY | {"zone": "UTC"} | odd, next_at=NOW)
    after = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert next_occurrence(each, after) == datetime(2026, 3, 29, 8, tzinfo=UTC)
    assert snooze(each, after, "abcde").start == "2026-03-28T12:00:00"
    assert "08:00" in str(next_time_text(ENGLISH, each))


@pytest.mark.parametrize("odd", [{"rule": "FREQ=SOMETIMES"}, {"start": ""}, {"start": "soon"}])
def test_an_unreadable_rule_happens_once(odd: dict[str, str]) -> None:
    each = reminder(**DAILY | odd, next_at=datetime(2026, 3, 2, 7, tzinfo=UTC))
    assert advance_reminder(each, NOW).next_at is None
    assert str(next_time_text(ENGLISH, each)) == "Monday, 2 March 2026, 08:00 (Europe/Berlin)"


@pytest.mark.parametrize(
    ("rule", "next_at", "moved"),
    [
        # 8:00 of the clock, in winter
        ("FREQ=DAILY", datetime(2026, 12, 2, 7, tzinfo=UTC), datetime(2026, 12, 2, 13, tzinfo=UTC)),
        ("", datetime(2026, 12, 2, 7, tzinfo=UTC), datetime(2026, 12, 2, 13, tzinfo=UTC)),
    ],
)
def test_moves_to_the_same_clock_time_in_another_zone(rule: str, next_at: datetime, moved: datetime) -> None:
    each = reminder(**DAILY | {"rule": rule}, next_at=next_at, is_zone_guessed=True)
    there = move_to_zone(each, "America/New_York", datetime(2026, 12, 1, tzinfo=UTC))
    assert (there.zone, there.next_at, there.is_zone_guessed) == ("America/New_York", moved, False)
    assert there.start == each.start


def test_a_moved_reminder_skips_a_past_time_or_stays() -> None:
    now, next_at = datetime(2026, 12, 2, 6, 30, tzinfo=UTC), datetime(2026, 12, 2, 7, tzinfo=UTC)
    each = reminder(**DAILY, next_at=next_at)
    assert move_to_zone(each, "Asia/Tokyo", now).next_at == datetime(2026, 12, 2, 23, tzinfo=UTC)
    once = reminder(**DAILY | {"rule": ""}, next_at=next_at, is_zone_guessed=True)
    stays = move_to_zone(once, "Asia/Tokyo", now)
    assert (stays.next_at, stays.zone, stays.is_zone_guessed) == (next_at, "Europe/Berlin", False)


def test_new_words_take_the_sources_of_their_plan() -> None:
    of_ann, of_bob = (
        ConversationSpan(conversation=one, chat_id=-7, first_seq=1, last_seq=2) for one in ("conv-a", "conv-b")
    )
    old = reminder(rule="", next_at=NOW + timedelta(hours=1), elsewhere=(of_ann,), known_links=("https://a.example",))
    before = spec_of(old)
    change = ReminderChange(
        asked_at=NOW, asked_zone="UTC", before=before, elsewhere=(of_bob,), known_links=("https://b.example",)
    )
    for after, expected in (
        (evolve(before, text="Make coffee"), ((of_bob,), ("https://b.example",))),
        (evolve(before, first_at=NOW + timedelta(hours=2)), ((of_ann,), ("https://a.example",))),
    ):
        (found,) = apply_change(old, evolve(change, after=after), NOW)
        assert (found.elsewhere, found.known_links) == expected


@pytest.mark.parametrize(
    ("now", "later", "times"),
    [
        # just sent: it comes once more, and tomorrow as ever
        ("2026-03-02T07:05", "2026-03-02T07:15", ["2026-03-02T07:15", "2026-03-03T07:00"]),
        # still to come: only tomorrow's is moved
        ("2026-03-03T06:00", "2026-03-03T08:00", ["2026-03-03T08:00", "2026-03-04T07:00"]),
        ("2026-03-02T20:00", "2026-03-03T06:00", ["2026-03-03T06:00", "2026-03-04T07:00"]),
    ],
)
def test_putting_off_what_was_just_sent_keeps_the_next_time(now: str, later: str, times: list[str]) -> None:
    asked, at = (datetime.fromisoformat(one).replace(tzinfo=UTC) for one in (now, later))
    sent = advance_reminder(reminder(**DAILY, next_at=datetime(2026, 3, 2, 7, tzinfo=UTC)), asked)
    old = evolve(sent, next_at=datetime(2026, 3, 3, 7, tzinfo=UTC))
    before = spec_of(old)
    after = evolve(before, first_at=at, start=civil_of(at, parse_zone(old.zone)).isoformat(), rule="")
    found = apply_change(old, ReminderChange(asked_at=asked, asked_zone="UTC", before=before, after=after), asked)
    assert [one.next_at and f"{one.next_at:%Y-%m-%dT%H:%M}" for one in found] == times
    assert len({one.id for one in found}) == 2
