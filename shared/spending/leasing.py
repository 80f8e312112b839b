"""The rules of leasing: how much an account can lend, and how it changes when something is lent, used or given back.

A lease is an amount of a limit that an account lends to a chat or a job, so that a tick need not ask before each call.
All functions are pure. `tests/protocol/money.py` tries every order of their calls and of the writes of their results.
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
    combine_sums,
    month_of,
)
from shared.values.budget import payer_share_id
from shared.values.money import ENDLESS_AMOUNT, UNLIMITED, ZERO, Amount, SpendingLimits, sum_amounts

if TYPE_CHECKING:
    from shared.values.budget import PayerShare
    from shared.values.outbox import OutboxNotice


@dataclass(frozen=True, kw_only=True)
class LeaseTerms:
    """The limits for a lease, and today's date, both by scope (such as the deployment, an agent or a person)."""

    limits: Mapping[str, SpendingLimits]
    days: Mapping[str, str]
    #: the share of a limit above which the cheaper model answers
    soft: float = 0.8
    #: the share of shared limits that only the owner may use; 0.0 if the lease is for the owner
    held_back: float = 0.0


@dataclass(frozen=True, kw_only=True)
class BudgetRequest:
    """A request for a lease: how much, for whom, in which chat, and until when."""

    id: str
    #: empty if the request belongs to no agent
    agent: str
    minimum: Amount
    maximum: Amount
    now: datetime
    until: datetime
    terms: LeaseTerms
    #: the person for whom the lease is; 0 for nobody
    person: int = 0
    #: the id of the chat's document; empty for a job
    chat: str = ""
    #: all ids of the chat, including earlier ones. Leases of all these ids count as the chat's own
    chats: tuple[str, ...] = ()
    generation: int = 0
    #: the ids of the leases that the chat's document has
    recorded: frozenset[str] = frozenset()
    #: whether a person gets no answer without this lease. If so, a limit counts as reached once less than `minimum` is
    #: left
    is_answer: bool = False
    #: for a job: the shares of the people to whom own limits apply. Either all shares are granted, or none
    parts: Mapping[int, PayerShare] = field(default_factory=dict)
    #: Telegram's id of the chat, if a limit of its place applies; otherwise 0
    place: int = 0


@dataclass(frozen=True, kw_only=True)
class BudgetGrant:
    """The decision to grant a request, with the lent amount."""

    amount: Amount
    shard: int = 0
    #: whether little is left for others to borrow
    is_tight: bool = False
    #: the scopes whose soft limit is exceeded
    soft: frozenset[str] = frozenset()
    #: notices for owners, already stored. The caller should wake the ticks that send them; otherwise the sweep does
    told: Sequence[OutboxNotice] = ()


@dataclass(frozen=True)
class LeaseHolder:
    """Another chat that has borrowed from a limit. A tick of that chat gives the lease back."""

    chat: str
    lease_id: str


@dataclass(frozen=True, kw_only=True)
class BudgetDenial:
    """The decision to deny a request: a limit is reached, or the rest of it is lent to other chats for now."""

    scope: str
    span: LimitPeriod
    #: whether others hold the rest of the limit, and may give it back
    is_lent: bool = False
    #: the holders with the largest leases
    holders: Sequence[LeaseHolder] = ()
    #: the payers whose own limits leave too little
    people: frozenset[int] = frozenset()
    #: notices for owners, as in `BudgetGrant`
    told: Sequence[OutboxNotice] = ()


#: a chat gets at most 1 / LEASE_DIVISOR of what is left of a shared limit, so that others get some too. Of a person's
#: own limit a chat may get all that is left, but first only up to the soft limit. People seldom write in several chats
#: at once; if they do, the other chat is asked to give its lease back
LEASE_DIVISOR: Final = 8
#: the most chats that are asked at once to give back a lease. Each of them has to borrow again at its next message
MAX_HOLDERS_ASKED: Final = 4
#: the percentages of a limit at which the owner gets a notice
NOTICE_PERCENTS: Final = (50, 80, 100)
#: the scopes about which owners get no notices, and of which nothing is held back for owners
_NEVER_NOTIFIED: Final = frozenset({PERSON, BACKGROUND, PLACE})


