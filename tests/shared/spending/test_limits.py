"""A person's limits and usage in words."""

import pytest

from shared.spending.statement import limits_of, limits_text, statement_of
from shared.telegram.markdown.render import render
from shared.values.money import UNLIMITED, AgentLimits, SpendingLimits
from shared.values.trust import TrustTier
from tests.shared.commands.requests import asked
from tests.shared.own_words import ENGLISH
from tests.shared.spending.commands.test_usage import DAY, usage


def text(limits: SpendingLimits, *, is_used: bool = False) -> str:
    phrase = limits_text(ENGLISH, limits, statement_of([usage()], DAY) if is_used else None)
    return render(phrase)[0].text if phrase else ""


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (SpendingLimits(day_usd=0.5, day_messages=300), "• Daily limit: $0.50 · answers: 300"),
        (SpendingLimits(day_messages=3), "• Daily limit: answers: 3"),
        (SpendingLimits(month_usd=2.0), "• Monthly limit: $2.00"),
        (SpendingLimits(day_usd=0.0, month_messages=9), "• Daily limit: $0.00\n• Monthly limit: answers: 9"),
        (UNLIMITED, ""),
    ],
)
def test_what_is_limited_is_said(limits: SpendingLimits, said: str) -> None:
    assert text(limits) == said


def test_beside_it_stands_what_was_used() -> None:
    assert text(SpendingLimits(day_usd=0.1), is_used=True) == (
        "• Daily limit: $0.10\n• Today: $0.03 · answers: 1 · calls: 2\n• This month: $0.03 · answers: 1 · calls: 2"
    )


def test_each_tier_has_its_own_and_the_owner_none() -> None:
    limits = AgentLimits(known=SpendingLimits(day_usd=1.0), stranger=SpendingLimits(day_usd=2.0))
    found = [limits_of(asked(limits=limits), tier).day for tier in TrustTier]
    assert [amount.usd for amount in found if amount.nano_usd < 2**60] == [1.0, 2.0, 2.0]
    assert limits_of(asked(limits=limits), TrustTier.OWNER) == UNLIMITED
    assert limits_of(asked(), TrustTier.KNOWN) == UNLIMITED, "where nothing is limited"
