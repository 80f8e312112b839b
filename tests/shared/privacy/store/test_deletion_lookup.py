"""Finding the chats and conversations that have a person's data, in the real Firestore."""

from dataclasses import replace
from typing import Any

from shared.base.text import Entity, EntityType
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.transcripts import encode_page
from shared.privacy.store.deletion_lookup import FEW, PAGES_AT_ONCE, SMALL_AT_ONCE, FirestoreDeletionLookup
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.message import Author
from shared.values.place import place_of
from tests.shared.examples import said
from tests.shared.new_chats import entry

TOPIC = ChatKey(agent="lull", chat_id=-5, topic_id=2)


async def test_chats_groups_and_conversations_are_found_from_a_person(chats: FirestoreChats) -> None:
    room, moss = ChatKey(agent="lull", chat_id=-5), ChatKey(agent="moss", chat_id=-5)
    for key in (room, TOPIC, moss):
        await chats.client.document(paths.chat_path(key)).set(Chat(key=key).model_dump())
    await chats.client.document("memberships/a").set({"agent": "lull", "chat_id": -5, "person": 7})
    for name, people in (("conv-1", [7, 8]), ("conv-2", [8])):
        known = {"chat": TOPIC.id, "people": people, "title": "t", "manually_named": True, "entries": 2}
        await chats.client.document(f"conversations/{name}").set(known)
    finding = FirestoreDeletionLookup(chats.client)
    assert set(await finding.chats_of(-5)) == {room, TOPIC, moss}
    assert set(await finding.chats_of(-5, "lull")) == {room, TOPIC}
    direct = replace(room, topic_id=-3)
    told = {"agent": "lull", "chat_id": -5, "person": 9, "places": [place_of(direct)]}
    await chats.client.document("memberships/b").set(told)
    assert [await finding.groups_of(person) for person in (7, 9)] == [[room], [direct]]
    assert [one.conversation for one in await finding.conversations_with(7)] == ["conv-1"]
    assert [one.conversation for one in await finding.conversations_in([TOPIC.id])] == ["conv-1", "conv-2"]
    found = await finding.outline("conv-1")
    assert found is not None
    assert (found.chat, found.title, found.is_named_by_hand, found.entries) == (TOPIC.id, "t", True, 2)
    assert await finding.outline("conv-3") is None


async def test_everybody_is_found_in_a_group_of_many_who_each_wrote_once(chats: FirestoreChats) -> None:
    writers = [Author(id=1_000 + n, name=f"Guest {n}") for n in range(1, 1_201)]
    conversation = "conv-1"
    await chats.client.document(paths.conversation_path(conversation)).set(
        {"chat": TOPIC.id, "people": [1], "entries": 1}
    )
    for start in range(0, len(writers), 400):
        batch: Any = chats.client.batch()
        for n, author in enumerate(writers[start : start + 400], start + 1):
            mentioned = (Entity(EntityType.TEXT_MENTION, 0, 1, user_id=9_000 + n),)
            page = encode_page([said("hello", author, seq=n, message_id=n, entities=mentioned)])
            batch.set(chats.client.document(paths.page_path(conversation, n)), page)
        await batch.commit()
    finding = FirestoreDeletionLookup(chats.client)
    for person in (writers[0].id, writers[-1].id, 9_001, 10_200, 1):
        assert [one.conversation for one in await finding.conversations_with(person)] == [conversation], person
    assert await finding.conversations_with(77) == []
    (found,) = await finding.conversations_in([TOPIC.id])
    assert found.people == {1, *(one.id for one in writers), *range(9_001, 10_201)}
    assert found.names == {one.id: one.name for one in writers}


async def test_pages_come_in_order_and_an_entry_that_cannot_be_read_is_none(chats: FirestoreChats) -> None:
    for seq in (3, 1):
        page = encode_page([entry(seq, f"text {seq}")])
        page["entries"].append({"type": "of tomorrow", "seq": seq + 1})
        await chats.client.document(paths.page_path("conv-1", seq)).set(page)
    pages = [page async for page in FirestoreDeletionLookup(chats.client).pages("conv-1")]
    assert [page.path[-1] for page in pages] == ["1", "3"]
    assert [[e.seq if e else None for e in page.entries] for page in pages] == [[1, None], [3, None]]
    assert [page.first for page in pages] == [1, 3]
    assert [page async for page in FirestoreDeletionLookup(chats.client).pages_back("conv-1")] == pages[::-1]


async def test_pages_are_found_all_however_many_come_at_once(chats: FirestoreChats) -> None:
    count = PAGES_AT_ONCE + SMALL_AT_ONCE + 2
    batch: Any = chats.client.batch()
    for seq in range(1, count + 1):
        entries = [entry(seq, "x")] * (FEW + 1 if seq == count - 1 else 1)
        batch.set(chats.client.document(paths.page_path("conv-1", seq)), encode_page(entries))
    await batch.commit()
    finding = FirestoreDeletionLookup(chats.client)
    assert [page.first async for page in finding.pages("conv-1")] == list(range(1, count + 1))
    assert [page.first async for page in finding.pages_back("conv-1")] == list(range(count, 0, -1))


async def test_pages_are_found_between_two_of_them(chats: FirestoreChats) -> None:
    for seq in range(1, 6):
        await chats.client.document(paths.page_path("conv-1", seq)).set(encode_page([entry(seq, "x")]))
    finding = FirestoreDeletionLookup(chats.client)
    assert [page.first async for page in finding.pages("conv-1", after=1, before=4)] == [2, 3]
    assert [page.first async for page in finding.pages("conv-1", before=1)] == []
    assert [page.first async for page in finding.pages("conv-1", after=4)] == [5]
    assert [page.first async for page in finding.pages_back("conv-1", before=3)] == [2, 1]
