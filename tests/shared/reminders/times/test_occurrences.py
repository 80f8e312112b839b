"""When a recurrence happens: once at each of its times, none left out, in every zone."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import assume, given, settings, strategies

from shared.reminders.times.civil import civil_of, instant_of
from shared.reminders.times.occurrences import next_after, occurrences
from shared.reminders.times.recurrence import Frequency, Recurrence
from shared.reminders.times.rule import read_rule
from tests.shared.reminders.times.rules import recurrences, starts
from tests.shared.reminders.times.zones import NAMES, ODD, every_zone, transitions

BERLIN = ZoneInfo("Europe/Berlin")


def instants(rule: str, start: str, zone: tzinfo, after: str, most: int) -> list[str]:
    """List the next instants, each computed from the one before, by the zone's clock."""
    found: list[str] = []
    at = instant_of(datetime.fromisoformat(after), zone)
    while len(found) < most:
        following = next_after(read_rule(rule), datetime.fromisoformat(start), zone, at)
        if following is None:
            break
        at = following
        found.append(f"{civil_of(at, zone):%m-%d %H:%M}")
    return found


@pytest.mark.parametrize(
    ("rule", "start", "after", "found"),
    [
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-27T08:00", "2026-11-27T08:00", ["11-30 08:00", "12-01 08:00"]),
        ("FREQ=WEEKLY;BYDAY=FR", "2026-11-27T17:00", "2026-11-20T00:00", ["11-27 17:00", "12-04 17:00"]),
        # the civil time stays in winter and summer
        ("FREQ=DAILY", "2026-03-27T08:00", "2026-03-27T09:00", ["03-28 08:00", "03-29 08:00", "03-30 08:00"]),
        # a time that does not exist moves; a time that exists twice happens once
        ("FREQ=DAILY", "2026-03-27T02:30", "2026-03-28T09:00", ["03-29 03:30", "03-30 02:30"]),
        ("FREQ=DAILY", "2026-10-01T02:30", "2026-10-24T09:00", ["10-25 02:30", "10-26 02:30"]),
        ("FREQ=HOURLY", "2026-10-01T00:30", "2026-10-25T01:00", ["10-25 01:30", "10-25 02:30", "10-25 03:30"]),
        # two that become one instant happen once, and none comes before another
        ("FREQ=HOURLY", "2026-03-01T00:30", "2026-03-29T01:00", ["03-29 01:30", "03-29 03:30", "03-29 04:30"]),
        (
            "FREQ=MINUTELY;INTERVAL=20", "2026-03-01T00:00", "2026-03-29T01:30",
            ["03-29 01:40", "03-29 03:00", "03-29 03:20", "03-29 03:40", "03-29 04:00"],
        ),
        ("FREQ=DAILY;COUNT=3", "2026-11-27T08:00", "2026-11-28T00:00", ["11-28 08:00", "11-29 08:00"]),
        ("FREQ=DAILY;UNTIL=20261128T080000", "2026-11-27T08:00", "2026-11-01T00:00", ["11-27 08:00", "11-28 08:00"]),
        ("FREQ=DAILY;UNTIL=20261128T075959", "2026-11-27T08:00", "2026-11-01T00:00", ["11-27 08:00"]),
        # a day that a month lacks is its last one
        ("FREQ=MONTHLY", "2026-01-31T08:00", "2026-02-01T00:00", ["02-28 08:00", "03-31 08:00", "04-30 08:00"]),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "2026-01-31T08:00", "2026-02-01T00:00", ["02-28 08:00", "03-31 08:00"]),
        ("FREQ=MONTHLY;BYMONTHDAY=30", "2028-01-30T08:00", "2028-02-01T00:00", ["02-29 08:00", "03-30 08:00"]),
        (
            "FREQ=MONTHLY;BYMONTHDAY=15,31", "2026-01-15T08:00", "2026-02-01T00:00",
            ["02-15 08:00", "02-28 08:00", "03-15 08:00", "03-31 08:00", "04-15 08:00", "04-30 08:00"],
        ),
        (
            "FREQ=MONTHLY;BYMONTHDAY=30,31", "2026-01-15T08:00", "2026-02-01T00:00",
            ["02-28 08:00", "03-30 08:00", "03-31 08:00", "04-30 08:00", "05-30 08:00"],
        ),
        (
            "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=31", "2026-11-30T08:00", "2026-12-01T00:00",
            ["02-28 08:00", "05-31 08:00"],
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31T08:00", "2026-02-01T00:00", ["02-28 08:00", "03-31 08:00"]),
        (
            "FREQ=MONTHLY;BYMONTHDAY=29,-1", "2027-01-01T08:00", "2027-02-01T00:00",
            ["02-28 08:00", "03-29 08:00", "03-31 08:00"],
        ),
        ("FREQ=DAILY;BYMONTHDAY=31", "2026-01-31T08:00", "2026-02-01T00:00", ["02-28 08:00", "03-31 08:00"]),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2027-01-01T08:00", "2027-01-01T00:00", ["02-28 08:00", "02-29 08:00"]),
        (
            "FREQ=YEARLY;BYMONTH=1,4;BYMONTHDAY=31", "2026-01-31T08:00", "2026-02-01T00:00",
            ["04-30 08:00", "01-31 08:00"],
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=31;COUNT=2", "2026-01-31T08:00", "2026-01-01T00:00", ["01-31 08:00", "02-28 08:00"]),
        # a Friday that is a 31st is no other day
        ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=31", "2026-07-31T08:00", "2026-08-01T00:00", ["12-31 08:00"]),
        ("FREQ=MONTHLY;BYDAY=-1FR", "2026-11-27T08:00", "2026-11-28T00:00", ["12-25 08:00", "01-29 08:00"]),
        (
            "FREQ=YEARLY", "2024-02-29T08:00", "2024-03-01T00:00",
            ["02-28 08:00", "02-28 08:00", "02-28 08:00", "02-29 08:00"],
        ),
        ("FREQ=MINUTELY;INTERVAL=1500", "2026-11-27T08:00", "2026-11-27T08:00", ["11-28 09:00", "11-29 10:00"]),
        ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "2026-11-29T08:00", "2026-11-29T09:00", ["12-13 08:00", "12-27 08:00"]),
        ("FREQ=DAILY;BYHOUR=8,20;BYSETPOS=-1", "2026-11-27T08:15", "2026-11-27T08:15", ["11-27 20:15"]),
    ],
)  # fmt: skip
def test_it_happens_at_its_times(rule: str, start: str, after: str, found: list[str]) -> None:
    assert instants(rule, start, BERLIN, after, most=len(found)) == found


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;INTERVAL=10000",
        "FREQ=WEEKLY;BYMONTH=2;BYYEARDAY=100",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30;BYMINUTE=1,2,3",
        "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=3;BYMINUTE=7;INTERVAL=7",
        "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=7",
        "FREQ=HOURLY;INTERVAL=24;BYHOUR=7",
        "FREQ=YEARLY;INTERVAL=10000;BYMONTH=1",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYSETPOS=" + ",".join(str(one) for one in range(1, 100)),
    ],
)
def test_a_rule_that_fits_no_time_ends(rule: str) -> None:
    # without the search at the end of dateutil's calendar some of these would outlast the test's time
    start = datetime(2026, 11, 23, 12)
    assert next_after(read_rule(rule), start, BERLIN, datetime(2026, 11, 23, 12, tzinfo=UTC)) is None


