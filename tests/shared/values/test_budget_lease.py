"""The rest of a budget lease, the totals of calls, and soft limits."""

from shared.base.model_call import ModelCall
from shared.values.budget import BudgetLease, CallTotals, ChatBudget, call_totals
from shared.values.evolve import evolve
from shared.values.money import Amount
from tests.shared.examples import NOW
from tests.shared.spending.values import SOON


def test_what_is_reserved_is_not_left() -> None:
    budget_lease = BudgetLease(id="a", day="2026-11-25", until=NOW, lent=Amount(nano_usd=10, messages=2))
    spent = evolve(budget_lease, reserved=Amount(nano_usd=3), used=Amount(nano_usd=2, messages=1))
    assert spent.rest == Amount(nano_usd=5, messages=1)
    assert BudgetLease(id="a", day="2026-11-25", until=NOW).rest is None


def test_what_calls_took_is_added_up() -> None:
    call = ModelCall(model="m", prompt_tokens=7, cached_tokens=3, output_tokens=2, thought_tokens=1)
    took = call_totals(call, 11)
    assert took + took == CallTotals(calls=2, prompt_tokens=14, cached_tokens=6, output_tokens=6, nano_usd=22)


def test_a_soft_limit_is_one_persons_or_everybodys_and_ends() -> None:
    own = ChatBudget(soft_for={"5": SOON})
    assert own.is_soft(5, NOW)
    assert not own.is_soft(6, NOW)
    assert not own.is_soft(0, NOW)
    assert not own.is_soft(5, SOON)
    shared = ChatBudget(soft_until=SOON)
    assert shared.is_soft(6, NOW)
    assert shared.is_soft(0, NOW)
    assert not shared.is_soft(6, SOON)