def settle_lease(account: Account, one: Settlement) -> Account:
    """Return the account after a lease is given back with the amount used. An unknown lease changes nothing."""
    lent = account.lent.get(one.id)
    if lent is None:
        return account
    sums = {
        scope: known.with_spent(one.used, lent.days[scope]) if scope in lent.days else known
        for scope, known in account.sums.items()
    }
    return Account(sums=sums, lent={key: value for key, value in account.lent.items() if key != one.id})


def drop_stale_leases(account: Account, wanted: BudgetRequest) -> Account:
    """Return the account without jobs' expired leases, and without leases that earlier ticks got but never recorded.

    Jobs' leases are charged in full. Unrecorded leases were not used, so they cost nothing. Unrecorded leases for other
    people are kept here; `FirestoreAccounts.unrecorded_settlements` finds them, so that they are settled later.
    """
    for key, lent in account.lent.items():
        if lent.chat == "" and lent.until <= wanted.now:
            account = settle_lease(account, Settlement(id=key, used=lent.amount, agent=""))
        is_ours = lent.chat != "" and lent.chat in {wanted.chat, *wanted.chats} and lent.person in {0, wanted.person}
        if is_ours and lent.generation < wanted.generation and key not in wanted.recorded:
            account = settle_lease(account, Settlement(id=key, used=ZERO, agent=""))
    return account


def roll_to_days(account: Account, scopes: Iterable[str], days: Mapping[str, str]) -> Account:
    """Return the account, with sums restarted where a new day or month has begun. `days`: scope → today's date."""
    sums = dict(account.sums)
    for scope in scopes:
        sums[scope] = sums.get(scope, SpendingSums()).on(days[scope])
    return Account(sums=sums, lent=account.lent)


def add_lease(account: Account, scopes: Iterable[str], wanted: BudgetRequest, amount: Amount) -> Account:
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
    """Return a payer's account with their share of a lease added."""
    part_of_it = payer_share_id(wanted.id, [*wanted.parts].index(person))
    return add_lease(account, (PERSON,), replace(wanted, id=part_of_it, person=person), wanted.parts[person].amount)


@dataclass(frozen=True)
class _Bound:
    """The limit of one scope for a day or a month, and how much of it is spent and lent."""

    scope: str
    span: LimitPeriod
    limit: Amount
    spent: Amount
    lent: Amount
    #: the part that is held back for the owner
    held_back: Amount = ZERO

    @property
    def room(self) -> Amount:
        """The amount that is neither spent, lent nor held back for owners."""
        return self.left - self.lent

    @property
    def left(self) -> Amount:
        """The amount that is neither spent nor held back for owners."""
        return self.limit - self.held_back - self.spent

    def below(self, share: float) -> Amount:
        """Return what is free of this share of the limit, or of the whole limit if that share is used up."""
        part = Amount(nano_usd=ceil(self.limit.nano_usd * share), messages=ceil(self.limit.messages * share))
        left, room = part - self.spent - self.lent, self.room
        return Amount(
            nano_usd=left.nano_usd if left.nano_usd > 0 else room.nano_usd,
            messages=left.messages if left.messages > 0 else room.messages,
        )

    def has(self, percent: int) -> bool:
        """Return whether at least this percentage of the limit is spent."""
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
    """Return a share of a limit; the share of an unlimited amount is 0."""
    return Amount(
        nano_usd=int(limit.nano_usd * share) if limit.nano_usd < ENDLESS_AMOUNT.nano_usd else 0,
        messages=int(limit.messages * share) if limit.messages < ENDLESS_AMOUNT.messages else 0,
    )


