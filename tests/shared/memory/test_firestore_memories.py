"""Tests of memories in the Firestore emulator."""

import asyncio

from shared.chat.store.chats import FirestoreChats
from shared.memory.store import FirestoreMemories
from shared.memory.visible import MemoryAudience
from shared.values.chat_key import ChatKey
from shared.values.memory import MemoryChange
from tests.shared.examples import NOW
from tests.shared.memory.facts import fact


async def test_stores_memories_of_a_person_a_chat_and_an_agent(chats: FirestoreChats, key: ChatKey) -> None:
    memories = FirestoreMemories(chats.client)
    agent = f"agent{key.chat_id}"
    here = MemoryAudience(key=ChatKey(agent=agent, chat_id=-key.chat_id, topic_id=5), people=(key.chat_id,))
    agents, of_chat, of_person = here.owners
    assert await memories.of(here.owners) == {agents: (), of_chat: (), of_person: ()}
    tea, nuts = fact(id="mtea"), fact("Ann is allergic to nuts.", id="mnuts")
    await memories.change([MemoryChange(owner=of_chat, kept=(tea,)), MemoryChange(owner=of_person, kept=(nuts,))])
    assert await memories.of(here.owners) == {agents: (), of_chat: (tea,), of_person: (nuts,)}
    other_topic = MemoryAudience(key=ChatKey(agent=agent, chat_id=-key.chat_id, topic_id=6), people=())
    assert (await memories.of(other_topic.chats)) == {of_chat: (tea,)}
    await memories.change([MemoryChange(owner=of_chat, gone=("mtea",), used=())])
    assert (await memories.of([of_chat])) == {of_chat: ()}


async def test_concurrent_changes_are_both_kept(chats: FirestoreChats, key: ChatKey) -> None:
    memories = FirestoreMemories(chats.client)
    owner = MemoryAudience(key=key, people=(key.chat_id,)).person(key.chat_id)
    kept = [fact(f"fact {n}", id=f"m{n}") for n in range(6)]
    await asyncio.gather(*(memories.change([MemoryChange(owner=owner, kept=(one,))]) for one in kept))
    assert (await memories.of([owner]))[owner] == tuple(kept)
    forgotten = memories.change([MemoryChange(owner=owner, gone=("m0",))])
    used = memories.change([MemoryChange(owner=owner, used=(("m0", NOW), ("m1", NOW)))])
    await asyncio.gather(forgotten, used)
    found = (await memories.of([owner]))[owner]
    assert [(one.id, one.used_at) for one in found][:2] == [("m1", NOW), ("m2", None)]


async def test_owners_are_listed_page_by_page(chats: FirestoreChats, key: ChatKey) -> None:
    memories, agent = FirestoreMemories(chats.client), f"agent{key.chat_id}"
    here = MemoryAudience(key=ChatKey(agent=agent, chat_id=-key.chat_id), people=(key.chat_id, key.chat_id + 1))
    other = MemoryAudience(key=ChatKey(agent="other", chat_id=key.chat_id), people=(key.chat_id,))
    await memories.change([MemoryChange(owner=one, kept=(fact(id="m1"),)) for one in (*here.owners, *other.owners)])
    found, after, pages = [], "", 0
    while True:
        page = await memories.owners([agent], after, 3)
        found += [owner for owner, kept in page.owners if kept == (fact(id="m1"),)]
        after, pages = page.next_after, pages + 1
        if not after:
            break
    assert (set(found), len(found)) == (set(here.owners), 4)
    assert pages == 2
