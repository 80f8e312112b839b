"""The wallet of what runs beside the chats: descriptions, notes, summaries, vectors. It borrows for each single call.

What is made of a private chat is paid for by its person; work in the background has a share of what all agents may
spend, and none of what is held back for owners.

A job that dies is charged in full once its time is over: nobody knows whether its call was made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Final

from shared.errors import ModelTrouble, ModelUnavailable, StoreError
from shared.logs import log
from shared.models.account import BACKGROUND, DEPLOYMENT, PERSON, month_of
from shared.models.money import Amount, Limits
from shared.models.purse import Usage, Used, used_by
from shared.models.trust import Roster, TrustTier
from shared.models.usage import BACKGROUND_WORK, ModelCall, ModelUse
from shared.ports.spending import Accounts, NotGranted, Settlement, Usages, Wanted
from shared.ports.trust import Rosters
from shared.spending.paying import Hold
from shared.spending.terms import SpendingTerms

#: longer than any function runs
LONGEST: Final = timedelta(minutes=15)
NOT_NOW: Final = "a limit of money is reached, or what is left of it is lent to others"
#: what is lent may be given back after so long, and a limit that is reached may be raised before it goes on
LENT_FOR: Final = timedelta(minutes=10)
RAISED_AFTER: Final = timedelta(hours=6)


@dataclass(frozen=True, kw_only=True)
class JobWallet:
    """Pays for single calls from the agent's money and the deployment's, and of whom the call is for."""

    accounts: Accounts
    usages: Usages
    terms: SpendingTerms
    clock: Callable[[], datetime]
    #: who says how far people are trusted, and who is an owner; none: nobody does
    rosters: Rosters | None = None

    @property
    def is_limited(self) -> bool:
        """Whether limits hold."""
        return self.terms.is_on

    async def reserve(self, use: ModelUse, nano_usd: int) -> Hold:
        """Borrow what the call may cost. Raises ModelUnavailable, which says until when; or a StoreError."""
        asked, agent, now = Amount(nano_usd=nano_usd), use.chat.agent if use.chat else "", self.clock()
        name = token_hex(13)
        if not nano_usd or not self.terms.is_on:
            return Hold(name, asked, use)
        roster = await self.rosters.roster(agent) if self.rosters is not None and agent else None
        use = _caused(use, roster)
        limits = self._limits(use, agent)
        if any(one.limits_money for one in limits.values()):
            days = self.terms.days(agent, now)
            wanted = Wanted(
                id=name,
                agent=agent,
                least=asked,
                most=asked,
                now=now,
                until=now + LONGEST,
                days={**days, BACKGROUND: days[DEPLOYMENT]},
                limits=limits,
                person=use.person if PERSON in limits else 0,
                held_back=self.terms.held_back(roster, use.person),
            )
            found = await self.accounts.lend(wanted)
            if isinstance(found, NotGranted):
                raise ModelUnavailable(NOT_NOW, ModelTrouble.LIMIT, self._again_at(agent, found))
            name = f"{found.shard} {wanted.person} {name}"
        return Hold(name, asked, use)

    def _limits(self, use: ModelUse, agent: str) -> Mapping[str, Limits]:
        limits = self.terms.limits_for(agent, TrustTier(use.tier) if use.person and use.tier else None)
        is_behind = use.purpose in BACKGROUND_WORK
        return {**limits, BACKGROUND: self.terms.background_limits} if is_behind else limits

    def _again_at(self, agent: str, found: NotGranted) -> datetime:
        now = self.clock()
        if found.is_lent:
            return now + LENT_FOR
        return min(self.terms.goes_on(agent, found.scope, found.span, now), now + RAISED_AFTER)

    async def settle(self, hold: Hold) -> None:
        """Give back what is left, and keep what was used. May fail: then all of it is charged in the end."""
        place, _, name = hold.allowance.rpartition(" ")
        key, now = hold.use.chat, self.clock()
        agent, amount = key.agent if key else "", Amount(nano_usd=hold.nano_usd)
        day = self.terms.days(agent, now)[PERSON]
        used = sum((used_by(one, 0) for one in hold.calls or [ModelCall(model="")]), Used())
        usage = Usage(
            id=name,
            agent=agent,
            chat=key.id if key else "",
            person=hold.use.person or (key.chat_id if key and key.is_private else 0),
            day=day,
            month=month_of(day),
            at=now,
            used=amount,
            by={hold.use.purpose.value: used.model_copy(update={"nano_usd": amount.nano_usd})},
        )
        try:
            if place:
                shard, payer = map(int, place.split())
                await self.accounts.settle(
                    [Settlement(id=name, used=amount, agent=agent, person=payer, shard=shard)],
                )
            if hold.calls:
                await self.usages.keep(usage)
        except StoreError as error:
            log(f"what a call took is not settled now: {error}")


def _caused(use: ModelUse, roster: Roster | None) -> ModelUse:
    """The use with who caused it, and how far they are trusted: where nobody is named, a private chat's person."""
    if roster is None or use.person or use.chat is None or not use.chat.is_private:
        return use
    person = use.chat.chat_id
    return replace(use, person=person, tier=roster.tier_of(person, person).value)
