"""A forgotten person comes back before the second round: what is new stays."""

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
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, MARK, ROOM, LeavingTown, hers, talk
from tests.shared.towns import town

ROOMS = MemoryOwner(scope=MemoryScope.CHAT, agent="lull", chat_id=ROOM.chat_id)


@pytest.fixture
async def here(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[LeavingTown]:
    async with AsyncExitStack() as stack:
        yield LeavingTown(await stack.enter_async_context(town()), paused_queue, tmp_path)


async def has(here: LeavingTown, name: str) -> None:
    """Store what a tick keeps of Ann in the group: a file, a memory, buttons, a past plan, an incident."""
    client, now = here.chats.client, here.now()
    ref = MediaRef(kind=MediaKind.VOICE, file_id="f", unique_id=name)
    sent = FileReference(ref=ref, agent="lull", chat=ROOM.id, person=ANN.id, at=now, try_at=now)
    await client.document(paths.reference_path(sent.id)).set(encode_reference(sent))
    source = MemorySource(place="p", person=ANN.id)
    memory = Memory(id=name, text=name, scope=MemoryScope.CHAT, source=source, made_at=now, changed_at=now)
    await FirestoreMemories(client).change([MemoryChange(owner=ROOMS, kept=(memory,))])
    seen = await here.chats.see(ROOM)
    board = Keyboard(id=name * 16, choices=(name,), people=(ANN.id,), at=now)
    kept = seen.chat.with_part(evolve(seen.chat.talk, keyboards=(*seen.chat.talk.keyboards, board)))
    await here.chats.commit(seen, ChatCommit(chat=kept))
    plan = {"id": name, "created_at": now, "tasks": [{"state": "done", "people": [ANN.id]}]}
    await client.document(paths.past_plan_path(ROOM, name)).set(plan)
    await client.document(paths.incident_path(name)).set({"chat": ROOM.id, "at": now, "body": str(ANN.id)})


async def kept(here: LeavingTown) -> list[set[str]]:
    """Return the stored things of each kind by name."""
    client, plans = here.chats.client, here.chats.client.document(paths.plan_path(ROOM)).collection(paths.PAST)
    return [
        {one.get("ref.unique_id") async for one in client.collection(paths.REFERENCES).stream()},
        {one.id for one in (await FirestoreMemories(client).of([ROOMS]))[ROOMS]},
        {one.id[0] for one in (await here.chats.see(ROOM)).chat.talk.keyboards},
        {one.id async for one in plans.stream()},
        {one.id async for one in client.collection(paths.INCIDENTS).stream()},
    ]


@pytest.mark.parametrize("scope", [DeletionScope.PERSON, DeletionScope.GROUP])
async def test_what_a_group_keeps_of_them_since_stays(here: LeavingTown, scope: DeletionScope) -> None:
    await talk(here)
    await has(here, "o")
    name = await here.asked(scope, HERS if scope is DeletionScope.PERSON else ROOM)
    await here.runs(name)
    assert await kept(here) == [set()] * 5
    here.minutes += 15
    await here.says(ROOM, hers("hello again", message_id=9, at=here.now()))
    await has(here, "n")
    here.minutes += 6
    await here.runs(name)
    assert await kept(here) == [{"n"}] * 5
    assert (await here.deletion(name)).due_at is None


async def test_who_is_let_in_again_stays_so(here: LeavingTown) -> None:
    await talk(here)
    access_lists = FirestoreAccessLists(here.chats.client, here.now)
    await access_lists.let_in("lull", AdmittedPerson(id=ANN.id, name=MARK, since=here.now(), by=1))
    name = await here.asked()
    await here.runs(name)
    assert (await access_lists.access_list("lull")).people == {}
    here.minutes += 5
    await access_lists.let_in("lull", AdmittedPerson(id=ANN.id, name="Ann", since=here.now(), by=1))
    here.minutes += 16
    await here.runs(name)
    assert list((await access_lists.access_list("lull")).people) == [ANN.id]


async def test_a_group_that_is_let_in_again_has_its_title(here: LeavingTown) -> None:
    await talk(here)
    access_lists = FirestoreAccessLists(here.chats.client, here.now)
    await access_lists.let_group_in("lull", AdmittedGroup(chat_id=ROOM.chat_id, title=MARK, since=here.now(), by=1))
    name = await here.asked(DeletionScope.GROUP, ROOM)
    await here.runs(name)
    assert (await access_lists.access_list("lull")).groups[ROOM.chat_id].title == ""
    here.minutes += 5
    await access_lists.let_group_in("lull", AdmittedGroup(chat_id=ROOM.chat_id, title="A room", since=here.now(), by=1))
    here.minutes += 16
    await here.runs(name)
    assert (await access_lists.access_list("lull")).groups[ROOM.chat_id].title == "A room"
