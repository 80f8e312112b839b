"""The costs of a month: totals by day, agent, chat, person, purpose and model, and a forecast.

The reads are limited: at most `MOST_READ` usage documents for each agent, and 300 chats with unsettled costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from typing import Any, Final

from shared.console.names import names_of
from shared.console.services import ConsoleServices
from shared.spending.policy import SpendingPolicy
from shared.spending.statement import UsageStatement, UsageTotal, statement_of
from shared.spending.store.usage import FirestoreUsages, UsageQuery
from shared.values.account import month_of, next_month
from shared.values.budget import UsageRecord
from shared.values.money import Amount, sum_amounts
from shared.values.usage import BACKGROUND_WORK

#: the most usage documents that are read for an agent's month; that is 40,000 answers
MOST_READ: Final = 2_000
#: the most entries of a list; the rest is summed up in one more
MOST_LISTED: Final = 12
#: the most days whose average the forecast uses
FORECAST_DAYS: Final = 7
#: the months that can be shown: usage is kept for 400 days
MONTHS: Final = 13


@dataclass(frozen=True, kw_only=True)
class CostForecast:
    """The expected amount of a month: the amount so far, plus the average of the last `days` days for each day left."""

    so_far: Amount
    #: the average of the last `days` days
    average: Amount
    days: int
    days_left: int

    @property
    def nano_usd(self) -> int:
        return self.so_far.nano_usd + self.average.nano_usd * self.days_left


def forecast_of(statement: UsageStatement) -> CostForecast:
    """Return the forecast for the month of a statement, as of the statement's day."""
    last = statement.days[-FORECAST_DAYS:]
    nano_usd = sum_amounts(last).nano_usd // len(last)
    return CostForecast(
        so_far=statement.month.amount,
        average=Amount(nano_usd=nano_usd),
        days=len(last),
        days_left=(date.fromisoformat(next_month(statement.day.isoformat())) - statement.day).days - 1,
    )


def months_until(day: date) -> Sequence[str]:
    """Return the months that the page offers, the newest first. The newest is the month of `day`."""
    found = [month_of(day.isoformat())]
    while len(found) < MONTHS:
        before = date.fromisoformat(f"{found[-1]}-01") - timedelta(days=1)
        found.append(month_of(before.isoformat()))
    return found


def today_of(policy: SpendingPolicy, agents: Sequence[str], now: datetime) -> date:
    """Return the current day in the agent's time zone; in UTC for several agents with different time zones."""
    zones = {policy.zones.get(one, "UTC") for one in agents}
    zone = policy.zone(agents[0]) if len(zones) == 1 else UTC
    return now.astimezone(zone).date()


@dataclass(frozen=True, kw_only=True)
class CostsOfMonth:
    """The usage of some agents in a month, and the number of documents read to find it."""

    usage: Sequence[UsageRecord]
    statement: UsageStatement
    read: int
    #: whether the month has more usage than was read
    is_partial: bool
    #: whether the month is not over
    is_current: bool


async def read_costs_of(services: ConsoleServices, agents: Sequence[str], month: str, today: date) -> CostsOfMonth:
    """Return the agents' usage in a month; for all agents of the deployment, also the usage that belongs to no agent.

    Raises StoreUnavailable or StoreRefused.
    """
    is_current = month == month_of(today.isoformat())
    day = today if is_current else date.fromisoformat(next_month(f"{month}-01")) - timedelta(days=1)
    usages = FirestoreUsages(services.client)
    are_all = services.agents <= frozenset(agents)
    names = [""] if are_all else agents
    kept = [await usages.of(UsageQuery(agent=name, month=month), MOST_READ) for name in names]
    still_open = await usages.open(UsageQuery(agent="", month=month))
    usage = [*chain.from_iterable(kept), *(one for one in still_open if are_all or one.agent in agents)]
    return CostsOfMonth(
        usage=usage,
        statement=statement_of(usage, day),
        read=sum(one.read for one in (*kept, still_open)),
        is_partial=any(one.read >= MOST_READ for one in kept),
        is_current=is_current,
    )


async def costs_view(
    services: ConsoleServices, agents: Sequence[str], found: CostsOfMonth, owner: int
) -> Mapping[str, Any]:
    """Return the costs as the page shows them to an owner, with the names of people and chats.

    Raises StoreUnavailable or StoreRefused.
    """
    told = found.statement
    people, chats = _largest(told.people), _largest(told.chats)
    names = await names_of(services, agents, people, chats)
    forecast = forecast_of(told) if found.is_current else None
    return {
        "day": told.day.isoformat(),
        "total": _total(told.month),
        "today": _total(told.today) if found.is_current else None,
        "in_doubt_usd": told.in_doubt.usd,
        "days": [
            {"day": told.day.replace(day=number).isoformat(), "usd": one.usd, "answers": one.messages}
            for number, one in enumerate(told.days, start=1)
        ],
        "agents": [{"id": name, **_total(one)} for name, one in told.agents.items()],
        "purposes": [{"id": name, **_total(one)} for name, one in told.purposes.items()],
        "models": [{"id": name, **_total(one)} for name, one in told.models.items()],
        "people": _ranking(told.people, names, owner),
        "chats": _ranking(told.chats, names, owner),
        "forecast": _forecast_view(forecast) if forecast is not None else None,
        "background_usd": _background(told).usd,
        "owner_usd": told.people.get(owner, UsageTotal()).amount.usd,
        "read": found.read,
        "is_partial": found.is_partial,
    }


def _background(told: UsageStatement) -> Amount:
    return sum_amounts(one.amount for purpose, one in told.purposes.items() if purpose in BACKGROUND_WORK)


def _forecast_view(forecast: CostForecast) -> Mapping[str, Any]:
    return {
        "usd": Amount(nano_usd=forecast.nano_usd).usd,
        "so_far_usd": forecast.so_far.usd,
        "average_usd": forecast.average.usd,
        "days": forecast.days,
        "days_left": forecast.days_left,
    }


def _largest(spent: Mapping[int, UsageTotal]) -> list[int]:
    return [one for one in list(spent)[:MOST_LISTED] if one]


def _ranking(spent: Mapping[int, UsageTotal], names: Mapping[int, str], owner: int) -> list[Mapping[str, Any]]:
    """Return the people or chats with the highest costs, then one entry with the sum and the number of all others.

    The id 0 means usage that belongs to nobody. An entry with the id `owner` is the owner or the owner's private chat,
    which has the same id (core.telegram.org/bots/api#chat).
    """
    shown = list(spent)[:MOST_LISTED]
    rest = [one for name, one in spent.items() if name not in shown]
    listed: list[Mapping[str, Any]] = [
        {"id": str(one) if one else "", "name": names.get(one, ""), "is_yours": one == owner, **_total(spent[one])}
        for one in shown
    ]
    if rest:
        listed.append({"id": "", "name": "", "others": len(rest), **_total(sum(rest, UsageTotal()))})
    return listed


def _total(one: UsageTotal) -> Mapping[str, Any]:
    return {"usd": one.amount.usd, "answers": one.amount.messages, "calls": one.calls}
