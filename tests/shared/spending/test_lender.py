"""The lender: which limits hold for whom, in which chat."""

from dataclasses import replace
from datetime import time
from typing import Any

import pytest

from shared.spending.terms import Lender, SpendingTerms
from shared.values.account import CHAT, DEPLOYMENT, PERSON, Sums
from shared.values.chat import Chat
from shared.values.money import AgentLimits, Amount, Limits
from shared.values.purse import Purse
from shared.values.trust import AccessList
from tests.shared.examples import KEY, NOW

OWNER = 9
LIMITS = AgentLimits(chat=Limits(day_messages=7))


class Names:
    """An access list that has an owner alone."""

    async def access_list(self, agent: str, at_most: object = None) -> AccessList:
        return AccessList(agent=agent, owner=OWNER)


def lender(*, is_on: bool = True) -> Lender:
    terms = SpendingTerms(is_on=is_on, deployment=Limits(day_usd=1.0), agents={KEY.agent: LIMITS})
    own: Any = None
    names: Any = Names()
    return Lender(accounts=own, terms=terms, access_lists=names, clock=lambda: NOW)


@pytest.mark.parametrize(
    ("person", "is_fellow", "own"),
    [(0, False, None), (OWNER, False, None), (5, False, LIMITS.stranger), (5, True, LIMITS.known)],
)
async def test_a_persons_own_limit_is_that_of_their_tier(person: int, is_fellow: bool, own: Limits | None) -> None:
    found = await lender().limits(KEY, person, is_fellow=is_fellow)
    assert found.get(PERSON) == own
    assert (found[DEPLOYMENT], found[KEY.agent], found[CHAT]) == (Limits(day_usd=1.0), Limits(), LIMITS.chat)


async def test_what_is_held_back_is_the_owners() -> None:
    own = lender()
    assert await own.owner(KEY) == OWNER
    assert await own.held_back(KEY, 5) == 0.0  # nothing is, unless the terms say so
    terms = replace(own.terms, owners=0.25)
    own = replace(own, terms=terms)
    assert (await own.held_back(KEY, 5), await own.held_back(KEY, OWNER)) == (0.25, 0.0)


async def test_where_limits_are_off_there_are_none() -> None:
    assert await lender(is_on=False).limits(KEY, 5, is_fellow=False) == {}


def test_a_chat_is_soft_by_its_own_sums_of_the_agents_day() -> None:
    own, day = lender(), NOW.date().isoformat()

    def after(day: str, messages: int) -> Chat:
        return Chat(key=KEY, purse=Purse(sums=Sums(day=day, spent_day=Amount(messages=messages))))

    assert own.is_soft(after(day, 6))
    assert not own.is_soft(after(day, 5))
    assert not own.is_soft(after("2026-01-01", 6))
    assert not lender(is_on=False).is_soft(after(day, 6))
    assert own.midnight(KEY.agent).time() == time()
