"""Tests of resolving times that models propose."""

from datetime import UTC, datetime
from itertools import islice

import pytest
from hypothesis import given, settings, strategies

from shared.reminders.times.civil import instant_of
from shared.reminders.times.clock import HAS_OFFSET
from shared.reminders.times.occurrences import occurrences
from shared.reminders.times.problem import ScheduleProblem
from shared.reminders.times.proposal import TOO_OFTEN, ResolvedTime, TimeProposal, is_time_of_day, resolve_time
from shared.reminders.times.rule import LONGEST_PROPOSED, read_rule
from shared.values.agent import parse_zone

#: a Monday, 12:00 in Berlin
NOW = datetime(2026, 11, 23, 11, tzinfo=UTC)


def said(**fields: object) -> str:
    """Return the first time of a proposal, in UTC, with its rule; or the note to the model."""
    found = resolve_time(TimeProposal(**fields), NOW, "Europe/Berlin")
    if isinstance(found, ScheduleProblem):
        return found.hint
    assert instant_of(found.start, parse_zone(found.zone)) == found.first
    rule = f" {found.recurrence.rule}" if found.recurrence else ""
    zone = f" {found.zone}" if found.zone != "Europe/Berlin" else ""
    return f"{found.first:%Y-%m-%d %H:%M}{zone}{rule}"


@pytest.mark.parametrize(
    ("fields", "when"),
    [
        ({"after": "10 minutes"}, "2026-11-23 11:10"),
        ({"after": 10}, "2026-11-23 11:10"),
        ({"after": "PT10M", "at": "2026-11-23T12:11"}, "2026-11-23 11:10"),
        ({"at": "in 2 hours"}, "2026-11-23 13:00"),
        ({"at": "2026-11-27T17:00"}, "2026-11-27 16:00"),
        ({"at": "2026-11-27T17:00+01:00"}, "2026-11-27 16:00"),
        ({"at": "17:00"}, "2026-11-23 16:00"),
        ({"at": "08:00"}, "2026-11-24 07:00"),
        ({"at": "friday 17:00", "count": 1, "until": ""}, "2026-11-27 16:00"),
        ({"at": "2027-03-28T02:30"}, "2027-03-28 01:30"),
        ({"at": "17:00", "zone": "Asia/Tokyo"}, "2026-11-24 08:00 Asia/Tokyo"),
        ({"at": "17:00", "zone": "tokyo"}, "2026-11-24 08:00 Asia/Tokyo"),
        ({"at": ["17:00"], "every": None}, "2026-11-23 16:00"),
        ({"at": "17:00", "every": "none", "after": "", "zone": "null", "count": 0}, "2026-11-23 16:00"),
    ],
)
def test_resolves_a_single_time(fields: dict[str, object], when: str) -> None:
    assert said(**fields) == when


