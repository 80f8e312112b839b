"""The budget service of work outside of ticks: descriptions, notes, summaries, vectors.

It borrows money for each call. A call is paid for by the people whose words it processes: in a private chat by its
person, in a group by each writer in proportion to what they wrote. Background work may use a share of the deployment's
limits, and each chat only a part of that share. It may not use the share that is held back for owners. If a job dies,
its reservation is charged in full after it expires, since nobody knows whether the call was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from shared.base.errors import ModelTrouble, ModelUnavailable, StoreError
from shared.base.logs import log
from shared.llm.metering import Reservation
from shared.spending.leasing import BudgetDenial, BudgetRequest, LeaseTerms
from shared.spending.policy import SpendingPolicy
from shared.spending.refusals import no_payer_error
from shared.values.account import BACKGROUND, DEPLOYMENT, PERSON, PLACE, Settlement, month_of
from shared.values.budget import (
    CallTotals,
    PayerShare,
    UsageRecord,
    call_totals,
    model_of_calls,
    payer_share_id,
    settlements_by_payer,
)
from shared.values.evolve import evolve
from shared.values.money import Amount
from shared.values.trust import AccessList, TrustTier
from shared.values.usage import BACKGROUND_WORK, ModelUse, split_amount

if TYPE_CHECKING:
    from shared.chat.store.access_lists import FirestoreAccessLists
    from shared.spending.store.accounts import FirestoreAccounts
    from shared.spending.store.usage import FirestoreUsages

#: the time after which a job's reservation counts as used: longer than any function runs
LEASE_TIME: Final = timedelta(minutes=15)
LIMIT_REACHED: Final = "a spending limit is reached, or the rest of it is lent to others"
#: time until the next try: others may give back what they hold, and a limit may be raised
RETRY_IF_LENT: Final = timedelta(minutes=10)
RETRY_AT_LATEST: Final = timedelta(hours=6)


@dataclass
class JobReservation(Reservation):
    """A reservation for one call of a job, with the document that lent the money, and the payers' shares."""

    shard: int = 0
    #: by person, their part of the whole amount; and the people to whom own limits apply
    shares: Mapping[int, int] = field(default_factory=dict)
    limited: frozenset[int] = frozenset()
    #: the id of the chat, if the amount was lent from a chat's place; 0 if not
    place: int = 0
    is_lent: bool = False


@dataclass(frozen=True, kw_only=True)
class JobBudgetService:
    """Borrows money for single calls within the limits of the agent, of the deployment, and of the people whose words
    the call processes.
    """

    accounts: FirestoreAccounts
    usages: FirestoreUsages
    terms: SpendingPolicy
    clock: Callable[[], datetime]
    #: the access lists, for people's trust tiers and agents' owners; None if these are not known here
    access_lists: FirestoreAccessLists | None = None

    @property
    def is_limited(self) -> bool:
        return self.terms.is_on

    async def reserve(self, use: ModelUse, nano_usd: int) -> Reservation:
        """Borrow the amount that a call may cost.

        Raises ModelUnavailable with the time to try again, or a StoreError. If personal limits of payers leave too
        little, the ModelUnavailable names these payers. Raises ModelRefused if the call needs a payer and has none.
        """
        asked, agent, now = Amount(nano_usd=nano_usd), use.chat.agent if use.chat else "", self.clock()
        access_list = await self._access_list(agent) if nano_usd and self.terms.is_on else None
        terms = self._terms(agent, access_list)
        shares = _shares(use)
        reservation = JobReservation(token_hex(13), asked, use, shares=shares)
        if not nano_usd or not self.terms.is_on:
            return reservation
        if not shares and use.needs_payer:
            raise no_payer_error(use)
        wanted = _budget_request(terms, reservation, access_list, now)
        of_parts = (one.limits for one in wanted.parts.values())
        if any(one.limits_money for one in (*wanted.terms.limits.values(), *of_parts)):
            found = await self.accounts.lend(wanted)
            if isinstance(found, BudgetDenial):
                unavailable = ModelUnavailable(LIMIT_REACHED, ModelTrouble.LIMIT, self._again_at(agent, found))
                unavailable.payers = found.people
                raise unavailable
            reservation.shard, reservation.place, reservation.is_lent = found.shard, wanted.place, True
            reservation.limited = frozenset(wanted.parts)
        return reservation

    async def _access_list(self, agent: str) -> AccessList | None:
        return await self.access_lists.access_list(agent) if self.access_lists is not None and agent else None

    def _terms(self, agent: str, access_list: AccessList | None) -> SpendingPolicy:
        """Return the limits, lowered to those that the agent's owner set."""
        return self.terms if access_list is None else self.terms.with_owner_limits(agent, access_list.limits)

    def _again_at(self, agent: str, found: BudgetDenial) -> datetime:
        now = self.clock()
        if found.is_lent:
            return now + RETRY_IF_LENT
        return min(self.terms.starts_anew(agent, found.scope, found.span, now), now + RETRY_AT_LATEST)

    async def settle(self, reservation: Reservation) -> None:
        """Record the amount that the call used, and give back the rest of the reservation.

        If Firestore fails, the whole reservation is charged when it expires.
        """
        assert isinstance(reservation, JobReservation)
        key = reservation.use.chat
        agent, nano_usd = key.agent if key else "", reservation.nano_usd
        whole = Settlement(
            id=reservation.lease_id,
            used=Amount(nano_usd=nano_usd),
            agent=agent,
            shard=reservation.shard,
            place=reservation.place,
        )
        paid = dict(_by_person(nano_usd, reservation.shares))
        try:
            if reservation.is_lent:
                own = {person: amount for person, amount in paid.items() if person in reservation.limited}
                await self.accounts.settle(settlements_by_payer(whole, own))
            if reservation.calls:
                for usage in self._usages(reservation):
                    await self.usages.keep(usage)
        except StoreError as error:
            log(f"a model call was not settled; its reservation is charged when it expires: {error}")

    def _usages(self, reservation: JobReservation) -> Iterable[UsageRecord]:
        key, now = reservation.use.chat, self.clock()
        agent = key.agent if key else ""
        day = self.terms.days(agent, now)[PERSON]
        used = evolve(
            sum((call_totals(one, 0) for one in reservation.calls), CallTotals()), nano_usd=reservation.nano_usd
        )
        shares = reservation.shares or {0: 1}
        parts = {name: split_amount(number, [*shares.values()]) for name, number in used.model_dump().items()}
        for number, person in enumerate(shares):
            theirs = CallTotals(**{name: found[number] for name, found in parts.items()})
            yield UsageRecord(
                id=reservation.lease_id if len(shares) == 1 else payer_share_id(reservation.lease_id, number),
                agent=agent,
                chat=key.id if key else "",
                person=person,
                day=day,
                month=month_of(day),
                at=now,
                used=Amount(nano_usd=theirs.nano_usd),
                by={reservation.use.purpose.value: theirs},
                models={model_of_calls(reservation.calls): theirs},
            )