@dataclass(frozen=True)
class BudgetCheck:
    """Checks a request against all limits to which it would be charged."""

    bounds: tuple[_Bound, ...]
    wanted: BudgetRequest

    @classmethod
    def of(cls, accounts: Mapping[str, tuple[Account, tuple[str, ...]]], wanted: BudgetRequest) -> BudgetCheck:
        """Build the check. `accounts` maps a document's path to an account and those of its scopes that are charged."""
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
        shared, own, least = ENDLESS_AMOUNT, ENDLESS_AMOUNT, self.wanted.minimum
        if short := [bound for bound in self.bounds if not bound.room.covers(least)]:
            return self._denial(short)
        for bound in self.bounds:
            if bound.scope == PERSON:
                # one call more than is left below the soft limit, since what is left there may be too small for a call
                soft = bound.below(self.wanted.terms.soft) + Amount(nano_usd=least.nano_usd)
                own = own.at_most(bound.room).at_most(soft.at_least(least))
            else:
                shared = shared.at_most(_divide(bound.room))
        shared = self.wanted.maximum.at_most(shared.at_least(least))
        return BudgetGrant(
            amount=shared.at_most(own),
            is_tight=not shared.covers(self.wanted.maximum.at_most(least + least)),
            soft=self.soft,
        )

    @property
    def soft(self) -> frozenset[str]:
        """The scopes whose soft limit is exceeded."""
        return frozenset(bound.scope for bound in self.bounds if bound.has(round(self.wanted.terms.soft * 100)))

    def _denial(self, short: Sequence[_Bound]) -> BudgetDenial:
        """Return the denial, which names one limit.

        A limit that is reached is preferred to one that is lent out, since the time when it starts anew is known.
        """
        reached = [bound for bound in short if not bound.left.covers(self.wanted.minimum)]
        first = max(reached or short, key=lambda bound: bound.span is LimitPeriod.MONTH)
        return BudgetDenial(scope=first.scope, span=first.span, is_lent=not reached)

    def crossed_thresholds(self) -> tuple[CrossedThreshold, ...]:
        """Return for each limit the highest threshold that is passed. Limits of people and of background work are left
        out, since owners get no notices about them. If less than one answer is left, this counts as 100 %.
        """
        shares = ((bound, self._share(bound)) for bound in self.bounds if bound.scope not in _NEVER_NOTIFIED)
        return tuple(
            CrossedThreshold(scope=bound.scope, span=bound.span, percent=percent)
            for bound, percent in shares
            if percent
        )

    def _share(self, bound: _Bound) -> int:
        is_reached = self.wanted.is_answer and not (bound.limit - bound.spent).covers(self.wanted.minimum)
        return NOTICE_PERCENTS[-1] if is_reached else max((one for one in NOTICE_PERCENTS if bound.has(one)), default=0)


def limits_of_document(limits: SpendingLimits, shards: int, first: SpendingSums) -> SpendingLimits:
    """Return the part of the limits that applies to one of several account documents.

    `first`: what the first document has spent and lent. If this is more than its part, because it was the only document
    before, the others get less. For the first document itself, pass empty sums.
    """

    def remaining(limit: float, spent: float) -> float:
        part = limit / shards
        return max(0.0, part - max(0.0, spent - part) / (shards - 1))

    spent = {
        "day_usd": first.spent_day.usd,
        "month_usd": first.spent_month.usd,
        "day_messages": first.spent_day.messages,
        "month_messages": first.spent_month.messages,
    }
    parts = {name: remaining(limit, spent[name]) for name, limit in limits.model_dump(exclude_none=True).items()}
    return SpendingLimits.model_validate(
        {n: int(part) if n.endswith("messages") else part for n, part in parts.items()}
    )


