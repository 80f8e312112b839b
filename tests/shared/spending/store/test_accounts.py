"""Accounts in the real Firestore: concurrent borrowers together never get more than is left."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.queries import PageQuery
from shared.spending.leasing import BudgetDenial, BudgetGrant, BudgetRequest, LeaseHolder
from shared.spending.store.accounts import FirestoreAccounts, decode_account, read_accounts
from shared.values.account import BACKGROUND, DEPLOYMENT, PERSON, PLACE, Account, LimitPeriod, Settlement
from shared.values.budget import PayerShare, settlements_by_payer
from shared.values.chat_key import ChatKey
from shared.values.money import Amount, SpendingLimits, sum_amounts
from tests.shared.examples import NOW
from tests.shared.spending.values import SOON, another_day, cents, wanted


@pytest.fixture
def day() -> str:
    return another_day()


@pytest.fixture
def accounts(chats: FirestoreChats) -> FirestoreAccounts:
    return FirestoreAccounts(chats.client)


def days(day: str) -> dict[str, str]:
    return {DEPLOYMENT: day, "lull": day, PERSON: day}


async def test_concurrent_borrowers_get_no_more_than_there_is(accounts: FirestoreAccounts, day: str) -> None:
    asked = wanted(days=days(day), limits={DEPLOYMENT: SpendingLimits(day_usd=0.05)}, maximum=cents(1))
    found = await asyncio.gather(*(accounts.lend(replace(asked, id=f"{day}-{n}", chat=f"chat{n}")) for n in range(12)))
    lent = [one for one in found if isinstance(one, BudgetGrant)]
    assert sum_amounts(one.amount for one in lent) == cents(5)
    assert all(one.is_lent for one in found if isinstance(one, BudgetDenial))
    closed = [Settlement(id=f"{day}-{n}", used=cents(0.5), agent="lull") for n in range(12)]
    await asyncio.gather(accounts.settle(closed), accounts.settle(closed))
    account = decode_account((await accounts.client.document(paths.budget_path(0)).get()).to_dict())
    assert account.sums[DEPLOYMENT].spent_day == cents(2.5)
    assert not any(key.startswith(day) for key in account.lent)


async def test_a_persons_limit_holds_beside_the_deployments(
    accounts: FirestoreAccounts, key: ChatKey, day: str
) -> None:
    limits = {DEPLOYMENT: SpendingLimits(), PERSON: SpendingLimits(day_usd=0.03)}
    asked = wanted(days=days(day), limits=limits, person=key.chat_id, maximum=cents(2), minimum=cents(2))
    assert isinstance(await accounts.lend(replace(asked, id=f"{day}-1")), BudgetGrant)
    refused = await accounts.lend(replace(asked, id=f"{day}-2", chat="elsewhere"))
    assert refused == BudgetDenial(
        scope=PERSON, span=LimitPeriod.DAY, is_lent=True, holders=(LeaseHolder("chat", f"{day}-1"),)
    )
    closed = Settlement(id=f"{day}-1", used=cents(1), agent="lull", person=key.chat_id)
    assert isinstance(await accounts.lend(replace(asked, id=f"{day}-3"), [closed]), BudgetGrant)
    document = (await accounts.client.document(paths.account_path("lull", key.chat_id)).get()).to_dict()
    assert document is not None
    assert document["expires_at"] > NOW


async def test_of_several_documents_another_lends_when_one_has_nothing(chats: FirestoreChats, day: str) -> None:
    accounts = FirestoreAccounts(chats.client, shards=2)
    asked = wanted(
        days=days(day), limits={DEPLOYMENT: SpendingLimits(day_usd=0.04)}, maximum=cents(2), minimum=cents(2)
    )
    found = [await accounts.lend(replace(asked, id=f"{day}-{n}")) for n in range(3)]
    shards = [one.shard if isinstance(one, BudgetGrant) else None for one in found]
    assert sorted(shards[:2], key=str) == [0, 1]
    assert shards[2] is None
    closed = [Settlement(id=f"{day}-{n}", used=cents(0), agent="lull", shard=shards[n] or 0) for n in range(2)]
    assert isinstance(await accounts.lend(replace(asked, id=f"{day}-4"), closed), BudgetGrant)


@pytest.mark.parametrize("shards", [1, 2])
async def test_when_others_and_the_background_have_their_shares_the_owner_is_lent_to(
    chats: FirestoreChats, day: str, shards: int
) -> None:
    accounts = FirestoreAccounts(chats.client, shards=shards)
    limits = {DEPLOYMENT: SpendingLimits(day_usd=0.20)}
    asked = wanted(days={**days(day), BACKGROUND: day}, limits=limits, maximum=cents(1), held_back=0.2)
    of_background = {**limits, BACKGROUND: SpendingLimits(day_usd=0.06)}
    behind = replace(asked, chat="", terms=replace(asked.terms, limits=of_background))

    async def lent(wanted: BudgetRequest, name: str) -> int:
        found = [await accounts.lend(replace(wanted, id=f"{day}-{name}{n}")) for n in range(25)]
        return sum(isinstance(one, BudgetGrant) for one in found)

    assert await lent(behind, "background") == 6
    assert await lent(asked, "other") == 10
    assert await lent(replace(asked, terms=replace(asked.terms, held_back=0.0)), "owner") == 4


async def test_an_agents_limit_is_not_divided_among_documents(chats: FirestoreChats, day: str) -> None:
    """An agent's sums are in the first document, even if another document lends."""
    accounts, agent = FirestoreAccounts(chats.client, shards=8), f"agent-{day}"
    limits = {DEPLOYMENT: SpendingLimits(day_usd=80), agent: SpendingLimits(day_messages=5)}
    one = Amount(messages=1)
    asked = wanted(days={**days(day), agent: day}, agent=agent, limits=limits, minimum=one, maximum=one)
    found = [await accounts.lend(replace(asked, id=f"{day}-{n}", chat=f"chat{n}")) for n in range(6)]
    lent = [one for one in found if isinstance(one, BudgetGrant)]
    assert len(lent) == 5
    assert len({one.shard for one in lent}) > 1
    assert isinstance(found[-1], BudgetDenial)
    assert (found[-1].scope, found[-1].is_lent) == (agent, True)
    closed = [Settlement(id=f"{day}-{n}", used=one, agent=agent, shard=given.shard) for n, given in enumerate(lent)]
    await FirestoreAccounts(chats.client).settle(closed)
    refused = await accounts.lend(replace(asked, id=f"{day}-6"))
    assert isinstance(refused, BudgetDenial)
    assert (refused.scope, refused.is_lent) == (agent, False)
    assert not any(key.startswith(day) for account in await read(accounts) for key in account.lent)


