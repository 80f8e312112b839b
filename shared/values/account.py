"""Spending accounts: for each scope, the sums by day and by month, and the budget leases that are still open.

A scope is the deployment, an agent, or a person with an agent. One document has the sums of the deployment and of its
agents, so that one write counts a lease against all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from enum import StrEnum
from typing import Final

from pydantic import Field

from shared.values.evolve import FrozenModel, evolve
from shared.values.money import ZERO, Amount, sum_amounts

#: Scopes with a fixed name; every other scope is the id of an agent. This scope is the whole deployment, whose days are
#: those of UTC
DEPLOYMENT: Final = "*"
#: the scope of all agents' background work; its days are the deployment's
BACKGROUND: Final = "*background"
#: the scope of background work for one place (a chat with all its topics); its days are the deployment's
PLACE: Final = "place"
#: the scope of the person, in a person's account
PERSON: Final = "person"
#: the scope of a chat; its sums are in the chat's budget, not in an account
CHAT: Final = "chat"
_MARK: Final = "*"


def agent_scope(agent: str) -> str:
    """Return the scope of an agent: its id, with "*" appended if the id equals `PLACE`, `PERSON` or `CHAT`."""
    return f"{agent}{_MARK}" if agent in {PLACE, PERSON, CHAT} else agent


def agent_of(scope: str) -> str:
    """Return the id of the agent to which a scope belongs."""
    return scope.removesuffix(_MARK)


def day_label(at: datetime, zone: tzinfo) -> str:
    """Return the calendar day of a time in a time zone, such as "2026-11-25". Labels sort chronologically."""
    return at.astimezone(zone).date().isoformat()


def month_of(day: str) -> str:
    """Return the month (2026-11) of a day label (2026-11-25)."""
    return day[:7]


def next_month(day: str) -> str:
    """Return the first day of the month that follows the month of a day."""
    found = date.fromisoformat(day)
    return date(found.year + found.month // 12, found.month % 12 + 1, 1).isoformat()


class SpendingSums(FrozenModel):
    """The spending of one scope on its newest day and in that day's month."""

    day: str = ""
    spent_day: Amount = ZERO
    spent_month: Amount = ZERO
    #: the highest percentage of the day's and of the month's limit that the owner was told of
    told_day: int = 0
    told_month: int = 0

    def on(self, day: str) -> SpendingSums:
        """Return the sums as of `day`: a sum for an earlier day or month is 0.

        If `day` is before the newest day, it comes from a slow clock, and the sums are returned unchanged.
        """
        if day <= self.day:
            return self
        if month_of(day) == month_of(self.day):
            return evolve(self, day=day, spent_day=ZERO, told_day=0)
        return SpendingSums(day=day)

    def with_spent(self, amount: Amount, day: str) -> SpendingSums:
        """Return the sums after spending `amount` on `day`. Sums of another day or month do not change."""
        changes: dict[str, Amount] = {}
        if day == self.day:
            changes["spent_day"] = self.spent_day + amount
        if month_of(day) == month_of(self.day):
            changes["spent_month"] = self.spent_month + amount
        return self.model_copy(update=changes)


def combine_sums(parts: Sequence[SpendingSums], day: str) -> SpendingSums:
    """Return a scope's sums on a day, added up over several documents (`parts`).

    The owner counts as told of a threshold if any of the documents says so.
    """
    parts = [one.on(day) for one in parts]
    of_day = [one for one in parts if one.day == day]
    of_month = [one for one in parts if month_of(one.day) == month_of(day)]
    return SpendingSums(
        day=day,
        spent_day=sum_amounts(one.spent_day for one in of_day),
        spent_month=sum_amounts(one.spent_month for one in of_month),
        told_day=max((one.told_day for one in of_day), default=0),
        told_month=max((one.told_month for one in of_month), default=0),
    )


class OutstandingLease(FrozenModel):
    """A budget lease, as its account records it: the amount, the chat, the person and, by scope, the day."""

    amount: Amount
    #: the id of the chat's document; empty for a job's lease, which only that job may give back before it expires
    chat: str = ""
    #: the person whose limits the lease counts against; 0 if it counts against no person's
    person: int = 0
    #: the number of the chat's claim under which it was lent: what a lease of an earlier claim used is recorded by now,
    #: or never will be
    generation: int = 0
    until: datetime
    #: by scope, the day on which it was lent
    days: Mapping[str, str] = Field(default_factory=dict)


class Account(FrozenModel):
    """One document of an account: the sums of each scope (`sums`), and the open budget leases by lease id (`lent`)."""

    sums: Mapping[str, SpendingSums] = Field(default_factory=dict)
    lent: Mapping[str, OutstandingLease] = Field(default_factory=dict)


class LimitPeriod(StrEnum):
    """The periods for which a limit may be set."""

    DAY = "day"
    MONTH = "month"


@dataclass(frozen=True, kw_only=True)
class CrossedThreshold:
    """A threshold of a limit that spending has passed.

    `percent` is 50, 80 or 100. The owner may have been told of the threshold already.
    """

    scope: str
    span: LimitPeriod
    percent: int


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """The amount that a closed lease used, as the accounts record it."""

    id: str
    used: Amount
    agent: str
    person: int = 0
    shard: int = 0
    #: the id of the chat, if the lease was lent from a chat's place; 0 if not
    place: int = 0
