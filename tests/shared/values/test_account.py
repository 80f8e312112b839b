"""Sums are those of the newest day that any caller's clock has shown, and each loan is settled separately."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from shared.values.account import SpendingSums, day_label, month_of, next_month
from shared.values.money import ZERO, Amount

FIVE = Amount(nano_usd=5)


def test_a_day_is_the_zones() -> None:
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    assert (day_label(late, UTC), day_label(late, ZoneInfo("Europe/Kyiv"))) == ("2026-11-30", "2026-12-01")


@pytest.mark.parametrize(("day", "first"), [("2026-11-25", "2026-12-01"), ("2026-12-31", "2027-01-01")])
def test_the_next_month_begins_with_its_first_day(day: str, first: str) -> None:
    assert next_month(day) == first
    assert month_of(first) == first[:7]


def test_a_new_day_begins_with_nothing_and_a_month_with_less() -> None:
    sums = SpendingSums().on("2026-11-29").with_spent(FIVE, "2026-11-29")
    assert (sums.spent_day, sums.spent_month) == (FIVE, FIVE)
    tomorrow = sums.on("2026-11-30")
    assert (tomorrow.spent_day, tomorrow.spent_month) == (ZERO, FIVE)
    assert tomorrow.on("2026-12-01").spent_month == ZERO


def test_a_slow_clock_does_not_turn_the_day_back() -> None:
    sums = SpendingSums().on("2026-11-30").with_spent(FIVE, "2026-11-30")
    assert sums.on("2026-11-29") == sums


def test_what_was_lent_yesterday_is_settled_in_the_month_alone() -> None:
    sums = SpendingSums().on("2026-11-30").with_spent(FIVE, "2026-11-29")
    assert (sums.spent_day, sums.spent_month) == (ZERO, FIVE)
    assert sums.on("2026-12-01").with_spent(FIVE, "2026-11-30").spent_month == ZERO
