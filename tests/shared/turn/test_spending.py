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
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.watched import Killed

MakeRoom = Callable[..., Awaitable[ChatHarness]]


def terms(**limits: Any) -> SpendingPolicy:
    """Return limits of strangers, of chats or of the agent; by default a stranger has a dollar."""
    given = {"stranger": SpendingLimits(day_usd=1.0), **limits}
    return SpendingPolicy(is_on=True, agents={"lull": AgentLimits(**given)})


async def account(harness: ChatHarness) -> Account:
    found = await harness.backend.chats.client.document(paths.account_path("lull", harness.person)).get()
    return decode_account(found.to_dict())


async def budget(harness: ChatHarness) -> ChatBudget:
    return (await harness.document()).budget


async def asks(harness: ChatHarness, words: str = "hi", answer: str = "hello") -> None:
    await harness.will_plan({"kind": "send", "text": answer})
    await harness.writes(words)
    await harness.rests()


async def sweep(harness: ChatHarness, name: str) -> None:
    await tick(harness.tick_services, Wake(key=harness.key, reason=WakeReason.SWEEP, at=harness.clock(), of=name))


async def cost(harness: ChatHarness) -> int:
    """Return the nano-dollars of the last plan's calls."""
    return usd_to_nanos(cost_of((await harness.plan()).calls, harness.clock()) or 0.0)


async def test_an_answer_is_paid_from_what_its_chat_was_lent(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms())
    await asks(harness)
    assert await harness.said() == ["hello"]
    (budget_lease,) = (await budget(harness)).open
    assert budget_lease.used == Amount(nano_usd=await cost(harness), messages=1)
    assert budget_lease.used.nano_usd > 0
    assert budget_lease.reserved == Amount()
    assert (await account(harness)).lent.keys() == {budget_lease.id}
    await asks(harness, "and again")
    (same,) = (await budget(harness)).open
    assert (same.id, same.used.messages) == (budget_lease.id, 2)
    harness.clock.now += timedelta(hours=1)
    await sweep(harness, "1")
    assert (await budget(harness)).open == (await budget(harness)).closed == ()
    settled = await account(harness)
    assert (settled.lent, settled.sums[PERSON].spent_month) == ({}, same.used)
    usage = (await harness.backend.chats.client.document(paths.usage_path(budget_lease.id)).get()).to_dict() or {}
    assert (usage["person"], usage["by"]["plan"]["calls"]) == (harness.person, 2)


async def test_past_a_limit_one_sentence_is_said_then_nothing_and_the_next_day_goes_on(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(stranger=SpendingLimits(day_messages=2)), zone="Europe/Kyiv")
    for number in range(4):
        await asks(harness, f"message {number}")
    limit = ENGLISH.say("limit.day", zone="Europe/Kyiv")
    assert await harness.said() == ["hello", "hello", limit]
    assert len(await harness.asked()) == 2
    await harness.writes("/whoami")
    await harness.rests()
    assert len(await harness.said()) == 4
    harness.clock.now += timedelta(days=1)
    await harness.writes("a new day")
    await harness.rests()
    assert (await harness.said())[-1] == "hello"


async def test_a_member_of_a_group_that_was_let_in_has_the_limits_of_those_who_are_known(
    open_harness: MakeRoom,
) -> None:
    harness = await open_harness(
        spending=terms(stranger=SpendingLimits(day_messages=0), known=SpendingLimits(day_messages=1))
    )
    members = [harness.person, (await harness.backend.make("people", first_name="Gil"))["id"]]
    group = await harness.backend.make(
        "chats", type="supergroup", title="Trip", members=members, bots=[harness.backend.bot_id]
    )
    access_lists = await closed(harness, members[1])
    await access_lists.let_group_in("lull", AdmittedGroup(chat_id=group["id"], since=harness.clock(), by=members[1]))
    await asks(harness)
    await asks(harness)
    assert await harness.said() == ["hello", ENGLISH.say("limit.day", zone="UTC")]


