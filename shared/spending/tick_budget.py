"""The budget service of a tick: it spends from its chat's leases, and borrows more if they are too small.

The writes have a fixed order, which `tests/protocol/money.py` checks: the accounts lend, the chat's document records
the lease and the reservation, and then the call is made. Only the tick that holds the chat does this.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from secrets import token_hex
from typing import Final, Protocol

from shared.base.errors import ModelError, ModelRefused, ModelTrouble, ModelUnavailable, StoreError
from shared.base.logs import log
from shared.base.model_call import ModelCall
from shared.llm.metering import Reservation
from shared.spending.leasing import BudgetDenial, BudgetGrant, BudgetRequest, LeaseHolder, LeaseTerms
from shared.spending.policy import USUAL_LEASE, BudgetBackend, SpendingPolicy
from shared.spending.refusals import budget_refusal, exhausted_period, is_limited, is_still_refused, payer_in
from shared.values.account import CHAT, PERSON
from shared.values.budget import (
    BudgetLease,
    CallTotals,
    ChatBudget,
    SpentCall,
    call_totals,
    close_all_leases,
    close_leases,
    model_of_calls,
    record_spending,
    settlement_of,
    with_lease,
    with_soft_limits,
    without_settled,
)
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.money import ZERO, Amount, SpendingLimits
from shared.values.outbox import OutboxNotice
from shared.values.usage import ModelUse, Purpose

#: without these calls nobody is answered
REQUIRED_PURPOSES: Final = frozenset({Purpose.PLAN, Purpose.JUDGE})
REACHED: Final = "a spending or message limit is reached"
LENT: Final = "the rest of a spending limit is lent to other chats"


class BudgetSession(Protocol):
    """The part of a chat's session that the budget service uses. The tick has claimed the chat."""

    @property
    def notices(self) -> list[OutboxNotice]:
        """Stored notices for people in other chats. Each needs a tick in its chat after this chat is released."""

    @property
    def chat(self) -> Chat:
        """The chat with all changes since the claim."""

    def note_chat(self, chat: Chat) -> None:
        """Replace the chat in the session by `chat`. This writes nothing yet."""

    async def extend(self, told: Sequence[BudgetLease] = ()) -> None:
        """Extend the claim on the chat, and save the budget with it. Also store a usage document for each lease in
        `told`; these leases have been settled.
        """


