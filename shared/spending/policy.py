"""The spending policy: the limits of the deployment and of each agent, and the time zones of their days. Also the
objects that the budget services of ticks need to apply the policy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Final

from shared.spending.refusals import is_soft
from shared.values.account import (
    BACKGROUND,
    CHAT,
    DEPLOYMENT,
    PERSON,
    PLACE,
    LimitPeriod,
    agent_scope,
    day_label,
    next_month,
)
from shared.values.agent import parse_zone
from shared.values.budget import ANSWERS_PER_LEASE
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.money import NO_OWNER_LIMITS, UNLIMITED, AgentLimits, Amount, OwnerLimits, SpendingLimits
from shared.values.trust import AccessList, TrustTier

if TYPE_CHECKING:
    from shared.chat.store.access_lists import FirestoreAccessLists
    from shared.spending.store.accounts import FirestoreAccounts


@dataclass(frozen=True, kw_only=True)
class BudgetBackend:
    """The objects that the budget services of all ticks share: the accounts, the policy and the access lists."""

    accounts: FirestoreAccounts
    terms: SpendingPolicy
    access_lists: FirestoreAccessLists
    clock: Callable[[], datetime]

    async def limits(self, key: ChatKey, person: int, *, is_fellow: bool) -> Mapping[str, SpendingLimits]:
        """Return the limits that apply to a call for a person in a chat, by scope. `person` is 0 if the call is for
        nobody. `is_fellow`: whether the person is a member of an admitted group. Raises StoreUnavailable.
        """
        if not self.terms.is_on:
            return {}
        access_list = await self.access_lists.access_list(key.agent)
        tier = access_list.tier_of(person, key.chat_id, is_fellow=is_fellow) if person else None
        policy = self.terms.with_owner_limits(key.agent, access_list.limits)
        return {**policy.limits_for(key.agent, tier), CHAT: policy.chat_limits(key.agent)}

    async def policy(self, agent: str) -> SpendingPolicy:
        """Return the limits, lowered to those that an agent's owner set. Raises StoreUnavailable or StoreRefused."""
        if not self.terms.is_on:
            return self.terms
        return self.terms.with_owner_limits(agent, (await self.access_lists.access_list(agent)).limits)

    async def held_back(self, key: ChatKey, person: int) -> float:
        """Return the share (from 0 to 1) of shared limits that this person may not use. Raises StoreUnavailable."""
        return (
            self.terms.held_back(await self.access_lists.access_list(key.agent), person) if self.terms.owners else 0.0
        )

    async def owner(self, key: ChatKey) -> int:
        """Return the id of the owner of a chat's agent; 0 if the agent has no owner. Raises StoreUnavailable."""
        return (await self.access_lists.access_list(key.agent)).owner

    def is_soft(self, chat: Chat, policy: SpendingPolicy) -> bool:
        """Return whether a chat has spent at least the share `policy.soft` of the limits for one chat."""
        sums = chat.budget.sums.on(policy.days(chat.key.agent, self.clock())[PERSON])
        return is_soft(sums, policy.chat_limits(chat.key.agent), policy.soft)

    def midnight(self, agent: str) -> datetime:
        """Return the time at which today ends in an agent's time zone."""
        return self.terms.midnight(agent, self.clock())