@pytest.mark.parametrize(
    ("fields", "when"),
    [
        ({"every": "weekday", "at": "08:00"}, "2026-11-24 07:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ({"every": "every weekday at 8"}, "2026-11-24 07:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ({"every": "weekday", "at": "18:00"}, "2026-11-23 17:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ({"every": "friday", "at": "17:00"}, "2026-11-27 16:00 FREQ=WEEKLY;BYDAY=FR"),
        ({"every": "FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0"},
         "2026-11-27 16:00 FREQ=WEEKLY;BYDAY=FR;BYHOUR=17;BYMINUTE=0"),
        ({"every": "FREQ=DAILY;BYHOUR=17"}, "2026-11-23 16:00 FREQ=DAILY;BYHOUR=17"),
        ({"every": "FREQ=WEEKLY", "at": "2026-11-27T17:00"}, "2026-11-27 16:00 FREQ=WEEKLY"),
        # the first time is over: the rule goes on from it
        ({"every": "day", "at": "2026-11-20T08:00"}, "2026-11-24 07:00 FREQ=DAILY"),
        ({"every": "2 weeks", "at": "2026-11-20T08:00"}, "2026-12-04 07:00 FREQ=WEEKLY;INTERVAL=2"),
        ({"every": "10 minutes"}, "2026-11-23 11:10 FREQ=MINUTELY;INTERVAL=10"),
        ({"every": "hour", "after": "30 minutes"}, "2026-11-23 11:30 FREQ=HOURLY"),
        ({"every": "day", "at": "08:00", "count": 3}, "2026-11-24 07:00 FREQ=DAILY;COUNT=3"),
        ({"every": "day", "at": "08:00", "count": "5 times"}, "2026-11-24 07:00 FREQ=DAILY;COUNT=5"),
        ({"every": "day", "at": "08:00", "until": "2026-12-31"},
         "2026-11-24 07:00 FREQ=DAILY;UNTIL=20261231T235959"),
        ({"every": "day", "at": "08:00", "until": "2 weeks"},
         "2026-11-24 07:00 FREQ=DAILY;UNTIL=20261207T120000"),
        ({"every": "30 minutes", "until": "in 3 hours"},
         "2026-11-23 11:30 FREQ=MINUTELY;INTERVAL=30;UNTIL=20261123T150000"),
        ({"every": "day", "at": "08:00", "until": "31 December"},
         "2026-11-24 07:00 FREQ=DAILY;UNTIL=20261231T235959"),
        ({"every": "month", "at": "2027-01-31T08:00"},
         "2027-01-31 07:00 FREQ=MONTHLY"),
        ({"every": "year", "at": "2026-12-24"}, "2026-12-24 08:00 FREQ=YEARLY"),
    ],
)  # fmt: skip
def test_resolves_a_repetition(fields: dict[str, object], when: str) -> None:
    assert said(**fields) == when


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "Say when"),
        ({"at": ""}, "Say when"),
        ({"after": "soon"}, "`after` is a span"),
        ({"at": "soon"}, "`at` is a civil day and time"),
        ({"at": "10"}, "`at` is a civil day and time"),
        ({"at": "2026-11-27T17:00Z"}, "without Z"),
        ({"at": "2026-11-27T17:00-05:00"}, "without Z"),
        ({"at": "2026-11-23T11:00"}, "in the past: it is 2026-11-23T12:00, a Monday, in Europe/Berlin now"),
        ({"at": "today 8:00"}, "in the past"),
        ({"at": "2046-01-01T08:00"}, "more than 10 years"),
        ({"after": "90 years"}, "more than 10 years"),
        ({"at": "9999-12-31T23:59"}, "more than 10 years"),
        ({"at": "0001-01-01T00:00"}, "years"),
        ({"every": "day"}, "at what time of the day"),
        ({"every": "sometimes", "at": "08:00"}, "`every` is a rule"),
        ({"every": "FREQ=SECONDLY"}, "A minute is the shortest"),
        ({"every": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "at": "08:00"}, "fits no day"),
        ({"every": "day", "at": "08:00", "until": "2026-11-01"}, "fits no day"),
        ({"every": "day", "at": "08:00", "until": "the end"}, "`until` is the last day"),
        ({"every": "day", "at": "08:00", "until": "5"}, "`until` is the last day"),
        ({"every": "day", "at": "08:00", "count": -1}, "`count` is how many"),
        ({"every": "day", "at": "08:00", "count": "many"}, "`count` is how many"),
        ({"at": "17:00", "zone": "Atlantis"}, "`zone` is the name"),
        ({"at": "17:00", "zone": "+2"}, "`zone` is the name"),
        ({"at": "tonight"}, "at what time of the day"),
        ({"at": "tomorrow morning"}, "at what time of the day"),
        ({"every": "evening"}, "at what time of the day"),
        ({"at": "tomorrow morning at 20:00"}, "not in that part of the day"),
        ({"at": "tomorrow at midnight"}, "belongs to two days"),
        ({"at": "friday night at 1"}, "belongs to two days"),
        ({"at": "friday at 24:00"}, "belongs to two days"),
        ({"every": "every friday at midnight"}, "belongs to two days"),
        ({"at": "next friday at 9"}, "in this week or in the next"),
        ({"at": "this monday at 11:00"}, "in the past"),
        ({"at": "5/12/2026 9:00"}, "read in two ways"),
        ({"at": "friday 2026-11-26 9:00"}, "another day of the week"),
        ({"at": "2027-02-29T09:00"}, "does not exist"),
        ({"at": "31 november"}, "does not exist"),
        ({"at": "30/02/2027 9:00"}, "does not exist"),
        ({"at": "17.10"}, "may be a day or a time"),
        ({"at": "завтра в 9"}, "`at` is a civil day and time"),
        ({"every": "twice a day"}, "at which times"),
        ({"every": "three times a week", "at": "9:00"}, "at which times"),
        ({"every": "twice a day", "at": "9:00"}, "at which times"),
        ({"every": "second monday", "at": "9:00"}, "every other one or the second"),
        ({"every": "day at 9:00 and 18:30"}, "one `schedule` for each"),
        ({"every": "31 april", "at": "9:00"}, "fits no day"),
        ({"at": {"day": 1}}, "is a text"),
        ({"at": "x" * 1000}, "at most 600 characters"),
    ],
)
def test_returns_hints_for_impossible_times(fields: dict[str, object], told: str) -> None:
    hint = said(**fields)
    assert told in hint
    assert hint.endswith(".")


