"""Access lists in the real Firestore: their entries, simultaneous changes, and the age of a cached list."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest

from shared.base.errors import StoreRefused
from shared.chat.store.access_lists import FirestoreAccessLists, decode_access_list, overlong_names
from shared.chat.store.bots import FirestoreFloods, FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.paths import bot_path
from shared.chat.store.writes import Write, WriteMode, document_bytes
from shared.values.agent import FrontMatter, GroupPolicy, StrangerPolicy
from shared.values.chat_key import ChatKey
from shared.values.money import OwnerLimits, SpendingLimits
from shared.values.trust import (
    FRESH,
    MOST_BLOCKED,
    MOST_GROUPS,
    MOST_PEOPLE,
    NAME_BYTES,
    AccessList,
    AccessRules,
    AdmissionSource,
    AdmittedGroup,
    AdmittedPerson,
    AgentSilence,
    BlockedPerson,
    TrustTier,
)
from shared.values.trust import NOW as ANEW
from tests.shared.examples import NOW, SECOND
from tests.shared.firestore_limits import assert_within_limits

OWNER, ANN, BEN, GROUP = 7_000_000_001, 7_000_000_002, 7_000_000_003, -1_002_000_000_001


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access_lists(chats: FirestoreChats, clock: Clock) -> FirestoreAccessLists:
    return FirestoreAccessLists(chats.client, clock)


def let_in(person: int, name: str = "Ann") -> AdmittedPerson:
    return AdmittedPerson(id=person, name=name, since=NOW, by=OWNER, via=AdmissionSource.INVITATION, invitation="i1")


async def test_an_agent_that_nobody_claimed_has_an_empty_access_list(
    access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    access_list = await access_lists.access_list(f"none{key.chat_id}")
    assert (access_list.is_claimed, access_list.people, access_list.groups, access_list.blocked) == (False, {}, {}, {})
    assert access_list.silenced is None


async def test_each_change_is_seen_at_once_and_can_be_taken_back(
    access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    agent = f"changed{key.chat_id}"
    await FirestoreOwners(access_lists.client).claim(agent, OWNER, NOW)
    await FirestoreFloods(access_lists.client).note_wait(agent, 5, NOW, [])
    group = AdmittedGroup(chat_id=GROUP, title="Trip", since=NOW, by=OWNER)
    blocked = BlockedPerson(id=BEN, name="Ben", since=NOW, by=OWNER)
    assert await access_lists.let_in(agent, let_in(ANN))
    assert await access_lists.let_group_in(agent, group)
    assert await access_lists.block(agent, blocked)
    await access_lists.set_silenced(agent, AgentSilence(since=NOW, by=OWNER))
    access_list = await access_lists.access_list(agent)
    assert (access_list.owner, access_list.people, access_list.groups) == (OWNER, {ANN: let_in(ANN)}, {GROUP: group})
    assert (access_list.blocked, access_list.silenced) == ({BEN: blocked}, AgentSilence(since=NOW, by=OWNER))
    await access_lists.shut_out(agent, ANN)
    await access_lists.shut_group_out(agent, GROUP)
    await access_lists.unblock(agent, BEN)
    await access_lists.set_silenced(agent, None)
    for who in (ANN, BEN):  # removing an entry that is missing does no harm
        await access_lists.shut_out(agent, who)
    after = await access_lists.access_list(agent)
    assert (after.owner, after.people, after.groups, after.blocked, after.silenced) == (OWNER, {}, {}, {}, None)
    assert await FirestoreFloods(access_lists.client).waits(agent) == {5: NOW}


async def test_of_many_changes_at_once_none_is_lost(access_lists: FirestoreAccessLists, key: ChatKey) -> None:
    agent, people = f"raced{key.chat_id}", range(ANN, ANN + 8)
    writes = [access_lists.let_in(agent, let_in(who)) for who in people]
    writes += [access_lists.block(agent, BlockedPerson(id=who, since=NOW)) for who in people]
    assert all(await asyncio.gather(*writes, FirestoreOwners(access_lists.client).claim(agent, OWNER, NOW)))
    access_list = await access_lists.access_list(agent)
    assert (access_list.owner, set(access_list.people), set(access_list.blocked)) == (OWNER, set(people), set(people))
    await access_lists.unblock(agent, ANN)
    assert (await access_lists.access_list(agent)).tier_of(ANN) is TrustTier.KNOWN


async def test_sees_another_instances_changes_after_a_minute(
    access_lists: FirestoreAccessLists, key: ChatKey, clock: Clock
) -> None:
    agent, other = f"two{key.chat_id}", FirestoreAccessLists(access_lists.client, clock)
    assert (await access_lists.access_list(agent)).people == {}
    await other.let_in(agent, let_in(ANN))
    clock.now += FRESH - SECOND
    assert (await access_lists.access_list(agent)).people == {}
    assert set((await access_lists.access_list(agent, timedelta(seconds=5))).people) == {ANN}
    await other.shut_out(agent, ANN)
    assert set((await access_lists.access_list(agent)).people) == {ANN}
    assert (await access_lists.access_list(agent, ANEW)).people == {}
    await other.let_in(agent, let_in(BEN))
    access_lists.drop(agent)
    assert set((await access_lists.access_list(agent)).people) == {BEN}


async def test_caches_no_read_from_before_a_change(access_lists: FirestoreAccessLists, key: ChatKey) -> None:
    agent = f"read{key.chat_id}"
    reading = asyncio.create_task(access_lists.access_list(agent))
    await asyncio.sleep(0)
    access_lists.drop(agent)
    await reading
    assert agent not in access_lists._known


async def test_nobody_is_let_in_past_the_most(access_lists: FirestoreAccessLists, key: ChatKey) -> None:
    agent = f"full{key.chat_id}"
    people = {str(who): let_in(who, "x" * 80).model_dump() for who in range(MOST_PEOPLE)}
    await access_lists.client.document(f"bots/{agent}").set({"people": people})
    assert not await access_lists.let_in(agent, let_in(ANN))
    assert await access_lists.let_in(agent, let_in(5, "Eve"))  # a person who is on the list already
    assert (await access_lists.access_list(agent)).people[5].name == "Eve"


async def test_entries_that_only_a_newer_lull_knows_are_left_out(
    access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    agent = f"newer{key.chat_id}"
    odd = {"people": {"x": {}, "5": {"id": "?"}, "6": let_in(6).model_dump() | {"more": 1}}, "groups": 3}
    await access_lists.client.document(f"bots/{agent}").set(odd | {"owner": ["?"], "silenced": True})
    access_list = await access_lists.access_list(agent)
    assert (set(access_list.people), access_list.groups, access_list.owner) == ({6}, {}, 0)
    assert access_list.silenced is not None, "somebody asked for silence"


async def test_a_firestore_that_refuses_is_told(access_lists: FirestoreAccessLists) -> None:
    with pytest.raises(StoreRefused, match="read an agent's access list"):
        await access_lists.access_list("__reserved__")
    with pytest.raises(StoreRefused, match="change an agent's access list"):
        await access_lists.shut_out("__reserved__", ANN)


@pytest.mark.parametrize("letter", ["x", "ж", "中", "😀"])
async def test_a_full_access_list_of_long_names_has_room_for_a_block(
    access_lists: FirestoreAccessLists, key: ChatKey, letter: str
) -> None:
    agent, name, invitation = f"full{ord(letter)}{key.chat_id}", letter * 80, "i" * 26
    let_in_by: dict[str, Any] = {
        "name": name,
        "since": NOW,
        "by": OWNER,
        "via": AdmissionSource.INVITATION,
        "invitation": invitation,
    }
    people = {str(OWNER + n): AdmittedPerson(id=OWNER + n, **let_in_by).model_dump() for n in range(MOST_PEOPLE)}
    groups = [
        AdmittedGroup(chat_id=GROUP - n, title=name, since=NOW, by=OWNER).model_dump() for n in range(MOST_GROUPS)
    ]
    entries = [BlockedPerson(id=BEN + n, name=name, since=NOW, by=OWNER, why=name) for n in range(MOST_BLOCKED)]
    blocked = {str(one.id): one.model_dump() for one in entries[:-1]}
    kept = {"people": people, "groups": {str(one["chat_id"]): one for one in groups}, "blocked": blocked}
    await access_lists.client.document(bot_path(agent)).set(kept)
    assert await access_lists.block(agent, entries[-1])
    found = await access_lists.client.document(bot_path(agent)).get()
    assert len(found.get("blocked")) == MOST_BLOCKED
    written = Write(path=bot_path(agent), document=found.to_dict() or {}, mode=WriteMode.SET)
    assert_within_limits([written])
    assert document_bytes(written) < 950_000, "room for flood waits and invitations"


async def test_a_full_access_list_that_was_stored_with_longer_names_is_shortened_where_it_lies(
    access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    agent, name = f"before{key.chat_id}", "\N{HANGUL SYLLABLE GAG}" * 40
    old = {"since": NOW, "by": OWNER}
    people = {str(OWNER + n): {"id": OWNER + n, "name": name, **old} for n in range(MOST_PEOPLE - 1)}
    groups = {str(GROUP - n): {"chat_id": GROUP - n, "title": name, **old} for n in range(MOST_GROUPS)}
    blocked = {str(BEN + n): {"id": BEN + n, "name": name, "why": name, **old} for n in range(MOST_BLOCKED // 2)}
    document = access_lists.client.document(bot_path(agent))
    await document.set({"owner": OWNER, "people": people, "groups": groups, "blocked": blocked, "waits": {"5": NOW}})
    await access_lists.shut_out(agent, OWNER)
    found = (await document.get()).to_dict() or {}
    names = [one["name"] for access_list in ("people", "blocked") for one in found[access_list].values()]
    names += [one["title"] for one in found["groups"].values()] + [one["why"] for one in found["blocked"].values()]
    assert {len(one.encode()) for one in names} == {NAME_BYTES}
    assert (len(found["people"]), len(found["blocked"]), found["waits"]) == (len(people) - 1, len(blocked), {"5": NOW})
    assert_within_limits([Write(path=bot_path(agent), document=found, mode=WriteMode.SET)])
    assert await access_lists.block(agent, BlockedPerson(id=9, name=name, since=NOW))
    assert overlong_names((await document.get()).to_dict()) == {}


async def test_rules_and_limits_of_the_owner_are_replaced_as_a_whole(
    access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    agent = f"ruled{key.chat_id}"
    await access_lists.let_in(agent, let_in(ANN))
    of_agent = SpendingLimits(day_usd=0.5, day_messages=9)
    await access_lists.set_limits(agent, "agent", of_agent)
    await access_lists.set_limits(agent, "chat", SpendingLimits(day_usd=0.1))
    await access_lists.set_soft_share(agent, 0.5)
    await access_lists.set_rules(agent, AccessRules(open=True, strangers=StrangerPolicy.IGNORE))
    found = await FirestoreAccessLists(access_lists.client, lambda: NOW).access_list(agent)
    assert found.limits == OwnerLimits(agent=of_agent, chat=SpendingLimits(day_usd=0.1), soft_share=0.5)
    assert (found.rules.open, found.rules.strangers) == (True, StrangerPolicy.IGNORE)
    await access_lists.set_limits(agent, "agent", SpendingLimits(day_usd=0.25))
    await access_lists.set_limits(agent, "chat", SpendingLimits())
    await access_lists.set_soft_share(agent, None)
    await access_lists.set_rules(agent, AccessRules(groups=GroupPolicy.LEAVE))
    found = await access_lists.access_list(agent)
    assert found.limits == OwnerLimits(agent=SpendingLimits(day_usd=0.25))
    assert (found.rules, found.people) == (AccessRules(groups=GroupPolicy.LEAVE), {ANN: let_in(ANN)})


def test_values_of_an_unknown_form_are_left_out_of_rules_and_limits() -> None:
    kept = {"rules": {"open": False, "groups": "explode"}, "limits": {"agent": {"day_usd": -1}, "soft_share": 0.5}}
    found = decode_access_list("lull", kept)
    assert (found.rules, found.limits) == (AccessRules(open=False), OwnerLimits(soft_share=0.5))
    assert decode_access_list("lull", {"rules": 5, "limits": None}) == AccessList(agent="lull")


def test_rules_of_the_owner_go_before_the_personas() -> None:
    front = FrontMatter(name="lull", username="lull_bot", open=True, groups=GroupPolicy.OPEN)
    changed = AccessRules(open=False, strangers=StrangerPolicy.IGNORE).in_front(front)
    assert (changed.open, changed.strangers, changed.groups) == (False, StrangerPolicy.IGNORE, GroupPolicy.OPEN)
    assert AccessRules().in_front(front) == front
