"""A tick's wallet: it spends from what its chat was lent, and borrows more where that does not do.

The order of its writes is that of `tests/protocol/money.py`: the accounts lend, the chat's document records what was
lent and what of it is reserved, and then the call is made. All of it is the tick's that holds the chat.
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
from shared.spending.policy import USUAL_LEASE, BudgetBackend
from shared.spending.refusals import budget_refusal, exhausted_period, is_limited, is_still_refused, payer_in
from shared.values.account import CHAT, PERSON
from shared.values.budget import (
    BudgetLease,
    CallTotals,
    ChatBudget,
    call_totals,
    close_all_leases,
    close_leases,
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

#: without these nobody is answered
REQUIRED_PURPOSES: Final = frozenset({Purpose.PLAN, Purpose.JUDGE})
REACHED: Final = "a limit of money or messages is reached"
LENT: Final = "what is left of a limit is lent to other chats"


class BudgetSession(Protocol):
    """Who holds the chat: a session."""

    @property
    def notices(self) -> list[OutboxNotice]:
        """What somebody is told elsewhere, which is kept: each has a tick of its own once the chat is released."""

    @property
    def chat(self) -> Chat:
        """The chat with what was noted since."""

    def note_chat(self, chat: Chat) -> None:
        """Note the chat as it is from now on."""

    async def extend(self, told: Sequence[BudgetLease] = ()) -> None:
        """Write the purse now; `told` are allowances that are over, of which a document tells from then on."""


@dataclass
class TickBudgetService:
    """The wallet of one tick in one chat."""

    budget_backend: BudgetBackend
    holder: BudgetSession
    #: who is answered, where a call's use does not say
    person: int = 0
    #: whether they are a member of a group that was let in, as far as the tick has found out
    is_fellow: bool = False
    #: what other chats have of what was wanted here
    holders: Sequence[LeaseHolder] = ()
    #: that others have what is left of a limit, and who asked in vain
    _short: tuple[ModelUse, BudgetDenial] | None = field(default=None, init=False)
    _held: dict[str, Amount] = field(default_factory=dict, init=False)
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
        """What is planned from here on is another answer, and counts as one: a tick may give several."""
        self._counted.clear()

    @contextmanager
    def answering(self, person: int) -> Iterator[None]:
        """For the block, somebody is answered: for them is what a call's use names nobody for."""
        before, self.person = self.person, person or self.person
        try:
            yield
        finally:
            self.person = before

    @property
    def is_limited(self) -> bool:
        """Whether limits hold."""
        return self.budget_backend.terms.is_on

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        """Reserve what a call may cost. Raises ModelRefused, ModelUnavailable, or a StoreError."""
        async with self._lock:
            use = replace(use, person=(person := payer_in(use, self.person, self.holder.chat.key)))
            is_message = use.purpose is Purpose.PLAN and person not in self._counted
            asked = Amount(nano_usd=nano_usd, messages=int(is_message))
            limits = await self._limits(person)
            if not is_limited(limits.values(), asked):
                budget_lease = self._free(person)
            else:
                self._refused_already(person)
                self._fits_chat(use, sum(self._held.values(), asked), limits[CHAT])
                found = self._with_room(person, asked) or await self._raise_allowance(person, asked)
                budget_lease = found or await self._lend(use, asked, limits)
            self._held[budget_lease.id] = self._held.get(budget_lease.id, ZERO) + asked
            if is_message:
                self._counted.add(person)
            self._note_usual(asked)
            return Reservation(budget_lease.id, asked, use)

    async def settle(self, reservation: Reservation) -> None:
        """Note what the call took; the next write of the chat's document tells it."""
        amount = Amount(nano_usd=reservation.nano_usd, messages=reservation.amount.messages if reservation.calls else 0)
        if reservation.amount.messages and not reservation.calls:  # nobody is answered by a call that failed
            self._counted.discard(reservation.use.person)
        self._held[reservation.lease_id] = self._held.get(reservation.lease_id, ZERO) - reservation.amount
        self._spent += amount
        calls = reservation.calls or [ModelCall(model="")]
        used = evolve(sum((call_totals(one, 0) for one in calls), CallTotals()), nano_usd=amount.nano_usd)
        self._note(record_spending(self._budget, reservation.lease_id, reservation.use.purpose.value, amount, used))
        if self.budget_backend.is_soft(self.holder.chat):
            self._note(evolve(self._budget, soft_until=self.budget_backend.midnight(self._agent)))

    async def _limits(self, person: int) -> Mapping[str, SpendingLimits]:
        is_fellow = self.is_fellow and person == self.person
        return await self.budget_backend.limits(self.holder.chat.key, person, is_fellow=is_fellow)

    def _refused_already(self, person: int) -> None:
        if is_still_refused(self._budget.refused, person, self._days, self.budget_backend.clock()):
            raise ModelRefused(REACHED, trouble=ModelTrouble.LIMIT)

    def _with_room(self, person: int, asked: Amount) -> BudgetLease | None:
        """What is reserved already, and not for another call."""
        for one in self._of(person):
            if (one.reserved - self._held.get(one.id, ZERO)).covers(asked):
                return one
        return None

    async def _raise_allowance(self, person: int, asked: Amount) -> BudgetLease | None:
        """What has room for more: that is reserved by a write."""
        for one in self._of(person):
            reserved = self._held.get(one.id, ZERO) + asked
            if one.lent is not None and (one.lent - one.used).covers(reserved):
                more = evolve(one, reserved=one.reserved.most(reserved))
                self._note(with_lease(self._budget, more))
                await self._keep()
                return more
        return None

    def _of(self, person: int) -> Sequence[BudgetLease]:
        now = self.budget_backend.clock()
        return [one for one in self._budget.open if one.person == person and one.lent is not None and one.until > now]

    async def _lend(self, use: ModelUse, asked: Amount, limits: Mapping[str, SpendingLimits]) -> BudgetLease:
        """What the accounts lend now, recorded; what was over before is settled with it."""
        wanted, found, closed = await self._asked_for(use, asked, limits)
        if isinstance(found, BudgetDenial) and found.is_lent and (idle := self._idle()):
            self._note(close_leases(self._budget, idle))
            await self._keep()  # from here on nobody spends it, so that it can be settled and lent again
            wanted, found, closed = await self._asked_for(use, asked, limits)
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
        soft = found.soft | {CHAT} if self.budget_backend.is_soft(self.holder.chat) else found.soft
        budget = with_lease(without_settled(self._budget, closed), budget_lease)
        budget = with_soft_limits(
            budget, use.person, soft, self.budget_backend.midnight(self._agent), self.budget_backend.clock()
        )
        self._note(evolve(budget, refused=None))
        await self._keep(closed)
        return budget_lease

    async def _asked_for(
        self, use: ModelUse, asked: Amount, limits: Mapping[str, SpendingLimits]
    ) -> tuple[BudgetRequest, BudgetGrant | BudgetDenial, Sequence[BudgetLease]]:
        """What was wanted, what came of it, and what was settled by it."""
        held_back = await self.budget_backend.held_back(self.holder.chat.key, use.person)
        wanted, closed = self._budget_request(use, asked, limits, held_back), self._budget.closed
        found = await self.budget_backend.accounts.lend(wanted, [settlement_of(one, self._agent) for one in closed])
        self.holder.notices.extend(found.told)
        return wanted, found, closed

    def _idle(self) -> Sequence[BudgetLease]:
        """What is open here, and of which no call is on its way: it does not do for what is asked."""
        held = {name for name, amount in self._held.items() if amount != ZERO}
        return [one for one in self._budget.open if one.lent is not None and one.id not in held]

    def _budget_request(
        self, use: ModelUse, asked: Amount, limits: Mapping[str, SpendingLimits], held_back: float
    ) -> BudgetRequest:
        chat, terms, now = self.holder.chat, self.budget_backend.terms, self.budget_backend.clock()
        asked_of = {scope: one for scope, one in limits.items() if scope != CHAT}
        return BudgetRequest(
            id=token_hex(13),
            agent=self._agent,
            person=use.person,
            least=asked,
            most=USUAL_LEASE.most(asked),
            now=now,
            until=terms.until(self._agent, now),
            terms=LeaseTerms(limits=asked_of, days=terms.days(self._agent, now), soft=terms.soft, held_back=held_back),
            chat=chat.key.id,
            chats=chat.ids,
            generation=chat.claim.generation,
            recorded=frozenset(one.id for one in (*self._budget.open, *self._budget.closed)),
            is_answer=use.purpose is Purpose.PLAN,
        )

    def _fits_chat(self, use: ModelUse, asked: Amount, limits: SpendingLimits) -> None:
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
        """Note that what others have of a limit did not come back in time: it counts as reached for a while."""
        if self._short is not None:
            self._note_refusal(*self._short)

    def _note_refusal(self, use: ModelUse, found: BudgetDenial) -> None:
        if use.purpose not in REQUIRED_PURPOSES:  # what is left may still do for an answer without it
            return
        refused = budget_refusal(use.person, found.scope, found.span, self._days, self.budget_backend.clock())
        refused = evolve(refused, is_lent=found.is_lent)
        self._note(evolve(self._budget, refused=refused))

    @property
    def _days(self) -> Mapping[str, str]:
        return self.budget_backend.terms.days(self._agent, self.budget_backend.clock())

    def _free(self, person: int) -> BudgetLease:
        """What nothing limits: it is only counted."""
        found = next((one for one in self._budget.open if one.person == person and one.lent is None), None)
        if found is not None:
            return found
        until = self.budget_backend.terms.until(self._agent, self.budget_backend.clock())
        free = BudgetLease(id=token_hex(13), person=person, day=self._days[PERSON], until=until)
        self._note(with_lease(self._budget, free))
        return free

    def _note_usual(self, asked: Amount) -> None:
        """What an answer needs: so much has been spent, and may be on its way, when the last call is made."""
        peak = sum(self._held.values(), self._spent)
        if peak.nano_usd >= asked.nano_usd:
            usual = Amount(nano_usd=peak.nano_usd, messages=max(peak.messages, 1))
            self._note(evolve(self._budget, usual=usual))

    async def _keep(self, told: Sequence[BudgetLease] = ()) -> None:
        """Write the purse. Who asked may be cancelled meanwhile; the write goes on, so that the session knows of it."""
        await asyncio.shield(self.holder.extend(told))

    def _note(self, budget: ChatBudget) -> None:
        self.holder.note_chat(evolve(self.holder.chat, budget=budget))

    async def give_back(self) -> None:
        """Settle at once what is closed where little is left of a limit, so that others have it.

        It may fail: it is settled later then.
        """
        tight = [one for one in self._budget.closed if one.is_tight]
        try:
            if tight:
                await self.budget_backend.accounts.settle([settlement_of(one, self._agent) for one in tight])
        except StoreError as error:
            log(f"not given back now: {error}")

    async def clear(self) -> None:
        """Close and settle all, and what was lent and recorded nowhere; the next write tells of it."""
        if any(one.lent is not None for one in self._budget.open):
            self._note(close_all_leases(self._budget))
            await self._keep()  # from here on nobody spends it
        chat, closed = self.holder.chat, self._budget.closed
        recorded = frozenset(one.id for one in (*self._budget.open, *closed))
        forgotten = await self.budget_backend.accounts.unrecorded(chat.ids, chat.claim.generation, recorded)
        if closed or forgotten:
            await self.budget_backend.accounts.settle(
                [*(settlement_of(one, self._agent) for one in closed), *forgotten]
            )
        if closed:
            self._note(without_settled(self._budget, closed))
            await self._keep(closed)
