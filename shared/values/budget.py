"""A purse: what a chat was lent, as the chat's document has it. Only who holds the chat spends from it.

What a claim reserves, what calls take, and what is over when the chat is given back are changes of this value. What a
dead tick had reserved is charged in full: nobody knows whether it was spent. `used` and `reserved` together never grow
but by a write of the chat's document, which comes before the call.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from shared.base.model_call import ModelCall
from shared.values.account import PERSON, Settlement, SpendingSums, month_of
from shared.values.evolve import evolve
from shared.values.money import ZERO, Amount, SpendingLimits, sum_amounts

#: answers of one allowance, at most: after so many what was spent stands in a document of its own
ANSWERS_PER_LEASE: Final = 20


class CallTotals(BaseModel):
    """What calls of one purpose took."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    nano_usd: int = 0

    def __add__(self, other: CallTotals) -> CallTotals:
        """Both together."""
        return CallTotals(**{name: getattr(self, name) + getattr(other, name) for name in CallTotals.model_fields})


def call_totals(call: ModelCall, nano_usd: int) -> CallTotals:
    """What one call took."""
    return CallTotals(
        calls=1,
        prompt_tokens=call.prompt_tokens,
        cached_tokens=call.cached_tokens,
        output_tokens=call.output_tokens + call.thought_tokens,
        nano_usd=nano_usd,
    )


class BudgetLease(BaseModel):
    """A slice of a day's money and messages, lent to a chat for one person. What is reserved may be spent already."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    #: whose limits it is lent from; 0: nobody's, only the agent's
    person: int = 0
    #: by the agent's zone, as 2026-11-25
    day: str
    until: datetime
    #: none: nothing limits it, and no account knows of it
    lent: Amount | None = None
    #: which of the deployment's documents lent it
    shard: int = 0
    reserved: Amount = ZERO
    used: Amount = ZERO
    #: of what is used, what ticks had reserved that died: nobody knows whether they spent it
    expired: Amount = ZERO
    by: Mapping[str, CallTotals] = Field(default_factory=dict)
    #: whether so little is left of what many share that it is given back as soon as the chat rests
    is_tight: bool = False

    @property
    def rest(self) -> Amount | None:
        """What may still be reserved; none: as much as is wanted."""
        return None if self.lent is None else self.lent - self.used - self.reserved


class BudgetRefusal(BaseModel):
    """That a limit is reached: who was not answered, and of which day or month it is (2026-11-25, 2026-11)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    person: int
    label: str
    #: whose limit it is, by whose days it ends (`SpendingTerms.days`)
    scope: str = PERSON
    #: whether something is left of it, which other chats have and did not give back in time
    is_lent: bool = False
    #: before that the accounts are not asked again
    again_at: datetime


class ChatBudget(BaseModel):
    """What a chat was lent: what is open, what is over and not yet settled in the accounts, and its own sums."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    open: tuple[BudgetLease, ...] = ()
    closed: tuple[BudgetLease, ...] = ()
    #: the chat's own sums, by the agent's zone
    sums: SpendingSums = SpendingSums()
    #: what a tick that answers needs, by those before: so much is reserved with the claim
    usual: Amount = ZERO
    #: the newest refusal; none since something was lent
    refused: BudgetRefusal | None = None
    #: person, by their id in digits → the day, or the month, whose limit they were told of; of the soft one with `~`
    told: Mapping[str, str] = Field(default_factory=dict)
    #: when the first of what is open has to be given back; none: nothing is lent
    until: datetime | None = None
    #: the month of what is open or closed and in no usage document yet; empty: there is nothing
    month: str = ""
    #: until when the cheaper model answers everybody here: a limit that they share is passed so far
    soft_until: datetime | None = None
    #: until when it answers one person, by their id in digits: a limit of their own is
    soft_for: Mapping[str, datetime] = Field(default_factory=dict)

    @property
    def reserved(self) -> Amount:
        """What is reserved: once its tick is dead, all of it is charged."""
        return sum_amounts(one.reserved for one in self.open)

    def is_soft(self, person: int, now: datetime) -> bool:
        """Whether the cheaper model answers somebody here; 0: nobody, as a summary does."""
        untils = (self.soft_until, self.soft_for.get(str(person)))
        return any(until is not None and until > now for until in untils)


class UsageRecord(BaseModel):
    """What one allowance was used for, or one job: `usage/{id}`. Sums over these are what /usage tells."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    #: empty: no agent's, such as of a file's description for all
    agent: str = ""
    #: the id of the chat's document; empty: no chat's
    chat: str = ""
    person: int = 0
    #: by the agent's zone, as 2026-11-25 and 2026-11
    day: str
    month: str
    at: datetime
    used: Amount = ZERO
    expired: Amount = ZERO
    by: Mapping[str, CallTotals] = Field(default_factory=dict)


