"""Owners in the real Firestore."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from shared.base.errors import StoreRefused
from shared.chat.store.bots import FirestoreFloods, FirestoreOwners, SentOwnerNotice
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.paths import notice_path
from shared.values.chat_key import ChatKey
from tests.shared.examples import NOW, SECOND

ANN, BEN = 7_000_000_001, 7_000_000_002


@pytest.fixture
def owners(chats: FirestoreChats) -> FirestoreOwners:
    return FirestoreOwners(chats.client)


async def test_the_first_who_claims_is_the_owner(owners: FirestoreOwners, key: ChatKey) -> None:
    agent = f"owned{key.chat_id}"
    assert await owners.owner(agent) is None
    assert [await owners.claim(agent, who, NOW) for who in (ANN, BEN, ANN)] == [ANN, ANN, ANN]
    assert await owners.owner(agent) == ANN
    kept = (await owners.client.document(f"bots/{agent}").get()).to_dict()
    assert kept == {"owner": ANN, "claimed_at": NOW}
    assert await owners.owner(f"{agent}-other") is None


@pytest.mark.parametrize("is_there", [False, True])
async def test_of_many_at_once_one_is_the_owner(owners: FirestoreOwners, key: ChatKey, is_there: bool) -> None:
    agent = f"raced{is_there}{key.chat_id}"
    if is_there:
        await FirestoreFloods(owners.client).note_wait(agent, 5, NOW, [])
    people = range(ANN, ANN + 8)
    found = set(await asyncio.gather(*(owners.claim(agent, who, NOW) for who in people)))
    assert found == {await owners.owner(agent)}
    assert found < set(people)


async def test_flood_waits_and_the_owner_leave_each_other_alone(owners: FirestoreOwners, key: ChatKey) -> None:
    floods, agent = FirestoreFloods(owners.client), f"both{key.chat_id}"
    await floods.note_wait(agent, 5, NOW, [])
    assert await owners.claim(agent, ANN, NOW) == ANN
    await floods.note_wait(agent, 6, NOW + SECOND, [5])
    assert await floods.waits(agent) == {6: NOW + SECOND}
    assert await owners.owner(agent) == ANN


async def test_a_notice_is_kept_once_with_its_expiry(owners: FirestoreOwners, key: ChatKey) -> None:
    notice = SentOwnerNotice(agent=f"noticed{key.chat_id}", kind="money", at=NOW)
    kept = await asyncio.gather(*(owners.keep_notice(notice) for _ in range(4)))
    assert sorted(kept) == [False, False, False, True]
    assert not await owners.keep_notice(replace(notice, at=NOW + SECOND))
    assert await owners.keep_notice(replace(notice, kind="quota"))
    found = (await owners.client.document(notice_path(notice.id)).get()).to_dict()
    assert found == {"agent": notice.agent, "kind": "money", "at": NOW, "expires_at": NOW + timedelta(days=2)}


async def test_a_firestore_that_refuses_is_told(chats: FirestoreChats) -> None:
    with pytest.raises(StoreRefused, match="read an agent's owner"):
        await FirestoreOwners(chats.client).owner("__reserved__")


def test_a_day_has_one_notice_of_each_agent_and_kind() -> None:
    midnight = NOW.replace(hour=0, minute=0)
    notice = SentOwnerNotice(agent="lull", kind="money", at=midnight)
    assert replace(notice, at=midnight + timedelta(hours=23, minutes=59)).id == notice.id
    others = [
        replace(notice, at=midnight + timedelta(days=1)), replace(notice, kind="quota"), replace(notice, agent="moss"),
    ]  # fmt: skip
    assert len({notice.id, *(other.id for other in others)}) == 4
