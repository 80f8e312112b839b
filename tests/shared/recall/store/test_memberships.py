"""Tests of memberships in the Firestore emulator."""

from datetime import timedelta

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.layout import EXPIRES
from shared.chat.store.paths import entity_path, membership_path
from shared.chat.store.writes import CommitContext, WriteBatch, WriteMode
from shared.recall.store.memberships import FirestoreMemberships, MembersChangedRecord, MembershipRecord
from shared.values.chat import Chat, SupergroupMigration
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from tests.shared.examples import NOW


async def seen(chats: FirestoreChats, chat: Chat, person: int, days: int, *, is_member: bool = True) -> None:
    batch = WriteBatch(chats.client)
    for write in MembershipRecord(person=person, is_member=is_member).writes(
        CommitContext(chat=chat, at=NOW + timedelta(days=days))
    ):
        batch.add(write)
    await batch.commit()


async def test_finds_a_persons_groups_newest_first(chats: FirestoreChats, key: ChatKey) -> None:
    person, here = key.chat_id, FirestoreMemberships(chats.client)
    old, new = (Chat(key=ChatKey(agent=key.agent, chat_id=-key.chat_id - n)) for n in (1, 2))
    moved = new.with_part(evolve(new.moves, moved_from=-5))
    await seen(chats, old, person, 1)
    await seen(chats, moved, person, 2)
    await seen(chats, moved, person + 1, 3)
    found = await here.of_person(key.agent, person, 9)
    assert [one.places for one in found] == [moved.places, old.places]
    assert await here.of_person("moss", person, 9) == []
    checked = evolve(found[0], is_member=False, fresh_until=NOW)
    await here.keep_checked(checked)
    assert (await here.of_person(key.agent, person, 1)) == [checked]
    await seen(chats, moved, person, 4)
    again = (await here.of_person(key.agent, person, 1))[0]
    assert (again.is_member, again.fresh_until) == (True, None)


async def test_keeps_all_times_of_leaving_and_joining(chats: FirestoreChats, key: ChatKey) -> None:
    chat, person = Chat(key=ChatKey(agent=key.agent, chat_id=-key.chat_id - 3)), key.chat_id
    times = [NOW + timedelta(hours=n) for n in range(4)]
    for record in (
        MembershipRecord(person=person, is_member=False, left_at=(times[0],)),
        MembershipRecord(person=person, is_member=True, joined_at=(times[1],)),
        MembershipRecord(person=person, is_member=False, left_at=(times[2],)),
        MembershipRecord(person=person, is_member=False, left_at=(times[2],)),
    ):
        batch = WriteBatch(chats.client)
        for write in record.writes(CommitContext(chat=chat, at=NOW)):
            batch.add(write)
        await batch.commit()
    (found,) = await FirestoreMemberships(chats.client).of_person(key.agent, person, 9)
    assert (found.left_at, found.joined_at) == ((times[0], times[2]), (times[1],))


async def test_skips_unknown_shapes(chats: FirestoreChats, key: ChatKey) -> None:
    person = key.chat_id
    for n in (4, 5):
        await seen(chats, Chat(key=ChatKey(agent=key.agent, chat_id=-key.chat_id - n)), person, n)
    old, new = reversed(await FirestoreMemberships(chats.client).of_person(key.agent, person, 9))
    await chats.client.document(membership_path(new.key, person)).update({"places": "everywhere"})
    assert await FirestoreMemberships(chats.client).of_person(key.agent, person, 9) == [old]


def test_merges_and_invalidates_telegrams_answer() -> None:
    chat = Chat(key=ChatKey(agent="lull", chat_id=-100), moves=SupergroupMigration(moved_from=-5))
    (write,) = MembershipRecord(person=5, is_member=True).writes(CommitContext(chat=chat, at=NOW))
    assert write.mode is WriteMode.MERGE
    assert write.path.startswith("memberships/")
    assert (write.document["places"], write.document["fresh_until"]) == (["lull.-100", "lull.-5"], None)


def test_a_change_of_members_expires_their_count() -> None:
    key = ChatKey(agent="lull", chat_id=-100, topic_id=5)
    (write,) = MembersChangedRecord().writes(CommitContext(chat=Chat(key=key), at=NOW))
    assert (write.path, write.mode) == (entity_path(key), WriteMode.MERGE)
    assert write.document == {EXPIRES: NOW}
