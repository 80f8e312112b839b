"""What is wanted of accounts in tests."""

from datetime import timedelta
from typing import Any

from shared.models.account import DEPLOYMENT, PERSON
from shared.models.money import Amount, Limits
from shared.ports.spending import Wanted
from tests.shared.values import NOW

DAY = "2026-11-25"
SOON = NOW + timedelta(minutes=30)


def cents(number: float, messages: int = 0) -> Amount:
    """So many cents."""
    return Amount(nano_usd=int(number * 10_000_000), messages=messages)


def wanted(name: str = "a", **more: Any) -> Wanted:
    """An allowance for a chat, of one cent at least and two at most."""
    given: dict[str, Any] = {
        "agent": "lull",
        "least": cents(1),
        "most": cents(2),
        "now": NOW,
        "until": SOON,
        "days": {DEPLOYMENT: DAY, "lull": DAY, PERSON: DAY},
        "limits": {DEPLOYMENT: Limits(day_usd=1.0)},
        "chat": "chat",
        "generation": 1,
    }
    return Wanted(id=name, **(given | more))
