"""The budget of a chat: its budget leases, as the chat's document stores them.

Only the tick that holds the chat spends from the budget. The budget changes when a tick claims the chat, at each model
call, and when the tick releases the chat. Before a model call, the tick writes the reserved amount to the chat's
document. If the tick dies, all that it had reserved is charged, since nobody knows whether it was spent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from pydantic import Field

from shared.base.model_call import ModelCall
from shared.values.account import PERSON, Settlement, SpendingSums, month_of
from shared.values.evolve import FrozenModel, evolve
from shared.values.money import ZERO, Amount, SpendingLimits, sum_amounts

#: the most answers of one lease that no account records; after that its usage is moved to a document of its own
ANSWERS_PER_LEASE: Final = 20


class CallTotals(FrozenModel):
    """Number, tokens and cost of several model calls, such as all calls of one purpose."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    nano_usd: int = 0

    def __add__(self, other: CallTotals) -> CallTotals:
        return CallTotals(**{name: getattr(self, name) + getattr(other, name) for name in CallTotals.model_fields})


def call_totals(call: ModelCall, nano_usd: int) -> CallTotals:
    return CallTotals(
        calls=1,
        prompt_tokens=call.prompt_tokens,
        cached_tokens=call.cached_tokens,
        output_tokens=call.output_tokens + call.thought_tokens,
        nano_usd=nano_usd,
    )


class BudgetLease(FrozenModel):
    """A part of a day's limits that a chat may spend for one person. The amount `reserved` may already be spent."""

    id: str
    #: the person whose limits the lease counts against; 0: only the agent's limits count
    person: int = 0
    #: in the agent's time zone, as 2026-11-25
    day: str
    until: datetime
    #: the amount that was lent; None if no limit applies, and then no account records the lease
    lent: Amount | None = None
    #: the number of the deployment's account document that lent it
    shard: int = 0
    reserved: Amount = ZERO
    used: Amount = ZERO
    #: the part of `used` that dead ticks had reserved: it may not have been spent
    expired: Amount = ZERO
    #: by purpose; and by model
    by: Mapping[str, CallTotals] = Field(default_factory=dict)
    models: Mapping[str, CallTotals] = Field(default_factory=dict)
    #: whether little is left of a shared limit, so that the lease is given back as soon as the chat rests
    is_tight: bool = False

    @property
    def rest(self) -> Amount | None:
        """The amount that may still be reserved; None if no limit applies."""
        return None if self.lent is None else self.lent - self.used - self.reserved


class BudgetRefusal(FrozenModel):
    """The refusal of a call because a limit is reached.

    `label` is the day or the month of that limit (2026-11-25, 2026-11).
    """

    person: int
    label: str
    #: the scope whose limit is reached; its calendar days decide when the refusal ends (`SpendingPolicy.days`)
    scope: str = PERSON
    #: whether other chats hold the rest of the limit, and did not give it back in time
    is_lent: bool = False
    #: the earliest time to ask the accounts again
    again_at: datetime


class ChatBudget(FrozenModel):
    """The budget of a chat: open leases, closed leases that are not settled yet, and the chat's own sums."""

    open: tuple[BudgetLease, ...] = ()
    closed: tuple[BudgetLease, ...] = ()
    #: the chat's own sums, by days of the agent's time zone
    sums: SpendingSums = SpendingSums()
    #: the amount that the last answering tick needed; a claim reserves a little more (`RESERVED_PERCENT`)
    usual: Amount = ZERO
    #: the newest refusal; None once something was lent again
    refused: BudgetRefusal | None = None
    #: by person's id in digits: the day or month for which the person was told that the limit is reached. With `~`
    #: before the id: the same for the soft limit
    told: Mapping[str, str] = Field(default_factory=dict)
    #: the earliest time at which an open lease has to be given back; None if nothing is lent
    until: datetime | None = None
    #: the newest month of the leases that are in no usage document yet; empty if there are none
    month: str = ""
    #: until when the cheaper model answers everybody here, since a shared soft limit is exceeded
    soft_until: datetime | None = None
    #: by person's id in digits: until when the cheaper model answers that person, since their own soft limit is
    #: exceeded
    soft_for: Mapping[str, datetime] = Field(default_factory=dict)

    @property
    def reserved(self) -> Amount:
        """The amount that all open leases reserve. It is charged in full if the tick dies."""
        return sum_amounts(one.reserved for one in self.open)

    def is_soft(self, person: int, now: datetime) -> bool:
        """Return whether a soft limit is exceeded for a person. If so, the cheaper model answers.

        `person` is 0 for a call that is made for nobody in particular, such as a summary.
        """
        untils = (self.soft_until, self.soft_for.get(str(person)))
        return any(until is not None and until > now for until in untils)


