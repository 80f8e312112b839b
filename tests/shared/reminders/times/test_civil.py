"""Civil times: each becomes one instant, also when clocks change."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings, strategies

from shared.reminders.times.civil import civil_of, instant_of
from tests.shared.reminders.times.zones import NAMES, ODD, every_zone, offset, transitions

DAY = timedelta(days=2)


def expected(civil: datetime, zone: tzinfo) -> datetime:
    """Find the instant of a civil time among the instants at which the clock shows it, by the rules of the issue."""
    about = civil.replace(tzinfo=UTC)
    before, after = offset(about - DAY, zone), offset(about + DAY, zone)
    showing = [about - one for one in (before, after) if civil_of(about - one, zone) == civil]
    if showing:
        return min(showing)
    # it does not exist: it moves forward by the length of the gap
    moved = civil + (after - before)
    return moved.replace(tzinfo=UTC) - after


@pytest.mark.parametrize(
    ("zone", "civil", "instant"),
    [
        ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30"),  # 03:30 in summer
        ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30"),  # the first of two
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:45"),  # 02:45, half an hour later
        ("Australia/Lord_Howe", "2026-04-05T01:45", "2026-04-04T14:45"),
        ("Pacific/Apia", "2011-12-30T12:00", "2011-12-30T22:00"),  # there was no 30 December: it is noon of the 31st
        ("Europe/Dublin", "2026-10-25T01:30", "2026-10-25T00:30"),
        ("Africa/Casablanca", "2026-03-22T02:30", "2026-03-22T02:30"),
        ("UTC", "2026-11-27T17:00", "2026-11-27T17:00"),
    ],
)
def test_a_time_that_does_not_exist_moves_forward_and_one_that_exists_twice_is_the_first(
    zone: str, civil: str, instant: str
) -> None:
    assert instant_of(datetime.fromisoformat(civil), ZoneInfo(zone)) == datetime.fromisoformat(instant + "+00:00")


def test_it_is_so_around_each_change_of_the_clocks_of_each_zone() -> None:
    wrong = []
    for name in NAMES:
        zone = ZoneInfo(name)
        for change in transitions(zone, 2025, 2028):
            for minutes in (-90, -61, -60, -45, -30, -15, -1, 0, 1, 15, 30, 45, 60, 61, 90):
                before = civil_of(change - timedelta(seconds=1), zone) + timedelta(seconds=1, minutes=minutes)
                if instant_of(before, zone) != expected(before, zone):
                    wrong.append((name, before))
    assert wrong == []


@pytest.mark.parametrize("name", ODD)
def test_it_is_so_around_each_change_that_there_was(name: str) -> None:
    zone = ZoneInfo(name)
    for change in transitions(zone, 1995, 2040):
        for hours in range(-26, 27):
            civil = civil_of(change, zone) + timedelta(hours=hours, minutes=10)
            assert instant_of(civil, zone) == expected(civil, zone)


@given(every_zone, strategies.datetimes(datetime(1975, 1, 1), datetime(2090, 1, 1)))
@settings(max_examples=300)
def test_what_the_clock_shows_is_never_before_the_time_meant(zone: ZoneInfo, civil: datetime) -> None:
    instant = instant_of(civil, zone)
    assert instant.tzinfo is UTC
    shown = civil_of(instant, zone)
    assert civil <= shown <= civil + timedelta(days=1)
    assert shown.tzinfo is None
    assert instant_of(shown, zone) == instant
