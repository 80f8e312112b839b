"""Reminders in words."""

from datetime import UTC, datetime

from shared.scheduling.telling import when_told
from shared.wording.words import words_in
from tests.shared.reminding import reminder


def test_the_day_the_time_and_the_zone_are_told() -> None:
    one = reminder(next_at=datetime(2026, 11, 27, 16, tzinfo=UTC), zone="Europe/Berlin", start="2026-11-27T17:00:00")
    assert when_told(words_in("en"), one) == "Friday, 27 November 2026, 17:00 (Europe/Berlin)"
    each = one.model_copy(update={"rule": "FREQ=WEEKLY;BYDAY=FR"})
    told = when_told(words_in("en"), each)
    assert all(part in told for part in ("Friday", "17:00", "Europe/Berlin", "27 November 2026"))
    assert when_told(words_in("en"), one.model_copy(update={"next_at": None})) == ""
