"""A forgotten person comes back before the second round. The second round leaves the person's new data."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from shared.chat.store import paths
from shared.chat.store.access_lists import FirestoreAccessLists
from shared.chat.store.chats import ChatCommit
from shared.media.store.media import encode_reference
from shared.memory.store import FirestoreMemories
from shared.values.deletion import DeletionScope
from shared.values.evolve import evolve
from shared.values.keyboard import Keyboard
from shared.values.media import MediaKind, MediaRef
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.reference import FileReference
from shared.values.trust import AdmittedGroup, AdmittedPerson
from tests.shared.examples import ANN
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, MARK, ROOM, DeletionHarness, hers, talk

ROOMS = MemoryOwner(scope=MemoryScope.CHAT, agent="lull", chat_id=ROOM.chat_id)


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


async def has(harness: DeletionHarness, name: str) -> None:
    """Store Ann's data in the group as a tick does: a file, a memory, buttons, a past plan, an incident."""
    client, now = harness.chats.client, harness.now()
    ref = MediaRef(kind=MediaKind.VOICE, file_id="f", unique_id=name)
    sent = FileReference(ref=ref, agent="lull", chat=ROOM.id, person=ANN.id, at=now, try_at=now)
    await client.document(paths.reference_path(sent.id)).set(encode_reference(sent))
    source = MemorySource(place="p", person=ANN.id)
    memory = Memory(id=name, text=name, scope=MemoryScope.CHAT, source=source, made_at=now, changed_at=now)
    await FirestoreMemories(client).change([MemoryChange(owner=ROOMS, kept=(memory,))])
    seen = await harness.chats.see(ROOM)
    board = Keyboard(id=name * 16, choices=(name,), people=(ANN.id,), at=now)
    kept = seen.chat.with_part(evolve(seen.chat.talk, keyboards=(*seen.chat.talk.keyboards, board)))
    await harness.chats.commit(seen, ChatCommit(chat=kept))
    plan = {"id": name, "created_at": now, "tasks": [{"state": "done", "people": [ANN.id]}]}
    await client.document(paths.past_plan_path(ROOM, name)).set(plan)
    await client.document(paths.incident_path(name)).set({"chat": ROOM.id, "at": now, "body": str(ANN.id)})


async def kept(harness: DeletionHarness) -> list[set[str]]:
    """Return the names of the stored things of each kind."""
    client, plans = harness.chats.client, harness.chats.client.document(paths.plan_path(ROOM)).collection(paths.PAST)
    return [
        {one.get("ref.unique_id") async for one in client.collection(paths.REFERENCES).stream()},
        {one.id for one in (await FirestoreMemories(client).of([ROOMS]))[ROOMS]},
        {one.id[0] for one in (await harness.chats.see(ROOM)).chat.talk.keyboards},
        {one.id async for one in plans.stream()},
        {one.id async for one in client.collection(paths.INCIDENTS).stream()},
    ]


@pytest.mark.parametrize("scope", [DeletionScope.PERSON, DeletionScope.GROUP])
async def test_what_a_group_keeps_of_them_since_stays(harness: DeletionHarness, scope: DeletionScope) -> None:
    await talk(harness)
    await has(harness, "o")
    name = await harness.asked(scope, HERS if scope is DeletionScope.PERSON else ROOM)
    await harness.runs(name)
    assert await kept(harness) == [set()] * 5
    harness.minutes += 15
    await harness.says(ROOM, hers("hello again", message_id=9, at=harness.now()))
    await has(harness, "n")
    harness.minutes += 6
    await harness.runs(name)
    assert await kept(harness) == [{"n"}] * 5
    assert (await harness.deletion(name)).due_at is None


async def test_who_is_let_in_again_stays_so(harness: DeletionHarness) -> None:
    await talk(harness)
    access_lists = FirestoreAccessLists(harness.chats.client, harness.now)
    await access_lists.let_in("lull", AdmittedPerson(id=ANN.id, name=MARK, since=harness.now(), by=1))
    name = await harness.asked()
    await harness.runs(name)
    assert (await access_lists.access_list("lull")).people == {}
    harness.minutes += 5
    await access_lists.let_in("lull", AdmittedPerson(id=ANN.id, name="Ann", since=harness.now(), by=1))
    harness.minutes += 16
    await harness.runs(name)
    assert list((await access_lists.access_list("lull")).people) == [ANN.id]


async def test_a_group_that_is_let_in_again_has_its_title(harness: DeletionHarness) -> None:
    await talk(harness)
    access_lists = FirestoreAccessLists(harness.chats.client, harness.now)
    await access_lists.let_group_in("lull", AdmittedGroup(chat_id=ROOM.chat_id, title=MARK, since=harness.now(), by=1))
    name = await harness.asked(DeletionScope.GROUP, ROOM)
    await harness.runs(name)
    assert (await access_lists.access_list("lull")).groups[ROOM.chat_id].title == ""
    harness.minutes += 5
    await access_lists.let_group_in(
        "lull", AdmittedGroup(chat_id=ROOM.chat_id, title="A room", since=harness.now(), by=1)
    )
    harness.minutes += 16
    await harness.runs(name)
    assert (await access_lists.access_list("lull")).groups[ROOM.chat_id].title == "A room"