#: how long a chat keeps a lease; after that others may borrow the rest
LEASE_TIME: Final = timedelta(minutes=30)
#: the amount of one lease if enough is left: it pays for some answers of a model that is not the cheapest
USUAL_LEASE: Final = Amount(nano_usd=100_000_000, messages=ANSWERS_PER_LEASE)
#: if the deployment's limit is at least this many dollars a day, its sums are split over several documents, so that
#: many chats can borrow at once; and below, the number of these documents
LARGE_USD: Final = 50.0
SHARDS: Final = 8
#: the share of the background work's limits that may be used for one chat (a place)
PLACE_SHARE: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class SpendingPolicy:
    """All limits, and the time zones of their days. If `is_on` is false, nothing is limited."""

    is_on: bool = False
    deployment: SpendingLimits = UNLIMITED
    #: limits and time zones by agent
    agents: Mapping[str, AgentLimits] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)
    #: the share of a limit above which the cheaper model answers
    soft: float = 0.8
    #: the share of shared limits that only an agent's owner may use, and the share that background work may use
    owners: float = 0.0
    background: float = 1.0

    def with_owner_limits(self, agent: str, own: OwnerLimits) -> SpendingPolicy:
        """Return the policy for an agent whose owner lowered limits. No limit becomes higher than in the settings."""
        if own == NO_OWNER_LIMITS or not self.is_on:
            return self
        return replace(
            self,
            deployment=self.deployment.at_most(own.deployment),
            agents={**self.agents, agent: self.agents.get(agent, AgentLimits()).at_most(own)},
            soft=self.soft if own.soft_share is None else min(self.soft, own.soft_share),
        )

    @property
    def shards(self) -> int:
        """The number of documents for the deployment's sums.

        It is 1 if messages are limited, since such a limit is too small to be divided among documents.
        """
        is_large = (self.deployment.day_usd or 0) >= LARGE_USD
        return SHARDS if is_large and not self.deployment.limits_messages else 1

    def limits_for(self, agent: str, tier: TrustTier | None) -> Mapping[str, SpendingLimits]:
        """Return the limits of a call by scope.

        `tier` is the trust tier of the person who is answered; None if nobody is. A blocked person has a stranger's
        limits, since work that the person requested before may still be going on.
        """
        if not self.is_on:
            return {}
        found, limits = {DEPLOYMENT: self.deployment}, self.agents.get(agent)
        if limits is not None:
            found[agent_scope(agent)] = limits.agent
            if tier not in {None, TrustTier.OWNER}:
                found[PERSON] = limits.known if tier is TrustTier.KNOWN else limits.stranger
        return found

    def held_back(self, access_list: AccessList | None, person: int) -> float:
        """Return the share of shared limits that this person (0: nobody) may not use.

        The share is 0 for the owner, and for everybody if the agent has no owner. Without an access list the owner is
        unknown, so the share is held back.
        """
        is_everybodys = access_list is not None and (not access_list.is_claimed or access_list.owner == person)
        return 0.0 if is_everybodys else self.owners

    @property
    def background_limits(self) -> SpendingLimits:
        """The limits of the background work of all agents together."""
        return self._deployment_share(self.background)

    @property
    def place_limits(self) -> SpendingLimits:
        """The limits of background work for one chat: only a share, so that the notes of other chats can be made."""
        return self._deployment_share(self.background * PLACE_SHARE)

    def _deployment_share(self, share: float) -> SpendingLimits:
        day, month = self.deployment.day_usd, self.deployment.month_usd
        return SpendingLimits(
            day_usd=None if day is None else day * share,
            month_usd=None if month is None else month * share,
        )

    def chat_limits(self, agent: str) -> SpendingLimits:
        """Return the limits of each chat with an agent."""
        return self.agents.get(agent, AgentLimits()).chat if self.is_on else UNLIMITED

    def zone(self, agent: str) -> tzinfo:
        """Return the time zone of an agent's days."""
        return parse_zone(self.zones.get(agent) or "UTC")

    def days(self, agent: str, now: datetime) -> Mapping[str, str]:
        """Return today's date for each scope, in the scope's time zone."""
        here = day_label(now, self.zone(agent))
        return {DEPLOYMENT: day_label(now, UTC), PERSON: here} | ({agent_scope(agent): here} if agent else {})

    def midnight(self, agent: str, now: datetime) -> datetime:
        """Return the time at which the day of `now` ends in an agent's time zone."""
        return self.starts_anew(agent, agent_scope(agent), LimitPeriod.DAY, now)

    def starts_anew(self, agent: str, scope: str, span: LimitPeriod, now: datetime) -> datetime:
        """Return the time at which a reached limit starts anew: the beginning of the next day or month, in the time
        zone of the limit's scope.
        """
        zone = UTC if scope in {DEPLOYMENT, BACKGROUND, PLACE} else self.zone(agent)
        day = date.fromisoformat(day_label(now, zone))
        first = (
            date.fromisoformat(next_month(day.isoformat())) if span is LimitPeriod.MONTH else day + timedelta(days=1)
        )
        return datetime.combine(first, time.min, zone).astimezone(UTC)

    def until(self, agent: str, now: datetime) -> datetime:
        """Return the time at which a lease from now ends: after LEASE_TIME, or earlier at the agent's midnight."""
        return min(now + LEASE_TIME, self.midnight(agent, now))
