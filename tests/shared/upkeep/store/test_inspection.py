"""Reading documents as ticks write them, with a short timeout."""

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import uuid4

import pytest

from shared.base.errors import PlanUnreadable, StoreUnavailable
from shared.base.logs import about
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import FirestoreInbox
from shared.chat.store.paths import (
    conversation_path,
    media_path,
    past_plan_path,
    plan_path,
    reference_path,
    window_path,
)
from shared.upkeep.store.inspection import CALL_SECONDS, FirestoreInspection, InspectedUpdate, InspectedWindow
from shared.values.chat import Lease
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import MediaKind, MediaRef
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia
from tests.shared.chat.store.changes import change_of
from tests.shared.examples import KEY, NOW, SECOND, message_update, plan_of, said, send, update_of


@pytest.fixture
async def store(emulator: str) -> AsyncIterator[FirestoreInspection]:
    found = FirestoreInspection(emulator)
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


async def test_what_is_not_there_is_none(store: FirestoreInspection, key: ChatKey) -> None:
    assert await store.keys(key.chat_id) == []
    assert [await store.chat(key), await store.update(key, 1), await store.plan(key)] == [None] * 3
    assert await store.past_plan(key, "p") is None
    assert (await store.window(key), await store.newest_updates(key, 3)) == (InspectedWindow(), [])
    assert await store.newest_entries("conv-none") == ()


async def test_a_chat_is_read_as_a_tick_left_it(
    store: FirestoreInspection, chats: FirestoreChats, inbox: FirestoreInbox, key: ChatKey
) -> None:
    updates = [update_of(message_update(n), at=NOW + n * SECOND) for n in (1, 2)]
    updates = [replace(u, envelope=replace(u.envelope, key=key)) for u in updates]
    with about(trace="t1"):
        for update in updates:
            await inbox.add(update)
    held = await chats.claim(await chats.see(key), Lease(owner="tick-1", until=NOW))
    conversation, plan = f"conv-inspected{key.chat_id}", plan_of(send())
    chat = evolve(
        held.chat, talk=evolve(held.chat.talk, seq=2, turn=1, conversation_title="Tea"), conversation=conversation
    )
    entries = (said("a", seq=1), said("b", seq=2))
    change = change_of(chat, read=(1,), entries=entries, window=entries, plan=plan, conversation=True)
    await chats.commit(held, change)

    assert (await store.keys(key.chat_id), await store.chat(key), await store.plan(key)) == ([key], chat, plan)
    assert await store.window(key) == InspectedWindow(seq=2, entries=entries)
    assert await store.newest_entries(conversation) == entries
    read, unread = (InspectedUpdate(update=u, is_read=n == 1, trace="t1") for n, u in enumerate(updates, 1))
    assert await store.update(key, 1) == read
    assert await store.newest_updates(key, 5) == [unread, read]
    head = (await store.client.document(conversation_path(conversation)).get()).to_dict() or {}
    assert [head[name] for name in ("agent", "chat", "title", "turns")] == [key.agent, key.id, "Tea", 1]
    assert (head["entries"], head["updated_at"]) == (2, NOW)


async def test_a_plan_of_an_unknown_shape_is_told_without_its_words(store: FirestoreInspection, key: ChatKey) -> None:
    odd = {"id": "p", "steps": "what Ann wrote"}
    await store.client.document(plan_path(key)).set(odd)
    await store.client.document(past_plan_path(key, "p")).set(odd)
    for reading in (store.plan(key), store.past_plan(key, "p")):
        with pytest.raises(PlanUnreadable) as caught:
            await reading
        assert "Ann" not in str(caught.value)
        assert caught.value.__suppress_context__


async def test_of_a_window_what_only_a_newer_lull_knows_is_left_out(store: FirestoreInspection, key: ChatKey) -> None:
    entry = said("a", seq=1)
    entries = f'[{entry.model_dump_json()}, {{"type": "hologram", "seq": 2, "text": "b"}}]'
    kept = {"seq": 2, "entries": entries}
    await store.client.document(window_path(key)).set(kept)
    assert await store.window(key) == InspectedWindow(seq=2, entries=(entry,))
    await store.client.document(window_path(key)).set({"seq": 2, "entries": 7})
    assert await store.window(key) == InspectedWindow(seq=2)


async def test_a_store_that_is_away_is_told_soon(
    unused_tcp_port: int, key: ChatKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", f"127.0.0.1:{unused_tcp_port}")
    away = FirestoreInspection("p")
    began = time.monotonic()
    with pytest.raises(StoreUnavailable):
        await away.chat(key)
    assert time.monotonic() - began < CALL_SECONDS + 2
    away.client.close()  # type: ignore[no-untyped-call]


async def test_what_is_kept_of_files_is_read_by_their_ids(store: FirestoreInspection) -> None:
    ref = MediaRef(kind=MediaKind.VOICE, file_id="f", unique_id=f"inspected-{uuid4().hex}")
    reference = FileReference(ref=ref, agent="lull", chat=KEY.id, person=5, at=NOW, try_at=NOW, is_open=False)
    kept = StoredMedia(unique_id=ref.unique_id, kind=ref.kind, tries=2, next_try_at=NOW, updated_at=NOW)
    newer = f"{ref.unique_id}-newer"
    documents = {
        media_path(ref.unique_id): kept.model_dump(),
        media_path(newer): {"kind": "smell"},
        reference_path(reference.id): reference.model_dump(exclude={"is_open", "try_at", "message_ids"}),
    }
    for path, document in documents.items():
        await store.client.document(path).set(document)
    assert await store.kept_media([ref.unique_id, newer, "inspected-none"]) == {ref.unique_id: kept}
    assert await store.references([reference.id, "none"]) == {reference.id: reference}
    assert (await store.kept_media([]), await store.references([])) == ({}, {})