def spent_and_leased(account: Account, scope: str, day: str) -> SpendingSums:
    """Return the sums of a scope on a day, with lent amounts counted as spent."""
    sums = account.sums.get(scope, SpendingSums()).on(day)
    for one in account.lent.values():
        sums = sums.with_spent(one.amount, one.days[scope]) if scope in one.days else sums
    return sums


def _divide(room: Amount) -> Amount:
    return Amount(nano_usd=room.nano_usd // LEASE_DIVISOR, messages=room.messages // LEASE_DIVISOR)


def lease_holders(accounts: Iterable[Account], wanted: BudgetRequest, scope: str) -> tuple[LeaseHolder, ...]:
    """Return other chats' leases on a scope, largest first; at most MAX_HOLDERS_ASKED, unless the scope is PERSON."""
    lent = [(name, one) for account in accounts for name, one in account.lent.items() if scope in one.days]
    others = [(name, one) for name, one in lent if one.chat not in {"", wanted.chat, *wanted.chats}]
    others.sort(key=lambda one: (-one[1].amount.nano_usd, -one[1].amount.messages, one[0]))
    return tuple(LeaseHolder(one.chat, name) for name, one in others[: None if scope == PERSON else MAX_HOLDERS_ASKED])


def unnotified_thresholds(
    account: Account, crossed: Iterable[CrossedThreshold], scopes: Collection[str]
) -> tuple[CrossedThreshold, ...]:
    """Return the crossed thresholds of these scopes that the account does not record as reported to the owner."""
    return tuple(one for one in crossed if one.scope in scopes and _notified_percent(account, one) < one.percent)


def mark_notified(account: Account, crossed: Iterable[CrossedThreshold]) -> Account:
    """Return the account with a record that the owner got notices about these thresholds."""
    sums = dict(account.sums)
    for one in unnotified_thresholds(account, crossed, sums):
        sums[one.scope] = sums[one.scope].model_copy(update={f"told_{one.span.value}": one.percent})
    return Account(sums=sums, lent=account.lent)


def _notified_percent(account: Account, one: CrossedThreshold) -> int:
    sums = account.sums[one.scope]
    return sums.told_day if one.span is LimitPeriod.DAY else sums.told_month


@dataclass(frozen=True)
class ThresholdState:
    """The passed thresholds of shared limits, by the sums of all documents, since each document has only a part."""

    #: for each limit, the highest threshold that is passed; and those about which the owner got no notice yet
    crossed: tuple[CrossedThreshold, ...]
    untold: tuple[CrossedThreshold, ...]
    #: the scopes whose soft limit is exceeded
    soft: frozenset[str]

    @classmethod
    def of(
        cls, accounts: Sequence[Account], wanted: BudgetRequest, found: BudgetGrant | BudgetDenial
    ) -> ThresholdState:
        """Build the state from all documents of shared sums, `accounts`. Only the first document has the sums of
        agents. `found` is the decision on `wanted`.
        """
        terms, overall = wanted.terms, [one.sums.get(DEPLOYMENT, SpendingSums()) for one in accounts]
        sums = {DEPLOYMENT: combine_sums(overall, terms.days[DEPLOYMENT])}
        if (agent := agent_scope(wanted.agent)) in terms.limits:
            sums[agent] = accounts[0].sums.get(agent, SpendingSums()).on(terms.days[agent])
        account = Account(sums=sums)
        check = BudgetCheck.of({"": (account, tuple(sums))}, wanted)
        crossed = check.crossed_thresholds()
        is_refused = isinstance(found, BudgetDenial) and found.scope in sums and not found.is_lent
        if isinstance(found, BudgetDenial) and is_refused and wanted.is_answer and not terms.held_back:
            # no single document has enough for an answer, even if all documents together do
            others = (one for one in crossed if (one.scope, one.span) != (found.scope, found.span))
            crossed = (*others, CrossedThreshold(scope=found.scope, span=found.span, percent=NOTICE_PERCENTS[-1]))
        return cls(crossed, unnotified_thresholds(account, crossed, sums), check.soft)