async def test_the_soft_share_is_of_all_documents_together(chats: FirestoreChats, day: str) -> None:
    accounts = FirestoreAccounts(chats.client, shards=8)
    asked = wanted(days=days(day), limits={DEPLOYMENT: SpendingLimits(day_usd=0.8)}, minimum=cents(1), maximum=cents(9))
    given = await accounts.lend(replace(asked, id=f"{day}-1", minimum=cents(9)))
    assert isinstance(given, BudgetGrant)
    found = await accounts.lend(
        replace(asked, id=f"{day}-2"), [Settlement(id=f"{day}-1", used=cents(9), agent="lull", shard=given.shard)]
    )
    assert isinstance(found, BudgetGrant)
    assert (found.shard, found.soft) == (given.shard, frozenset()), "nine of its ten cents, but of eighty in all"


async def read(accounts: FirestoreAccounts) -> list[Account]:
    return [one for one, _ in (await read_accounts(accounts.client, [paths.budget_path(n) for n in range(8)])).values()]


@pytest.mark.parametrize("is_open", [False, True])
async def test_a_budget_that_is_split_lends_no_more_than_it_would_have(
    chats: FirestoreChats, day: str, is_open: bool
) -> None:
    limits = {DEPLOYMENT: SpendingLimits(day_usd=0.08)}
    asked = wanted(days=days(day), limits=limits, maximum=cents(2), minimum=cents(2))
    one = FirestoreAccounts(chats.client)
    for number in range(3):
        assert isinstance(await one.lend(replace(asked, id=f"{day}-{number}", chat=f"chat{number}")), BudgetGrant)
    spent = [Settlement(id=f"{day}-{number}", used=cents(2), agent="lull") for number in range(3)]
    if not is_open:
        await one.settle(spent)
    several = FirestoreAccounts(chats.client, shards=2)
    found = [await several.lend(replace(asked, id=f"{day}-{number}")) for number in (3, 4)]
    assert [isinstance(one, BudgetGrant) for one in found] == [True, False]
    await several.settle([*spent, Settlement(id=f"{day}-3", used=cents(0), agent="lull", shard=1)])


