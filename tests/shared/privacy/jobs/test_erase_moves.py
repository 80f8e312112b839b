"""A supergroup that was a basic group is deleted under both ids, whichever of them the deletion names."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from shared.chat.claiming import own_terms
from shared.chat.session import Session
from shared.chat.store import paths
from shared.chat.store.chats import ChatCommit
from shared.chat.store.plans import encode_past_plan
from shared.chat.store.transcripts import encode_window
from shared.media.store.media import encode_reference
from shared.memory.store import FirestoreMemories
from shared.values.access_request import request_id
from shared.values.chat import Chat, Lease
from shared.values.chat_key import ChatKey
from shared.values.deletion import DeletionScope
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.media import MediaKind, MediaRef
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.place import place_of
from shared.values.reference import FileReference
from tests.shared.examples import ANN, BOB, plan_of, send
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, MARK, ROOM, DeletionHarness, hers, his, ours

BASIC = ChatKey(agent="lull", chat_id=-7)


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


async def moves(harness: DeletionHarness) -> None:
    """Let the basic group become a supergroup. Its window and buttons stay, as in an earlier version of lull."""
    client, before = harness.chats.client, (await harness.chats.see(BASIC)).chat
    lease = Lease(owner="t", until=harness.now() + timedelta(minutes=1))
    held = await harness.chats.claim(await harness.chats.see(BASIC), lease)
    session = Session(harness.chats, held, own_terms(harness.now, 50))
    entries = await session.window()
    await session.move(await harness.chats.see(ROOM), plan_of(send(text=MARK)))
    assert not (await client.document(paths.window_path(BASIC)).get()).exists
    seen = await harness.chats.see(BASIC)
    assert (seen.chat.moves.moved_to, seen.chat.talk.keyboards) == (ROOM.chat_id, ())
    board = Keyboard(id="a" * 16, choices=(MARK,), people=(ANN.id,), at=harness.now())
    await harness.chats.commit(
        seen, ChatCommit(chat=evolve(seen.chat, title=MARK, talk=evolve(seen.chat.talk, keyboards=(board,))))
    )
    await client.document(paths.window_path(BASIC)).set(encode_window(before, entries))


async def talk(harness: DeletionHarness) -> Chat:
    """Have Ann and Bob talk in a basic group, and continue after it has become a supergroup."""
    client, now = harness.chats.client, harness.now()
    chat = await harness.says(BASIC, hers(message_id=1), ours(f"So, {MARK}.", message_id=2), his("tea", message_id=3))
    raw = {"raw": f'{{"message": {{"text": "{MARK}"}}}}', "trace": "", "read": True, "received_at": now}
    await client.document(paths.update_path(BASIC, 1)).set(raw)
    past = evolve(plan_of(send(text=MARK)), created_at=now)
    await client.document(paths.past_plan_path(BASIC, "p")).set(encode_past_plan(past))
    owner = MemoryOwner(scope=MemoryScope.CHAT, agent="lull", chat_id=BASIC.chat_id)
    source = MemorySource(place="p", person=ANN.id, conversation=chat.conversation)
    memory = Memory(id="m", text=MARK, scope=MemoryScope.CHAT, source=source, made_at=now, changed_at=now)
    await FirestoreMemories(client).change([MemoryChange(owner=owner, kept=(memory,))])
    await moves(harness)
    await harness.says(ROOM, his("milk", message_id=1))
    return (await harness.chats.see(ROOM)).chat


async def test_who_is_forgotten_is_nowhere_under_the_former_id_either(harness: DeletionHarness) -> None:
    chat = await talk(harness)
    source, now = MemorySource(place=place_of(BASIC), person=BOB.id), harness.now()
    told = Memory(id="b", text=MARK, scope=MemoryScope.PERSON, source=source, made_at=now, changed_at=now)
    bobs = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=BOB.id)
    await FirestoreMemories(harness.chats.client).change([MemoryChange(owner=bobs, kept=(told,))])
    assert len(await harness.where(MARK)) > 7
    await harness.forgets()
    assert await harness.where(MARK, '"Ann"', "ann_a") == []
    assert [text for _, text in await harness.spoken(chat.conversation)] == ["[erased]", "[erased]", "tea", "milk"]
    assert (await harness.chats.see(BASIC)).chat.moves.moved_to == ROOM.chat_id
    assert (await harness.chats.see(ROOM)).chat.conversation == chat.conversation


@pytest.mark.parametrize("key", [BASIC, ROOM])
async def test_a_group_is_forgotten_under_both_ids_whichever_is_asked_about(
    harness: DeletionHarness, key: ChatKey
) -> None:
    chat = await talk(harness)
    client, now = harness.chats.client, harness.now()
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="u", words=MARK)
    sent = FileReference(ref=ref, agent="lull", chat=BASIC.id, person=ANN.id, at=now - timedelta(minutes=1), try_at=now)
    kept = {
        paths.reference_path(sent.id): encode_reference(sent),
        paths.event_path("r"): {"chat": BASIC.id, "agent": "lull", "text": MARK},
        paths.request_path(request_id(BASIC)): {"at": now, "words": MARK},
        paths.incident_path("i"): {"chat": BASIC.id, "body": MARK, "at": now},
        "bots/lull": {"groups": {str(BASIC.chat_id): {"title": MARK, "since": now}}},
    }
    for path, document in kept.items():
        await client.document(path).set(document)
    done = await harness.forgets(DeletionScope.GROUP, key)
    assert await harness.where(MARK) == []
    assert done.counts["memberships"] == 3
    assert [one.id async for one in client.collection("memberships").stream()] == []
    assert (await harness.chats.see(ROOM)).chat.conversation == ""
    assert await harness.transcripts.read(chat.conversation) is None


@pytest.mark.parametrize("key", [BASIC, ROOM])
async def test_a_conversation_that_goes_on_under_the_new_id_is_left_there(
    harness: DeletionHarness, key: ChatKey
) -> None:
    chat = await talk(harness)
    seen = await harness.chats.see(BASIC)  # the title of a group is not part of a conversation
    await harness.chats.commit(seen, ChatCommit(chat=evolve(seen.chat, title="ChatHarness")))
    await harness.forgets(DeletionScope.CONVERSATION, key, conversation=chat.conversation)
    left = await harness.where(MARK)
    assert left == [paths.update_path(BASIC, 1)], "which no entry of the conversation names"
    assert (await harness.chats.see(ROOM)).chat.conversation == ""


async def test_what_a_dead_run_erased_is_made_again_though_its_chat_is_not_there(harness: DeletionHarness) -> None:
    chat = await harness.says(ROOM, his("tea", message_id=1))
    client, conversation = harness.chats.client, paths.conversation_path(chat.conversation)
    await client.document(paths.chat_path(ROOM)).delete()
    await client.document(paths.window_path(ROOM)).delete()
    await client.document(conversation).set({"title": MARK}, merge=True)
    await client.document(paths.segment_path(chat.conversation, 7)).set({"text": MARK})
    name = await harness.asked(key=HERS)
    seen = await harness.log.read(name)
    assert seen is not None
    await harness.log.save(seen, evolve(seen.deletion, changed=(chat.conversation,)))
    await harness.runs(name)
    assert await harness.where(MARK) == []
