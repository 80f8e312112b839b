"""Lending: what an account still has room for, and how it changes when something is lent, used, or given back.

Pure functions. In which order they are applied, and what is written before what: `tests/protocol/money.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import ceil
from typing import TYPE_CHECKING, Final

from shared.values.account import (
    BACKGROUND,
    DEPLOYMENT,
    PERSON,
    PLACE,
    Account,
    CrossedThreshold,
    LimitPeriod,
    OutstandingLease,
    Settlement,
    SpendingSums,
    agent_scope,
    month_of,
)
from shared.values.budget import payer_share_id
from shared.values.money import ENDLESS_AMOUNT, UNLIMITED, ZERO, Amount, SpendingLimits, sum_amounts

if TYPE_CHECKING:
    from shared.values.budget import PayerShare
    from shared.values.outbox import OutboxNotice


@dataclass(frozen=True, kw_only=True)
class LeaseTerms:
    """The limits that hold for an allowance, and the days that it is there, by scope."""

    limits: Mapping[str, SpendingLimits]
    days: Mapping[str, str]
    #: above this share of a limit the cheaper model answers
    soft: float = 0.8
    #: of what many share, the share that is not lent to whoever wants this: it is the owner's alone
    held_back: float = 0.0


@dataclass(frozen=True, kw_only=True)
class BudgetRequest:
    """An allowance that is wanted: at least so much, at most so much, for whom, where, and until when."""

    id: str
    #: empty: no agent's
    agent: str
    least: Amount
    most: Amount
    now: datetime
    until: datetime
    terms: LeaseTerms
    #: 0: nobody's
    person: int = 0
    #: the id of the chat's document; empty: a job's
    chat: str = ""
    #: the ids that the chat had before: what they were lent counts as its own
    chats: tuple[str, ...] = ()
    generation: int = 0
    #: the allowances that the chat's document has
    recorded: frozenset[str] = frozenset()
    #: whether somebody is not answered without it: a limit that does not allow that is reached, for its owner
    is_answer: bool = False
    #: of a job's: what each person pays of it whose own limits hold; all of them are lent it, or nobody
    parts: Mapping[int, PayerShare] = field(default_factory=dict)
    #: the chat's id on the channel, where a limit of its place holds
    place: int = 0


@dataclass(frozen=True, kw_only=True)
class BudgetGrant:
    """What was lent."""

    amount: Amount
    shard: int = 0
    #: whether little is left for others
    is_tight: bool = False
    #: the scopes of which more is spent than the soft share
    soft: frozenset[str] = frozenset()
    #: what owners are told now, which is kept: its ticks are still to be woken, or the sweep does it
    told: Sequence[OutboxNotice] = ()


@dataclass(frozen=True)
class LeaseHolder:
    """What another chat was lent of a limit: it gives that back once it is woken."""

    chat: str
    lease_id: str


@dataclass(frozen=True, kw_only=True)
class BudgetDenial:
    """That nothing was lent: a limit is reached, or what is left of it is lent to others for now."""

    scope: str
    span: LimitPeriod
    #: whether others have what is left, and may give it back
    is_lent: bool = False
    #: of these the ones with most of it
    holders: Sequence[LeaseHolder] = ()
    #: whose own limit it is, of several who were to pay
    people: frozenset[int] = frozenset()
    #: as of what is granted
    told: Sequence[OutboxNotice] = ()


#: of what is left for many, a chat is lent this share at most: the less there is, the more of it is for others. Of one
#: person's it may have all, first up to the soft limit: they seldom write in several chats at once, and then it is
#: asked to give back
LEASE_DIVISOR: Final = 8
#: of the chats that have what is left for many, so many are asked at once to give it back: each of them has to borrow
#: anew with its next message
MAX_HOLDERS_ASKED: Final = 4
#: the shares of a limit, in percent, that its owner is told of
NOTICE_PERCENTS: Final = (50, 80, 100)
#: the scopes of which no owner is told, and nothing is held back
_NEVER_NOTIFIED: Final = frozenset({PERSON, BACKGROUND, PLACE})


def settle_lease(account: Account, one: Settlement) -> Account:
    """The account once an allowance is given back, of which so much was used. What is not lent changes nothing."""
    lent = account.lent.get(one.id)
    if lent is None:
        return account
    sums = {
        scope: known.with_spent(one.used, lent.days[scope]) if scope in lent.days else known
        for scope, known in account.sums.items()
    }
    return Account(sums=sums, lent={key: value for key, value in account.lent.items() if key != one.id})


def drop_stale_leases(account: Account, wanted: BudgetRequest) -> Account:
    """The account without what was lent to the chat and recorded nowhere, and without jobs' whose time is over.

    Under an earlier claim nothing can be recorded any more, so nobody has used what is not. A job may have used all.
    What was lent for somebody else stays: their account has it too, and is not read here (`Accounts.unrecorded`).
    """
    for key, lent in account.lent.items():
        if lent.chat == "" and lent.until <= wanted.now:
            account = settle_lease(account, Settlement(id=key, used=lent.amount, agent=""))
        is_ours = lent.chat != "" and lent.chat in {wanted.chat, *wanted.chats} and lent.person in {0, wanted.person}
        if is_ours and lent.generation < wanted.generation and key not in wanted.recorded:
            account = settle_lease(account, Settlement(id=key, used=ZERO, agent=""))
    return account


def roll_to_days(account: Account, scopes: Iterable[str], days: Mapping[str, str]) -> Account:
    """The account with its sums as they are on these days, by scope."""
    sums = dict(account.sums)
    for scope in scopes:
        sums[scope] = sums.get(scope, SpendingSums()).on(days[scope])
    return Account(sums=sums, lent=account.lent)


def add_lease(account: Account, scopes: Iterable[str], wanted: BudgetRequest, amount: Amount) -> Account:
    """The account once something was lent from these scopes."""
    lent = OutstandingLease(
        amount=amount,
        chat=wanted.chat,
        person=wanted.person,
        generation=wanted.generation,
        until=wanted.until,
        days={scope: account.sums[scope].day for scope in scopes},
    )
    return Account(sums=account.sums, lent={**account.lent, wanted.id: lent})


def add_payer_share(account: Account, person: int, wanted: BudgetRequest) -> Account:
    """The account of somebody who was lent their part of what several pay."""
    part_of_it = payer_share_id(wanted.id, [*wanted.parts].index(person))
    return add_lease(account, (PERSON,), replace(wanted, id=part_of_it, person=person), wanted.parts[person].amount)


@dataclass(frozen=True)
class _Bound:
    """One limit of one scope, and what of it is spent and lent."""

    scope: str
    span: LimitPeriod
    limit: Amount
    spent: Amount
    lent: Amount
    #: what of the limit is the owner's alone, and who wants something is another
    held_back: Amount = ZERO

    @property
    def room(self) -> Amount:
        """What is neither spent nor lent."""
        return self.left - self.lent

    @property
    def left(self) -> Amount:
        """What is not spent, and not held back."""
        return self.limit - self.held_back - self.spent

    def below(self, share: float) -> Amount:
        """What is neither spent nor lent of that share of the limit; of what is above it, where nothing is."""
        part = Amount(nano_usd=ceil(self.limit.nano_usd * share), messages=ceil(self.limit.messages * share))
        left, room = part - self.spent - self.lent, self.room
        return Amount(
            nano_usd=left.nano_usd if left.nano_usd > 0 else room.nano_usd,
            messages=left.messages if left.messages > 0 else room.messages,
        )

    def has(self, percent: int) -> bool:
        """Whether so much of the limit is spent."""
        pairs = ((self.spent.nano_usd, self.limit.nano_usd), (self.spent.messages, self.limit.messages))
        return any(spent * 100 >= limit * percent for spent, limit in pairs)


def _bounds(account: Account, scope: str, wanted: BudgetRequest) -> Iterable[_Bound]:
    limits, sums = wanted.terms.limits.get(scope, UNLIMITED), account.sums[scope]
    lent = [(one.days[scope], one.amount) for one in account.lent.values() if scope in one.days]
    today = sum_amounts(amount for day, amount in lent if day == sums.day)
    this_month = sum_amounts(amount for day, amount in lent if month_of(day) == month_of(sums.day))
    share = 0.0 if scope in _NEVER_NOTIFIED else wanted.terms.held_back
    yield _Bound(scope, LimitPeriod.DAY, limits.day, sums.spent_day, today, _share_of(limits.day, share))
    yield _Bound(scope, LimitPeriod.MONTH, limits.month, sums.spent_month, this_month, _share_of(limits.month, share))


def _share_of(limit: Amount, share: float) -> Amount:
    """The share of what is limited; of what is not, nothing."""
    return Amount(
        nano_usd=int(limit.nano_usd * share) if limit.nano_usd < ENDLESS_AMOUNT.nano_usd else 0,
        messages=int(limit.messages * share) if limit.messages < ENDLESS_AMOUNT.messages else 0,
    )


@dataclass(frozen=True)
class BudgetCheck:
    """What the scopes of some accounts, together, lend of what is wanted."""

    bounds: tuple[_Bound, ...]
    wanted: BudgetRequest

    @classmethod
    def of(cls, accounts: Mapping[str, tuple[Account, tuple[str, ...]]], wanted: BudgetRequest) -> BudgetCheck:
        """By document: its account, and which scopes of it are asked."""
        return cls(
            tuple(
                bound
                for account, scopes in accounts.values()
                for scope in scopes
                for bound in _bounds(account, scope, wanted)
            ),
            wanted,
        )

    def decide(self) -> BudgetGrant | BudgetDenial:
        """What is lent."""
        shared, own, least = ENDLESS_AMOUNT, ENDLESS_AMOUNT, self.wanted.least
        if short := [bound for bound in self.bounds if not bound.room.covers(least)]:
            return self._refusal(short)
        for bound in self.bounds:
            if bound.scope == PERSON:
                # one call beyond the soft limit: once it does not do for another, the soft limit is passed
                soft = bound.below(self.wanted.terms.soft) + Amount(nano_usd=least.nano_usd)
                own = own.least(bound.room).least(soft.most(least))
            else:
                shared = shared.least(_part_of(bound.room))
        shared = self.wanted.most.least(shared.most(least))
        return BudgetGrant(
            amount=shared.least(own),
            is_tight=not shared.covers(self.wanted.most.least(least + least)),
            soft=self.soft,
        )

    @property
    def soft(self) -> frozenset[str]:
        """The scopes of which more is spent than the soft share."""
        return frozenset(bound.scope for bound in self.bounds if bound.has(round(self.wanted.terms.soft * 100)))

    def _refusal(self, short: Sequence[_Bound]) -> BudgetDenial:
        """Why nothing is lent: what is reached tells when it goes on, and comes before what is lent to others."""
        reached = [bound for bound in short if not bound.left.covers(self.wanted.least)]
        first = max(reached or short, key=lambda bound: bound.span is LimitPeriod.MONTH)
        return BudgetDenial(scope=first.scope, span=first.span, is_lent=not reached)

    def crossed_thresholds(self) -> tuple[CrossedThreshold, ...]:
        """The highest share that is spent of each limit; of people's nothing: no owner is told what one person spends.

        Nor are they told of the background's part. What does not do for an answer is spent.
        """
        shares = ((bound, self._share(bound)) for bound in self.bounds if bound.scope not in _NEVER_NOTIFIED)
        return tuple(
            CrossedThreshold(scope=bound.scope, span=bound.span, percent=percent)
            for bound, percent in shares
            if percent
        )

    def _share(self, bound: _Bound) -> int:
        is_reached = self.wanted.is_answer and not (bound.limit - bound.spent).covers(self.wanted.least)
        return NOTICE_PERCENTS[-1] if is_reached else max((one for one in NOTICE_PERCENTS if bound.has(one)), default=0)


def limits_of_document(limits: SpendingLimits, shards: int, first: SpendingSums) -> SpendingLimits:
    """The limits of one of several documents.

    What is taken of the first beyond its part, because it was the only one once, is taken from the others': `first` are
    its sums with what is lent from it, and empty for itself.
    """

    def left(limit: float, spent: float) -> float:
        part = limit / shards
        return max(0.0, part - max(0.0, spent - part) / (shards - 1))

    spent = {
        "day_usd": first.spent_day.usd,
        "month_usd": first.spent_month.usd,
        "day_messages": first.spent_day.messages,
        "month_messages": first.spent_month.messages,
    }
    parts = {name: left(limit, spent[name]) for name, limit in limits.model_dump(exclude_none=True).items()}
    return SpendingLimits.model_validate(
        {n: int(part) if n.endswith("messages") else part for n, part in parts.items()}
    )


def spent_and_leased(account: Account, scope: str, day: str) -> SpendingSums:
    """What is spent of a scope on a day, with what is lent from it: that may be spent, too."""
    sums = account.sums.get(scope, SpendingSums()).on(day)
    for one in account.lent.values():
        sums = sums.with_spent(one.amount, one.days[scope]) if scope in one.days else sums
    return sums


def _part_of(room: Amount) -> Amount:
    return Amount(nano_usd=room.nano_usd // LEASE_DIVISOR, messages=room.messages // LEASE_DIVISOR)


def lease_holders(accounts: Iterable[Account], wanted: BudgetRequest, scope: str) -> tuple[LeaseHolder, ...]:
    """What other chats were lent of a scope, the largest allowances first; of a person's own all, else some."""
    lent = [(name, one) for account in accounts for name, one in account.lent.items() if scope in one.days]
    others = [(name, one) for name, one in lent if one.chat not in {"", wanted.chat, *wanted.chats}]
    others.sort(key=lambda one: (-one[1].amount.nano_usd, -one[1].amount.messages, one[0]))
    return tuple(LeaseHolder(one.chat, name) for name, one in others[: None if scope == PERSON else MAX_HOLDERS_ASKED])


