"""Dates in a question."""

import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.search.dates import AGO, RELATIVE, UNITS, Period, nearness, periods_in

TODAY = date(2026, 11, 24)  # a Tuesday


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("what happened on 8 May 2023?", date(2023, 5, 8), date(2023, 5, 8)),
        ("what happened on May 8th, 2023?", date(2023, 5, 8), date(2023, 5, 8)),
        ("on 2023-05-08", date(2023, 5, 8), date(2023, 5, 8)),
        ("am 8.5.2023", date(2023, 5, 8), date(2023, 5, 8)),
        ("in August 2023", date(2023, 8, 1), date(2023, 8, 31)),
        ("2023-08", date(2023, 8, 1), date(2023, 8, 31)),
        ("what did we decide in May?", date(2026, 5, 1), date(2026, 5, 31)),
        ("what did we decide in December?", date(2025, 12, 1), date(2025, 12, 31)),
        ("was war im März", date(2026, 3, 1), date(2026, 3, 31)),
        ("что мы решили в мае", date(2026, 5, 1), date(2026, 5, 31)),
        ("що було у травні", date(2026, 5, 1), date(2026, 5, 31)),
        ("el 3 de junio de 2025", date(2025, 6, 3), date(2025, 6, 3)),
        ("in 2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("yesterday", date(2026, 11, 23), date(2026, 11, 23)),
        ("was sagte sie gestern", date(2026, 11, 23), date(2026, 11, 23)),
        ("last week", date(2026, 11, 16), date(2026, 11, 22)),
        ("минулого тижня", date(2026, 11, 16), date(2026, 11, 22)),
        ("3 weeks ago", date(2026, 11, 2), date(2026, 11, 8)),
        ("2 недели назад", date(2026, 11, 9), date(2026, 11, 15)),
        ("vor 2 Monaten", date(2026, 9, 1), date(2026, 9, 30)),
        ("last year", date(2025, 1, 1), date(2025, 12, 31)),
    ],
)
def test_a_span_is_read(question: str, first: date, last: date) -> None:
    found = periods_in(question, TODAY)[0]
    assert (found.first, found.last) == (first, last)


@pytest.mark.parametrize("question", ["may I ask?", "they march on", "", "31 February 1", "99.99.2023", "room 2050b"])
def test_what_names_no_day_has_none(question: str) -> None:
    assert periods_in(question, TODAY) == ()


def test_the_nearer_the_more_it_counts() -> None:
    may = periods_in("in May 2023", TODAY)
    days = [date(2023, 5, 9), date(2023, 6, 2), date(2023, 6, 20), date(2023, 9, 1)]
    values = [nearness(may, day) for day in days]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1
    assert nearness((), TODAY) == 0


def test_a_month_of_the_last_year_counts_most() -> None:
    found = periods_in("in May", TODAY)
    assert nearness(found, date(2026, 5, 3)) > nearness(found, date(2023, 5, 3)) > nearness(found, date(2023, 9, 3))


@settings(deadline=None)
@given(st.text(), st.dates(date(1970, 1, 1), date(2100, 1, 1)))
def test_any_text_is_read(text: str, today: date) -> None:
    found = periods_in(text, today)
    assert all(isinstance(one, Period) and one.first <= one.last for one in found)
    assert 0 <= nearness(found, today) <= 1


@settings(deadline=None)
@given(st.integers(0, 9999), st.sampled_from(["days", "weeks", "months", "years"]))
def test_any_number_of_units_ago_is_a_day(count: int, unit: str) -> None:
    assert periods_in(f"{count} {unit} ago", TODAY)


def test_every_phrase_has_a_unit_and_a_number() -> None:
    assert {unit for unit, _ in RELATIVE.values()} == set(UNITS.values()) == {"day", "week", "month", "year"}
    assert RELATIVE["last week"] == RELATIVE["letzte woche"] == ("week", 1)
    assert RELATIVE["вчора"] == ("day", 1)


def test_every_unit_that_a_pattern_names_is_known() -> None:
    names = {
        name for pattern in AGO for name in re.findall(r"[^\W\d_]+", pattern.partition("<unit>")[2].partition(")")[0])
    }
    assert names == set(UNITS)
