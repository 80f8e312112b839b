"""The budget service of a tick: its writes before a call, and their order (whole answers: turn/test_spending.py)."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from typing import Any

import pytest

from shared.access.notices import OwnerNotice
from shared.base.errors import ModelRefused, ModelTrouble, ModelUnavailable
from shared.base.model_call import ModelCall
from shared.base.wording.words import Phrase
from shared.spending.leasing import BudgetDenial, BudgetGrant, BudgetRequest, LeaseHolder
from shared.spending.policy import BudgetBackend, SpendingPolicy
from shared.spending.tick_budget import TickBudgetService
from shared.values.account import DEPLOYMENT, PERSON, LimitPeriod, Settlement
from shared.values.budget import BudgetLease, ChatBudget
from shared.values.chat import Chat
from shared.values.evolve import evolve
from shared.values.money import NO_OWNER_LIMITS, UNLIMITED, AgentLimits, OwnerLimits, SpendingLimits
from shared.values.outbox import OutboxNotice
from shared.values.trust import AccessList
from shared.values.usage import ModelUse, Purpose
from tests.shared.examples import KEY, NOW
from tests.shared.spending.values import cents

PLAN = ModelUse(purpose=Purpose.PLAN, chat=KEY, person=5)
CALL = ModelCall(model="gemini-3.6-flash", prompt_tokens=1_000)
CENT = cents(1).nano_usd


class World:
    """Accounts, an access list and a session that record what happens in order."""

    def __init__(self, *answers: BudgetGrant | BudgetDenial) -> None:
        self.chat, self.answers, self.happened = Chat(key=KEY), list(answers), list[str]()
        self.notices, self.wanted = list[OutboxNotice](), list[BudgetRequest]()
        self.limits = NO_OWNER_LIMITS

    async def lend(self, wanted: BudgetRequest, settled: Sequence[Settlement] = ()) -> BudgetGrant | BudgetDenial:
        self.happened.append(f"lend {len(settled)}")
        self.wanted.append(wanted)
        return self.answers.pop(0)

    async def settle(self, settled: Sequence[Settlement]) -> None:
        self.happened.append(f"settle {len(settled)}")

    async def unrecorded_settlements(self, chats: object, generation: int, recorded: object) -> Sequence[Settlement]:
        return ()

    async def access_list(self, agent: str, at_most: object = None) -> AccessList:
        return AccessList(agent=agent, limits=self.limits)

    def note_chat(self, chat: Chat) -> None:
        self.chat = chat

    async def extend(self, told: Sequence[BudgetLease] = ()) -> None:
        self.happened.append("record")


def budget_service(world: World, *, is_on: bool = True, chat: SpendingLimits = UNLIMITED) -> TickBudgetService:
    terms = SpendingPolicy(is_on=is_on, deployment=SpendingLimits(day_usd=1.0), agents={"lull": AgentLimits(chat=chat)})
    budget_backend: Any = BudgetBackend(accounts=world, terms=terms, access_lists=world, clock=lambda: NOW)  # type: ignore[arg-type]
    return TickBudgetService(budget_backend=budget_backend, holder=world)


async def test_what_is_lent_is_recorded_before_the_call_and_spent_without_another_write() -> None:
    world = World(BudgetGrant(amount=cents(9, 20)))
    mine = budget_service(world)
    reservation = await mine.reserve(PLAN, CENT)
    assert world.happened == ["lend 0", "record"]
    (one,) = world.chat.budget.open
    assert one.reserved == cents(1, 1)
    reservation.add_call(CALL)
    await mine.settle(reservation)
    (one,) = world.chat.budget.open
    assert (one.used.nano_usd, one.used.messages, one.reserved.nano_usd) == (750_000, 1, CENT - 750_000)
    await mine.reserve(PLAN, CENT - 750_000)
    assert world.happened == ["lend 0", "record"]


async def test_more_of_the_same_lease_is_reserved_by_one_write() -> None:
    world = World(BudgetGrant(amount=cents(9, 20)))
    mine = budget_service(world)
    await asyncio.gather(mine.reserve(PLAN, CENT), mine.reserve(PLAN, CENT))
    assert world.happened == ["lend 0", "record", "record"]
    assert world.chat.budget.open[0].reserved == cents(2, 1)


async def test_what_is_used_of_a_lease_is_not_reserved_again() -> None:
    world = World(BudgetGrant(amount=cents(2, 20)), BudgetGrant(amount=cents(9, 20)))
    mine = budget_service(world)
    await mine.settle(await mine.reserve(PLAN, CENT))  # the cost of the call is unknown, so the maximum is charged
    await mine.reserve(PLAN, 2 * CENT)
    assert world.happened == ["lend 0", "record", "lend 0", "record"]


async def test_of_what_is_over_nothing_is_spent_any_more() -> None:
    world = World(BudgetGrant(amount=cents(9, 20)))
    old = BudgetLease(id="old", person=5, day="2026-11-24", until=NOW, lent=cents(9, 20), reserved=cents(5, 1))
    world.note_chat(evolve(world.chat, budget=ChatBudget(open=(old,))))
    reservation = await budget_service(world).reserve(PLAN, CENT)
    assert (reservation.lease_id != "old", world.happened) == (True, ["lend 0", "record"])


async def test_each_answer_of_a_tick_counts_and_what_is_planned_again_for_it_does_not() -> None:
    mine = budget_service(World(BudgetGrant(amount=cents(9, 20))))
    counts = []
    for begins in (True, False, True):
        if begins:
            mine.begin_answer()
        reservation = await mine.reserve(PLAN, CENT)
        reservation.add_call(CALL)
        await mine.settle(reservation)
        counts.append(reservation.amount.messages)
    assert counts == [1, 0, 1]


async def test_a_limit_that_is_reached_is_not_asked_about_again_soon() -> None:
    world = World(BudgetDenial(scope="*", span=LimitPeriod.DAY))
    for _ in range(2):
        with pytest.raises(ModelRefused) as refused:
            await budget_service(world).reserve(PLAN, CENT)
        assert refused.value.trouble is ModelTrouble.LIMIT
    assert world.happened == ["lend 0"]
    assert world.chat.budget.refused is not None
    assert world.chat.budget.refused.label == NOW.astimezone(UTC).date().isoformat()


LENT = BudgetDenial(scope="*", span=LimitPeriod.MONTH, is_lent=True, holders=(LeaseHolder("a", "1"),))


async def test_a_picture_that_is_too_dear_is_refused_alone_and_an_answer_is_not() -> None:
    world = World(BudgetDenial(scope="*", span=LimitPeriod.DAY), BudgetGrant(amount=cents(9, 20)))
    mine = budget_service(world)
    with pytest.raises(ModelRefused):
        await mine.reserve(replace(PLAN, purpose=Purpose.DRAW), CENT)
    assert world.chat.budget.refused is None
    assert (await mine.reserve(PLAN, CENT)).amount.messages == 1


async def test_what_owners_are_told_has_its_tick_once_the_chat_is_released() -> None:
    told = OwnerNotice(agent="lull", owner=9, of=("limit",), text=Phrase("half")).to_outbox(NOW)
    world = World(
        BudgetGrant(amount=cents(9, 20), told=(told,)), BudgetDenial(scope="*", span=LimitPeriod.DAY, told=(told,))
    )
    await budget_service(world).reserve(PLAN, CENT)
    with pytest.raises(ModelRefused):
        await budget_service(world).reserve(replace(PLAN, person=6, purpose=Purpose.DRAW), CENT)
    assert world.notices == [told, told]
    assert [one.is_answer for one in world.wanted] == [True, False]


async def test_what_is_lent_to_others_may_come_back_and_counts_as_reached_once_it_was_waited_for() -> None:
    world = World(LENT)
    mine = budget_service(world)
    mine.give_up()
    assert world.chat.budget.refused is None
    with pytest.raises(ModelUnavailable) as lent:
        await mine.reserve(PLAN, CENT)
    assert lent.value.trouble is ModelTrouble.LIMIT
    assert (mine.holders, world.chat.budget.refused) == (LENT.holders, None)
    mine.give_up()
    refused = world.chat.budget.refused
    assert refused is not None
    assert (refused.is_lent, refused.scope, refused.label) == (True, "*", f"{NOW:%Y-%m}")
    with pytest.raises(ModelRefused):
        await mine.reserve(PLAN, CENT)


async def test_what_is_open_here_and_does_not_do_is_given_back_before_others_are_waited_for() -> None:
    world = World(BudgetGrant(amount=cents(2, 20)), LENT, BudgetGrant(amount=cents(3, 20)))
    mine = budget_service(world)
    reservation = await mine.reserve(PLAN, CENT)
    reservation.add_call(CALL)
    await mine.settle(reservation)
    await mine.reserve(PLAN, 3 * CENT)
    assert world.happened == ["lend 0", "record", "lend 0", "record", "lend 1", "record"]
    (one,) = world.chat.budget.open
    assert (one.lent, world.chat.budget.closed) == (cents(3, 20), ())


async def test_what_a_call_is_on_its_way_with_is_not_given_back() -> None:
    world = World(BudgetGrant(amount=cents(2, 20)), LENT)
    mine = budget_service(world)
    await mine.reserve(PLAN, CENT)
    with pytest.raises(ModelUnavailable):
        await mine.reserve(PLAN, 3 * CENT)
    assert world.happened == ["lend 0", "record", "lend 0"]


async def test_a_call_that_failed_answers_nobody() -> None:
    world = World(BudgetGrant(amount=cents(9, 20)))
    mine = budget_service(world)
    reservation = await mine.reserve(PLAN, CENT)
    await mine.settle(reservation)
    assert world.chat.budget.open[0].used == cents(1)
    assert (await mine.reserve(PLAN, 0)).amount.messages == 1


async def test_where_nothing_limits_what_was_used_is_only_counted() -> None:
    world = World()
    mine = budget_service(world, is_on=False)
    reservation = await mine.reserve(PLAN, CENT)
    reservation.add_call(CALL)
    await mine.settle(reservation)
    assert world.happened == []
    (one,) = world.chat.budget.open
    assert (one.lent, one.used.nano_usd, one.by["plan"].prompt_tokens) == (None, 750_000, 1_000)


async def test_where_nothing_limits_what_each_person_used_is_their_own() -> None:
    world = World(BudgetGrant(amount=cents(9, 20)))
    await budget_service(world).reserve(PLAN, CENT)  # a lease from the time with limits is not used
    mine = budget_service(world, is_on=False)
    for person, calls in ((5, 1), (6, 2), (5, 3)):
        reservation = await mine.reserve(replace(PLAN, person=person), CENT)
        for _ in range(calls):
            reservation.add_call(CALL)
        await mine.settle(reservation)
    used = sorted((one.person, one.lent is None, one.used.nano_usd) for one in world.chat.budget.open)
    assert used == [(5, False, 0), (5, True, 4 * 750_000), (6, True, 2 * 750_000)]


async def test_what_others_wait_for_is_closed_by_a_write_before_it_is_settled() -> None:
    world = World(
        BudgetGrant(amount=cents(9, 20)),
        BudgetDenial(scope=PERSON, span=LimitPeriod.DAY, is_lent=True, holders=LENT.holders),
    )
    mine = budget_service(world)
    await mine.reserve(PLAN, CENT)
    await mine.clear()
    assert world.happened[2:] == ["record", "settle 1", "record"]
    assert world.chat.budget.open == world.chat.budget.closed == ()
    with pytest.raises(ModelUnavailable):
        await mine.reserve(PLAN, CENT)
    assert mine.holders == LENT.holders


async def test_what_is_short_is_given_back_at_once() -> None:
    world = World(BudgetGrant(amount=cents(9, 20), is_tight=True))
    mine = budget_service(world)
    await mine.reserve(PLAN, CENT)
    world.note_chat(evolve(world.chat, budget=evolve(world.chat.budget, closed=world.chat.budget.open, open=())))
    await mine.give_back()
    assert world.happened[-1] == "settle 1"
    await mine.clear()
    assert world.happened[-2:] == ["settle 1", "record"]
    assert world.chat.budget.closed == ()


async def test_whose_soft_limit_is_passed_has_the_cheaper_model_and_nobody_else() -> None:
    world = World(BudgetGrant(amount=cents(9, 20), soft=frozenset({PERSON})), BudgetGrant(amount=cents(9, 20)))
    mine = budget_service(world)
    await mine.reserve(PLAN, CENT)
    await mine.reserve(replace(PLAN, person=6), CENT)
    assert [world.chat.budget.is_soft(person, NOW) for person in (5, 6, 0)] == [True, False, False]


async def test_a_chats_own_soft_limit_is_seen_once_it_is_passed_and_kept_when_more_is_lent() -> None:
    world = World(BudgetGrant(amount=cents(9, 2)), BudgetGrant(amount=cents(9, 20)))
    mine, softs = budget_service(world, chat=SpendingLimits(day_messages=3)), []
    for person in (5, 5, 5, 6):
        mine.begin_answer()
        with contextlib.suppress(ModelRefused):
            reservation = await mine.reserve(replace(PLAN, person=person), CENT)
            reservation.add_call(CALL)
            await mine.settle(reservation)
        softs.append(world.chat.budget.is_soft(person, NOW))
    assert softs == [False, False, True, True]
    assert world.chat.budget.soft_until == mine.budget_backend.midnight("lull")


async def test_a_limit_that_the_owner_lowers_holds_from_the_next_lease_on() -> None:
    world = World(BudgetGrant(amount=cents(1, 1)), BudgetGrant(amount=cents(1, 1)))
    mine = budget_service(world)
    (await mine.reserve(PLAN, CENT)).add_call(CALL)
    world.limits = OwnerLimits(deployment=SpendingLimits(day_usd=0.25), soft_share=0.5)
    mine.begin_answer()
    await mine.reserve(PLAN, CENT)
    assert [one.terms.limits[DEPLOYMENT].day_usd for one in world.wanted] == [1.0, 0.25]
    assert [one.terms.soft for one in world.wanted] == [0.8, 0.5]


async def test_for_whom_is_answered_is_what_names_nobody() -> None:
    world = World(BudgetGrant(amount=cents(9, 20)), BudgetGrant(amount=cents(9, 20)))
    mine, vector = budget_service(world), ModelUse(purpose=Purpose.EMBED, chat=None)
    with mine.answering(5):
        assert (await mine.reserve(vector, CENT)).use.person == 5
        assert (await mine.reserve(replace(vector, person=6), CENT)).use.person == 6
    assert mine.person == 0
    mine.person = 7
    with mine.answering(0):
        assert mine.person == 7
