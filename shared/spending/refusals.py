"""Refusals of calls because of a limit: whose limit it is, and how long the refusal is valid."""

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

#: the time after which the accounts are asked again, since somebody may have raised the limit
ASK_AGAIN_AFTER: Final = timedelta(minutes=10)
NO_PAYER: Final = "no payer is known for the model call"
#: the time zone of the deployment's days
DEPLOYMENT_ZONE: Final = "UTC"


def payer_in(use: ModelUse, answered: int, key: ChatKey) -> int:
    """Return the payer of a tick's call: the person that `use` names, else the answered person, else the person of a
    private chat.

    Raises ModelRefused if the call needs a payer and there is none.
    """
    person = use.person or answered or (key.chat_id if key.is_private else 0)
    if not person and use.needs_payer:
        raise no_payer_error(use)
    return person


def no_payer_error(use: ModelUse) -> ModelRefused:
    """Log and return the error of a call without a payer.

    Such a call is refused, since it would use money meant for everybody.
    """
    log(NO_PAYER, logging.ERROR, purpose=use.purpose.value)
    return ModelRefused(NO_PAYER, trouble=ModelTrouble.MISCONFIGURED)


def is_limited(limits: Iterable[SpendingLimits], asked: Amount) -> bool:
    """Return whether any of the limits restricts what is requested: money, messages or both."""
    known = tuple(limits)
    money = asked.nano_usd > 0 and any(one.limits_money for one in known)
    return money or (asked.messages > 0 and any(one.limits_messages for one in known))


def budget_refusal(person: int, scope: str, span: LimitPeriod, days: Mapping[str, str], now: datetime) -> BudgetRefusal:
    """Return the record of a call refused at `now` because this limit is reached. `days` has today's date by scope."""
    day = days.get(scope, days[PERSON])
    label = day if span is LimitPeriod.DAY else month_of(day)
    return BudgetRefusal(person=person, label=label, scope=scope, again_at=now + ASK_AGAIN_AFTER)


def is_still_refused(refused: BudgetRefusal | None, person: int, days: Mapping[str, str], now: datetime) -> bool:
    """Return whether a stored refusal still applies to a person, so that the accounts need not be read. A
    refusal applies until the day or month of the limit ends, or until a retry is due.
    """
    if refused is None or refused.person != person or refused.again_at <= now:
        return False
    day = days.get(refused.scope, days[PERSON])
    return refused.label in {day, month_of(day)}


def is_of_month(refused: BudgetRefusal) -> bool:
    """Return whether a refusal is due to a month's limit, not a day's."""
    return refused.label == month_of(refused.label)


def zone_of(refused: BudgetRefusal | None, zone: str) -> str:
    """Return the time zone in which the refusal's day ends. `zone` is the agent's time zone."""
    return DEPLOYMENT_ZONE if refused is not None and refused.scope == DEPLOYMENT else zone


def is_soft(sums: SpendingSums, limits: SpendingLimits, share: float) -> bool:
    """Return whether at least this share of a person's or chat's own limits is spent."""
    pairs = ((sums.spent_day, limits.day), (sums.spent_month, limits.month))
    return any(
        spent.nano_usd >= limit.nano_usd * share or spent.messages >= limit.messages * share for spent, limit in pairs
    )


def exhausted_period(sums: SpendingSums, limits: SpendingLimits, asked: Amount) -> LimitPeriod | None:
    """Return the period (day or month) in which too little is left for the amount; None if both have enough."""
    left = {LimitPeriod.DAY: limits.day - sums.spent_day, LimitPeriod.MONTH: limits.month - sums.spent_month}
    return next((span for span, one in left.items() if not one.covers(asked)), None)


def deny_short_payers(accounts: Mapping[int, Account], wanted: BudgetRequest) -> BudgetDenial | None:
    """Return a denial with the ids of the payers who have too little left; None if all have enough."""
    asked = {person: _check_payer(accounts[person], part, wanted) for person, part in wanted.parts.items()}
    short = {person: found for person, found in asked.items() if isinstance(found, BudgetDenial)}
    if not short:
        return None
    first = min(short.values(), key=lambda one: one.is_lent)
    return replace(first, people=frozenset(short))


def _check_payer(account: Account, part: PayerShare, wanted: BudgetRequest) -> BudgetGrant | BudgetDenial:
    terms = replace(wanted.terms, limits={PERSON: part.limits})
    asked = replace(wanted, minimum=part.amount, maximum=part.amount, terms=terms)
    return BudgetCheck.of({"": (account, (PERSON,))}, asked).decide()