def usage_record(budget_lease: BudgetLease, agent: str, chat: str, at: datetime) -> UsageRecord:
    """What an allowance was used for."""
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
    )


@dataclass(frozen=True, kw_only=True)
class PayerShare:
    """What one of several people pays for a call, and what limits that person."""

    amount: Amount
    limits: SpendingLimits


def payer_share_id(whole: str, number: int) -> str:
    """The name of one person's part, by its number, of what is lent for a call."""
    return f"{whole}-{number}"


#: what is reserved with a claim, in percent of what the answer before needed
RESERVED_PERCENT: Final = 125


def claim_budget(budget: ChatBudget, now: datetime, *, is_private: bool) -> ChatBudget:
    """The purse of a chat that a tick claims. In a private chat what an answer usually needs is reserved with it."""
    sums = budget.sums
    for one in budget.open:
        sums = sums.on(one.day).with_spent(one.reserved, one.day)
    opened = [_charged(one) for one in budget.open]
    over = [one for one in opened if one.lent is not None and one.until <= now]
    opened = [one for one in opened if one not in over]
    if is_private:
        opened = [_reserving(one, budget.usual) for one in opened]
    return _kept(evolve(budget, sums=sums), opened, (*budget.closed, *over))


def _charged(one: BudgetLease) -> BudgetLease:
    if one.reserved == ZERO:
        return one
    return evolve(one, used=one.used + one.reserved, expired=one.expired + one.reserved, reserved=ZERO)