def _budget_request(
    terms: SpendingPolicy, reservation: JobReservation, access_list: AccessList | None, now: datetime
) -> BudgetRequest:
    key, agent = reservation.use.chat, reservation.use.chat.agent if reservation.use.chat else ""
    days, limits = terms.days(agent, now), dict(terms.limits_for(agent, None))
    if reservation.use.purpose in BACKGROUND_WORK:
        limits[BACKGROUND] = terms.background_limits
        if key is not None:
            limits[PLACE] = terms.place_limits
    return BudgetRequest(
        id=reservation.lease_id,
        agent=agent,
        minimum=reservation.amount,
        maximum=reservation.amount,
        now=now,
        until=now + LEASE_TIME,
        terms=LeaseTerms(
            limits=limits,
            days={**days, BACKGROUND: days[DEPLOYMENT], PLACE: days[DEPLOYMENT]},
            held_back=max((terms.held_back(access_list, one) for one in reservation.shares or (0,)), default=0.0),
        ),
        parts=_parts(terms, reservation, access_list),
        place=key.chat_id if key is not None and PLACE in limits else 0,
    )


def _parts(
    terms: SpendingPolicy, reservation: JobReservation, access_list: AccessList | None
) -> Mapping[int, PayerShare]:
    key, found = reservation.use.chat, dict[int, PayerShare]()
    for person, nano_usd in _by_person(reservation.amount.nano_usd, reservation.shares):
        tier = _tier(reservation.use, person, access_list)
        limits = terms.limits_for(key.agent, tier).get(PERSON) if key is not None else None
        if limits is not None:
            found[person] = PayerShare(amount=Amount(nano_usd=nano_usd), limits=limits)
    return found


def _shares(use: ModelUse) -> Mapping[int, int]:
    """Return each payer's weight. In a group, every writer is a payer.

    In a private chat, or if no writers are known, one person pays all: the person named by `use`, or else the person of
    the private chat.
    """
    is_private = use.chat is not None and use.chat.is_private
    writers = {person: share for person, share in use.writers.items() if person and share > 0}
    if writers and not is_private:
        return writers
    person = use.person or (use.chat.chat_id if use.chat is not None and is_private else 0)
    return {person: 1} if person else {}


def _by_person(amount: int, shares: Mapping[int, int]) -> Iterable[tuple[int, int]]:
    return zip(shares, split_amount(amount, [*shares.values()]), strict=True)


def _tier(use: ModelUse, person: int, access_list: AccessList | None) -> TrustTier | None:
    """Return the trust tier of a payer; None if unknown."""
    if use.tier and person == use.person:
        return TrustTier(use.tier)
    return access_list.tier_of(person, use.chat.chat_id) if access_list is not None and use.chat is not None else None
