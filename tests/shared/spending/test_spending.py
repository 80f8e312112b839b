"""Usage as it is kept."""

from shared.values.money import Amount
from shared.values.purse import Allowance, usage_of
from tests.shared.examples import NOW


def test_usage_tells_whose_and_when_and_where() -> None:
    allowance = Allowance(id="a", person=5, day="2026-11-25", until=NOW, used=Amount(messages=2))
    usage = usage_of(allowance, "lull", "chat", NOW)
    assert (usage.id, usage.agent, usage.chat, usage.person) == ("a", "lull", "chat", 5)
    assert (usage.day, usage.month, usage.used) == ("2026-11-25", "2026-11", Amount(messages=2))
