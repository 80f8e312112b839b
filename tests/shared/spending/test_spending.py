"""Usage records as they are stored."""

from shared.values.budget import BudgetLease, usage_record
from shared.values.money import Amount
from tests.shared.examples import NOW


def test_usage_tells_whose_and_when_and_where() -> None:
    budget_lease = BudgetLease(id="a", person=5, day="2026-11-25", until=NOW, used=Amount(messages=2))
    usage = usage_record(budget_lease, "lull", "chat", NOW)
    assert (usage.id, usage.agent, usage.chat, usage.person) == ("a", "lull", "chat", 5)
    assert (usage.day, usage.month, usage.used) == ("2026-11-25", "2026-11", Amount(messages=2))