def test_the_longest_rule_survives_storage() -> None:
    days = ",".join(str(-day) for day in range(260, 350))
    rule = f"FREQ=YEARLY;INTERVAL=1;WKST=SU;BYYEARDAY={days}"
    assert 400 < len(rule) <= LONGEST_PROPOSED
    found = resolve_time(TimeProposal(every=rule, at="08:00", until="2030-12-31", count=9999), NOW, "Europe/Berlin")
    assert isinstance(found, ResolvedTime)
    assert found.recurrence is not None
    assert read_rule(found.recurrence.rule) == found.recurrence


@pytest.mark.parametrize(
    ("at", "is_one"),
    [("10:00", True), ("5pm", True), ("noon", True), ("at 8 in the evening", True), ("tonight at 8", False),
     ("tomorrow", False), ("friday at 8", False), ("2026-11-27T10:00", False), ("in 1 hour", False), ("soon", False)],
)  # fmt: skip
def test_a_time_of_day_is_one_without_a_day(at: str, *, is_one: bool) -> None:
    assert is_time_of_day(at) is is_one


def test_a_present_time_is_told_without_what_the_model_wrote() -> None:
    assert "11:22" not in said(at="2020-02-02T11:22")


@pytest.mark.parametrize(
    ("every", "now", "times"),
    [
        # said on a Wednesday
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-11-25T10:00", "11-30 12-14 12-28"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "2026-11-25T10:00", "11-27 12-07 12-11"),
        ("2 weeks on monday", "2026-11-25T10:00", "11-30 12-14 12-28"),
        ("other monday", "2026-11-25T10:00", "11-30 12-14 12-28"),
        # said on the day itself, before the hour and after it
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", "2026-11-25T08:00", "11-25 12-09 12-23"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", "2026-11-25T10:00", "12-02 12-16 12-30"),
        ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1", "2026-11-25T10:00", "12-01 03-01 06-01"),
        ("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31", "2026-11-25T10:00", "11-30 01-31 03-31"),
        ("FREQ=MONTHLY;INTERVAL=6;BYDAY=1MO", "2026-11-25T10:00", "12-07 06-07 12-06"),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYMONTHDAY=5", "2026-11-25T10:00", "01-05 01-05 01-05"),
        ("FREQ=DAILY;INTERVAL=2", "2026-11-25T08:00", "11-25 11-27 11-29"),
        ("FREQ=DAILY;INTERVAL=2", "2026-11-25T10:00", "11-26 11-28 11-30"),
        # these take their day from the one on which they are said
        ("FREQ=WEEKLY;INTERVAL=2", "2026-11-25T10:00", "12-09 12-23 01-06"),
        ("FREQ=MONTHLY;INTERVAL=2", "2026-11-25T10:00", "01-25 03-25 05-25"),
    ],
)
def test_intervals_count_from_the_first_time(every: str, now: str, times: str) -> None:
    found = resolve_time(TimeProposal(every=every, at="09:00"), datetime.fromisoformat(f"{now}Z"), "UTC")
    assert isinstance(found, ResolvedTime)
    assert found.recurrence is not None
    coming = islice(occurrences(found.recurrence, found.start, found.start), 3)
    assert " ".join(f"{one:%m-%d}" for one in coming) == times


