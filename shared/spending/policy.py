"""On which terms money is lent: the limits of the deployment and of each agent, whose day it is, and who lends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
from shared.values.money import UNLIMITED, AgentLimits, Amount, SpendingLimits
from shared.values.trust import AccessList, TrustTier

if TYPE_CHECKING:
    from shared.chat.store.access_lists import FirestoreAccessLists
    from shared.spending.store.accounts import FirestoreAccounts


@dataclass(frozen=True, kw_only=True)
class BudgetBackend:
    """Lends to ticks on the terms; the access lists say how far people are trusted."""

    accounts: FirestoreAccounts
    terms: SpendingPolicy
    access_lists: FirestoreAccessLists
    clock: Callable[[], datetime]

    async def limits(self, key: ChatKey, person: int, *, is_fellow: bool) -> Mapping[str, SpendingLimits]:
        """By scope, what limits a call in a chat for a person; 0: for nobody. Raises StoreUnavailable.

        `is_fellow`: whether they are a member of a group that was let in.
        """
        if not self.terms.is_on:
            return {}
        tier = None
        if person:
            access_list = await self.access_lists.access_list(key.agent)
            tier = access_list.tier_of(person, key.chat_id, is_fellow=is_fellow)
        return {**self.terms.limits_for(key.agent, tier), CHAT: self.terms.chat_limits(key.agent)}

    async def held_back(self, key: ChatKey, person: int) -> float:
        """The share of what many have that is not lent for this person. Raises StoreUnavailable."""
        return (
            self.terms.held_back(await self.access_lists.access_list(key.agent), person) if self.terms.owners else 0.0
        )

    async def owner(self, key: ChatKey) -> int:
        """Who owns the agent of a chat; 0: nobody. Raises StoreUnavailable."""
        return (await self.access_lists.access_list(key.agent)).owner

    def is_soft(self, chat: Chat) -> bool:
        """Whether more than the soft share of a chat's own limits is spent."""
        agent = chat.key.agent
        sums = chat.budget.sums.on(self.terms.days(agent, self.clock())[PERSON])
        return is_soft(sums, self.terms.chat_limits(agent), self.terms.soft)

    def midnight(self, agent: str) -> datetime:
        """When an agent's day is over."""
        return self.terms.midnight(agent, self.clock())


#: how long a chat keeps what it was lent; what it has not used others may have then
LEASE_TIME: Final = timedelta(minutes=30)
#: money of one allowance where nothing is short: some answers of a model that is not the cheapest
USUAL_LEASE: Final = Amount(nano_usd=100_000_000, messages=ANSWERS_PER_LEASE)
#: dollars a day from which the sums of all are in several documents, so that many may borrow at once; and how many
LARGE_USD: Final = 50.0
SHARDS: Final = 8
#: of what background work may take, the share that one place may
PLACE_SHARE: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class SpendingPolicy:
    """The limits. Where `is_on` is false nothing is limited."""

    is_on: bool = False
    deployment: SpendingLimits = UNLIMITED
    #: by agent
    agents: Mapping[str, AgentLimits] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)
    #: above this share of a limit the cheaper model answers
    soft: float = 0.8
    #: the share of what many have that an agent's owner alone may use, and the one that background work may take
    owners: float = 0.0
    background: float = 1.0

    @property
    def shards(self) -> int:
        """In how many documents the sums of all are; in one, where messages are limited, which may be few."""
        is_large = (self.deployment.day_usd or 0) >= LARGE_USD
        return SHARDS if is_large and not self.deployment.limits_messages else 1

    def limits_for(self, agent: str, tier: TrustTier | None) -> Mapping[str, SpendingLimits]:
        """By scope, what limits a call; `tier` is that of the person who is answered; none: it is for nobody.

        Who was blocked is limited as a stranger: what they set off before may still be under way.
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
        """The share of what many have that is not for this person; 0: nobody. Where no owner is, nothing is held back.

        Without an access list nobody knows the owner, and it is held back.
        """
        is_everybodys = access_list is not None and (not access_list.is_claimed or access_list.owner == person)
        return 0.0 if is_everybodys else self.owners

    @property
    def background_limits(self) -> SpendingLimits:
        """What limits the work in the background of all agents together."""
        return self._part(self.background)

    @property
    def place_limits(self) -> SpendingLimits:
        """What of that limits the work for one place: no talk takes what all others' notes need."""
        return self._part(self.background * PLACE_SHARE)

    def _part(self, share: float) -> SpendingLimits:
        day, month = self.deployment.day_usd, self.deployment.month_usd
        return SpendingLimits(
            day_usd=None if day is None else day * share,
            month_usd=None if month is None else month * share,
        )

    def chat_limits(self, agent: str) -> SpendingLimits:
        """What limits each chat with an agent."""
        return self.agents.get(agent, AgentLimits()).chat if self.is_on else UNLIMITED

    def zone(self, agent: str) -> tzinfo:
        """Whose days an agent's limits are of."""
        return parse_zone(self.zones.get(agent) or "UTC")

    def days(self, agent: str, now: datetime) -> Mapping[str, str]:
        """By scope, which day it is."""
        here = day_label(now, self.zone(agent))
        return {DEPLOYMENT: day_label(now, UTC), PERSON: here} | ({agent_scope(agent): here} if agent else {})

    def midnight(self, agent: str, now: datetime) -> datetime:
        """When the agent's day is over."""
        return self.goes_on(agent, agent_scope(agent), LimitPeriod.DAY, now)

    def goes_on(self, agent: str, scope: str, span: LimitPeriod, now: datetime) -> datetime:
        """When a limit that is reached goes on: with the next day, or month, of whose limit it is."""
        zone = UTC if scope in {DEPLOYMENT, BACKGROUND, PLACE} else self.zone(agent)
        day = date.fromisoformat(day_label(now, zone))
        first = (
            date.fromisoformat(next_month(day.isoformat())) if span is LimitPeriod.MONTH else day + timedelta(days=1)
        )
        return datetime.combine(first, time.min, zone).astimezone(UTC)

    def until(self, agent: str, now: datetime) -> datetime:
        """Until when something is lent: not beyond the agent's midnight."""
        return min(now + LEASE_TIME, self.midnight(agent, now))
