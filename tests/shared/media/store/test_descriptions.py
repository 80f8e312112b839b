"""Descriptions in the real Firestore."""

from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.paths import media_path
from shared.media.store.descriptions import ASKED_AGAIN_AFTER, MOST, FirestoreDescriptions
from shared.media.store.media import encode_media
from shared.values.evolve import evolve
from shared.values.media import CURATED, Description, DescriptionOutcome, MediaKind
from shared.values.stored_media import StoredMedia
from tests.shared.examples import NOW, SECOND

CAT, DOG, FOX = (Description(outcome=DescriptionOutcome.DESCRIBED, shows=text) for text in ("a cat", "a dog", "a fox"))


@pytest.fixture
def name() -> str:
    return f"described-{uuid4().hex}"


async def keep(chats: FirestoreChats, unique_id: str, description: Description | None, **more: Any) -> None:
    media = StoredMedia(unique_id=unique_id, kind=MediaKind.STICKER, description=description, updated_at=NOW, **more)
    await chats.client.document(media_path(unique_id)).set(encode_media(media))


async def test_a_sticker_is_read_once_and_a_missing_one_every_hour(chats: FirestoreChats, name: str) -> None:
    now, later = [NOW], f"{name}-later"

    def clock() -> datetime:
        return now[0]

    adapter = FirestoreDescriptions(chats.client, clock)
    await keep(chats, name, CAT)
    assert await adapter.of_stickers([name, later, name]) == ({name: CAT}, [later])
    await keep(chats, name, DOG)
    await keep(chats, later, FOX)
    now[0] += ASKED_AGAIN_AFTER - SECOND
    assert await adapter.of_stickers([name, later]) == ({name: CAT}, ())
    assert await adapter.of_files([name, later, ""]) == {name: DOG, later: FOX}, "what people sent is read each time"
    now[0] += SECOND
    assert await adapter.of_stickers([name, later]) == ({name: CAT, later: FOX}, [])


async def test_what_could_not_be_described_is_looked_up_again(chats: FirestoreChats, name: str) -> None:
    now = [NOW]
    adapter = FirestoreDescriptions(chats.client, lambda: now[0])
    failed = Description(outcome=DescriptionOutcome.PERMANENT_FAILURE, why="So it is.")
    await keep(chats, name, failed)
    assert (await adapter.of_stickers([name]))[0] == {name: failed}
    await keep(chats, name, None)  # the claim is released
    now[0] += ASKED_AGAIN_AFTER - SECOND
    assert (await adapter.of_stickers([name]))[0] == {name: failed}
    now[0] += SECOND
    assert await adapter.of_stickers([name]) == ({}, [])
    await keep(chats, name, CAT)
    now[0] += ASKED_AGAIN_AFTER
    assert (await adapter.of_stickers([name]))[0] == {name: CAT}


@pytest.mark.parametrize("outcome", DescriptionOutcome)
async def test_only_what_is_final_is_known(chats: FirestoreChats, name: str, outcome: DescriptionOutcome) -> None:
    found = Description(outcome=outcome, why="So it is.")
    await keep(chats, name, found, next_try_at=None if outcome.is_final else NOW)
    adapter = FirestoreDescriptions(chats.client, lambda: NOW)
    assert await adapter.of_files([name]) == ({name: found} if outcome.is_final else {})
    assert (await adapter.of_stickers([name]))[1] == [], "it waits, and need not be asked for"


async def test_what_is_begun_is_not_known(chats: FirestoreChats, name: str) -> None:
    await keep(chats, name, None, tries=1, claimed_until=NOW)
    assert await FirestoreDescriptions(chats.client, lambda: NOW).of_files([name]) == {}


async def test_what_somebody_wrote_by_hand_is_known(chats: FirestoreChats, name: str) -> None:
    await chats.client.document(media_path(name)).set({"description": "a cat", "kind": "sticker"})
    adapter = FirestoreDescriptions(chats.client, lambda: NOW)
    written = {name: evolve(CAT, source=CURATED)}
    assert await adapter.of_files([name]) == written
    assert await adapter.of_stickers([name]) == (written, [])


@pytest.mark.parametrize("description", ["", 7])
async def test_what_another_version_kept_is_as_good_as_nothing(
    chats: FirestoreChats, name: str, description: object
) -> None:
    await chats.client.document(media_path(name)).set({"description": description, "kind": "sticker"})
    adapter = FirestoreDescriptions(chats.client, lambda: NOW)
    assert await adapter.of_files([name]) == {}
    assert await adapter.of_stickers([name]) == ({}, [name])


async def test_no_more_are_read_than_an_agent_lists(chats: FirestoreChats, name: str) -> None:
    await keep(chats, name, CAT)
    many = [f"{name}-{number}" for number in range(MOST)]
    adapter = FirestoreDescriptions(chats.client, lambda: NOW)
    assert await adapter.of_files([*many, name]) == {}
    assert (await adapter.of_stickers([*many, name]))[0] == {}
