"""Refusals as values: whose limit it was, until when it stands, and when what it ended goes on."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from shared.base.errors import ModelRefused, ModelTrouble
from shared.base.logs import log
from shared.spending.leasing import BudgetCheck, BudgetDenial, BudgetGrant, BudgetRequest
from shared.values.account import DEPLOYMENT, PERSON, Account, LimitPeriod, SpendingSums, month_of
from shared.values.budget import BudgetRefusal, PayerShare
from shared.values.chat_key import ChatKey
from shared.values.money import Amount, SpendingLimits
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
        raise no_payer_error(use)
    return person


def no_payer_error(use: ModelUse) -> ModelRefused:
    """The refusal of a call for which nobody is known to pay: no such call may use everybody's money."""
    log(NO_PAYER, logging.ERROR, purpose=use.purpose.value)
    return ModelRefused(NO_PAYER, trouble=ModelTrouble.MISCONFIGURED)


def is_limited(limits: Iterable[SpendingLimits], asked: Amount) -> bool:
    """Whether any of these limits what is asked."""
    known = tuple(limits)
    money = asked.nano_usd > 0 and any(one.limits_money for one in known)
    return money or (asked.messages > 0 and any(one.limits_messages for one in known))


def budget_refusal(person: int, scope: str, span: LimitPeriod, days: Mapping[str, str], now: datetime) -> BudgetRefusal:
    """The refusal of a call now, where `days` are the scopes'."""
    day = days.get(scope, days[PERSON])
    label = day if span is LimitPeriod.DAY else month_of(day)
    return BudgetRefusal(person=person, label=label, scope=scope, again_at=now + LOOK_AGAIN)


def is_still_refused(refused: BudgetRefusal | None, person: int, days: Mapping[str, str], now: datetime) -> bool:
    """Whether somebody is refused without asking again: it is the same day, or month, and was asked not long ago."""
    if refused is None or refused.person != person or refused.again_at <= now:
        return False
    day = days.get(refused.scope, days[PERSON])
    return refused.label in {day, month_of(day)}


def is_of_month(refused: BudgetRefusal) -> bool:
    """Whether it is of a month's limit, not of a day's."""
    return refused.label == month_of(refused.label)


def zone_of(refused: BudgetRefusal | None, zone: str) -> str:
    """By whose midnight it ends; `zone` is the agent's."""
    return ITS_ZONE if refused is not None and refused.scope == DEPLOYMENT else zone


def is_soft(sums: SpendingSums, limits: SpendingLimits, share: float) -> bool:
    """Whether so much of somebody's own limits is spent."""
    pairs = ((sums.spent_day, limits.day), (sums.spent_month, limits.month))
    return any(
        spent.nano_usd >= limit.nano_usd * share or spent.messages >= limit.messages * share for spent, limit in pairs
    )


def exhausted_period(sums: SpendingSums, limits: SpendingLimits, asked: Amount) -> LimitPeriod | None:
    """Of which span somebody's own limits do not allow what is asked; none: they do."""
    left = {LimitPeriod.DAY: limits.day - sums.spent_day, LimitPeriod.MONTH: limits.month - sums.spent_month}
    return next((span for span, one in left.items() if not one.covers(asked)), None)


def deny_short_payers(accounts: Mapping[int, Account], wanted: BudgetRequest) -> BudgetDenial | None:
    """Why some of them are lent nothing, and who they are; None if each has enough left for their part."""
    asked = {person: _offer_for(accounts[person], part, wanted) for person, part in wanted.parts.items()}
    short = {person: found for person, found in asked.items() if isinstance(found, BudgetDenial)}
    if not short:
        return None
    first = min(short.values(), key=lambda one: one.is_lent)
    return replace(first, people=frozenset(short))


def _offer_for(account: Account, part: PayerShare, wanted: BudgetRequest) -> BudgetGrant | BudgetDenial:
    terms = replace(wanted.terms, limits={PERSON: part.limits})
    asked = replace(wanted, least=part.amount, most=part.amount, terms=terms)
    return BudgetCheck.of({"": (account, (PERSON,))}, asked).decide()
