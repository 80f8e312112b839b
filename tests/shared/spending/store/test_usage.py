"""Usage in the real Firestore, including the usage of leases that are still open."""

from dataclasses import replace

import pytest

from shared.chat.store.chats import ChatCommit, FirestoreChats
from shared.chat.store.usage import encode_usage
from shared.spending.store.usage import FirestoreUsages, UsageQuery
from shared.values.budget import BudgetLease, CallTotals, ChatBudget, UsageRecord
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.money import Amount
from tests.shared.examples import NOW, SECOND


@pytest.fixture
def usages(chats: FirestoreChats) -> FirestoreUsages:
    return FirestoreUsages(chats.client)


def usage(key: ChatKey, name: str, **more: object) -> UsageRecord:
    given = {
        "agent": f"a{key.chat_id}",
        "chat": key.id,
        "person": 5,
        "day": "2026-11-25",
        "month": "2026-11",
        "at": NOW,
    }
    return UsageRecord.model_validate({"id": f"{key.chat_id}-{name}", **given, **more})


async def test_usage_is_found_by_agent_person_chat_and_day(usages: FirestoreUsages, key: ChatKey) -> None:
    first = usage(key, "1", used=Amount(nano_usd=3, messages=1), by={"plan": CallTotals(calls=1, nano_usd=3)})
    second = usage(key, "2", person=6, day="2026-11-24", at=NOW - SECOND, used=Amount(nano_usd=4))
    other = usage(key, "3", chat="elsewhere", month="2026-10", day="2026-10-25")
    for one in (first, first, second, other):
        await usages.keep(one)
    month = UsageQuery(agent=first.agent, month="2026-11")
    assert list(await usages.of(month)) == [first, second]
    assert list(await usages.of(replace(month, day="2026-11-24"))) == [second]
    assert list(await usages.of(replace(month, person=5))) == [first]
    assert list(await usages.of(replace(month, chats=(key.id,)))) == [first, second]
    assert first in await usages.of(replace(month, agent=""))
    assert list(await usages.of(replace(month, month="2026-10"))) == [other]


async def test_what_is_open_stands_in_the_chats(usages: FirestoreUsages, chats: FirestoreChats, key: ChatKey) -> None:
    budget_lease = BudgetLease(id="o", person=5, day="2026-11-25", until=NOW, used=Amount(nano_usd=7))
    seen = await chats.see(key)
    budget = ChatBudget(open=(budget_lease,), month="2026-11")
    await chats.commit(seen, ChatCommit(chat=evolve(seen.chat, budget=budget)))
    query = UsageQuery(agent=key.agent, month="2026-11", chats=(key.id,))
    (found,) = await usages.open(query)
    assert (found.used, found.person, found.chat) == (Amount(nano_usd=7), 5, key.id)
    assert list(await usages.open(replace(query, person=6))) == []
    assert list(await usages.open(replace(query, month="2026-12"))) == []


def test_usage_expires(key: ChatKey) -> None:
    assert encode_usage(usage(key, "1"))["expires_at"] > NOW