async def test_a_limit_of_a_day_ends_with_the_agents_midnight(open_harness: MakeRoom) -> None:
    zone = "Asia/Kathmandu"
    spending = replace(terms(stranger=SpendingLimits(day_messages=1)), zones={"lull": zone})
    harness = await open_harness(spending=spending, zone=zone)
    midnight = spending.midnight("lull", datetime(2026, 11, 10, 12, tzinfo=UTC))  # of no month's end
    harness.clock.now = midnight - timedelta(seconds=30)
    await asks(harness, "late")
    await asks(harness, "later")
    assert harness.clock.now < midnight
    assert await harness.said() == ["hello", ENGLISH.say("limit.day", zone=zone)]
    harness.clock.now = midnight
    await harness.writes("a new day")
    await harness.rests()
    assert (await harness.said())[2:] == ["hello"]
    assert (await account(harness)).sums[PERSON].spent_month.messages == 1, "the second one's is not settled yet"


async def test_a_night_in_which_a_month_ends_and_midnight_comes_twice_is_one_night(open_harness: MakeRoom) -> None:
    zone = "America/Havana"  # on 2026-11-01 it is midnight at four and at five o'clock of UTC
    given = SpendingLimits(day_messages=1, month_messages=2)
    harness = await open_harness(spending=replace(terms(stranger=given), zones={"lull": zone}), zone=zone)
    said = list[list[str]]()
    for day, hour, minute in ((1, 3, 55), (1, 3, 57), (1, 4, 30), (1, 5, 30), (2, 5, 30), (2, 5, 40)):
        harness.clock.now = datetime(2026, 11, day, hour, minute, tzinfo=UTC)
        await asks(harness)
        said.append((await harness.said())[len(said) :])
    limit = ENGLISH.say("limit.day", zone=zone)
    assert said == [["hello"], [limit], ["hello"], [limit], ["hello"], [ENGLISH.say("limit.month")]]


async def test_at_a_limit_what_has_fixed_text_is_said_and_what_needs_a_model_is_told(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(stranger=SpendingLimits(month_messages=1)))
    await harness.will_plan(
        {"kind": "schedule", "text": "Time for tea!", "after": "1 minute"},
        {"kind": "schedule", "instruction": "Say how warm it is.", "after": "2 minutes"},
    )
    await harness.writes("remind me of tea, and tell me how warm it is")
    await harness.rests()
    assert (await harness.said())[2:] == ["Time for tea!", ENGLISH.say("reminder.at_limit", text="Say how warm it is.")]
    assert len(await harness.asked()) == 1


async def test_each_answer_of_one_tick_is_a_message(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms())
    await asks(harness)
    before = len(harness.steps.taken)
    await asks(harness)
    thinking = harness.steps.taken[before:].index("after thinking")

    async def writes() -> None:
        await harness.will_plan({"kind": "send", "text": "hello"})
        await harness.writes("/whoami")
        await harness.writes("and then?")

    harness.steps.at, harness.steps.happens = len(harness.steps.taken) + thinking, writes
    await asks(harness)
    assert (await harness.said()).count("hello") == 4
    assert (await budget(harness)).open[0].used.messages == 4


async def test_a_months_limit_is_told_as_one(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(stranger=SpendingLimits(month_usd=0.0)))
    await asks(harness)
    assert await harness.said() == [ENGLISH.say("limit.month")]


async def test_all_agents_together_have_a_limit_of_messages_too(open_harness: MakeRoom) -> None:
    given = terms(stranger=SpendingLimits())
    harness = await open_harness(spending=replace(given, deployment=SpendingLimits(day_messages=0)), zone="Europe/Kyiv")
    await asks(harness)
    assert await harness.said() == [ENGLISH.say("limit.day", zone="UTC")]


async def test_a_chat_has_limits_of_its_own(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(stranger=SpendingLimits(), chat=SpendingLimits(day_messages=1)))
    await asks(harness)
    await asks(harness)
    assert await harness.said() == ["hello", ENGLISH.say("limit.day", zone="UTC")]


async def test_past_the_soft_limit_the_cheapest_model_answers_which_is_said_once(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(stranger=SpendingLimits(day_messages=10)))
    for number in range(10):
        await asks(harness, f"message {number}")
    said = await harness.said()
    assert said.count(ENGLISH.say("limit.soft")) == 1
    assert said.count("hello") == 10
    assert (await harness.plan()).calls[-1].model == "gemini-3.5-flash-lite"


def test_what_each_person_was_told_is_known_until_the_month_is_over() -> None:
    told = mark_told(mark_told(ChatBudget(told={"~1": "2026-11-30"}), "~2", "2026-12-01"), "~3", "2026-12-02")
    assert told.told == {"~2": "2026-12-01", "~3": "2026-12-02"}
    assert mark_told(told, "~2", "2026-12-31").told == {"~2": "2026-12-31", "~3": "2026-12-02"}


