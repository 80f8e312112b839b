"""How near something is to the days that a question names."""

from datetime import date

from shared.search.dates import periods_in
from shared.search.periods import nearness

TODAY = date(2026, 11, 24)


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
