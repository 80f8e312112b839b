"""What a group keeps of who was forgotten in it: that somebody spoke."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from shared.adapters.firestore import paths
from shared.adapters.firestore.memories import FirestoreMemories
from shared.models.keyboard import Keyboard
from shared.models.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.ports.chats import Change
from tests.shared.adapters.towns import town
from tests.shared.flows.leaving import MARK, ROOM, LeavingTown, talk
from tests.shared.paused_queue import PausedQueue
from tests.shared.values import ANN, BOB, NOW


@pytest.fixture
async def here(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[LeavingTown]:
    async with AsyncExitStack() as stack:
        yield LeavingTown(await stack.enter_async_context(town()), paused_queue, tmp_path)


def memory(name: str, person: int, text: str) -> Memory:
    source = MemorySource(place="lull.-1", person=person)
    return Memory(id=name, text=text, scope=MemoryScope.CHAT, source=source, made_at=NOW, changed_at=NOW)


async def test_what_was_learned_of_a_group_from_them_goes_and_what_others_said_stays(here: LeavingTown) -> None:
    await talk(here)
    owner = MemoryOwner(scope=MemoryScope.CHAT, agent="lull", chat_id=ROOM.chat_id)
    kept = (memory("a", ANN.id, "tea"), memory("b", BOB.id, "milk"), memory("c", BOB.id, f"they like {MARK}"))
    memories = FirestoreMemories(here.chats.client)
    await memories.change([MemoryChange(owner=owner, kept=kept)])
    await here.forgets()
    assert [one.id for one in (await memories.of([owner]))[owner]] == ["b"]


async def test_buttons_and_titles_of_theirs_go_from_the_chat(here: LeavingTown) -> None:
    await talk(here)
    seen = await here.chats.see(ROOM)
    at = here.now()
    boards = (
        Keyboard(id="a" * 16, choices=("yes",), people=(ANN.id,), at=at),
        Keyboard(id="b" * 16, choices=("no",), people=(BOB.id,), at=at),
    )
    named = {"keyboards": boards, "conversation_title": MARK, "title": "A room"}
    await here.chats.commit(seen, Change(chat=seen.chat.model_copy(update=named)))
    await here.forgets()
    chat = (await here.chats.see(ROOM)).chat
    assert ([one.id[0] for one in chat.keyboards], chat.conversation_title, chat.title) == (["b"], "", "A room")


async def test_what_is_made_of_a_conversation_is_made_again(here: LeavingTown) -> None:
    _, room, _ = await talk(here)
    document = here.chats.client.document(paths.conversation_path(room.conversation))
    made = {"abbreviation": MARK, "topics": [MARK], "title": MARK, "noted_seq": 4, "due_at": None}
    await document.set(made, merge=True)
    await here.chats.client.document(paths.observation_path(room.conversation, "o")).set({"text": MARK})
    await here.forgets()
    known = await here.document(paths.conversation_path(room.conversation))
    assert (known["abbreviation"], known["topics"], known["title"], known["noted_seq"]) == ("", [], "", 0)
    assert (known["people"], list(known["participants"])) == ([BOB.id], [str(BOB.id)])
    assert known["due_at"] is not None
    assert await here.where(MARK) == []