async def test_the_owner_is_told_and_is_limited_by_the_agents_limit_alone(open_harness: MakeRoom) -> None:
    harness = await open_harness(
        spending=terms(stranger=SpendingLimits(day_messages=0), agent=SpendingLimits(day_usd=1_000))
    )
    access_lists = harness.tick_services.agents["lull"].budget_backend
    assert access_lists is not None
    owners = harness.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", harness.person, harness.clock())
    access_lists.access_lists.drop("lull")
    await asks(harness)
    assert await harness.said() == ["hello"]
    ceiling = await open_harness(spending=terms(agent=SpendingLimits(day_usd=0.0)), bot=harness.key.chat_id)
    owners = ceiling.tick_services.agents["lull"].owners
    assert owners is not None
    await owners.claim("lull", ceiling.person, ceiling.clock())
    await asks(ceiling)
    assert ENGLISH.say("limit.told_day", percent="100") in await ceiling.said()


async def test_the_owner_is_told_once_also_when_the_tick_that_finds_it_dies(open_harness: MakeRoom) -> None:
    harness = await open_harness(spending=terms(agent=SpendingLimits(day_messages=10)))
    await harness.backend.chats.client.document(paths.budget_path(0)).delete()  # other tests' sums
    owners, budget_backend = (
        harness.tick_services.agents["lull"].owners,
        harness.tick_services.agents["lull"].budget_backend,
    )
    assert owners is not None
    assert budget_backend is not None
    await owners.claim("lull", harness.person, harness.clock())
    half = Amount(messages=5)
    wanted = elsewhere(harness, ChatKey(agent="lull", chat_id=-harness.person), SpendingLimits())
    terms_of_agent = replace(wanted.terms, limits={"lull": SpendingLimits(day_messages=10)})
    wanted = replace(wanted, terms=terms_of_agent, minimum=half, maximum=half)
    assert isinstance(await budget_backend.accounts.lend(wanted), BudgetGrant)
    await budget_backend.accounts.settle([Settlement(id=wanted.id, used=half, agent="lull", person=harness.person)])
    died = []

    async def dies() -> None:
        if harness.steps.taken[-1] == "after thinking":
            died.append(harness.steps.taken[-1])
            raise Killed
        harness.steps.at, harness.steps.happens = len(harness.steps.taken), dies

    await harness.will_plan({"kind": "send", "text": "hello"})
    harness.steps.at, harness.steps.happens = len(harness.steps.taken), dies
    await harness.writes("hi")
    await harness.next_tick()
    assert died
    await harness.rests()
    await sweep(harness, "finds the word")
    assert (await harness.said()).count(ENGLISH.say("limit.told_day", percent="50")) == 1


def elsewhere(harness: ChatHarness, chat: ChatKey, limits: SpendingLimits) -> BudgetRequest:
    """Make the request of another chat for the same person."""
    budget_backend = harness.tick_services.agents["lull"].budget_backend
    assert budget_backend is not None
    days = budget_backend.terms.days("lull", harness.clock())
    one, until = Amount(messages=1), harness.clock() + timedelta(minutes=30)
    return BudgetRequest(
        id=f"other-{harness.person}", agent="lull", minimum=one, maximum=one, now=harness.clock(), until=until,
        terms=LeaseTerms(limits={PERSON: limits}, days=days), person=harness.person, chat=chat.id,
    )  # fmt: skip


async def test_what_another_chat_was_lent_is_waited_for_and_that_chat_is_woken_to_give_it_back(
    open_harness: MakeRoom,
) -> None:
    limits = SpendingLimits(day_messages=1)
    harness = await open_harness(spending=terms(stranger=limits))
    accounts, other = FirestoreAccounts(harness.backend.chats.client), ChatKey(agent="lull", chat_id=-harness.person)
    await accounts.lend(elsewhere(harness, other, limits))
    await harness.will_plan({"kind": "send", "text": "hello"})
    await harness.writes("hi")
    await harness.next_tick()
    assert await harness.said() == []
    woken = await harness.rests()
    assert (other, WakeReason.GIVE_BACK) in {(wake.key, wake.reason) for wake in woken}
    assert await harness.said() == ["hello"]