def test_a_rule_with_all_the_values_that_it_may_have_is_bounded() -> None:
    # each minute of a year: half a million, of which a day is looked at
    every = Recurrence(
        frequency=Frequency.YEARLY, year_days=tuple(range(1, 367)), hours=tuple(range(24)), minutes=tuple(range(60))
    )
    start = datetime(2016, 11, 23, 12)
    assert next_after(every, start, BERLIN, datetime(2026, 11, 23, 12, tzinfo=UTC)) == datetime(
        2026, 11, 23, 12, 1, tzinfo=UTC
    )


def by_dateutil(recurrence: Recurrence, start: datetime, since: datetime, most: int) -> list[datetime]:
    """List the times of a rule by dateutil, from its start on."""
    found = rrulestr(recurrence.rule, dtstart=start)
    return list(islice((one for one in found if one >= since), most))


@given(recurrences(), starts, strategies.timedeltas(timedelta(0), timedelta(days=900)))
@settings(max_examples=250, deadline=None)
def test_its_times_are_those_that_dateutil_tells(recurrence: Recurrence, start: datetime, later: timedelta) -> None:
    since = start + later
    # these are compared only between dateutil's first and last time, so that the comparison ends
    frequent = recurrence.frequency in {Frequency.HOURLY, Frequency.MINUTELY}
    assume(not frequent or later < timedelta(days=20))
    # and it leaves out the days that a month lacks
    assume(
        all(day < 29 for day in recurrence.month_days or (start.day,)) or recurrence.weekdays or recurrence.positions
    )
    found = list(islice(occurrences(recurrence, start, since), 4))
    if not found:
        return
    assert found == sorted(set(found))
    whole = recurrence.frequency is Frequency.WEEKLY and recurrence.positions
    begin = start - timedelta(days=(start.weekday() - recurrence.week_start) % 7) if whole else start
    filled = _as_from(recurrence, start) if whole else recurrence
    told = rrulestr(filled.rule, dtstart=begin.replace(hour=0, minute=0) if whole else begin)
    between = takewhile(lambda one: one <= found[-1], told)
    assert [one for one in between if one >= since] == found


