"""Descriptions that an agent's owner wrote, in the real Firestore."""

from datetime import datetime

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.media.sources import CuratedEditSource
from shared.media.store.curations import FRESH_EDITS, CuratedEdit, FirestoreCurations
from shared.values.chat_key import ChatKey
from shared.values.media import MediaKind, MediaRef
from shared.values.reference import FileReference
from tests.shared.examples import NOW, SECOND


def edit(unique_id: str, text: str = "Our frog.") -> CuratedEdit:
    return CuratedEdit(unique_id=unique_id, kind=MediaKind.PHOTO, description=text, by=7, edited_at=NOW)


async def test_edits_of_an_agent_are_kept_and_deleted_one_by_one(chats: FirestoreChats, key: ChatKey) -> None:
    agent, store = f"agent{key.chat_id}", FirestoreCurations(chats.client, lambda: NOW)
    assert await store.of_agent(agent) == {}
    await store.keep(agent, edit("AgAD-1_x"))
    await store.keep(agent, edit("AgAD2"))
    await store.keep(agent, edit("AgAD2", "A frog with a hat."))
    assert await store.of_agent(agent) == {"AgAD-1_x": edit("AgAD-1_x"), "AgAD2": edit("AgAD2", "A frog with a hat.")}
    await store.delete(agent, "AgAD-1_x")
    assert list(await store.of_agent(agent)) == ["AgAD2"]
    assert await FirestoreCurations(chats.client, lambda: NOW).of_agent("another") == {}


async def test_they_are_read_once_a_minute(chats: FirestoreChats, key: ChatKey) -> None:
    now, agent = [NOW], f"agent{key.chat_id}"

    def clock() -> datetime:
        return now[0]

    store, other = FirestoreCurations(chats.client, clock), FirestoreCurations(chats.client, clock)
    assert await store.of_agent(agent) == {}
    await other.keep(agent, edit("AgAD2"))
    now[0] += FRESH_EDITS - SECOND
    assert await store.of_agent(agent) == {}
    now[0] += SECOND
    assert list(await store.of_agent(agent)) == ["AgAD2"]


async def test_what_this_version_cannot_read_is_left_out(chats: FirestoreChats, key: ChatKey) -> None:
    agent = f"agent{key.chat_id}"
    stored = {"edits": {"bad": {"description": ""}, "good": edit("good").model_dump()}}
    await chats.client.document(paths.curations_path(agent)).set(stored)
    assert list(await FirestoreCurations(chats.client, lambda: NOW).of_agent(agent)) == ["good"]


async def test_a_run_takes_the_owner_s_words(chats: FirestoreChats, key: ChatKey) -> None:
    agent, store = f"agent{key.chat_id}", FirestoreCurations(chats.client, lambda: NOW)
    await store.keep(agent, edit("AgAD2"))
    ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id="AgAD2")
    source = CuratedEditSource(store)
    found = await source.describe(FileReference(ref=ref, agent=agent, at=NOW, try_at=NOW))
    assert (found.shows if found else "") == "Our frog."
    assert await source.describe(FileReference(ref=ref, agent="another", at=NOW, try_at=NOW)) is None
