"""In a group it stays visible that a forgotten person wrote something, but not what they wrote."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from shared.base.errors import StoreUnavailable
from shared.chat.store import paths
from shared.chat.store.chats import ChatCommit
from shared.memory.store import FirestoreMemories
from shared.privacy.jobs.erase import erase
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.privacy.store.deletion_lookup import TranscriptPage
from shared.values.chat import Chat, SupergroupMigration
from shared.values.chat_key import ChatKey
from shared.values.deletion import DeletionScope
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.keyboard import Keyboard
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.message import AnyEntry
from shared.values.place import place_of
from tests.shared.examples import ANN, BOB, NOW
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import BOBS, HERS, MARK, ROOM, DeletionHarness, talk

OLD = ChatKey(agent="lull", chat_id=-7)
NO_CHAT = ChatKey(agent="lull", chat_id=0)


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


def memory(name: str, person: int, text: str) -> Memory:
    source = MemorySource(place="lull.-1", person=person)
    return Memory(id=name, text=text, scope=MemoryScope.CHAT, source=source, made_at=NOW, changed_at=NOW)


async def test_what_was_learned_of_a_group_from_them_goes_and_what_others_said_stays(harness: DeletionHarness) -> None:
    await talk(harness)
    owner = MemoryOwner(scope=MemoryScope.CHAT, agent="lull", chat_id=ROOM.chat_id)
    kept = (memory("a", ANN.id, "tea"), memory("b", BOB.id, "milk"), memory("c", BOB.id, f"they like {MARK}"))
    memories = FirestoreMemories(harness.chats.client)
    await memories.change([MemoryChange(owner=owner, kept=kept)])
    await harness.forgets()
    assert [one.id for one in (await memories.of([owner]))[owner]] == ["b"]


async def test_what_is_remembered_of_others_in_their_words_goes_where_it_was_said_among_them(
    harness: DeletionHarness,
) -> None:
    await talk(harness)
    owner = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=BOB.id)
    told = (("a", ROOM, "has a cat"), ("b", ROOM, f"keeps {MARK} for her"), ("c", BOBS, f"likes {MARK}"))
    kept = tuple(
        evolve(memory(name, BOB.id, text), scope=owner.scope, source=MemorySource(place=place_of(key), person=BOB.id))
        for name, key, text in told
    )
    memories = FirestoreMemories(harness.chats.client)
    await memories.change([MemoryChange(owner=owner, kept=kept)])
    await harness.forgets()
    assert [one.id for one in (await memories.of([owner]))[owner]] == ["a", "c"], "what he tells in private is his"


async def test_buttons_and_titles_of_theirs_go_from_the_chat(harness: DeletionHarness) -> None:
    await talk(harness)
    seen = await harness.chats.see(ROOM)
    at = harness.now()
    boards = (
        Keyboard(id="a" * 16, choices=("yes",), people=(ANN.id,), at=at),
        Keyboard(id="b" * 16, choices=("no",), people=(BOB.id,), at=at),
    )
    named = {"keyboards": boards, "conversation_title": MARK, "title": "A room"}
    await harness.chats.commit(seen, ChatCommit(chat=Chat.model_validate(seen.chat.model_dump() | named)))
    await harness.forgets()
    chat = (await harness.chats.see(ROOM)).chat
    assert ([one.id[0] for one in chat.talk.keyboards], chat.talk.conversation_title, chat.title) == (
        ["b"],
        "",
        "A room",
    )


async def test_what_is_made_of_a_conversation_is_made_again(harness: DeletionHarness) -> None:
    _, room, _ = await talk(harness)
    document = harness.chats.client.document(paths.conversation_path(room.conversation))
    made = {"abbreviation": MARK, "topics": [MARK], "title": MARK, "noted_seq": 4, "due_at": None}
    await document.set(made, merge=True)
    await harness.chats.client.document(paths.observation_path(room.conversation, "o")).set({"text": MARK})
    await harness.forgets()
    known = await harness.document(paths.conversation_path(room.conversation))
    assert (known["abbreviation"], known["topics"], known["title"], known["noted_seq"]) == ("", [], "", 0)
    assert known["due_at"] is not None
    assert await harness.where(MARK) == []


class DyingErasing(FirestoreChatDeletion):
    """Deletes from chats. Its first write of pages fails."""

    async def rewrite(self, pages: Sequence[tuple[TranscriptPage, Sequence[AnyEntry]]]) -> None:
        """Raise StoreUnavailable without writing."""
        raise StoreUnavailable("the function was killed")


async def test_whoever_dies_while_words_go_leaves_nothing_of_them_where_models_look(harness: DeletionHarness) -> None:
    _, room, _ = await talk(harness)
    shown = [paths.window_path(ROOM), paths.segment_path(room.conversation, 1)]
    compression = paths.compression_path(room.conversation)
    await harness.chats.client.document(compression).set({"text": MARK})
    assert {*shown, compression} <= {*await harness.where(MARK)}
    by = replace(harness.deleter(), of_chats=DyingErasing(harness.chats.client))
    with pytest.raises(StoreUnavailable):
        await erase(by, JobRun(scheduled_for="s", deletion=await harness.asked()))
    left = [path for path in await harness.where(MARK) if room.conversation in path or ROOM.id in path]
    assert left == [paths.page_path(room.conversation, 1), f"{room.conversation}.jsonl"]


async def moved(harness: DeletionHarness) -> None:
    """Let the group be one that had another id before. Ann wrote under that id too."""
    client = harness.chats.client
    await client.document(paths.chat_path(ROOM)).update({"moved_from": OLD.chat_id})
    old = Chat(key=OLD, moves=SupergroupMigration(moved_to=ROOM.chat_id, moved_seq=3), title=MARK)
    await client.document(paths.chat_path(OLD)).set(old.model_dump())
    await harness.is_told(OLD, MARK)
    async for one in client.collection(paths.MEMBERSHIPS).stream():
        await one.reference.update({"places": [f"lull.{OLD.chat_id}", f"lull.{ROOM.chat_id}"]})


async def test_a_group_that_moved_is_looked_at_by_both_its_ids(harness: DeletionHarness) -> None:
    await talk(harness)
    await moved(harness)
    await harness.forgets()
    assert await harness.where(MARK) == []
    old = (await harness.chats.see(OLD)).chat
    assert (old.moves.moved_to, old.title) == (ROOM.chat_id, "")


async def test_a_group_that_moved_goes_by_both_its_ids(harness: DeletionHarness) -> None:
    private, *_ = await talk(harness)
    await moved(harness)
    await harness.forgets(DeletionScope.GROUP, ROOM)
    mine = (private.conversation, HERS.id)
    assert [path for path in await harness.where(MARK) if not any(one in path for one in mine)] == []


async def test_what_a_group_is_called_by_her_words_goes_from_what_others_said_there(harness: DeletionHarness) -> None:
    await talk(harness)
    named = {"chat": ROOM.id, "chat_title": MARK, "title": "Tea", "manually_named": True, "people": [BOB.id]}
    await harness.chats.client.document(paths.conversation_path("conv-others")).set(named)
    await harness.forgets()
    assert await harness.where(MARK) == []
    known = await harness.document(paths.conversation_path("conv-others"))
    assert (known["chat_title"], known["title"]) == ("", "Tea")


async def test_updates_that_name_no_chat_lose_her_words(harness: DeletionHarness) -> None:
    await talk(harness)
    await harness.chats.client.document(paths.chat_path(NO_CHAT)).set(Chat(key=NO_CHAT).model_dump())
    await harness.is_told(NO_CHAT, MARK)
    await harness.is_told(NO_CHAT, "tea", author=BOB)
    await harness.forgets()
    assert await harness.where(MARK) == []
    assert [one.raw["message"]["text"] for one in await harness.chats.unread(NO_CHAT, 9)] == ["tea"]


async def test_what_services_said_is_asked_for_again(harness: DeletionHarness) -> None:
    await talk(harness)
    await harness.chats.client.document(paths.lookup_path("a")).set({"text": MARK, "at": NOW})
    await harness.forgets()
    assert await harness.where(MARK) == []
