"""Tests of the notes of conversations in the Firestore emulator."""

from datetime import date, timedelta
from typing import Any

import pytest
from ulid import ULID

from shared.base.errors import WriteConflict
from shared.chat.store import paths
from shared.chat.store.inbox import FirestoreInbox
from shared.recall.store.notes import FirestoreNotes, NotesChange, NotesSnapshot
from shared.values.chat import Chat, Locale
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.notes import Notes, Observation, with_history
from tests.shared.examples import NOW


@pytest.fixture
def store(inbox: FirestoreInbox) -> FirestoreNotes:
    return FirestoreNotes(inbox.client)


async def has(store: FirestoreNotes, **fields: object) -> NotesSnapshot:
    """Store the document of a conversation as a tick does, and read its notes."""
    conversation = f"conv-{ULID()}"
    await store.client.document(paths.conversation_path(conversation)).set({"agent": "lull", **fields})
    seen = await store.read(conversation)
    assert seen is not None
    return seen


def observed(conversation: str, place: str, text: str, days: int = 0) -> Observation:
    made: dict[str, Any] = {"made_at": NOW + timedelta(days=days), "entries": (1, 2), "about": (5,), "agent": "lull"}
    return Observation(id=text, conversation=conversation, place=place, text=text, **made)


async def test_notes_are_written_at_once_and_read_back(store: FirestoreNotes) -> None:
    seen = await has(store, entries=3, turns=2, due_at=NOW, participants={"5": {"name": "Ann"}})
    place = f"lull.{seen.conversation}"
    made = evolve(seen.notes, abbreviation="They met.", noted_seq=3, topics=("a", "b"), due_at=None)
    made = with_history(made, seen.notes, NOW)
    assert len(made.history) == 2
    first, second = observed(seen.conversation, place, "old"), observed(seen.conversation, place, "new", days=1)
    await store.write(seen, NotesChange(notes=made, observations=(first, second)))
    now = await store.read(seen.conversation)
    assert now is not None
    assert now.notes == made
    assert await store.observations_of_place(place, 10) == [second, first]
    assert await store.observations_of_place(place, 1) == [second]
    document = (await store.client.document(paths.conversation_path(seen.conversation)).get()).to_dict() or {}
    assert document["participants"] == {"5": {"name": "Ann"}}
    assert "title" not in document


async def test_refuses_to_overwrite_a_concurrent_change(store: FirestoreNotes) -> None:
    seen = await has(store, entries=3)
    document = store.client.document(paths.conversation_path(seen.conversation))
    await document.set({"entries": 4}, merge=True)
    one = observed(seen.conversation, "lull.1", "never")
    with pytest.raises(WriteConflict):
        await store.write(seen, NotesChange(notes=seen.notes, observations=(one,)))
    assert not (await store.client.document(paths.observation_path(seen.conversation, "never")).get()).exists


async def test_marks_superseded_observations_without_rewriting_them(store: FirestoreNotes) -> None:
    seen = await has(store, entries=3)
    place = f"lull.{seen.conversation}"
    one = observed(seen.conversation, place, "Ann lives in Kyiv.")
    await store.write(seen, NotesChange(notes=seen.notes, observations=(one,)))
    again = await store.read(seen.conversation)
    assert again is not None
    over = evolve(one, superseded_on=date(2026, 5, 1), text="not written")
    await store.write(again, NotesChange(notes=again.notes, superseded=(over,)))
    assert await store.observations_of_place(place, 5) == [evolve(one, superseded_on=date(2026, 5, 1))]


async def test_removes_the_vector_of_replaced_text(store: FirestoreNotes) -> None:
    seen = await has(store, entries=3)
    embedded = evolve(seen.notes, abbreviation="A.", embedding_model="m")
    await store.write(seen, NotesChange(notes=embedded, vector=(0.6, 0.8)))
    document = store.client.document(paths.conversation_path(seen.conversation))
    assert list(((await document.get()).to_dict() or {})["embedding"]) == [0.6, 0.8]
    again = await store.read(seen.conversation)
    assert again is not None
    await store.write(again, NotesChange(notes=evolve(again.notes, due_at=NOW)))
    assert "embedding" in ((await document.get()).to_dict() or {})
    last = await store.read(seen.conversation)
    assert last is not None
    await store.write(last, NotesChange(notes=evolve(last.notes, embedding_model="")))
    assert "embedding" not in ((await document.get()).to_dict() or {})


async def test_skips_observations_of_unknown_shape(store: FirestoreNotes) -> None:
    place = f"lull.{ULID()}"
    await store.client.document(paths.observation_path("conv-x", str(ULID()))).set({"place": place, "made_at": NOW})
    assert await store.observations_of_place(place, 5) == []
    assert await store.read("conv-gone") is None
    assert Notes() == Notes.model_validate({})


async def test_reads_the_zone_of_the_person_or_the_group(store: FirestoreNotes, key: ChatKey) -> None:
    group = ChatKey(agent="lull", chat_id=-key.chat_id)
    assert (await store.zone(key), await store.zone(group)) == ("", "")
    await store.client.document(paths.person_path(key.chat_id)).set({"said_zone": "Europe/Kyiv"})
    await store.client.document(paths.chat_path(group)).set(
        Chat(key=group, locale=Locale(group_zone="Asia/Tokyo")).model_dump()
    )
    assert (await store.zone(key), await store.zone(group)) == ("Europe/Kyiv", "Asia/Tokyo")
    await store.client.document(paths.person_path(key.chat_id)).set({"zone": "Europe/Berlin"}, merge=True)
    assert await store.zone(key) == "Europe/Berlin"
