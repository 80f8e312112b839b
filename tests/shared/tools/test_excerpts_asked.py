"""Civil days, as models write them."""

from datetime import date

import pytest

from shared.base.errors import ToolFailed
from shared.tools.excerpts import parse_day, parse_number, parse_text


@pytest.mark.parametrize(
    ("said", "begin", "end"),
    [
        ("2026-05-08", date(2026, 5, 8), date(2026, 5, 8)),
        (" 2026-5 ", date(2026, 5, 1), date(2026, 5, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("2026-05-08T10:00:00Z", date(2026, 5, 8), date(2026, 5, 8)),
        (None, None, None),
        ("", None, None),
    ],
)
def test_a_day_a_month_or_a_year_is_understood(said: object, begin: date | None, end: date | None) -> None:
    assert (parse_day(said, is_end=False), parse_day(said, is_end=True)) == (begin, end)


@pytest.mark.parametrize("said", ["May", "2026-13", "2026-02-30", 5, ["2026"], "0000"])
def test_anything_else_is_told_what_is_wanted(said: object) -> None:
    with pytest.raises(ToolFailed, match="2026-05-08"):
        parse_day(said, is_end=False)


def test_a_text_without_what_no_text_holds() -> None:
    assert (parse_text(" a\udc80b "), parse_text(5), parse_text(None)) == ("ab", "", "")


@pytest.mark.parametrize(
    ("said", "number"),
    [(5, 5), (5.9, 5), (-2, -2), (True, None), ("5", None), (None, None), (float("inf"), None), (float("nan"), None)],
)
def test_a_number_is_one_that_counts_something(said: object, number: int | None) -> None:
    assert parse_number(said) == number
