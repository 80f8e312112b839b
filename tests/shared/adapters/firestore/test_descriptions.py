"""What stickers show, in the real Firestore."""

from datetime import datetime
from uuid import uuid4

import pytest

from shared.adapters.firestore.chats import FirestoreChats
from shared.adapters.firestore.descriptions import ASKED_AGAIN_AFTER, MOST, FirestoreDescriptions
from shared.adapters.firestore.paths import media_path
from tests.shared.values import NOW, SECOND


@pytest.fixture
def described() -> str:
    return f"described-{uuid4().hex}"


async def test_a_description_is_read_once_and_a_missing_one_every_hour(chats: FirestoreChats, described: str) -> None:
    now, later = [NOW], f"{described}-later"

    def clock() -> datetime:
        return now[0]

    adapter = FirestoreDescriptions(chats.client, clock)
    await chats.client.document(media_path(described)).set({"description": "a cat", "kind": "sticker"})
    assert await adapter.descriptions([described, later, described]) == {described: "a cat"}
    for name, text in ((described, "a dog"), (later, "a fox")):
        await chats.client.document(media_path(name)).set({"description": text})
    now[0] += ASKED_AGAIN_AFTER - SECOND
    assert await adapter.descriptions([described, later]) == {described: "a cat"}
    now[0] += SECOND
    assert await adapter.descriptions([described, later]) == {described: "a cat", later: "a fox"}
    assert await FirestoreDescriptions(chats.client, clock).descriptions([described]) == {described: "a dog"}


async def test_what_has_no_description_has_none(chats: FirestoreChats, described: str) -> None:
    await chats.client.document(media_path(described)).set({"outcome": "failed", "description": ""})
    assert await FirestoreDescriptions(chats.client, lambda: NOW).descriptions([described]) == {}


async def test_no_more_are_read_than_an_agent_lists(chats: FirestoreChats, described: str) -> None:
    await chats.client.document(media_path(described)).set({"description": "a cat"})
    many = [f"{described}-{number}" for number in range(MOST)]
    assert await FirestoreDescriptions(chats.client, lambda: NOW).descriptions([*many, described]) == {}
