"""Dates that the model gives are kept as far as they can be meant."""

from datetime import date

import pytest

from shared.noting.happened import day_of, happened_in

SAID = date(2026, 5, 9)


@pytest.mark.parametrize("text", ["2026-05-08", "2026-05", "2026", " 1985 ", "2050-12-31", "2024-02-29"])
def test_a_date_stays_as_exact_as_it_is(text: str) -> None:
    assert happened_in(text, SAID) == text.strip()


@pytest.mark.parametrize(
    "text",
    ["", "Friday", "2026-5-8", "2026-02-30", "2026-13", "1066", "3026", "0000-01-01", "2026-05-08T10:00", "２０２６"],
)
def test_what_is_none_or_cannot_be_meant_is_not_known(text: str) -> None:
    assert happened_in(text, SAID) == ""


def test_a_month_begins_on_its_first_day() -> None:
    assert day_of("2026-05", SAID) == date(2026, 5, 1)
    assert day_of("2026-05-08", SAID) == date(2026, 5, 8)
    assert day_of("", SAID) == SAID
