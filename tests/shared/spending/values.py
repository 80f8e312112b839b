"""Requests, amounts and budget services for tests of spending."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from shared.base.errors import ModelError, ModelTrouble, ModelUnavailable
from shared.llm.metering import Reservation, UnlimitedBudgetService
from shared.spending.leasing import BudgetRequest, LeaseTerms
from shared.values.account import DEPLOYMENT, PERSON
from shared.values.money import Amount, SpendingLimits
from shared.values.usage import ModelUse
from tests.shared.examples import NOW

DAY = "2026-11-25"
_YEARS = count(3000)
SOON = NOW + timedelta(minutes=30)


def another_day() -> str:
    """Return a new day, later than all earlier results, on which nothing was spent.

    It is needed since all tests share the deployment's sums.
    """
    return f"{next(_YEARS)}{DAY[4:]}"


def cents(number: float, messages: int = 0) -> Amount:
    return Amount(nano_usd=int(number * 10_000_000), messages=messages)


@dataclass
class Paid(UnlimitedBudgetService):
    """A budget service that allows every call, except where a test refuses it, and records the uses."""

    refusal: ModelError | None = None
    uses: list[ModelUse] = field(default_factory=list)

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        self.uses.append(use)
        if self.refusal is not None:
            raise self.refusal
        return await super().reserve(use, nano_usd)


@dataclass
class PastTheirs(Paid):
    """A budget service that refuses only one person. That person's limit starts anew at a given time."""

    person: int = 0
    until: datetime = NOW

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        refusal = ModelUnavailable("their limit", ModelTrouble.LIMIT, self.until)
        refusal.payers = frozenset({self.person})
        self.refusal = refusal if self.person in use.writers else None
        return await super().reserve(use, nano_usd)


def wanted(name: str = "a", **more: Any) -> BudgetRequest:
    """Make a chat's request for one to two cents."""
    given: dict[str, Any] = {
        "agent": "lull",
        "minimum": cents(1),
        "maximum": cents(2),
        "now": NOW,
        "until": SOON,
        "chat": "chat",
        "generation": 1,
    }
    limits, days = {DEPLOYMENT: SpendingLimits(day_usd=1.0)}, {DEPLOYMENT: DAY, "lull": DAY, PERSON: DAY}
    terms = LeaseTerms(limits=more.pop("limits", limits), days=more.pop("days", days))
    terms = replace(terms, **{key: more.pop(key) for key in ("soft", "held_back") if key in more})
    return BudgetRequest(id=name, terms=terms, **(given | more))