@pytest.mark.parametrize(
    ("fields", "when"),
    [
        ({"every": "DTSTART:20261201T080000\nRRULE:FREQ=DAILY"}, "2026-12-01 07:00 FREQ=DAILY"),
        ({"every": "DTSTART:20261201T080000 RRULE:FREQ=DAILY;COUNT=3"}, "2026-12-01 07:00 FREQ=DAILY;COUNT=3"),
        # in UTC, or with an offset, it is as in `at`: right where it is the civil time of the zone as well
        ({"every": "DTSTART:20261201T080000Z\nRRULE:FREQ=DAILY"}, HAS_OFFSET),
        ({"every": "FREQ=DAILY;DTSTART=2026-12-01T08:00:00Z"}, HAS_OFFSET),
        ({"every": "dtstart:20261201t080000z\nrrule:freq=daily"}, HAS_OFFSET),
        ({"every": "DTSTART:20261201T080000Z\nRRULE:FREQ=DAILY", "at": "10:00"}, HAS_OFFSET),
        ({"every": "DTSTART:20261201T080000+0300\nRRULE:FREQ=DAILY"}, HAS_OFFSET),
        ({"every": "DTSTART:20261201T080000+0100\nRRULE:FREQ=DAILY"}, "2026-12-01 07:00 FREQ=DAILY"),
        ({"every": "DTSTART:20261201T080000Z\nRRULE:FREQ=DAILY", "zone": "UTC"}, "2026-12-01 08:00 UTC FREQ=DAILY"),
        (
            {"every": "DTSTART:20261201T080000Z\nRRULE:FREQ=DAILY", "at": "2026-12-01T09:00"},
            "2026-12-01 08:00 FREQ=DAILY",
        ),
        ({"every": "DTSTART;TZID=Europe/Berlin:20261201T080000\\nRRULE:FREQ=DAILY"}, "2026-12-01 07:00 FREQ=DAILY"),
        ({"every": "FREQ=DAILY;DTSTART=2026-12-01T08:00:00"}, "2026-12-01 07:00 FREQ=DAILY"),
        # a time beside it counts, and so does a day
        ({"every": "DTSTART:20261201T080000\nRRULE:FREQ=DAILY", "at": "10:00"}, "2026-12-01 09:00 FREQ=DAILY"),
        ({"every": "DTSTART;VALUE=DATE:20261201\nRRULE:FREQ=DAILY", "at": "10:00"}, "2026-12-01 09:00 FREQ=DAILY"),
        (
            {"every": "DTSTART:20261201T080000\nRRULE:FREQ=DAILY", "at": "2026-12-05T10:00"},
            "2026-12-05 09:00 FREQ=DAILY",
        ),
        # one that is over: the rule goes on from it
        (
            {"every": "DTSTART:20261116T080000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"},
            "2026-11-30 07:00 FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
        ),
        ({"every": "DTSTART;TZID=Asia/Tokyo:20261201T080000\nRRULE:FREQ=DAILY"}, "Write the zone of DTSTART"),
        (
            {"every": "DTSTART;TZID=Asia/Tokyo:20261201T080000\nRRULE:FREQ=DAILY", "zone": "Asia/Tokyo"},
            "2026-11-30 23:00 Asia/Tokyo FREQ=DAILY",
        ),
    ],
)
def test_a_rule_may_have_its_first_time_beside_it(fields: dict[str, object], when: str) -> None:
    assert said(**fields).startswith(when)


