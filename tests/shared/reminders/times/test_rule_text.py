"""When something happens, in words."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies

from shared.base.wording.dates import date_in
from shared.base.wording.words import languages, words_in
from shared.reminders.times.civil import civil_of
from shared.reminders.times.occurrences import next_after, occurrences
from shared.reminders.times.proposal import ResolvedTime, TimeProposal, resolve_time
from shared.reminders.times.recurrence import Recurrence
from shared.reminders.times.reminder_text import resolved_time_text
from shared.reminders.times.rule_text import moment_text
from shared.telegram.markdown.render import render
from shared.values.agent import parse_zone
from tests.shared.reminders.times.rules import recurrences, starts

#: a Monday, 13:00 in Kyiv
NOW = datetime(2026, 11, 23, 11, tzinfo=UTC)


def said(**fields: object) -> str:
    when = resolve_time(TimeProposal(**fields), NOW, "Europe/Kyiv")
    assert isinstance(when, ResolvedTime)
    return resolved_time_text(words_in("en"), when)


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
            "every month: last day, 08:00 (Europe/Kyiv) · 5 times in total · next: Sunday, 31 January 2027, 08:00",
        ),
        (
            {"every": "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=15", "at": "8:00"},
            "every 3 months: day 15, 08:00 (Europe/Kyiv) · next: Tuesday, 15 December 2026, 08:00",
        ),
        (
            {"every": "year", "at": "2026-12-24T18:00"},
            "every year: 24 December, 18:00 (Europe/Kyiv) · next: Thursday, 24 December 2026, 18:00",
        ),
        ({"every": "10 minutes"}, "every 10 minutes · next: Monday, 23 November 2026, 13:10"),
        (
            {"every": "30 minutes", "until": "15:00"},
            "every 30 minutes · until Monday, 23 November 2026, 15:00 · next: Monday, 23 November 2026, 13:30",
        ),
        (
            {"every": "2 hours", "until": "tomorrow"},
            "every 2 hours · until Tuesday, 24 November 2026 · next: Monday, 23 November 2026, 15:00",
        ),
        (
            {"every": "FREQ=YEARLY;BYWEEKNO=2;BYDAY=MO", "at": "8:00"},
            "regularly (Europe/Kyiv) · next: Monday, 11 January 2027, 08:00; Monday, 10 January 2028, 08:00; "
            "Monday, 8 January 2029, 08:00",
        ),
    ],
)
def test_it_is_told_with_the_day_the_time_and_the_zone(fields: dict[str, object], told: str) -> None:
    assert said(**fields) == told


def test_what_comes_next_is_told_whatever_was_before() -> None:
    when = resolve_time(TimeProposal(every="FREQ=YEARLY;BYWEEKNO=2;BYDAY=MO", at="8:00"), NOW, "UTC")
    assert isinstance(when, ResolvedTime)
    assert when.recurrence is not None
    second = next_after(when.recurrence, when.start, UTC, when.first)
    assert second is not None
    later = ResolvedTime(first=second, zone="UTC", start=when.start, recurrence=when.recurrence)
    assert resolved_time_text(words_in("en"), later).endswith(
        "next: Monday, 10 January 2028, 08:00; Monday, 8 January 2029, 08:00; Monday, 7 January 2030, 08:00"
    )


def test_a_time_that_does_not_exist_is_told_as_the_clock_will_show_it() -> None:
    assert said(at="2027-03-28T03:30") == "Sunday, 28 March 2027, 04:30 (Europe/Kyiv)"


def test_it_is_told_in_the_persons_language() -> None:
    when = resolve_time(TimeProposal(every="2 weeks", at="friday 17:00"), NOW, "Europe/Kyiv")
    assert isinstance(when, ResolvedTime)
    assert resolved_time_text(words_in("de"), when) == (
        "alle 2 Wochen: Freitag, 17:00 (Europe/Kyiv) · nächstes Mal: Freitag, 27. November 2026, 17:00"
    )
    assert moment_text(words_in("ru"), NOW, "UTC") == "понедельник, 23 ноября 2026\u202fг., 11:00 (UTC)"


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("FREQ=MONTHLY;BYDAY=1MO", "every month: first Monday, 08:00"),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1", "every month: first Monday, 08:00"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "every month: last Friday, 08:00"),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,3MO", "every 2 months: first Monday, third Monday, 08:00"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month: last weekday (Monday to Friday), 08:00"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "every month: first weekday (Monday to Friday), 08:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "every month: day 1, day 15, 08:00"),
        ("FREQ=YEARLY;BYMONTH=6,12;BYMONTHDAY=31", "every year: 30 June, 31 December, 08:00"),
        ("FREQ=MONTHLY;BYMONTH=2,3;BYMONTHDAY=29,30", "every year: 29 February, 29 March, 30 March, 08:00"),
        ("FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=-1", "every month: last day (March, September), 08:00"),
        ("FREQ=MONTHLY;INTERVAL=12;BYMONTH=5;BYMONTHDAY=1", "every year: 1 May, 08:00"),
        ("FREQ=MONTHLY;INTERVAL=24;BYMONTH=5;BYMONTHDAY=1", "every 2 years: 1 May, 08:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=15,-1", "every month: day 15, last day, 08:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "every month: last day, 08:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=30", "every month: day 30, 08:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "every month: last day, 08:00"),
        ("FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1", "every month: day 30, 08:00"),
        ("FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=1", "every year: 1 March, 1 September, 08:00"),
        ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every year: fourth Thursday (November), 08:00"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYMONTH=6,7", "every weekday (Monday to Friday) (June, July), 08:00"),
        ("FREQ=DAILY;BYMONTH=12", "every day (December), 08:00"),
        ("FREQ=DAILY;INTERVAL=3", "every 3 days, 08:00"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", "every 2 weeks: Tuesday, Thursday, 08:00"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "every day, 08:00"),
        ("FREQ=HOURLY;BYHOUR=9,17", "every day, 09:00, 17:00"),
        ("FREQ=HOURLY;BYHOUR=9,10,11,12,13,14,15,16,17", "every day, every hour: 09:00–17:00"),
        ("FREQ=DAILY;BYHOUR=8,10,12,14,16,18,20;BYMINUTE=30", "every day, every 2 hours: 08:30–20:30"),
        ("FREQ=MINUTELY;INTERVAL=30;BYHOUR=9,10,11,12;BYDAY=MO", "every week: Monday, every 30 minutes: 09:00–12:30"),
        ("FREQ=HOURLY;INTERVAL=3;BYDAY=SA,SU", "every week: Saturday, Sunday, every 3 hours"),
        ("FREQ=DAILY;BYHOUR=1,2,4,8,16,18,20", "every day, 01:00, 02:00, 04:00, 08:00, 16:00, 18:00, 20:00"),
    ],
)
def test_a_rule_is_told_in_words(rule: str, told: str) -> None:
    when = resolve_time(TimeProposal(every=rule, at="08:00"), NOW, "UTC")
    assert isinstance(when, ResolvedTime)
    assert resolved_time_text(words_in("en"), when).partition(" (UTC)")[0] == told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("de", "jeden Monat: 2. Sonntag, letzter Mittwoch, 08:00"),
        ("fr", "chaque mois : 2e dimanche, dernier mercredi, 08:00"),
        ("it", "ogni mese: 2ª domenica, ultimo mercoledì, 08:00"),
        ("ru", "каждый месяц: 2-е воскресенье, последняя среда, 08:00"),
        ("uk", "щомісяця: 2-а неділя, остання середа, 08:00"),
    ],
)
def test_days_of_a_month_are_told_in_each_language(language: str, told: str) -> None:
    when = resolve_time(TimeProposal(every="FREQ=MONTHLY;BYDAY=2SU,-1WE", at="08:00"), NOW, "UTC")
    assert isinstance(when, ResolvedTime)
    assert resolved_time_text(words_in(language), when).partition(" (UTC)")[0] == told


@given(recurrences(), starts, strategies.sampled_from(languages()))
@settings(max_examples=150, deadline=None)
def test_every_rule_is_told_in_every_language(recurrence: Recurrence, start: datetime, language: str) -> None:
    zone = parse_zone("America/New_York")
    first = next_after(recurrence, start, zone, start.replace(tzinfo=UTC))
    if first is None:
        return
    told = resolved_time_text(
        words_in(language), ResolvedTime(first=first, zone="America/New_York", start=start, recurrence=recurrence)
    )
    shown = civil_of(first, zone)
    assert f"{shown:%H:%M}" in told
    assert str(shown.year) in told
    assert "FREQ" not in told
    # as a message, it reads as it is written
    assert "".join(part.text for part in render(told)) == told.replace("`", "")


@pytest.mark.parametrize("until", ["1 day", "3 days", "2 weeks", "1 month", "2026-12-31", "2026-12-13T10:00", "P10D"])
@pytest.mark.parametrize("every", ["FREQ=DAILY", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", "FREQ=HOURLY;BYHOUR=18,19"])
@pytest.mark.parametrize("at", ["08:00", "12:59", "13:00", "13:01", "18:00", "00:00"])
def test_the_last_day_that_is_told_is_one_on_which_it_comes(every: str, at: str, until: str) -> None:
    when = resolve_time(TimeProposal(every=every, at=at, until=until), NOW, "Europe/Kyiv")
    assert isinstance(when, ResolvedTime)
    assert when.recurrence is not None
    *_, last = occurrences(when.recurrence, when.start, when.start)
    words = words_in("en")
    assert f"until {date_in(words, last)}" in resolved_time_text(words, when)