async def test_who_waited_in_vain_for_what_others_have_hears_of_the_limit_once(open_harness: MakeRoom) -> None:
    limits = SpendingLimits(day_messages=1)
    harness = await open_harness(spending=terms(stranger=limits), zone="Europe/Kyiv")
    accounts, other = FirestoreAccounts(harness.backend.chats.client), ChatKey(agent="lull", chat_id=-harness.person)
    await accounts.lend(replace(elsewhere(harness, other, limits), chat=""))  # a job has no chat that could be woken
    await asks(harness)
    told = ENGLISH.say("limit.lent_day", zone="Europe/Kyiv")
    assert await harness.said() == [told]
    await asks(harness, "and now?")
    assert (await harness.said(), await harness.asked()) == ([told], [])
    harness.clock.now += timedelta(hours=1)
    await accounts.settle(
        [Settlement(id=f"other-{harness.person}", used=Amount(), agent="lull", person=harness.person)]
    )
    await asks(harness, "and now?")
    assert (await harness.said())[1:] == ["hello"]


async def test_a_chat_that_is_woken_gives_back_what_it_has_of_a_person(open_harness: MakeRoom) -> None:
    limits = SpendingLimits(day_messages=2)
    harness = await open_harness(spending=terms(stranger=limits))
    await asks(harness)
    accounts = FirestoreAccounts(harness.backend.chats.client)
    wanted = elsewhere(harness, ChatKey(agent="lull", chat_id=-harness.person), limits)
    refused = await accounts.lend(wanted)
    assert isinstance(refused, BudgetDenial)
    assert refused.is_lent
    assert [one.chat for one in refused.holders] == [harness.key.id]
    await sweep(harness, "wanted elsewhere")
    assert isinstance(await accounts.lend(wanted), BudgetGrant)


@pytest.mark.parametrize("times", [1, 2])
async def test_a_tick_that_is_killed_at_any_step_is_charged_and_loses_nothing(
    open_harness: MakeRoom, times: int
) -> None:
    """Kills come at each call to a server: before the reservation, before and after the model, before the
    settlement.
    """
    at, is_over = 0, False
    while not is_over:
        harness = await open_harness(spending=terms())
        kills = 0

        async def dies(harness: ChatHarness = harness, at: int = at) -> None:
            nonlocal kills
            kills += 1
            if kills < times:
                harness.steps.at, harness.steps.happens = len(harness.steps.taken) + at, dies
            raise Killed

        await harness.will_plan({"kind": "send", "text": "hello"}, times=None)
        await harness.writes("hi")
        harness.steps.at, harness.steps.happens = len(harness.steps.taken) + at, dies
        await harness.rests()
        harness.steps.happens = None
        is_over = kills < times
        made = len(await harness.asked())
        harness.clock.now += timedelta(hours=1)
        await sweep(harness, f"{at} 1")
        await sweep(harness, f"{at} 2")
        found = await account(harness)
        assert found.lent == {}, at
        each = (
            cost_of([ModelCall.model_validate(one) for one in (await harness.plan()).calls[:1]], harness.clock()) or 0.0
        )
        assert found.sums[PERSON].spent_month.nano_usd >= made * round(each * 1e9), at
        at += 1
    assert at > 8


async def test_the_log_tells_what_is_charged_of_a_tick_that_died(
    open_harness: MakeRoom, caplog: pytest.LogCaptureFixture
) -> None:
    """The alert of spending adds up these lines, so they must have all sums of the books."""
    harness = await open_harness(spending=terms())
    await asks(harness)

    async def dies() -> None:
        harness.steps.happens = None
        raise Killed

    await harness.will_plan({"kind": "send", "text": "hello"}, times=None)
    await harness.writes("hi again")
    harness.steps.at, harness.steps.happens = len(harness.steps.taken) + 2, dies
    while harness.steps.happens is not None:
        assert await harness.next_tick() is not None
    reserved = (await budget(harness)).reserved.usd
    assert reserved > 0
    harness.clock.now += timedelta(minutes=5)
    with caplog.at_level(logging.INFO, "lull"):
        await sweep(harness, "after it died")
    lines = [vars(one)["fields"] for one in caplog.records if one.getMessage() == "the model was asked"]
    assert [one["usd"] for one in lines if one["purpose"] == "of a dead tick"] == [reserved]