def _as_from(recurrence: Recurrence, start: datetime) -> Recurrence:
    """Complete a weekly rule so that it does not depend on its start.

    dateutil chooses among the days behind the start in the first week; RFC 5545 chooses among those of whole weeks.
    """
    return replace(
        recurrence,
        weekdays=recurrence.weekdays or ((start.weekday(), 0),),
        hours=recurrence.hours or (start.hour,),
        minutes=recurrence.minutes or (start.minute,),
    )


def walked(recurrence: Recurrence, start: datetime, zone: tzinfo, begin: datetime, end: datetime) -> Iterator[datetime]:
    """Yield the instants between two others, each computed from the one before."""
    at = begin
    while (following := next_after(recurrence, start, zone, at)) is not None and following <= end:
        yield following
        at = following


def _check(recurrence: Recurrence, start: datetime, zone: tzinfo, begin: datetime, end: datetime) -> None:
    civil = occurrences(recurrence, start, start)
    last = civil_of(end, zone) + timedelta(days=2)
    all_of_them = (instant_of(one, zone) for one in takewhile(lambda one: one < last, civil))
    expected = sorted({one for one in all_of_them if begin < one <= end})
    assert list(walked(recurrence, start, zone, begin, end)) == expected


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("rule", ["FREQ=MINUTELY;INTERVAL=13", "FREQ=HOURLY", "FREQ=DAILY;BYHOUR=0,1,2;BYMINUTE=15,40"])
def test_around_each_change_of_the_clocks_none_is_left_out_and_none_doubled(name: str, rule: str) -> None:
    zone = ZoneInfo(name)
    for change in transitions(zone, 2026, 2027) or (datetime(2026, 7, 1, tzinfo=UTC),):
        start = civil_of(change - timedelta(days=3), zone)
        _check(read_rule(rule), start, zone, change - timedelta(hours=5), change + timedelta(hours=5))


def test_where_a_day_was_left_out_each_time_still_comes_once() -> None:
    apia = ZoneInfo("Pacific/Apia")
    begin = datetime(2011, 12, 28, tzinfo=UTC)
    for rule in ("FREQ=HOURLY;INTERVAL=7", "FREQ=DAILY", "FREQ=MINUTELY;INTERVAL=50"):
        _check(read_rule(rule), datetime(2011, 12, 20, 9, 30), apia, begin, begin + timedelta(days=6))


def test_in_every_zone_a_daily_time_comes_once_each_day() -> None:
    daily = read_rule("FREQ=DAILY")
    wrong = []
    for name in NAMES[::3]:
        zone = ZoneInfo(name)
        for change in transitions(zone, 2026, 2026):
            start = civil_of(change - timedelta(days=9, minutes=30), zone)
            found = list(walked(daily, start, zone, change - timedelta(days=3), change + timedelta(days=3)))
            days = [civil_of(one, zone).date() for one in found]
            if days != [days[0] + timedelta(days=number) for number in range(len(days))] or len(days) < 5:
                wrong.append((name, found))
    assert wrong == []


@given(recurrences(), starts, every_zone, strategies.integers(0, 72))
@settings(max_examples=60, deadline=None)
def test_in_every_zone_none_is_left_out_and_none_doubled(
    recurrence: Recurrence, start: datetime, zone: ZoneInfo, hours: int
) -> None:
    begin = instant_of(start, zone) + timedelta(hours=hours)
    end = begin + timedelta(hours=3)
    _check(recurrence, start, zone, begin, end)
