"""Which conversations are deleted with a chat, and which data of the chat stays."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from ulid import ULID

from shared.chat.store import paths
from shared.chat.store.plans import encode_past_plan, encode_plan
from shared.memory.store import FirestoreMemories
from shared.privacy.jobs.erase_places import emptied_chat, is_before
from shared.recall.store.summaries import ChatSummary, FirestoreSummaries, SummarySpan
from shared.tasks.plan import TaskOrigin
from shared.turn.lookup import FIRST_SUMMARISED, SceneLookup
from shared.values.chat import Chat, ChatClaim, CurrentConversation, Locale, SupergroupMigration
from shared.values.chat_key import ChatKey
from shared.values.deletion import DeletionScope
from shared.values.evolve import evolve
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from tests.shared.examples import ANN, NOW, agent, plan_of, send
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.planning.prompt.scenes import scene
from tests.shared.privacy.jobs.leaving import HERS, MARK, ROOM, DeletionHarness, hers


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


async def keeps(harness: DeletionHarness, key: ChatKey, name: str, text: str) -> None:
    """Store a read update, a past plan and a memory in a chat."""
    client, now = harness.chats.client, harness.now()
    raw = json.dumps({"message": {"message_id": 1, "text": text}})
    update = {"raw": raw, "trace": "", "read": True, "received_at": now}
    await client.document(f"{paths.inbox_path(key)}/{name}").set(update)
    past = evolve(plan_of(send(text=text)), id=name, created_at=now)
    await client.document(paths.past_plan_path(key, name)).set(encode_past_plan(past))
    owner = MemoryOwner(scope=MemoryScope.CHAT, agent="lull", chat_id=key.chat_id)
    source = MemorySource(place="p", person=ANN.id)
    memory = Memory(id=name, text=text, scope=MemoryScope.CHAT, source=source, made_at=now, changed_at=now)
    await FirestoreMemories(client).change([MemoryChange(owner=owner, kept=(memory,))])


async def begun(harness: DeletionHarness, key: ChatKey, scope: DeletionScope) -> str:
    """Begin a deletion while the conversation to delete is the chat's current one."""
    await harness.says(key, hers(MARK, message_id=1))
    await keeps(harness, key, "old", MARK)
    name = await harness.asked(scope, key)
    seen = await harness.log.read(name)
    assert seen is not None
    await harness.log.save(seen, evolve(seen.deletion, cut=harness.now(), done=("files", "words")))
    return name


PLACES = [(HERS, DeletionScope.PERSON), (ROOM, DeletionScope.GROUP)]


@pytest.mark.parametrize(("key", "scope"), PLACES)
async def test_who_begins_another_conversation_meanwhile_keeps_that_and_nothing_older(
    harness: DeletionHarness, key: ChatKey, scope: DeletionScope
) -> None:
    name = await begun(harness, key, scope)
    await harness.says(key, hers("/new", message_id=2), leaves=True)
    begins = (await harness.chats.see(key)).chat.conversation
    await harness.runs(name)
    assert await harness.where(MARK) == []
    harness.minutes += 15
    await harness.says(key, hers("hello again", message_id=3))
    await keeps(harness, key, "new", "kept")
    harness.minutes += 6
    await harness.runs(name)
    assert (await harness.chats.see(key)).chat.conversation == begins
    assert await harness.spoken(begins) == [("Ann", "hello again")]
    assert len(await harness.where("kept")) == 3
    assert (await harness.deletion(name)).due_at is None


async def test_what_was_promised_before_is_not_said_after_another_conversation_began(harness: DeletionHarness) -> None:
    name = await begun(harness, HERS, DeletionScope.PERSON)
    await harness.says(HERS, hers("/new", message_id=2), leaves=True)
    past = TaskOrigin(plan=str(ULID.from_datetime(harness.now() - timedelta(hours=1))), task="1")
    old, new = plan_of(send("1", text=MARK), send("2", text="Tea!")).tasks
    standing = evolve(plan_of(), created_at=harness.now(), tasks=(evolve(old, kept_from=past), new))
    await harness.chats.client.document(paths.plan_path(HERS)).set(encode_plan(standing))
    await harness.runs(name)
    assert await harness.where(MARK) == []
    left = await harness.chats.plan(HERS)
    assert left is not None
    assert [one.task.id for one in left.tasks] == ["2"]


@pytest.mark.parametrize(
    ("key", "scope"), [*PLACES, (ROOM, DeletionScope.PERSON), (HERS, DeletionScope.CONVERSATION), (HERS, None)]
)
async def test_an_instance_that_had_read_a_summary_shows_it_no_more(
    harness: DeletionHarness, key: ChatKey, scope: DeletionScope | None
) -> None:
    """Without a scope, one conversation is deleted while another one is the chat's current one."""
    await harness.says(key, hers(MARK, message_id=1))
    conversation = (await harness.chats.see(key)).chat.conversation
    if scope is None:
        await harness.says(key, hers("/new", message_id=2), leaves=True)
    store, unused = FirestoreSummaries(harness.chats.client), cast(Any, None)
    await store.show(key.id, SummarySpan.WEEK, ChatSummary(text=MARK, made_at=harness.now()))
    lookup = SceneLookup(channel=unused, entities=unused, people=unused, access_lists=unused, summaries=store)

    async def shown() -> list[str]:
        stored = (await harness.chats.see(key)).chat
        chat = stored.with_part(evolve(stored.claim, generation=FIRST_SUMMARISED))
        found = await lookup.complete(scene(targets=[], agent=agent(), chat=chat, now=NOW))
        return [one.text for one in found.earlier.digests]

    assert await shown() == [MARK]
    if scope in {None, DeletionScope.CONVERSATION}:
        await harness.runs(await harness.asked(DeletionScope.CONVERSATION, key, conversation=conversation))
    else:
        await harness.runs(await harness.asked(scope, key))
    assert await shown() == []


def test_a_conversation_tells_when_it_began() -> None:
    one = f"conv-{ULID.from_datetime(NOW)}"
    assert is_before(one, NOW)
    assert not is_before(one, NOW - timedelta(seconds=1))
    assert is_before("conv-of-before", NOW)


def test_an_emptied_chat_keeps_no_words() -> None:
    said = Chat(
        key=HERS,
        title="T",
        topic="U",
        talk=CurrentConversation(conversation_title="V", seq=7),
        conversation="conv-1",
        locale=Locale(last_language="de"),
    )
    assert emptied_chat(
        evolve(said, claim=evolve(said.claim, generation=3), moves=evolve(said.moves, moved_from=-5))
    ) == Chat(key=HERS, claim=ChatClaim(generation=3), moves=SupergroupMigration(moved_from=-5))
