"""A person's entries in bots' documents are deleted from the real Firestore, unless they are newer than the
deletion.
"""

from datetime import timedelta
from typing import Any

import pytest

from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.chats import FirestoreChats
from shared.memory.store import FirestoreMemories
from shared.privacy.store.person_deletion import BotDeletionCriteria, FirestorePersonDeletion
from shared.values.evolve import evolve
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.origin import ConversationSpan
from shared.values.trust import AdmittedGroup, AdmittedPerson, BlockedPerson
from tests.shared.examples import NOW

ANN = 1_100_000_001
ROOM = -1_002_000_000_007
LATER = NOW + timedelta(minutes=5)


async def bot(chats: FirestoreChats) -> dict[str, Any]:
    return (await chats.client.document("bots/lull").get()).to_dict() or {}


async def test_who_was_let_in_is_a_stranger_and_who_is_blocked_stays_so_without_a_name(
    chats: FirestoreChats,
) -> None:
    told = {"id": ANN, "name": "Ann", "why": "Ann is loud", "since": NOW}
    await chats.client.document("bots/lull").set({
        "waits": {str(ANN): NOW, "5": NOW}, "owner": ANN, "people": {str(ANN): told, "5": told},
        "blocked": {str(ANN): told},
    })  # fmt: skip
    assert await FirestorePersonDeletion(chats.client).erase_from_bots(BotDeletionCriteria(ANN, [ANN], NOW)) == 1
    assert await FirestorePersonDeletion(chats.client).erase_from_bots(BotDeletionCriteria(ANN, [ANN], NOW)) == 0
    left = await bot(chats)
    assert (list(left["waits"]), list(left["people"]), left["owner"]) == (["5"], ["5"], ANN)
    assert left["blocked"] == {str(ANN): told | {"name": "", "why": ""}}


async def test_who_is_let_in_blocked_or_learned_of_since_is_so(chats: FirestoreChats) -> None:
    access_lists = FirestoreAccessLists(chats.client, lambda: NOW)
    await access_lists.let_in("lull", AdmittedPerson(id=ANN, name="Ann", since=LATER, by=1))
    await access_lists.block("lull", BlockedPerson(id=ANN, name="Ann", since=LATER, by=1))
    await access_lists.let_group_in("lull", AdmittedGroup(chat_id=ROOM, title="A room", since=LATER, by=1))
    owner = MemoryOwner(scope=MemoryScope.AGENT, agent="lull")
    source = MemorySource(place="p", person=ANN)
    kept = tuple(
        Memory(id=name, text="x", scope=MemoryScope.AGENT, source=source, made_at=at, changed_at=at)
        for name, at in (("old", NOW), ("new", LATER))
    )
    await FirestoreMemories(chats.client).change([MemoryChange(owner=owner, kept=kept)])
    before = await bot(chats)
    assert await FirestorePersonDeletion(chats.client).erase_from_bots(BotDeletionCriteria(ANN, [ANN, ROOM], NOW)) == 1
    assert await bot(chats) == before
    assert [one.id for one in (await FirestoreMemories(chats.client).of([owner]))[owner]] == ["new"]
    assert (
        await FirestorePersonDeletion(chats.client).erase_from_bots(BotDeletionCriteria(ANN, [ANN, ROOM], LATER)) == 2
    )


@pytest.mark.parametrize(
    "of", [BotDeletionCriteria(ANN, [ANN], NOW), BotDeletionCriteria(0, [ROOM], NOW)], ids=["person", "group"]
)
async def test_what_everybody_is_told_that_was_made_of_their_words_goes(
    chats: FirestoreChats, of: BotDeletionCriteria
) -> None:
    owner = MemoryOwner(scope=MemoryScope.AGENT, agent="lull")
    theirs = ConversationSpan(conversation="conv-a", chat_id=ROOM, first_seq=1, last_seq=4, people=(ANN,))
    others = evolve(theirs, chat_id=ROOM - 1, people=(ANN + 1,))
    kept = tuple(
        Memory(
            id=name,
            text="x",
            scope=MemoryScope.AGENT,
            source=MemorySource(place="p", person=1),
            made_at=NOW,
            changed_at=NOW,
            elsewhere=elsewhere,
        )
        for name, elsewhere in (("theirs", (theirs,)), ("others", (others,)), ("own", ()))
    )
    await chats.client.document("bots/lull").set({"owner": 1})
    await FirestoreMemories(chats.client).change([MemoryChange(owner=owner, kept=kept)])
    assert await FirestorePersonDeletion(chats.client).erase_from_bots(of) == 1
    assert [one.id for one in (await FirestoreMemories(chats.client).of([owner]))[owner]] == ["others", "own"]


async def test_what_the_owner_takes_back_meanwhile_stays_taken_back(chats: FirestoreChats) -> None:
    access_lists = FirestoreAccessLists(chats.client, lambda: NOW)
    await access_lists.block("lull", BlockedPerson(id=ANN, name="Ann", since=NOW, by=1))
    await access_lists.let_group_in("lull", AdmittedGroup(chat_id=ROOM, title="A room", since=NOW, by=1))
    seen = await chats.client.document("bots/lull").get()
    await access_lists.unblock("lull", ANN)
    await access_lists.shut_group_out("lull", ROOM)
    assert await FirestorePersonDeletion(chats.client).erase_from_bot(seen, BotDeletionCriteria(ANN, [ROOM], NOW)) == 0
    assert not any((await bot(chats)).values())
