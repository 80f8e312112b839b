"""Refusals: whose limit was reached, how long the refusal is valid, and when the limit starts anew."""

from datetime import timedelta

import pytest

from shared.spending.refusals import (
    ASK_AGAIN_AFTER,
    budget_refusal,
    exhausted_period,
    is_limited,
    is_of_month,
    is_soft,
    is_still_refused,
    zone_of,
)
from shared.values.account import DEPLOYMENT, PERSON, LimitPeriod, SpendingSums
from shared.values.money import Amount, SpendingLimits
from tests.shared.examples import NOW, SECOND
from tests.shared.spending.values import cents

#: the current day by scope: in the agent's time zone the next day has begun
DAYS = {DEPLOYMENT: "2026-11-30", PERSON: "2026-12-01", "lull": "2026-12-01"}


@pytest.mark.parametrize(
    ("scope", "span", "label"),
    [
        (PERSON, LimitPeriod.DAY, "2026-12-01"),
        ("lull", LimitPeriod.MONTH, "2026-12"),
        (DEPLOYMENT, LimitPeriod.DAY, "2026-11-30"),
        (DEPLOYMENT, LimitPeriod.MONTH, "2026-11"),
    ],
)
def test_it_is_of_the_day_of_whose_limit_it_was(scope: str, span: LimitPeriod, label: str) -> None:
    found = budget_refusal(5, scope, span, DAYS, NOW)
    assert (found.label, is_of_month(found)) == (label, span is LimitPeriod.MONTH)
    assert zone_of(found, "Europe/Kyiv") == ("UTC" if scope == DEPLOYMENT else "Europe/Kyiv")
    assert is_still_refused(found, 5, DAYS, NOW)
    assert not is_still_refused(found, 6, DAYS, NOW)
    assert not is_still_refused(found, 5, DAYS, NOW + ASK_AGAIN_AFTER)
    assert not is_still_refused(found, 5, dict.fromkeys(DAYS, "2027-01-01"), NOW + SECOND)


def test_without_one_nobody_is_refused() -> None:
    assert not is_still_refused(None, 5, DAYS, NOW + timedelta(days=1))
    assert zone_of(None, "Europe/Kyiv") == "Europe/Kyiv"


def test_what_nothing_limits_is_asked_of_nobody() -> None:
    assert not is_limited([SpendingLimits(), SpendingLimits(day_messages=1)], cents(1))
    assert is_limited([SpendingLimits(month_usd=1)], cents(1))
    assert is_limited([SpendingLimits(month_messages=1)], Amount(messages=1))


def test_a_chats_own_limits() -> None:
    sums = SpendingSums(day="2026-12-01", spent_day=cents(1), spent_month=cents(3, 2))
    assert exhausted_period(sums, SpendingLimits(day_usd=0.02, month_usd=0.04), cents(1)) is None
    assert exhausted_period(sums, SpendingLimits(day_usd=0.02), cents(1.5)) is LimitPeriod.DAY
    assert exhausted_period(sums, SpendingLimits(month_messages=2), Amount(messages=1)) is LimitPeriod.MONTH


def test_a_chats_own_limits_have_a_soft_share() -> None:
    sums = SpendingSums(day="2026-12-01", spent_day=cents(1), spent_month=cents(3, 2))
    assert is_soft(sums, SpendingLimits(day_usd=0.0125), 0.8)
    assert is_soft(sums, SpendingLimits(month_messages=2), 0.8)
    assert not is_soft(sums, SpendingLimits(day_usd=0.0126, month_messages=3), 0.8)
    assert not is_soft(sums, SpendingLimits(), 0.8)
