"""Consequences of limits: one notice, silence, a smaller model; and budget leases are returned."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.base.model_call import ModelCall
from shared.chat.store import paths
from shared.spending.leasing import BudgetDenial, BudgetGrant, BudgetRequest, LeaseTerms
from shared.spending.policy import SpendingPolicy
from shared.spending.store.accounts import FirestoreAccounts, decode_account
from shared.turn.jobs.tick import tick
from shared.turn.spending import mark_told
from shared.values.account import PERSON, Account, Settlement
from shared.values.budget import ChatBudget
from shared.values.chat_key import ChatKey
from shared.values.money import AgentLimits, Amount, SpendingLimits, usd_to_nanos
from shared.values.trust import AdmittedGroup
from shared.values.usage import cost_of
from shared.values.wake import Wake, WakeReason
from tests.shared.doors import closed
from tests.shared.own_words import ENGLISH
from tests.shared.turn.room import Room
from tests.shared.turn.watched import Killed

MakeRoom = Callable[..., Awaitable[Room]]


def terms(**limits: Any) -> SpendingPolicy:
    """Return limits of strangers, of chats or of the agent; by default a stranger has a dollar."""
    given = {"stranger": SpendingLimits(day_usd=1.0), **limits}
    return SpendingPolicy(is_on=True, agents={"lull": AgentLimits(**given)})


async def account(here: Room) -> Account:
    found = await here.house.chats.client.document(paths.account_path("lull", here.person)).get()
    return decode_account(found.to_dict())


async def budget(here: Room) -> ChatBudget:
    return (await here.document()).budget


async def asks(here: Room, words: str = "hi", answer: str = "hello") -> None:
    await here.will_plan({"kind": "send", "text": answer})
    await here.writes(words)
    await here.rests()


async def sweep(here: Room, name: str) -> None:
    await tick(here.tick_services, Wake(key=here.key, reason=WakeReason.SWEEP, at=here.clock(), of=name))


async def cost(here: Room) -> int:
    """Return the nano-dollars of the last plan's calls."""
    return usd_to_nanos(cost_of((await here.plan()).calls, here.clock()) or 0.0)


async def test_an_answer_is_paid_from_what_its_chat_was_lent(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms())
    await asks(here)
    assert await here.said() == ["hello"]
    (budget_lease,) = (await budget(here)).open
    assert budget_lease.used == Amount(nano_usd=await cost(here), messages=1)
    assert budget_lease.used.nano_usd > 0
    assert budget_lease.reserved == Amount()
    assert (await account(here)).lent.keys() == {budget_lease.id}
    await asks(here, "and again")
    (same,) = (await budget(here)).open
    assert (same.id, same.used.messages) == (budget_lease.id, 2)
    here.clock.now += timedelta(hours=1)
    await sweep(here, "1")
    assert (await budget(here)).open == (await budget(here)).closed == ()
    settled = await account(here)
    assert (settled.lent, settled.sums[PERSON].spent_month) == ({}, same.used)
    usage = (await here.house.chats.client.document(paths.usage_path(budget_lease.id)).get()).to_dict() or {}
    assert (usage["person"], usage["by"]["plan"]["calls"]) == (here.person, 2)


async def test_past_a_limit_one_sentence_is_said_then_nothing_and_the_next_day_goes_on(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(stranger=SpendingLimits(day_messages=2)), zone="Europe/Kyiv")
    for number in range(4):
        await asks(here, f"message {number}")
    limit = ENGLISH.say("limit.day", zone="Europe/Kyiv")
    assert await here.said() == ["hello", "hello", limit]
    assert len(await here.asked()) == 2
    await here.writes("/whoami")
    await here.rests()
    assert len(await here.said()) == 4
    here.clock.now += timedelta(days=1)
    await here.writes("a new day")
    await here.rests()
    assert (await here.said())[-1] == "hello"


async def test_a_member_of_a_group_that_was_let_in_has_the_limits_of_those_who_are_known(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(stranger=SpendingLimits(day_messages=0), known=SpendingLimits(day_messages=1)))
    members = [here.person, (await here.house.make("people", first_name="Gil"))["id"]]
    group = await here.house.make("chats", type="supergroup", title="Trip", members=members, bots=[here.house.bot_id])
    access_lists = await closed(here, members[1])
    await access_lists.let_group_in("lull", AdmittedGroup(chat_id=group["id"], since=here.clock(), by=members[1]))
    await asks(here)
    await asks(here)
    assert await here.said() == ["hello", ENGLISH.say("limit.day", zone="UTC")]


