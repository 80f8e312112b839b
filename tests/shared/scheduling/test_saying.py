"""When something happens, in words."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies

from shared.formatting.render import render
from shared.models.agent import zone_named
from shared.scheduling.civil import civil_of
from shared.scheduling.occurrences import next_after
from shared.scheduling.proposal import Proposal, When, resolved
from shared.scheduling.recurrence import Recurrence
from shared.scheduling.saying import moment_said, when_said
from shared.wording.catalogue import languages
from shared.wording.words import words_in
from tests.shared.scheduling.rules import recurrences, starts

#: a Monday, 13:00 in Kyiv
NOW = datetime(2026, 11, 23, 11, tzinfo=UTC)


def said(**fields: object) -> str:
    when = resolved(Proposal(**fields), NOW, "Europe/Kyiv")
    assert isinstance(when, When)
    return when_said(words_in("en"), when)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"at": "2026-11-27T17:00"}, "Friday, 27 November 2026, 17:00 (Europe/Kyiv)"),
        ({"at": "17:00", "zone": "Asia/Tokyo"}, "Tuesday, 24 November 2026, 17:00 (Asia/Tokyo)"),
        (
            {"every": "weekday", "at": "08:00"},
            "every weekday (Monday to Friday), 08:00 (Europe/Kyiv) · next: Tuesday, 24 November 2026, 08:00",
        ),
        (
            {"every": "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=30"},
            "every day, 08:30, 20:30 (Europe/Kyiv) · next: Monday, 23 November 2026, 20:30",
        ),
        (
            {"every": "FREQ=DAILY;BYDAY=MO,WE", "at": "8:00"},
            "every week: Monday, Wednesday, 08:00 (Europe/Kyiv) · next: Wednesday, 25 November 2026, 08:00",
        ),
        (
            {"every": "2 weeks", "at": "friday 17:00", "until": "2026-12-31"},
            "every 2 weeks: Friday, 17:00 (Europe/Kyiv) · until Thursday, 31 December 2026 · "
            "next: Friday, 27 November 2026, 17:00",
        ),
        (
            {"every": "month", "at": "2027-01-31T08:00", "count": 5},
            "every month: last day, 08:00 (Europe/Kyiv) · 5 times in all · next: Sunday, 31 January 2027, 08:00",
        ),
        (
            {"every": "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15", "at": "8:00"},
            "every 3 months: day 15, 08:00 (Europe/Kyiv) · next: Monday, 15 February 2027, 08:00",
        ),
        (
            {"every": "year", "at": "2026-12-24T18:00"},
            "every year: 24 December, 18:00 (Europe/Kyiv) · next: Thursday, 24 December 2026, 18:00",
        ),
        ({"every": "10 minutes"}, "every 10 minutes · next: Monday, 23 November 2026, 13:10"),
        (
            {"every": "first monday of the month", "at": "8:00"},
            "by the rule `FREQ=MONTHLY;BYDAY=1MO` (Europe/Kyiv) · next: Monday, 7 December 2026, 08:00; "
            "Monday, 4 January 2027, 08:00; Monday, 1 February 2027, 08:00",
        ),
        (
            {"every": "FREQ=HOURLY;BYHOUR=9,17", "count": 2},
            "by the rule `FREQ=HOURLY;BYHOUR=9,17` (Europe/Kyiv) · 2 times in all · "
            "next: Monday, 23 November 2026, 17:00; Tuesday, 24 November 2026, 09:00",
        ),
    ],
)
def test_it_is_told_with_the_day_the_time_and_the_zone(fields: dict[str, object], told: str) -> None:
    assert said(**fields) == told


def test_what_comes_next_is_told_whatever_was_before() -> None:
    when = resolved(Proposal(every="first monday", at="8:00"), NOW, "UTC")
    assert isinstance(when, When)
    assert when.recurrence is not None
    second = next_after(when.recurrence, when.start, UTC, when.first)
    assert second is not None
    later = When(first=second, zone="UTC", start=when.start, recurrence=when.recurrence)
    assert when_said(words_in("en"), later).endswith(
        "next: Monday, 4 January 2027, 08:00; Monday, 1 February 2027, 08:00; Monday, 1 March 2027, 08:00"
    )


def test_a_time_that_does_not_exist_is_told_as_the_clock_will_show_it() -> None:
    assert said(at="2027-03-28T03:30") == "Sunday, 28 March 2027, 04:30 (Europe/Kyiv)"


def test_it_is_told_in_the_persons_language() -> None:
    when = resolved(Proposal(every="2 weeks", at="friday 17:00"), NOW, "Europe/Kyiv")
    assert isinstance(when, When)
    assert when_said(words_in("de"), when) == (
        "alle 2 Wochen: Freitag, 17:00 (Europe/Kyiv) · nächstes Mal: Freitag, 27. November 2026, 17:00"
    )
    assert moment_said(words_in("ru"), NOW, "UTC") == "понедельник, 23 ноября 2026\u202fг., 11:00 (UTC)"


@given(recurrences(), starts, strategies.sampled_from(languages()))
@settings(max_examples=150, deadline=None)
def test_every_rule_is_told_in_every_language(recurrence: Recurrence, start: datetime, language: str) -> None:
    zone = zone_named("America/New_York")
    first = next_after(recurrence, start, zone, start.replace(tzinfo=UTC))
    if first is None:
        return
    told = when_said(words_in(language), When(first=first, zone="America/New_York", start=start, recurrence=recurrence))
    shown = civil_of(first, zone)
    assert f"{shown:%H:%M}" in told
    assert str(shown.year) in told
    # as a message, it reads as it is written
    assert "".join(part.text for part in render(told)) == told.replace("`", "")