def unnotified_thresholds(
    account: Account, crossed: Iterable[CrossedThreshold], scopes: Collection[str]
) -> tuple[CrossedThreshold, ...]:
    """What is crossed of some scopes of an account that it does not know that its owner is told of."""
    return tuple(one for one in crossed if one.scope in scopes and _notified_percent(account, one) < one.percent)


def mark_notified(account: Account, crossed: Iterable[CrossedThreshold]) -> Account:
    """The account that knows that its owner is told of it."""
    sums = dict(account.sums)
    for one in unnotified_thresholds(account, crossed, sums):
        sums[one.scope] = sums[one.scope].model_copy(update={f"told_{one.span.value}": one.percent})
    return Account(sums=sums, lent=account.lent)


def _notified_percent(account: Account, one: CrossedThreshold) -> int:
    sums = account.sums[one.scope]
    return sums.told_day if one.span is LimitPeriod.DAY else sums.told_month


@dataclass(frozen=True)
class ThresholdState:
    """What is so of the limits of many, whose sums may be in several documents, in all of them together."""

    #: the highest share that is spent of each limit, and those of it that its owner was not told of
    crossed: tuple[CrossedThreshold, ...]
    untold: tuple[CrossedThreshold, ...]
    #: the scopes of which more is spent than the soft share
    soft: frozenset[str]

    @classmethod
    def of(
        cls, accounts: Sequence[Account], wanted: BudgetRequest, found: BudgetGrant | BudgetDenial
    ) -> ThresholdState:
        """Of all documents, the first of which has what agents have spent; `found` is what came of `wanted`."""
        terms, overall = wanted.terms, [one.sums.get(DEPLOYMENT, SpendingSums()) for one in accounts]
        sums = {DEPLOYMENT: _together(overall, terms.days[DEPLOYMENT])}
        if (agent := agent_scope(wanted.agent)) in terms.limits:
            sums[agent] = accounts[0].sums.get(agent, SpendingSums()).on(terms.days[agent])
        account = Account(sums=sums)
        check = BudgetCheck.of({"": (account, tuple(sums))}, wanted)
        crossed = check.crossed_thresholds()
        is_refused = isinstance(found, BudgetDenial) and found.scope in sums and not found.is_lent
        if isinstance(found, BudgetDenial) and is_refused and wanted.is_answer and not terms.held_back:
            # no document has enough for an answer, though together they may
            others = (one for one in crossed if (one.scope, one.span) != (found.scope, found.span))
            crossed = (*others, CrossedThreshold(scope=found.scope, span=found.span, percent=NOTICE_PERCENTS[-1]))
        return cls(crossed, unnotified_thresholds(account, crossed, sums), check.soft)


def _together(parts: Sequence[SpendingSums], day: str) -> SpendingSums:
    """The sums of a scope that are in several documents, on a day. Its owner was told what any of them knows."""
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
