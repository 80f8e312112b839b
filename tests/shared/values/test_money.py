"""Amounts are whole numbers, and without a limit everything is allowed."""

import pytest
from pydantic import ValidationError

from shared.values.money import ENDLESS, NANO, AgentLimits, Amount, SpendingLimits, sum_amounts, usd_to_nanos


def test_what_is_spent_is_rounded_up_and_what_is_allowed_down() -> None:
    assert (usd_to_nanos(0.0000000001), usd_to_nanos(0.0), usd_to_nanos(1.5)) == (1, 0, 1_500_000_000)
    assert SpendingLimits(day_usd=0.0000000019).day.nano_usd == 1


def test_amounts_are_added_and_compared_in_both() -> None:
    one, two = Amount(nano_usd=3, messages=1), Amount(nano_usd=1, messages=2)
    assert sum_amounts([one, two]) == one + two == Amount(nano_usd=4, messages=3)
    assert one - two == Amount(nano_usd=2, messages=-1)
    assert not one.covers(two)
    assert not two.covers(one)
    assert (one.at_most(two), one.at_least(two)) == (Amount(nano_usd=1, messages=1), Amount(nano_usd=3, messages=2))
    assert Amount(nano_usd=NANO // 4).usd == 0.25


@pytest.mark.parametrize("limits", [SpendingLimits(), SpendingLimits(day_usd=1, month_messages=5)])
def test_what_is_not_limited_is_endless(limits: SpendingLimits) -> None:
    assert limits.month.nano_usd == ENDLESS
    assert limits.day.messages == ENDLESS
    assert (limits.limits_money, limits.limits_messages) == (limits.day_usd == 1, limits.month_messages == 5)


def test_a_stranger_has_less_than_somebody_who_was_let_in() -> None:
    limits = AgentLimits()
    assert limits.known.day.covers(limits.stranger.day)
    assert limits.agent == limits.chat == SpendingLimits()


@pytest.mark.parametrize("word", [True, False])
def test_a_word_is_no_limit(word: bool) -> None:
    """YAML reads `no` as false, which equals 0: with this limit the agent would answer nobody."""
    for name in SpendingLimits.model_fields:
        with pytest.raises(ValidationError, match="write a number"):
            SpendingLimits.model_validate({name: word})