@pytest.mark.parametrize("every", ["FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "4 years on 29 february"])
def test_each_fourth_29_february_is_one(every: str) -> None:
    assert said(every=every, at="9:00").startswith("2028-02-29")
    assert said(every=every.replace("4", "1", 1), at="9:00").startswith("2027-02-28")


def test_intervals_count_from_the_day_that_is_said() -> None:
    # the Monday of the week before that day is not waited for, and one that is over still counts
    assert said(every="FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", at="2026-12-02T09:00").startswith("2026-12-07")
    assert said(every="FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", at="2026-11-16T09:00").startswith("2026-11-30")


@pytest.mark.parametrize(
    ("fields", "when"),
    [
        ({"every": "evening", "at": "8:00"}, "2026-11-23 19:00 FREQ=DAILY"),
        ({"every": "every evening at 8"}, "2026-11-23 19:00 FREQ=DAILY"),
        ({"every": "every evening", "at": "20:00"}, "2026-11-23 19:00 FREQ=DAILY"),
        ({"every": "every morning at half past seven"}, "2026-11-24 06:30 FREQ=DAILY"),
        ({"every": "every night at 11"}, "2026-11-23 22:00 FREQ=DAILY"),
        ({"every": "day at midnight"}, "2026-11-23 23:00 FREQ=DAILY"),
        ({"every": "weekdays at 7 in the evening"}, "2026-11-23 18:00 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ({"every": "on friday evenings", "at": "7"}, "`at` is"),
        ({"every": "friday", "at": "7 in the evening"}, "2026-11-27 18:00 FREQ=WEEKLY;BYDAY=FR"),
        ({"at": "tonight at 8"}, "2026-11-23 19:00"),
        ({"at": "tonight at midnight"}, "2026-11-23 23:00"),
        ({"at": "tomorrow evening at 7:30"}, "2026-11-24 18:30"),
        ({"every": "day at 9 and 18:00"}, "2026-11-23 17:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0"),
        ({"every": "twice a day at 9:00 and 21:00"}, "2026-11-23 20:00 FREQ=DAILY;BYHOUR=9,21;BYMINUTE=0"),
    ],
)
def test_a_part_of_the_day_tells_which_half_it_is(fields: dict[str, object], when: str) -> None:
    assert said(**fields).startswith(when)


json_values = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats()
    | strategies.text(max_size=9),
    lambda inner: strategies.lists(inner, max_size=2) | strategies.dictionaries(strategies.text(max_size=3), inner),
    max_leaves=3,
)
likely = strategies.sampled_from(
    ["17:00", "2026-11-27T17:00", "2026-02-29", "10 minutes", "weekday", "friday", "FREQ=DAILY", "FREQ=HOURLY;COUNT=2",
     "FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=4", "Europe/Kyiv", "2027-01-01", 5, "tomorrow", "9999-12-31T23:59:59", 10**9]
)  # fmt: skip
fields = strategies.none() | likely | json_values


@given(strategies.builds(TimeProposal, at=fields, after=fields, every=fields, until=fields, count=fields, zone=fields))
@settings(max_examples=300, deadline=None)
def test_any_input_gives_a_coming_time_or_a_hint(proposal: TimeProposal) -> None:
    found = resolve_time(proposal, NOW, "Europe/Kyiv")
    if isinstance(found, ResolvedTime):
        assert found.first > NOW
        assert found.first == instant_of(found.start, parse_zone(found.zone))
    else:
        assert found.hint.endswith(".")


@pytest.mark.parametrize(
    "fields",
    [
        {"every": "minute"}, {"every": "9 minutes"}, {"every": "minute", "count": 145},
        {"every": "FREQ=MINUTELY;BYDAY=FR", "at": "2026-11-27T23:59"},
        {"every": f"FREQ=HOURLY;BYMINUTE={','.join(map(str, range(0, 60, 5)))}"},
    ],
)  # fmt: skip
def test_explains_the_limit_for_frequent_times(fields: dict[str, object]) -> None:
    found = resolve_time(TimeProposal(**fields), NOW, "Europe/Berlin")
    assert found == ScheduleProblem(TOO_OFTEN)


@pytest.mark.parametrize(
    "fields",
    [
        {"every": "5 minutes", "count": 6}, {"every": "minute", "count": 144}, {"every": "10 minutes"},
        {"every": "hour"}, {"every": "5 minutes", "until": "2026-11-23T12:30"},
        {"every": "FREQ=DAILY;BYHOUR=8,12,18;BYMINUTE=0,30"},
    ],
)  # fmt: skip
def test_a_short_repetition_may_be_frequent(fields: dict[str, object]) -> None:
    assert isinstance(resolve_time(TimeProposal(**fields), NOW, "Europe/Berlin"), ResolvedTime)


@pytest.mark.parametrize(
    ("fields", "when"),
    [
        ({"at": "2026\u201111\u201127 17:00"}, "2026-11-27 16:00"),
        ({"at": "2026–11–27T17:00"}, "2026-11-27 16:00"),
        ({"at": "5:00\u202fPM"}, "2026-11-23 16:00"),
        ({"at": "１７：００"}, "2026-11-23 16:00"),
        ({"at": "“17:00”"}, "2026-11-23 16:00"),
        ({"at": "`17:00`"}, "2026-11-23 16:00"),
        ({"at": "7 o’clock tomorrow"}, "2026-11-24 06:00"),
        ({"at": "\u200e17:00\u200f"}, "2026-11-23 16:00"),
        ({"at": "\ufeff2026-11-27T17:00\r\n"}, "2026-11-27 16:00"),
        ({"after": "«10 minutes»"}, "2026-11-23 11:10"),
        ({"every": "“FREQ=DAILY”", "at": "17:00"}, "2026-11-23 16:00 FREQ=DAILY"),
        ({"every": "`FREQ=WEEKLY;BYDAY=FR`", "at": "17:00"}, "2026-11-27 16:00 FREQ=WEEKLY;BYDAY=FR"),
        ({"every": [], "at": "17:00", "after": {}, "count": 0.0}, "2026-11-23 16:00"),
        ({"after": "twenty-five minutes"}, "2026-11-23 11:25"),
        ({"after": "thirty five minutes"}, "2026-11-23 11:35"),
        ({"after": "seventeen minutes"}, "2026-11-23 11:17"),
        ({"every": "day at 9 and 18"}, "2026-11-23 17:00 FREQ=DAILY;BYHOUR=9,18;BYMINUTE=0"),
        ({"every": "day at 8, 14 and 20"}, "2026-11-23 13:00 FREQ=DAILY;BYHOUR=8,14,20;BYMINUTE=0"),
        ({"every": "mon & fri at eight, twelve & 18"},
         "2026-11-23 17:00 FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=8,12,18;BYMINUTE=0"),
        # no other number: this is neither eleven halves nor eleven
        ({"after": "1½ hours"}, "`after` is a span"),
    ],
)  # fmt: skip
def test_reads_the_signs_and_numbers_that_models_write(fields: dict[str, object], when: str) -> None:
    assert said(**fields).startswith(when)
