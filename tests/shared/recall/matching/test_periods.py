"""Tests of the nearness of days to the named periods."""

from datetime import date

import pytest

from shared.recall.matching.dates import periods_in
from shared.recall.matching.periods import nearness, newest_of

TODAY = date(2026, 11, 24)


def test_nearer_days_count_more() -> None:
    may = periods_in("in May 2023", TODAY)
    days = [date(2023, 5, 9), date(2023, 6, 2), date(2023, 6, 20), date(2023, 9, 1)]
    values = [nearness(may, day) for day in days]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1
    assert nearness((), TODAY) == 0


def test_the_last_such_month_counts_most() -> None:
    found = periods_in("in May", TODAY)
    assert nearness(found, date(2026, 5, 3)) > nearness(found, date(2023, 5, 3)) > nearness(found, date(2023, 9, 3))


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("on 20 November and on 1 November", [date(2026, 11, 20), date(2026, 11, 1)]),
        ("on 29 February", [date(2024, 2, 29)]),
        ("on 29 February 2020 and yesterday", [date(2020, 2, 29), date(2026, 11, 23)]),
        ("in May and on Friday", [date(2026, 5, 1), date(2026, 11, 20)]),
        ("on 2 December", [date(2025, 12, 2)]),
        ("last year", [date(2025, 1, 1)]),
        ("something", []),
    ],
)
def test_newest_of_keeps_the_last_of_each_named_day(question: str, days: list[date]) -> None:
    assert [one.first for one in newest_of(periods_in(question, TODAY))] == days