async def test_a_limit_of_a_day_ends_with_the_agents_midnight(rooms: MakeRoom) -> None:
    zone = "Asia/Kathmandu"
    spending = replace(terms(stranger=SpendingLimits(day_messages=1)), zones={"lull": zone})
    here = await rooms(spending=spending, zone=zone)
    midnight = spending.midnight("lull", datetime(2026, 11, 10, 12, tzinfo=UTC))  # of no month's end
    here.clock.now = midnight - timedelta(seconds=30)
    await asks(here, "late")
    await asks(here, "later")
    assert here.clock.now < midnight
    assert await here.said() == ["hello", ENGLISH.say("limit.day", zone=zone)]
    here.clock.now = midnight
    await here.writes("a new day")
    await here.rests()
    assert (await here.said())[2:] == ["hello"]
    assert (await account(here)).sums[PERSON].spent_month.messages == 1, "the second one's is not settled yet"


async def test_a_night_in_which_a_month_ends_and_midnight_comes_twice_is_one_night(rooms: MakeRoom) -> None:
    zone = "America/Havana"  # on 2026-11-01 it is midnight at four and at five o'clock of UTC
    given = SpendingLimits(day_messages=1, month_messages=2)
    here = await rooms(spending=replace(terms(stranger=given), zones={"lull": zone}), zone=zone)
    said = list[list[str]]()
    for day, hour, minute in ((1, 3, 55), (1, 3, 57), (1, 4, 30), (1, 5, 30), (2, 5, 30), (2, 5, 40)):
        here.clock.now = datetime(2026, 11, day, hour, minute, tzinfo=UTC)
        await asks(here)
        said.append((await here.said())[len(said) :])
    limit = ENGLISH.say("limit.day", zone=zone)
    assert said == [["hello"], [limit], ["hello"], [limit], ["hello"], [ENGLISH.say("limit.month")]]


async def test_at_a_limit_what_has_fixed_text_is_said_and_what_needs_a_model_is_told(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(stranger=SpendingLimits(month_messages=1)))
    await here.will_plan(
        {"kind": "schedule", "text": "Time for tea!", "after": "1 minute"},
        {"kind": "schedule", "instruction": "Say how warm it is.", "after": "2 minutes"},
    )
    await here.writes("remind me of tea, and tell me how warm it is")
    await here.rests()
    assert (await here.said())[2:] == ["Time for tea!", ENGLISH.say("reminder.at_limit", text="Say how warm it is.")]
    assert len(await here.asked()) == 1


async def test_each_answer_of_one_tick_is_a_message(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms())
    await asks(here)
    before = len(here.steps.taken)
    await asks(here)
    thinking = here.steps.taken[before:].index("after thinking")

    async def writes() -> None:
        await here.will_plan({"kind": "send", "text": "hello"})
        await here.writes("/whoami")
        await here.writes("and then?")

    here.steps.at, here.steps.happens = len(here.steps.taken) + thinking, writes
    await asks(here)
    assert (await here.said()).count("hello") == 4
    assert (await budget(here)).open[0].used.messages == 4


async def test_a_months_limit_is_told_as_one(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(stranger=SpendingLimits(month_usd=0.0)))
    await asks(here)
    assert await here.said() == [ENGLISH.say("limit.month")]


async def test_all_agents_together_have_a_limit_of_messages_too(rooms: MakeRoom) -> None:
    given = terms(stranger=SpendingLimits())
    here = await rooms(spending=replace(given, deployment=SpendingLimits(day_messages=0)), zone="Europe/Kyiv")
    await asks(here)
    assert await here.said() == [ENGLISH.say("limit.day", zone="UTC")]


async def test_a_chat_has_limits_of_its_own(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(stranger=SpendingLimits(), chat=SpendingLimits(day_messages=1)))
    await asks(here)
    await asks(here)
    assert await here.said() == ["hello", ENGLISH.say("limit.day", zone="UTC")]


