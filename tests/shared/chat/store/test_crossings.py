"""Owners are told once if a share of a limit is used up. The process whose write passes that share tells them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import pytest

from shared.access.notices import OwnerNotice
from shared.base.errors import StoreUnavailable
from shared.base.wording.words import Phrase
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.spending.leasing import BudgetDenial, BudgetGrant, BudgetRequest
from shared.spending.store.accounts import FirestoreAccounts
from shared.values.account import DEPLOYMENT, PERSON, CrossedThreshold, LimitPeriod, Settlement
from shared.values.money import SpendingLimits
from shared.values.outbox import OutboxNotice
from tests.shared.spending.values import another_day, cents, wanted


@dataclass
class Telling:
    """Makes the notice to the only owner. Fails if `fails` is set."""

    fails: bool = False

    async def about(self, crossed: CrossedThreshold, label: str, now: datetime) -> Sequence[OutboxNotice]:
        if self.fails:
            raise StoreUnavailable("no")
        return [
            OwnerNotice(
                agent="lull", owner=9, of=(crossed.span, str(crossed.percent), label), text=Phrase("!")
            ).to_outbox(now)
        ]


@pytest.fixture
def day() -> str:
    return another_day()


async def spends(accounts: FirestoreAccounts, asked: BudgetRequest, number: float) -> BudgetGrant | BudgetDenial:
    """Settle this many cents of a first loan. Return the answer to the next request for budget."""
    given = await accounts.lend(replace(asked, id=f"{asked.id}-1", minimum=cents(number)))
    assert isinstance(given, BudgetGrant)
    used = Settlement(id=f"{asked.id}-1", used=cents(number), agent="lull", shard=given.shard)
    return await accounts.lend(replace(asked, id=f"{asked.id}-2", is_answer=True), [used])


def asked_on(day: str, usd: float) -> BudgetRequest:
    days = {DEPLOYMENT: day, "lull": day, PERSON: day}
    return wanted(day, days=days, limits={DEPLOYMENT: SpendingLimits(day_usd=usd)}, minimum=cents(1), maximum=cents(1))


async def kept(accounts: FirestoreAccounts, word: OutboxNotice) -> bool:
    return (await accounts.client.document(paths.event_path(word.id)).get()).exists


async def test_a_share_is_told_once_and_kept_with_what_says_so(chats: FirestoreChats, day: str) -> None:
    accounts, asked = FirestoreAccounts(chats.client, notice_writer=Telling()), asked_on(day, 0.1)
    (word,) = (await spends(accounts, asked, 5)).told
    assert await kept(accounts, word)
    assert not (await accounts.lend(replace(asked, id=f"{day}-3"))).told


async def test_sends_a_failed_notice_with_the_next_lease_also_a_jobs(chats: FirestoreChats, day: str) -> None:
    fails, asked = FirestoreAccounts(chats.client, notice_writer=Telling(fails=True)), asked_on(day, 0.1)
    found = await spends(fails, asked, 5)
    assert isinstance(found, BudgetGrant), "somebody is answered all the same"
    assert found.told == ()
    accounts = FirestoreAccounts(chats.client, notice_writer=Telling())
    found = await accounts.lend(replace(asked, id=f"{day}-3", chat=""))
    assert [await kept(accounts, word) for word in found.told] == [True]


async def test_many_who_find_it_at_once_tell_it_once(chats: FirestoreChats, day: str) -> None:
    asked = asked_on(day, 0.8)
    await spends(FirestoreAccounts(chats.client, shards=8), asked, 9)
    rest = FirestoreAccounts(chats.client, shards=8)
    for number in range(5):
        await spends(rest, replace(asked, id=f"{day}-{number}", chat=f"chat{number}"), 9)
    accounts = FirestoreAccounts(chats.client, shards=8, notice_writer=Telling())
    wishes = [replace(asked, id=f"{day}-x{number}", chat=f"chat{number}") for number in range(8)]
    told = [word for one in await asyncio.gather(*map(accounts.lend, wishes)) for word in one.told]
    assert len({word.id for word in told}) == len(told)
    assert [await kept(accounts, word) for word in told] == [True] * len(told)


async def test_counts_one_shard_as_no_share_of_the_whole(chats: FirestoreChats, day: str) -> None:
    accounts, asked = FirestoreAccounts(chats.client, shards=8, notice_writer=Telling()), asked_on(day, 0.8)
    assert not (await spends(accounts, asked, 9)).told
    for number in range(4):
        found = await spends(accounts, replace(asked, id=f"{day}-{number}", chat=f"chat{number}"), 8)
    half = CrossedThreshold(scope=DEPLOYMENT, span=LimitPeriod.DAY, percent=50)
    assert found.told == await Telling().about(half, day, asked.now)
