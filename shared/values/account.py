"""An account: what one scope has spent, by day and by month, and what of it is lent to chats and jobs just now.

A scope is the deployment, an agent, or a person with an agent. The sums of the deployment and of its agents are in one
document, so that one write lends from all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from shared.values.evolve import evolve
from shared.values.money import ZERO, Amount

#: the scope of the whole deployment, whose days are those of UTC, of the person of a person's account, and of a chat,
#: whose sums are in its purse; every other scope is an agent by its id
DEPLOYMENT: Final = "*"
#: what is spent in the background of what all have; its days are the deployment's
BACKGROUND: Final = "*background"
#: what is spent in the background of one place, a chat with all its topics; its days are the deployment's, too
PLACE: Final = "place"
PERSON: Final = "person"
CHAT: Final = "chat"
_MARK: Final = "*"


def agent_scope(agent: str) -> str:
    """The scope of an agent: its id; with a mark that no id has, where another scope is called so."""
    return f"{agent}{_MARK}" if agent in {PLACE, PERSON, CHAT} else agent


def agent_of(scope: str) -> str:
    """The id of the agent whose scope it is."""
    return scope.removesuffix(_MARK)


def day_label(at: datetime, zone: tzinfo) -> str:
    """The day of a moment in a zone, as 2026-11-25: such labels are ordered as their days are."""
    return at.astimezone(zone).date().isoformat()


def month_of(day: str) -> str:
    """The month of a day, as 2026-11."""
    return day[:7]


def next_month(day: str) -> str:
    """The first day of the month after a day's."""
    found = date.fromisoformat(day)
    return date(found.year + found.month // 12, found.month % 12 + 1, 1).isoformat()


class SpendingSums(BaseModel):
    """What one scope has spent in its newest day and in the month of that."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    day: str = ""
    spent_day: Amount = ZERO
    spent_month: Amount = ZERO
    #: the highest share, in percent, of a limit of the day and of the month that the owner was told of
    told_day: int = 0
    told_month: int = 0

    def on(self, day: str) -> SpendingSums:
        """The sums as they are on a day; a day before the newest one is told by a slow clock, and changes nothing."""
        if day <= self.day:
            return self
        if month_of(day) == month_of(self.day):
            return evolve(self, day=day, spent_day=ZERO, told_day=0)
        return SpendingSums(day=day)

    def with_spent(self, amount: Amount, day: str) -> SpendingSums:
        """The sums with what was spent from something that was lent on a day."""
        changes: dict[str, Amount] = {}
        if day == self.day:
            changes["spent_day"] = self.spent_day + amount
        if month_of(day) == month_of(self.day):
            changes["spent_month"] = self.spent_month + amount
        return self.model_copy(update=changes)


class OutstandingLease(BaseModel):
    """An allowance as accounts have it: to whom how much was lent, and in each scope on which day."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    amount: Amount
    #: the id of the chat's document; empty: a job's, which nobody but the job may give back before it is over
    chat: str = ""
    #: whose limits it is lent from; 0: nobody's
    person: int = 0
    #: the claim of the chat under which it was lent: what was lent under an earlier one is recorded, or never will be
    generation: int = 0
    until: datetime
    #: scope → day
    days: Mapping[str, str] = Field(default_factory=dict)


class Account(BaseModel):
    """One document of sums, and what is lent from them, by the allowance's id."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sums: Mapping[str, SpendingSums] = Field(default_factory=dict)
    lent: Mapping[str, OutstandingLease] = Field(default_factory=dict)


class LimitPeriod(StrEnum):
    """Of what a limit is."""

    DAY = "day"
    MONTH = "month"


@dataclass(frozen=True, kw_only=True)
class CrossedThreshold:
    """That half of a limit, or more, is spent, which its owner was not told yet. `percent`: 50, 80 or 100."""

    scope: str
    span: LimitPeriod
    percent: int


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """What was used of an allowance that nobody spends from any more."""

    id: str
    used: Amount
    agent: str
    person: int = 0
    shard: int = 0
    #: the chat whose place it was lent from; 0: no place's
    place: int = 0