async def test_past_the_soft_limit_the_cheapest_model_answers_which_is_said_once(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(stranger=SpendingLimits(day_messages=10)))
    for number in range(10):
        await asks(here, f"message {number}")
    said = await here.said()
    assert said.count(ENGLISH.say("limit.soft")) == 1
    assert said.count("hello") == 10
    assert (await here.plan()).calls[-1].model == "gemini-3.5-flash-lite"


def test_what_each_person_was_told_is_known_until_the_month_is_over() -> None:
    told = mark_told(mark_told(ChatBudget(told={"~1": "2026-11-30"}), "~2", "2026-12-01"), "~3", "2026-12-02")
    assert told.told == {"~2": "2026-12-01", "~3": "2026-12-02"}
    assert mark_told(told, "~2", "2026-12-31").told == {"~2": "2026-12-31", "~3": "2026-12-02"}


async def test_the_owner_is_told_and_is_limited_by_the_agents_limit_alone(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(stranger=SpendingLimits(day_messages=0), agent=SpendingLimits(day_usd=1_000)))
    access_lists = here.tick_services.agents["lull"].budget_backend
    assert access_lists is not None
    owners = here.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", here.person, here.clock())
    access_lists.access_lists.drop("lull")
    await asks(here)
    assert await here.said() == ["hello"]
    ceiling = await rooms(spending=terms(agent=SpendingLimits(day_usd=0.0)), bot=here.key.chat_id)
    owners = ceiling.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", ceiling.person, ceiling.clock())
    await asks(ceiling)
    assert ENGLISH.say("limit.told_day", percent="100") in await ceiling.said()


async def test_the_owner_is_told_once_also_when_the_tick_that_finds_it_dies(rooms: MakeRoom) -> None:
    here = await rooms(spending=terms(agent=SpendingLimits(day_messages=10)))
    await here.house.chats.client.document(paths.budget_path(0)).delete()  # other tests' sums
    owners, budget_backend = here.tick_services.agents["lull"].owners, here.tick_services.agents["lull"].budget_backend
    assert owners is not None
    assert budget_backend is not None
    await owners.claim("lull", here.person, here.clock())
    half = Amount(messages=5)
    wanted = elsewhere(here, ChatKey(agent="lull", chat_id=-here.person), SpendingLimits())
    terms_of_agent = replace(wanted.terms, limits={"lull": SpendingLimits(day_messages=10)})
    wanted = replace(wanted, terms=terms_of_agent, minimum=half, maximum=half)
    assert isinstance(await budget_backend.accounts.lend(wanted), BudgetGrant)
    await budget_backend.accounts.settle([Settlement(id=wanted.id, used=half, agent="lull", person=here.person)])
    died = []

    async def dies() -> None:
        if here.steps.taken[-1] == "after thinking":
            died.append(here.steps.taken[-1])
            raise Killed
        here.steps.at, here.steps.happens = len(here.steps.taken), dies

    await here.will_plan({"kind": "send", "text": "hello"})
    here.steps.at, here.steps.happens = len(here.steps.taken), dies
    await here.writes("hi")
    await here.next_tick()
    assert died
    await here.rests()
    await sweep(here, "finds the word")
    assert (await here.said()).count(ENGLISH.say("limit.told_day", percent="50")) == 1


def elsewhere(here: Room, chat: ChatKey, limits: SpendingLimits) -> BudgetRequest:
    """What another chat wants for the same person."""
    budget_backend = here.tick_services.agents["lull"].budget_backend
    assert budget_backend is not None
    days = budget_backend.terms.days("lull", here.clock())
    one, until = Amount(messages=1), here.clock() + timedelta(minutes=30)
    return BudgetRequest(
        id=f"other-{here.person}", agent="lull", minimum=one, maximum=one, now=here.clock(), until=until,
        terms=LeaseTerms(limits={PERSON: limits}, days=days), person=here.person, chat=chat.id,
    )  # fmt: skip


async def test_what_another_chat_was_lent_is_waited_for_and_that_chat_is_woken_to_give_it_back(rooms: MakeRoom) -> None:
    limits = SpendingLimits(day_messages=1)
    here = await rooms(spending=terms(stranger=limits))
    accounts, other = FirestoreAccounts(here.house.chats.client), ChatKey(agent="lull", chat_id=-here.person)
    await accounts.lend(elsewhere(here, other, limits))
    await here.will_plan({"kind": "send", "text": "hello"})
    await here.writes("hi")
    await here.next_tick()
    assert await here.said() == []
    woken = await here.rests()
    assert (other, WakeReason.GIVE_BACK) in {(wake.key, wake.reason) for wake in woken}
    assert await here.said() == ["hello"]


