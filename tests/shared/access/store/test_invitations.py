"""Invitations in the real Firestore: each use counts once, and no more people get in than an invitation has uses."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from shared.access.store.invitations import FirestoreInvitations
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.bots import FirestoreOwners
from shared.chat.store.chats import FirestoreChats
from shared.values.chat_key import ChatKey
from shared.values.invitation import MOST_OPEN, REPEATED, Invitation, Redemption, invitation_id
from shared.values.trust import MOST_PEOPLE, AdmissionSource, AdmittedPerson, BlockedPerson
from tests.shared.examples import NOW, SECOND

OWNER, ANN, BEN = 7_000_000_001, 7_000_000_002, 7_000_000_003
WEEK = timedelta(days=7)


@pytest.fixture
def access_lists(chats: FirestoreChats) -> FirestoreAccessLists:
    return FirestoreAccessLists(chats.client, lambda: NOW)


@pytest.fixture
def invitations(chats: FirestoreChats, access_lists: FirestoreAccessLists) -> FirestoreInvitations:
    return FirestoreInvitations(chats.client, access_lists)


def invitation(name: str, most: int = 1, **fields: object) -> Invitation:
    usual = {"id": name, "by": OWNER, "made_at": NOW, "until": NOW + WEEK, "most": most}
    return Invitation.model_validate(usual | fields)


def entry(person: int, **fields: object) -> AdmittedPerson:
    usual = {
        "id": person,
        "name": "Ann",
        "since": NOW,
        "by": OWNER,
        "via": AdmissionSource.INVITATION,
        "invitation": "one",
    }
    return AdmittedPerson.model_validate(usual | fields)


async def test_one_use_lets_one_person_in_and_tells_so_again(
    invitations: FirestoreInvitations, access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    agent = f"once{key.chat_id}"
    await FirestoreOwners(access_lists.client).claim(agent, OWNER, NOW)
    assert (await access_lists.access_list(agent)).people == {}
    assert await invitations.keep(agent, invitation("one"), NOW)
    assert await invitations.redeem(agent, "one", entry(OWNER)) is Redemption.IS_IN
    assert await invitations.redeem(agent, "one", entry(ANN)) is Redemption.LET_IN
    assert (await access_lists.access_list(agent)).people == {ANN: entry(ANN)}, "this instance sees it at once"
    assert await invitations.redeem(agent, "one", entry(ANN)) is Redemption.REPEATED
    assert await invitations.redeem(agent, "another", entry(ANN)) is Redemption.IS_IN
    assert await invitations.redeem(agent, "one", entry(ANN, since=NOW + REPEATED)) is Redemption.IS_IN
    assert await invitations.redeem(agent, "one", entry(BEN)) is Redemption.OVER
    assert await invitations.open(agent, NOW) == []


async def test_of_a_crowd_as_many_get_in_as_it_has_uses(
    invitations: FirestoreInvitations, access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    agent = f"crowd{key.chat_id}"
    await invitations.keep(agent, invitation("one", most=3), NOW)
    others = FirestoreInvitations(invitations.client, FirestoreAccessLists(invitations.client, lambda: NOW))
    crowd = [(invitations, others)[who % 2].redeem(agent, "one", entry(who)) for who in range(ANN, ANN + 8)]
    found = Counter(await asyncio.gather(*crowd, access_lists.block(agent, BlockedPerson(id=5, since=NOW))))
    assert (found[Redemption.LET_IN], found[Redemption.OVER]) == (3, 5)
    access_lists.drop(agent)
    access_list = await access_lists.access_list(agent)
    assert (len(access_list.people), set(access_list.blocked)) == (3, {5})


@pytest.mark.parametrize("most", [2, 1])
async def test_the_same_person_twice_at_once_takes_one_use(
    invitations: FirestoreInvitations, key: ChatKey, most: int
) -> None:
    agent = f"twice{most}{key.chat_id}"
    await invitations.keep(agent, invitation("one", most=most), NOW)
    found = await asyncio.gather(*(invitations.redeem(agent, "one", entry(ANN)) for _ in range(2)))
    assert sorted(found) == [Redemption.LET_IN, Redemption.REPEATED]
    assert [one.used for one in await invitations.open(agent, NOW)] == ([1] if most == 2 else [])


async def test_nobody_comes_in_after_its_end_or_when_it_is_taken_back_or_blocked(
    invitations: FirestoreInvitations, access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    agent = f"over{key.chat_id}"
    assert await invitations.redeem(agent, "one", entry(ANN)) is Redemption.OVER
    await invitations.keep(agent, invitation("one", most=9), NOW)
    assert await invitations.redeem(agent, "one", entry(ANN, since=NOW + WEEK)) is Redemption.OVER
    assert await invitations.redeem(agent, invitation_id(agent, "guess"), entry(ANN)) is Redemption.OVER
    await access_lists.block(agent, BlockedPerson(id=BEN, since=NOW))
    assert await invitations.redeem(agent, "one", entry(BEN)) is Redemption.OVER
    await invitations.revoke(agent, "one")
    assert await invitations.redeem(agent, "one", entry(ANN)) is Redemption.OVER
    await access_lists.client.document(f"bots/{agent}").update({"people": {str(n): {} for n in range(3)}})
    assert (await access_lists.access_list(agent)).people == {}


async def test_those_that_are_over_make_room_for_new_ones(invitations: FirestoreInvitations, key: ChatKey) -> None:
    agent = f"many{key.chat_id}"
    old = invitation("old", until=NOW + SECOND)
    assert await invitations.keep(agent, old, NOW)
    document = invitations.client.document(f"bots/{agent}")
    more = {f"i{n}": invitation(f"i{n}").model_dump() for n in range(MOST_OPEN - 1)}
    await document.set({"invitations": more}, merge=True)
    assert not await invitations.keep(agent, invitation("new"), NOW)
    newest = invitation("new", made_at=NOW + SECOND)
    assert await invitations.keep(agent, newest, NOW + SECOND)
    listed = await invitations.open(agent, NOW)
    assert (len(listed), listed[0]) == (MOST_OPEN, newest)
    assert "old" not in {one.id for one in listed}


async def test_a_full_access_list_takes_nobody_in(
    invitations: FirestoreInvitations, access_lists: FirestoreAccessLists, key: ChatKey
) -> None:
    agent = f"full{key.chat_id}"
    people = {str(who): entry(who).model_dump() for who in range(MOST_PEOPLE)}
    await access_lists.client.document(f"bots/{agent}").set({"people": people})
    await invitations.keep(agent, invitation("one"), NOW)
    assert await invitations.redeem(agent, "one", entry(ANN)) is Redemption.FULL