async def test_overdue_leases_are_found_by_their_chat(accounts: FirestoreAccounts, day: str) -> None:
    asked = wanted(f"{day}-1", days=days(day), chat=f"late {day}")
    await accounts.lend(asked)
    early, late = (PageQuery(before=at, beyond=None, limit=10) for at in (NOW, SOON + timedelta(seconds=1)))
    assert f"late {day}" not in [one.chat for one in await accounts.overdue(early)]
    found = [one for one in await accounts.overdue(late) if one.chat == f"late {day}"]
    assert await accounts.overdue(replace(late, beyond=found[0].cursor)) == ()
    await accounts.settle([Settlement(id=f"{day}-1", used=cents(0), agent="lull")])


async def test_what_a_dead_tick_borrowed_for_somebody_comes_back_to_their_account_too(
    accounts: FirestoreAccounts, key: ChatKey, day: str
) -> None:
    """The next tick in a group may answer another person, and must still clear the first one's account."""
    limits, ann, bob = (
        {DEPLOYMENT: SpendingLimits(), PERSON: SpendingLimits(day_usd=0.03)},
        key.chat_id,
        key.chat_id + 1,
    )
    asked = wanted(days=days(day), limits=limits, chat=key.id, minimum=cents(2), maximum=cents(2))
    assert isinstance(await accounts.lend(replace(asked, id=f"{day}-1", person=ann)), BudgetGrant)
    assert isinstance(await accounts.lend(replace(asked, id=f"{day}-2", person=bob, generation=2)), BudgetGrant)
    gone = await accounts.unrecorded_settlements([key.id], 3, frozenset({f"{day}-2"}))
    assert [one.id for one in gone] == [f"{day}-1"]
    await accounts.settle([*gone, Settlement(id=f"{day}-2", used=cents(0), agent="lull", person=bob)])
    elsewhere = replace(asked, id=f"{day}-3", person=ann, chat="elsewhere")
    assert isinstance(await accounts.lend(elsewhere), BudgetGrant)
    await accounts.settle([Settlement(id=f"{day}-3", used=cents(0), agent="lull", person=ann)])


async def test_several_are_lent_their_parts_or_nobody_is(accounts: FirestoreAccounts, key: ChatKey, day: str) -> None:
    rich, poor = key.chat_id, key.chat_id + 1
    parts = {
        one: PayerShare(amount=cents(1), limits=SpendingLimits(day_usd=usd)) for one, usd in ((rich, 1), (poor, 0.015))
    }
    asked = wanted(days=days(day) | {PLACE: day}, minimum=cents(2), maximum=cents(2), chat="", parts=parts)
    name = f"{day}-1"
    assert await accounts.lend(replace(asked, id=name)) == BudgetGrant(amount=cents(2))
    refused = await accounts.lend(replace(asked, id=f"{day}-2"))
    assert refused == BudgetDenial(scope=PERSON, span=LimitPeriod.DAY, is_lent=True, people=frozenset({poor}))
    whole = Settlement(id=name, used=Amount(nano_usd=5), agent="lull")
    await accounts.settle(settlements_by_payer(whole, {rich: 3, poor: 2}))
    spent = {}
    for person in (rich, poor):
        document = await accounts.client.document(paths.account_path("lull", person)).get()
        found = decode_account(document.to_dict())
        spent[person] = found.sums[PERSON].spent_day.nano_usd
        assert not found.lent
    assert spent == {rich: 3, poor: 2}


async def test_no_place_takes_more_than_its_part(accounts: FirestoreAccounts, key: ChatKey, day: str) -> None:
    limits = {
        DEPLOYMENT: SpendingLimits(day_usd=1),
        BACKGROUND: SpendingLimits(day_usd=0.3),
        PLACE: SpendingLimits(day_usd=0.02),
    }
    every = days(day) | {BACKGROUND: day, PLACE: day}
    asked = wanted(days=every, limits=limits, chat="", place=key.chat_id, minimum=cents(1.5), maximum=cents(1.5))
    assert isinstance(await accounts.lend(replace(asked, id=f"{day}-1")), BudgetGrant)
    await accounts.settle([Settlement(id=f"{day}-1", used=cents(1.5), agent="lull", place=key.chat_id)])
    refused = await accounts.lend(replace(asked, id=f"{day}-2"))
    assert refused == BudgetDenial(scope=PLACE, span=LimitPeriod.DAY)
    assert isinstance(await accounts.lend(replace(asked, id=f"{day}-3", place=key.chat_id + 1)), BudgetGrant)
