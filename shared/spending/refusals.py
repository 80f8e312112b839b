"""Refusals as values: whose limit it was, until when it stands, and when what it ended goes on."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final

from shared.models.account import DEPLOYMENT, PERSON, Sums, month_of
from shared.models.money import Amount, Limits
from shared.models.purse import Refusal
from shared.ports.spending import Span

#: after so long it is looked again whether a limit still holds: somebody may have raised it
LOOK_AGAIN: Final = timedelta(minutes=10)
#: the zone of the days of the whole deployment
ITS_ZONE: Final = "UTC"


def is_limited(limits: Iterable[Limits], asked: Amount) -> bool:
    """Whether any of these limits what is asked."""
    known = tuple(limits)
    money = asked.nano_usd > 0 and any(one.limits_money for one in known)
    return money or (asked.messages > 0 and any(one.limits_messages for one in known))


def refusal(person: int, scope: str, span: Span, days: Mapping[str, str], now: datetime) -> Refusal:
    """The refusal of a call now, where `days` are the scopes'."""
    day = days.get(scope, days[PERSON])
    label = day if span is Span.DAY else month_of(day)
    return Refusal(person=person, label=label, scope=scope, again_at=now + LOOK_AGAIN)


def stands(refused: Refusal | None, person: int, days: Mapping[str, str], now: datetime) -> bool:
    """Whether somebody is refused without asking again: it is the same day, or month, and was asked not long ago."""
    if refused is None or refused.person != person or refused.again_at <= now:
        return False
    day = days.get(refused.scope, days[PERSON])
    return refused.label in {day, month_of(day)}


def is_of_month(refused: Refusal) -> bool:
    """Whether it is of a month's limit, not of a day's."""
    return refused.label == month_of(refused.label)


def zone_of(refused: Refusal | None, zone: str) -> str:
    """By whose midnight it ends; `zone` is the agent's."""
    return ITS_ZONE if refused is not None and refused.scope == DEPLOYMENT else zone


def is_soft(sums: Sums, limits: Limits, share: float) -> bool:
    """Whether so much of somebody's own limits is spent."""
    pairs = ((sums.spent_day, limits.day), (sums.spent_month, limits.month))
    return any(
        spent.nano_usd >= limit.nano_usd * share or spent.messages >= limit.messages * share for spent, limit in pairs
    )


def short_of(sums: Sums, limits: Limits, asked: Amount) -> Span | None:
    """Of which span somebody's own limits do not allow what is asked; none: they do."""
    left = {Span.DAY: limits.day - sums.spent_day, Span.MONTH: limits.month - sums.spent_month}
    return next((span for span, one in left.items() if not one.covers(asked)), None)
