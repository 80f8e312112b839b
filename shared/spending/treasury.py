"""The treasury: who lends to ticks, and on which terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from shared.spending.refusals import is_soft
from shared.spending.terms import SpendingTerms
from shared.values.account import CHAT, PERSON
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.money import Limits

if TYPE_CHECKING:
    from shared.chat.store.rosters import FirestoreRosters
    from shared.spending.store.accounts import FirestoreAccounts


@dataclass(frozen=True, kw_only=True)
class Treasury:
    """Who lends, on which terms, and who says how far people are trusted."""

    accounts: FirestoreAccounts
    terms: SpendingTerms
    rosters: FirestoreRosters
    clock: Callable[[], datetime]

    async def limits(self, key: ChatKey, person: int, *, is_fellow: bool) -> Mapping[str, Limits]:
        """By scope, what limits a call in a chat for a person; 0: for nobody. Raises StoreUnavailable.

        `is_fellow`: whether they are a member of a group that was let in.
        """
        if not self.terms.is_on:
            return {}
        tier = None
        if person:
            roster = await self.rosters.roster(key.agent)
            tier = roster.tier_of(person, key.chat_id, is_fellow=is_fellow)
        return {**self.terms.limits_for(key.agent, tier), CHAT: self.terms.chat_limits(key.agent)}

    async def held_back(self, key: ChatKey, person: int) -> float:
        """The share of what many have that is not lent for this person. Raises StoreUnavailable."""
        return self.terms.held_back(await self.rosters.roster(key.agent), person) if self.terms.owners else 0.0

    async def owner(self, key: ChatKey) -> int:
        """Who owns the agent of a chat; 0: nobody. Raises StoreUnavailable."""
        return (await self.rosters.roster(key.agent)).owner

    def is_soft(self, chat: Chat) -> bool:
        """Whether more than the soft share of a chat's own limits is spent."""
        agent = chat.key.agent
        sums = chat.purse.sums.on(self.terms.days(agent, self.clock())[PERSON])
        return is_soft(sums, self.terms.chat_limits(agent), self.terms.soft)

    def midnight(self, agent: str) -> datetime:
        """When an agent's day is over."""
        return self.terms.midnight(agent, self.clock())