class UsageRecord(FrozenModel):
    """The amounts that one lease, or one call of a job, has used, stored in the document `usage/{id}`.

    The command /usage sums these documents.
    """

    id: str
    #: empty if no agent pays, such as for a file's description that all agents share
    agent: str = ""
    #: the id of the chat's document; empty if the call belongs to no chat
    chat: str = ""
    person: int = 0
    #: in the agent's time zone, as 2026-11-25 and 2026-11
    day: str
    month: str
    at: datetime
    used: Amount = ZERO
    expired: Amount = ZERO
    #: by purpose; and by model, which older records lack
    by: Mapping[str, CallTotals] = Field(default_factory=dict)
    models: Mapping[str, CallTotals] = Field(default_factory=dict)


def usage_record(budget_lease: BudgetLease, agent: str, chat: str, at: datetime) -> UsageRecord:
    return UsageRecord(
        id=budget_lease.id,
        agent=agent,
        chat=chat,
        person=budget_lease.person,
        day=budget_lease.day,
        month=month_of(budget_lease.day),
        at=at,
        used=budget_lease.used,
        expired=budget_lease.expired,
        by=budget_lease.by,
        models=budget_lease.models,
    )


@dataclass(frozen=True, kw_only=True)
class PayerShare:
    """The share of a call that one of several people pays, and the limits of that person."""

    amount: Amount
    limits: SpendingLimits


def payer_share_id(whole: str, number: int) -> str:
    """Return the id of a payer's share of the lease `whole`. The shares are numbered."""
    return f"{whole}-{number}"


#: a claim reserves this percentage of the amount that the last answer needed
RESERVED_PERCENT: Final = 125


def claim_budget(budget: ChatBudget, now: datetime, *, is_private: bool) -> ChatBudget:
    """Return the budget of a chat that a tick claims.

    The claim charges what a dead tick had reserved, and closes expired leases. In a private chat it also reserves what
    an answer usually needs.
    """
    sums = budget.sums
    for one in budget.open:
        sums = sums.on(one.day).with_spent(one.reserved, one.day)
    opened = [_charge_reservation(one) for one in budget.open]
    over = [one for one in opened if one.lent is not None and one.until <= now]
    opened = [one for one in opened if one not in over]
    if is_private:
        opened = [_reserve_usual(one, budget.usual) for one in opened]
    return _with_leases(evolve(budget, sums=sums), opened, (*budget.closed, *over))


def _charge_reservation(one: BudgetLease) -> BudgetLease:
    if one.reserved == ZERO:
        return one
    return evolve(one, used=one.used + one.reserved, expired=one.expired + one.reserved, reserved=ZERO)