async def test_who_waited_in_vain_for_what_others_have_hears_of_the_limit_once(rooms: MakeRoom) -> None:
    limits = SpendingLimits(day_messages=1)
    here = await rooms(spending=terms(stranger=limits), zone="Europe/Kyiv")
    accounts, other = FirestoreAccounts(here.house.chats.client), ChatKey(agent="lull", chat_id=-here.person)
    await accounts.lend(replace(elsewhere(here, other, limits), chat=""))  # nobody can be woken for a job's
    await asks(here)
    told = ENGLISH.say("limit.lent_day", zone="Europe/Kyiv")
    assert await here.said() == [told]
    await asks(here, "and now?")
    assert (await here.said(), await here.asked()) == ([told], [])
    here.clock.now += timedelta(hours=1)
    await accounts.settle([Settlement(id=f"other-{here.person}", used=Amount(), agent="lull", person=here.person)])
    await asks(here, "and now?")
    assert (await here.said())[1:] == ["hello"]


async def test_a_chat_that_is_woken_gives_back_what_it_has_of_a_person(rooms: MakeRoom) -> None:
    limits = SpendingLimits(day_messages=2)
    here = await rooms(spending=terms(stranger=limits))
    await asks(here)
    accounts = FirestoreAccounts(here.house.chats.client)
    wanted = elsewhere(here, ChatKey(agent="lull", chat_id=-here.person), limits)
    refused = await accounts.lend(wanted)
    assert isinstance(refused, BudgetDenial)
    assert refused.is_lent
    assert [one.chat for one in refused.holders] == [here.key.id]
    await sweep(here, "wanted elsewhere")
    assert isinstance(await accounts.lend(wanted), BudgetGrant)


@pytest.mark.parametrize("times", [1, 2])
async def test_a_tick_that_is_killed_at_any_step_is_charged_and_loses_nothing(rooms: MakeRoom, times: int) -> None:
    """Before the reservation, between it and the call, after the call, before it is settled: at each call outside."""
    at, is_over = 0, False
    while not is_over:
        here = await rooms(spending=terms())
        kills = 0

        async def dies(here: Room = here, at: int = at) -> None:
            nonlocal kills
            kills += 1
            if kills < times:
                here.steps.at, here.steps.happens = len(here.steps.taken) + at, dies
            raise Killed

        await here.will_plan({"kind": "send", "text": "hello"}, times=None)
        await here.writes("hi")
        here.steps.at, here.steps.happens = len(here.steps.taken) + at, dies
        await here.rests()
        here.steps.happens = None
        is_over = kills < times
        made = len(await here.asked())
        here.clock.now += timedelta(hours=1)
        await sweep(here, f"{at} 1")
        await sweep(here, f"{at} 2")
        found = await account(here)
        assert found.lent == {}, at
        each = cost_of([ModelCall.model_validate(one) for one in (await here.plan()).calls[:1]], here.clock()) or 0.0
        assert found.sums[PERSON].spent_month.nano_usd >= made * round(each * 1e9), at
        at += 1
    assert at > 8


async def test_the_log_tells_what_is_charged_of_a_tick_that_died(
    rooms: MakeRoom, caplog: pytest.LogCaptureFixture
) -> None:
    """The alert of spending adds up these lines: what the books have is in them, too."""
    here = await rooms(spending=terms())
    await asks(here)

    async def dies() -> None:
        here.steps.happens = None
        raise Killed

    await here.will_plan({"kind": "send", "text": "hello"}, times=None)
    await here.writes("hi again")
    here.steps.at, here.steps.happens = len(here.steps.taken) + 2, dies
    while here.steps.happens is not None:
        assert await here.next_tick() is not None
    reserved = (await budget(here)).reserved.usd
    assert reserved > 0
    here.clock.now += timedelta(minutes=5)
    with caplog.at_level(logging.INFO, "lull"):
        await sweep(here, "after it died")
    lines = [vars(one)["fields"] for one in caplog.records if one.getMessage() == "the model was asked"]
    assert [one["usd"] for one in lines if one["purpose"] == "of a dead tick"] == [reserved]
