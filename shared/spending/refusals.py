"""Refusals as values: whose limit it was, until when it stands, and when what it ended goes on."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from shared.base.errors import ModelRefused, ModelTrouble
from shared.base.logs import log
from shared.spending.lending import BudgetOffer, BudgetRequest, Granted, NotGranted
from shared.values.account import DEPLOYMENT, PERSON, Account, Span, Sums, month_of
from shared.values.chat_key import ChatKey
from shared.values.money import Amount, Limits
from shared.values.purse import Part, Refusal
from shared.values.usage import ModelUse

#: after so long it is looked again whether a limit still holds: somebody may have raised it
LOOK_AGAIN: Final = timedelta(minutes=10)
NO_PAYER: Final = "nobody is known who pays for the call"
#: the zone of the days of the whole deployment
ITS_ZONE: Final = "UTC"


def payer_in(use: ModelUse, otherwise: int, key: ChatKey) -> int:
    """Who pays for a call of a tick: who it names, who is answered, or a private chat's person.

    Raises ModelRefused where it is nobody, and somebody has to.
    """
    person = use.person or otherwise or (key.chat_id if key.is_private else 0)
    if not person and use.needs_payer:
        raise unpaid(use)
    return person


def unpaid(use: ModelUse) -> ModelRefused:
    """The refusal of a call for which nobody is known to pay: no such call may use everybody's money."""
    log(NO_PAYER, logging.ERROR, purpose=use.purpose.value)
    return ModelRefused(NO_PAYER, trouble=ModelTrouble.MISCONFIGURED)


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


def lacking(accounts: Mapping[int, Account], wanted: BudgetRequest) -> NotGranted | None:
    """Why some of them are lent nothing, and who they are; None if each has enough left for their part."""
    asked = {person: _offer_for(accounts[person], part, wanted) for person, part in wanted.parts.items()}
    short = {person: found for person, found in asked.items() if isinstance(found, NotGranted)}
    if not short:
        return None
    first = min(short.values(), key=lambda one: one.is_lent)
    return replace(first, people=frozenset(short))


def _offer_for(account: Account, part: Part, wanted: BudgetRequest) -> Granted | NotGranted:
    terms = replace(wanted.terms, limits={PERSON: part.limits})
    asked = replace(wanted, least=part.amount, most=part.amount, terms=terms)
    return BudgetOffer.of({"": (account, (PERSON,))}, asked).granted()