def _reserve_usual(one: BudgetLease, usual: Amount) -> BudgetLease:
    rest = one.rest
    if rest is None or not rest.covers(usual):
        return one
    # the next answer of a growing conversation costs more than the last: reserving more now saves a write later
    more = Amount(nano_usd=usual.nano_usd * RESERVED_PERCENT // 100, messages=usual.messages)
    return evolve(one, reserved=rest.at_most(more))


def with_lease(budget: ChatBudget, budget_lease: BudgetLease) -> ChatBudget:
    """Return the budget with this lease as the first open one. It replaces an open lease with the same id."""
    others = [one for one in budget.open if one.id != budget_lease.id]
    return _with_leases(budget, [budget_lease, *others], budget.closed)


#: the name under which calls are counted whose model is not known, since they broke off
UNKNOWN_MODEL: Final = "unknown"


@dataclass(frozen=True, kw_only=True)
class SpentCall:
    """The spending of one model call: the amount for the budget, the purpose, and the call's tokens and cost."""

    purpose: str
    amount: Amount
    totals: CallTotals
    model: str = UNKNOWN_MODEL


def record_spending(budget: ChatBudget, lease_id: str, spent: SpentCall) -> ChatBudget:
    """Return the budget after a call whose amount was reserved in a lease.

    If no open lease has `lease_id`, nothing changes.
    """
    found = next((one for one in budget.open if one.id == lease_id), None)
    if found is None:
        return budget
    left = (found.reserved - spent.amount).at_least(ZERO) if found.lent is not None else ZERO
    after = evolve(
        found,
        used=found.used + spent.amount,
        reserved=left,
        by=_with_totals(found.by, spent.purpose, spent.totals),
        models=_with_totals(found.models, spent.model, spent.totals),
    )
    opened = [after if one.id == lease_id else one for one in budget.open]
    sums = budget.sums.on(found.day).with_spent(spent.amount, found.day)
    return _with_leases(evolve(budget, sums=sums), opened, budget.closed)


def _with_totals(by: Mapping[str, CallTotals], name: str, used: CallTotals) -> Mapping[str, CallTotals]:
    return {**by, name: by.get(name, CallTotals()) + used}


def model_of_calls(calls: Sequence[ModelCall]) -> str:
    """Return the model for which the cost of these calls is recorded: that of the last call that names its model."""
    return next((one.model for one in reversed(calls) if one.model), UNKNOWN_MODEL)


def with_soft_limits(
    budget: ChatBudget, person: int, soft: Collection[str], until: datetime, now: datetime
) -> ChatBudget:
    """Return the budget with the soft limits of the scopes in `soft` marked as exceeded until `until`.

    If `soft` contains `PERSON`, the cheaper model answers this person until then. If it contains any other scope, the
    cheaper model answers everybody in the chat.
    """
    own = {str(person): until} if PERSON in soft else {}
    others = {name: at for name, at in budget.soft_for.items() if at > now and name != str(person)}
    shared = until if any(scope != PERSON for scope in soft) else None
    return evolve(budget, soft_until=shared, soft_for=others | own)


def release_budget(budget: ChatBudget, now: datetime) -> tuple[ChatBudget, Sequence[BudgetLease]]:
    """Return the budget of a released chat, and those of its ended leases that have no limit.

    Those leases are in no account, so they only need a usage document. Other ended leases are closed in the budget.
    """
    opened = [evolve(one, reserved=ZERO) for one in budget.open]
    over = [one for one in opened if _has_ended(one, budget.usual, now)]
    opened = [one for one in opened if one not in over]
    closed = (*budget.closed, *(one for one in over if one.lent is not None))
    return _with_leases(budget, opened, closed), [one for one in over if one.lent is None]


def without_reservations(budget: ChatBudget) -> ChatBudget:
    """Return the budget with nothing reserved in its open leases, which stay open."""
    return _with_leases(budget, [evolve(one, reserved=ZERO) for one in budget.open], budget.closed)


def close_all_leases(budget: ChatBudget) -> ChatBudget:
    """Return the budget with all leases closed, except for leases without a limit, which are in no account."""
    opened = without_reservations(budget).open
    lent = [one for one in opened if one.lent is not None]
    return _with_leases(budget, [one for one in opened if one.lent is None], (*budget.closed, *lent))


def close_leases(budget: ChatBudget, budget_leases: Iterable[BudgetLease]) -> ChatBudget:
    """Return the budget with these leases closed and nothing reserved in them. Only open leases are closed."""
    gone = {one.id for one in budget_leases}
    over = [evolve(one, reserved=ZERO) for one in budget.open if one.id in gone]
    return _with_leases(budget, [one for one in budget.open if one.id not in gone], (*budget.closed, *over))


def all_leases(budget: ChatBudget) -> Sequence[BudgetLease]:
    """Return a budget's open and closed leases with nothing reserved, so that another chat can settle them."""
    return (*without_reservations(budget).open, *budget.closed)


def add_closed_leases(budget: ChatBudget, budget_leases: Iterable[BudgetLease]) -> ChatBudget:
    """Return the budget with the leases of another chat added as closed."""
    return _with_leases(budget, budget.open, (*budget.closed, *budget_leases))


def without_settled(budget: ChatBudget, settled: Iterable[BudgetLease]) -> ChatBudget:
    gone = {one.id for one in settled}
    return _with_leases(budget, budget.open, [one for one in budget.closed if one.id not in gone])


def forget_person(budget: ChatBudget, person: int) -> tuple[ChatBudget, Sequence[BudgetLease]]:
    """Return the budget with a person forgotten and the person's leases closed; also return these leases.

    Person 0 stands for everybody: all leases are closed and all people are forgotten. Closed leases stay in the budget
    until they are settled.
    """
    opened = without_reservations(budget).open
    ended = [one for one in opened if person in {0, one.person}]
    gone = [*ended, *(one for one in budget.closed if person in {0, one.person})]
    names = {str(person), f"~{person}"}
    told = {name: label for name, label in budget.told.items() if person and name not in names}
    soft = {name: until for name, until in budget.soft_for.items() if person and name != str(person)}
    refused = budget.refused if budget.refused is not None and person not in {0, budget.refused.person} else None
    kept = _with_leases(budget, [one for one in opened if one not in ended], (*budget.closed, *ended))
    return evolve(kept, told=told, soft_for=soft, refused=refused), gone


def settlement_of(one: BudgetLease, agent: str) -> Settlement:
    used = one.used if one.lent is not None else ZERO
    return Settlement(id=one.id, used=used, agent=agent, person=one.person, shard=one.shard)


def settlements_by_payer(whole: Settlement, used: Mapping[int, int]) -> list[Settlement]:
    """Return the settlement of a whole call, followed by one for each person who pays a share of it.

    `used` maps each person with limits of their own to their share in nano-dollars. Shares are numbered in this order.
    """
    of_people = (
        replace(
            whole,
            id=payer_share_id(whole.id, number),
            person=person,
            used=evolve(ZERO, nano_usd=nano_usd),
            place=0,
        )
        for number, (person, nano_usd) in enumerate(used.items())
    )
    return [whole, *of_people]


def _has_ended(one: BudgetLease, usual: Amount, now: datetime) -> bool:
    if one.until <= now:
        return True
    if one.lent is None:
        return one.used.messages >= ANSWERS_PER_LEASE
    return one.is_tight or not (one.lent - one.used).covers(usual)


def _with_leases(budget: ChatBudget, opened: Sequence[BudgetLease], closed: Sequence[BudgetLease]) -> ChatBudget:
    days = [one.day for one in (*opened, *closed)]
    untils = [one.until for one in opened if one.lent is not None]
    return evolve(
        budget,
        open=tuple(opened),
        closed=tuple(closed),
        until=min(untils, default=None),
        month=month_of(max(days)) if days else "",
    )