@dataclass
class TickBudgetService:
    """Reserves money for a tick's model calls within all limits (people, chat, deployment), and settles the cost."""

    budget_backend: BudgetBackend
    holder: BudgetSession
    #: the person who is answered; they pay for calls whose use names nobody
    person: int = 0
    #: whether that person is known to be a member of a group that was let in
    is_fellow: bool = False
    #: the leases of other chats that hold the amount which was denied here
    holders: Sequence[LeaseHolder] = ()
    #: the last denial that was due to leases of other chats, and the use that was denied
    _short: tuple[ModelUse, BudgetDenial] | None = field(default=None, init=False)
    #: the limits at the last reservation, since settling must not read anything that may fail
    _policy: SpendingPolicy = field(default=SpendingPolicy(), init=False)
    _reserved: dict[str, Amount] = field(default_factory=dict, init=False)
    _spent: Amount = field(default=ZERO, init=False)
    _counted: set[int] = field(default_factory=set, init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    @property
    def _budget(self) -> ChatBudget:
        return self.holder.chat.budget

    @property
    def _agent(self) -> str:
        return self.holder.chat.key.agent

    def begin_answer(self) -> None:
        """Begin another answer, which counts as one more message."""
        self._counted.clear()

    @contextmanager
    def answering(self, person: int) -> Iterator[None]:
        """Charge calls inside the block to this person, except calls whose ModelUse names somebody else."""
        before, self.person = self.person, person or self.person
        try:
            yield
        finally:
            self.person = before

    @property
    def is_limited(self) -> bool:
        return self.budget_backend.terms.is_on

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        """Reserve the amount that a call may cost. Raises ModelRefused, ModelUnavailable, or a StoreError."""
        async with self._lock:
            use = replace(use, person=(person := payer_in(use, self.person, self.holder.chat.key)))
            is_message = use.purpose is Purpose.PLAN and person not in self._counted
            asked = Amount(nano_usd=nano_usd, messages=int(is_message))
            limits = await self._limits(person)
            if not is_limited(limits.values(), asked):
                budget_lease = self._unlimited_lease(person)
            else:
                self._check_earlier_refusal(person)
                self._check_chat_limits(use, sum(self._reserved.values(), asked), limits[CHAT])
                found = self._reserved_lease(person, asked) or await self._reserve_more(person, asked)
                budget_lease = found or await self._lend(use, asked, limits)
            self._reserved[budget_lease.id] = self._reserved.get(budget_lease.id, ZERO) + asked
            if is_message:
                self._counted.add(person)
            self._note_usual(asked)
            return Reservation(budget_lease.id, asked, use)

    async def settle(self, reservation: Reservation) -> None:
        """Record the amount that a call used. The next write of the chat's document stores this record."""
        amount = Amount(nano_usd=reservation.nano_usd, messages=reservation.amount.messages if reservation.calls else 0)
        if reservation.amount.messages and not reservation.calls:  # a failed call answers nobody
            self._counted.discard(reservation.use.person)
        self._reserved[reservation.lease_id] = self._reserved.get(reservation.lease_id, ZERO) - reservation.amount
        self._spent += amount
        calls = reservation.calls or [ModelCall(model="")]
        used = evolve(sum((call_totals(one, 0) for one in calls), CallTotals()), nano_usd=amount.nano_usd)
        purpose, model = reservation.use.purpose.value, model_of_calls(calls)
        spent = SpentCall(purpose=purpose, amount=amount, totals=used, model=model)
        self._note(record_spending(self._budget, reservation.lease_id, spent))
        if self.budget_backend.is_soft(self.holder.chat, self._policy):
            self._note(evolve(self._budget, soft_until=self.budget_backend.midnight(self._agent)))

    async def _limits(self, person: int) -> Mapping[str, SpendingLimits]:
        is_fellow = self.is_fellow and person == self.person
        self._policy = await self.budget_backend.policy(self._agent)
        return await self.budget_backend.limits(self.holder.chat.key, person, is_fellow=is_fellow)

    def _check_earlier_refusal(self, person: int) -> None:
        if is_still_refused(self._budget.refused, person, self._days, self.budget_backend.clock()):
            raise ModelRefused(REACHED, trouble=ModelTrouble.LIMIT)

    def _reserved_lease(self, person: int, asked: Amount) -> BudgetLease | None:
        """Return a lease whose stored reservation is enough for this and all running calls; None if there is none."""
        for one in self._leases_of(person):
            if (one.reserved - self._reserved.get(one.id, ZERO)).covers(asked):
                return one
        return None

    async def _reserve_more(self, person: int, asked: Amount) -> BudgetLease | None:
        """Raise the stored reservation of a lease with enough left, and return that lease; None if there is none."""
        for one in self._leases_of(person):
            reserved = self._reserved.get(one.id, ZERO) + asked
            if one.lent is not None and (one.lent - one.used).covers(reserved):
                more = evolve(one, reserved=one.reserved.at_least(reserved))
                self._note(with_lease(self._budget, more))
                await self._write()
                return more
        return None

    def _leases_of(self, person: int) -> Sequence[BudgetLease]:
        now = self.budget_backend.clock()
        return [one for one in self._budget.open if one.person == person and one.lent is not None and one.until > now]

    async def _lend(self, use: ModelUse, asked: Amount, limits: Mapping[str, SpendingLimits]) -> BudgetLease:
        """Borrow from the accounts and record the lease. The same write of the accounts settles closed leases."""
        wanted, found, closed = await self._request_lease(use, asked, limits)
        if isinstance(found, BudgetDenial) and found.is_lent and (idle := self._idle()):
            self._note(close_leases(self._budget, idle))
            await self._write()  # after this write nobody spends these leases, so they can be settled and lent again
            wanted, found, closed = await self._request_lease(use, asked, limits)
        if isinstance(found, BudgetDenial):
            raise self._refuse(use, found)
        budget_lease = BudgetLease(
            id=wanted.id,
            person=use.person,
            day=wanted.terms.days[PERSON],
            until=wanted.until,
            lent=found.amount,
            shard=found.shard,
            reserved=asked,
            is_tight=found.is_tight,
        )
        is_soft_here = self.budget_backend.is_soft(self.holder.chat, self._policy)
        soft = found.soft | {CHAT} if is_soft_here else found.soft
        budget = with_lease(without_settled(self._budget, closed), budget_lease)
        budget = with_soft_limits(
            budget, use.person, soft, self.budget_backend.midnight(self._agent), self.budget_backend.clock()
        )
        self._note(evolve(budget, refused=None))
        await self._write(closed)
        return budget_lease

    async def _request_lease(
        self, use: ModelUse, asked: Amount, limits: Mapping[str, SpendingLimits]
    ) -> tuple[BudgetRequest, BudgetGrant | BudgetDenial, Sequence[BudgetLease]]:
        """Request a lease. Return the request, the decision, and the leases that were settled with it."""
        held_back = await self.budget_backend.held_back(self.holder.chat.key, use.person)
        wanted, closed = self._budget_request(use, asked, limits, held_back), self._budget.closed
        found = await self.budget_backend.accounts.lend(wanted, [settlement_of(one, self._agent) for one in closed])
        self.holder.notices.extend(found.told)
        return wanted, found, closed

    def _idle(self) -> Sequence[BudgetLease]:
        """Return the open leases that no running call uses. They are too small for this call, and may be given back."""
        held = {name for name, amount in self._reserved.items() if amount != ZERO}
        return [one for one in self._budget.open if one.lent is not None and one.id not in held]

    def _budget_request(
        self, use: ModelUse, asked: Amount, limits: Mapping[str, SpendingLimits], held_back: float
    ) -> BudgetRequest:
        chat, terms, now = self.holder.chat, self._policy, self.budget_backend.clock()
        asked_of = {scope: one for scope, one in limits.items() if scope != CHAT}
        return BudgetRequest(
            id=token_hex(13),
            agent=self._agent,
            person=use.person,
            minimum=asked,
            maximum=USUAL_LEASE.at_least(asked),
            now=now,
            until=terms.until(self._agent, now),
            terms=LeaseTerms(limits=asked_of, days=terms.days(self._agent, now), soft=terms.soft, held_back=held_back),
            chat=chat.key.id,
            chats=chat.ids,
            generation=chat.claim.generation,
            recorded=frozenset(one.id for one in (*self._budget.open, *self._budget.closed)),
            is_answer=use.purpose is Purpose.PLAN,
        )

    def _check_chat_limits(self, use: ModelUse, asked: Amount, limits: SpendingLimits) -> None:
        span = exhausted_period(self._budget.sums.on(self._days[PERSON]), limits, asked)
        if span is not None:
            raise self._refuse(use, BudgetDenial(scope=CHAT, span=span))

    def _refuse(self, use: ModelUse, found: BudgetDenial) -> ModelError:
        if found.is_lent:
            self.holders, self._short = found.holders, (use, found)
            return ModelUnavailable(LENT, ModelTrouble.LIMIT)
        log("a limit is reached", scope=found.scope if found.scope in {CHAT, PERSON} else "all", span=found.span.value)
        self._note_refusal(use, found)
        return ModelRefused(REACHED, trouble=ModelTrouble.LIMIT)

    def give_up(self) -> None:
        """Record that other chats did not give back their leases in time. For a while, the limit counts as reached."""
        if self._short is not None:
            self._note_refusal(*self._short)

    def _note_refusal(self, use: ModelUse, found: BudgetDenial) -> None:
        if use.purpose not in REQUIRED_PURPOSES:  # the rest may still be enough for an answer without this call
            return
        refused = budget_refusal(use.person, found.scope, found.span, self._days, self.budget_backend.clock())
        refused = evolve(refused, is_lent=found.is_lent)
        self._note(evolve(self._budget, refused=refused))

    @property
    def _days(self) -> Mapping[str, str]:
        return self.budget_backend.terms.days(self._agent, self.budget_backend.clock())

    def _unlimited_lease(self, person: int) -> BudgetLease:
        """Return the lease of a person to whom no limit applies. It only counts the calls."""
        found = next((one for one in self._budget.open if one.person == person and one.lent is None), None)
        if found is not None:
            return found
        until = self.budget_backend.terms.until(self._agent, self.budget_backend.clock())
        free = BudgetLease(id=token_hex(13), person=person, day=self._days[PERSON], until=until)
        self._note(with_lease(self._budget, free))
        return free

    def _note_usual(self, asked: Amount) -> None:
        """Record how much an answer in this chat needs: the highest sum of spent and reserved amounts in this tick."""
        peak = sum(self._reserved.values(), self._spent)
        if peak.nano_usd >= asked.nano_usd:
            usual = Amount(nano_usd=peak.nano_usd, messages=max(peak.messages, 1))
            self._note(evolve(self._budget, usual=usual))

    async def _write(self, told: Sequence[BudgetLease] = ()) -> None:
        """Write the budget. The write goes on if the caller is cancelled, so that the session knows its outcome."""
        await asyncio.shield(self.holder.extend(told))

    def _note(self, budget: ChatBudget) -> None:
        self.holder.note_chat(evolve(self.holder.chat, budget=budget))

    async def give_back(self) -> None:
        """Settle closed leases at once if a limit is nearly reached, so that others can borrow.

        If that fails, the leases are settled later.
        """
        tight = [one for one in self._budget.closed if one.is_tight]
        try:
            if tight:
                await self.budget_backend.accounts.settle([settlement_of(one, self._agent) for one in tight])
        except StoreError as error:
            log(f"budget leases were not given back now: {error}")

    async def clear(self) -> None:
        """Close and settle all leases of the chat, including leases that the chat's document does not list."""
        if any(one.lent is not None for one in self._budget.open):
            self._note(close_all_leases(self._budget))
            await self._write()  # after this write nobody spends the leases
        chat, closed = self.holder.chat, self._budget.closed
        recorded = frozenset(one.id for one in (*self._budget.open, *closed))
        forgotten = await self.budget_backend.accounts.unrecorded_settlements(chat.ids, chat.claim.generation, recorded)
        if closed or forgotten:
            await self.budget_backend.accounts.settle(
                [*(settlement_of(one, self._agent) for one in closed), *forgotten]
            )
        if closed:
            self._note(without_settled(self._budget, closed))
            await self._write(closed)
