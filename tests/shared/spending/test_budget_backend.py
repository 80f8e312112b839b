"""The budget backend: the limits of a person in a chat."""

from dataclasses import replace
from datetime import time
from typing import Any

import pytest

from shared.spending.policy import BudgetBackend, SpendingPolicy
from shared.values.account import CHAT, DEPLOYMENT, PERSON, SpendingSums
from shared.values.budget import ChatBudget
from shared.values.chat import Chat
from shared.values.money import NO_OWNER_LIMITS, AgentLimits, Amount, OwnerLimits, SpendingLimits
from shared.values.trust import AccessList
from tests.shared.examples import KEY, NOW

OWNER = 9
LIMITS = AgentLimits(chat=SpendingLimits(day_messages=7))


class Names:
    """An access list with only an owner, and the limits that the owner set."""

    def __init__(self, limits: OwnerLimits) -> None:
        self.limits = limits

    async def access_list(self, agent: str, at_most: object = None) -> AccessList:
        return AccessList(agent=agent, owner=OWNER, limits=self.limits)


def budget_backend(*, is_on: bool = True, limits: OwnerLimits = NO_OWNER_LIMITS) -> BudgetBackend:
    terms = SpendingPolicy(is_on=is_on, deployment=SpendingLimits(day_usd=1.0), agents={KEY.agent: LIMITS})
    own: Any = None
    names: Any = Names(limits)
    return BudgetBackend(accounts=own, terms=terms, access_lists=names, clock=lambda: NOW)


@pytest.mark.parametrize(
    ("person", "is_fellow", "own"),
    [(0, False, None), (OWNER, False, None), (5, False, LIMITS.stranger), (5, True, LIMITS.known)],
)
async def test_a_persons_own_limit_is_that_of_their_tier(
    person: int, is_fellow: bool, own: SpendingLimits | None
) -> None:
    found = await budget_backend().limits(KEY, person, is_fellow=is_fellow)
    assert found.get(PERSON) == own
    assert (found[DEPLOYMENT], found[KEY.agent], found[CHAT]) == (
        SpendingLimits(day_usd=1.0),
        SpendingLimits(),
        LIMITS.chat,
    )


async def test_what_is_held_back_is_the_owners() -> None:
    own = budget_backend()
    assert await own.owner(KEY) == OWNER
    assert await own.held_back(KEY, 5) == 0.0  # by default, nothing is held back
    terms = replace(own.terms, owners=0.25)
    own = replace(own, terms=terms)
    assert (await own.held_back(KEY, 5), await own.held_back(KEY, OWNER)) == (0.25, 0.0)


async def test_where_limits_are_off_there_are_none() -> None:
    assert await budget_backend(is_on=False).limits(KEY, 5, is_fellow=False) == {}


def test_a_chat_is_soft_by_its_own_sums_of_the_agents_day() -> None:
    own, day = budget_backend(), NOW.date().isoformat()

    def after(day: str, messages: int) -> Chat:
        return Chat(key=KEY, budget=ChatBudget(sums=SpendingSums(day=day, spent_day=Amount(messages=messages))))

    assert own.is_soft(after(day, 6), own.terms)
    assert not own.is_soft(after(day, 5), own.terms)
    assert not own.is_soft(after("2026-01-01", 6), own.terms)
    is_off = budget_backend(is_on=False)
    assert not is_off.is_soft(after(day, 6), is_off.terms)
    assert own.midnight(KEY.agent).time() == time()


async def test_limits_of_the_owner_apply_to_a_call() -> None:
    limits = OwnerLimits(deployment=SpendingLimits(day_usd=0.3), chat=SpendingLimits(day_messages=2), soft_share=0.4)
    own = budget_backend(limits=limits)
    found = await own.limits(KEY, OWNER, is_fellow=False)
    assert (found[DEPLOYMENT].day_usd, found[CHAT].day_messages) == (0.3, 2)
    policy, sums = await own.policy(KEY.agent), SpendingSums(day=NOW.date().isoformat(), spent_day=Amount(messages=1))
    assert policy.soft == 0.4
    assert own.is_soft(Chat(key=KEY, budget=ChatBudget(sums=sums)), policy)