def _reserving(one: BudgetLease, usual: Amount) -> BudgetLease:
    rest = one.rest
    if rest is None or not rest.covers(usual):
        return one
    # a conversation grows, and with it what its next answer may cost: reserved too, it is no write of its own
    more = Amount(nano_usd=usual.nano_usd * RESERVED_PERCENT // 100, messages=usual.messages)
    return evolve(one, reserved=rest.least(more))


def with_lease(budget: ChatBudget, budget_lease: BudgetLease) -> ChatBudget:
    """The purse with an allowance as it is now; a new one stands first."""
    others = [one for one in budget.open if one.id != budget_lease.id]
    return _kept(budget, [budget_lease, *others], budget.closed)


def record_spending(budget: ChatBudget, lease_id: str, purpose: str, amount: Amount, used: CallTotals) -> ChatBudget:
    """The purse after a call, of what was reserved."""
    found = next((one for one in budget.open if one.id == lease_id), None)
    if found is None:
        return budget
    left = (found.reserved - amount).most(ZERO) if found.lent is not None else ZERO
    by = dict(found.by) | {purpose: found.by.get(purpose, CallTotals()) + used}
    after = evolve(found, used=found.used + amount, reserved=left, by=by)
    opened = [after if one.id == lease_id else one for one in budget.open]
    sums = budget.sums.on(found.day).with_spent(amount, found.day)
    return _kept(evolve(budget, sums=sums), opened, budget.closed)


def with_soft_limits(
    budget: ChatBudget, person: int, soft: Collection[str], until: datetime, now: datetime
) -> ChatBudget:
    """The purse where more than the soft share is spent of these scopes, of which `PERSON` is that person's.

    Until `until` the cheaper model answers them, or everybody here.
    """
    own = {str(person): until} if PERSON in soft else {}
    others = {name: at for name, at in budget.soft_for.items() if at > now and name != str(person)}
    shared = until if any(scope != PERSON for scope in soft) else None
    return evolve(budget, soft_until=shared, soft_for=others | own)


def release_budget(budget: ChatBudget, now: datetime) -> tuple[ChatBudget, Sequence[BudgetLease]]:
    """The purse of a chat that is given back, and what of it is in no account and over: it only has to be told of."""
    opened = [evolve(one, reserved=ZERO) for one in budget.open]
    over = [one for one in opened if _is_over(one, budget.usual, now)]
    opened = [one for one in opened if one not in over]
    closed = (*budget.closed, *(one for one in over if one.lent is not None))
    return _kept(budget, opened, closed), [one for one in over if one.lent is None]


def without_reservations(budget: ChatBudget) -> ChatBudget:
    """The purse without what was reserved, and nothing over."""
    return _kept(budget, [evolve(one, reserved=ZERO) for one in budget.open], budget.closed)


def close_all_leases(budget: ChatBudget) -> ChatBudget:
    """The purse of which nobody spends any more; what is in no account stays as it is."""
    opened = without_reservations(budget).open
    lent = [one for one in opened if one.lent is not None]
    return _kept(budget, [one for one in opened if one.lent is None], (*budget.closed, *lent))


def close_leases(budget: ChatBudget, budget_leases: Iterable[BudgetLease]) -> ChatBudget:
    """The purse of which nobody spends these any more."""
    gone = {one.id for one in budget_leases}
    over = [evolve(one, reserved=ZERO) for one in budget.open if one.id in gone]
    return _kept(budget, [one for one in budget.open if one.id not in gone], (*budget.closed, *over))


def all_leases(budget: ChatBudget) -> Sequence[BudgetLease]:
    """All of a purse, for another chat to give back."""
    return (*without_reservations(budget).open, *budget.closed)


def add_closed_leases(budget: ChatBudget, budget_leases: Iterable[BudgetLease]) -> ChatBudget:
    """The purse with what another chat had, as closed."""
    return _kept(budget, budget.open, (*budget.closed, *budget_leases))


def without_settled(budget: ChatBudget, settled: Iterable[BudgetLease]) -> ChatBudget:
    """The purse without what is settled."""
    gone = {one.id for one in settled}
    return _kept(budget, budget.open, [one for one in budget.closed if one.id not in gone])


def forget_person(budget: ChatBudget, person: int) -> tuple[ChatBudget, Sequence[BudgetLease]]:
    """The purse once what it has for a person is over, and that; `person` 0: of everybody, who were told nothing then.

    What is over stands in it until it is settled.
    """
    opened = without_reservations(budget).open
    ended = [one for one in opened if person in {0, one.person}]
    gone = [*ended, *(one for one in budget.closed if person in {0, one.person})]
    names = {str(person), f"~{person}"}
    told = {name: label for name, label in budget.told.items() if person and name not in names}
    soft = {name: until for name, until in budget.soft_for.items() if person and name != str(person)}
    refused = budget.refused if budget.refused is not None and person not in {0, budget.refused.person} else None
    kept = _kept(budget, [one for one in opened if one not in ended], (*budget.closed, *ended))
    return evolve(kept, told=told, soft_for=soft, refused=refused), gone


def settlement_of(one: BudgetLease, agent: str) -> Settlement:
    """What is settled of an allowance."""
    used = one.used if one.lent is not None else ZERO
    return Settlement(id=one.id, used=used, agent=agent, person=one.person, shard=one.shard)


def settlements_by_payer(whole: Settlement, used: Mapping[int, int]) -> list[Settlement]:
    """What is settled of a call: the whole where all share it, and of each person whose limits hold their part.

    `used`: by person, in the order of the parts, billionths of a dollar.
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


def _is_over(one: BudgetLease, usual: Amount, now: datetime) -> bool:
    if one.until <= now:
        return True
    if one.lent is None:
        return one.used.messages >= ANSWERS_PER_LEASE
    return one.is_tight or not (one.lent - one.used).covers(usual)


def _kept(budget: ChatBudget, opened: Sequence[BudgetLease], closed: Sequence[BudgetLease]) -> ChatBudget:
    days = [one.day for one in (*opened, *closed)]
    untils = [one.until for one in opened if one.lent is not None]
    return evolve(
        budget,
        open=tuple(opened),
        closed=tuple(closed),
        until=min(untils, default=None),
        month=month_of(max(days)) if days else "",
    )
