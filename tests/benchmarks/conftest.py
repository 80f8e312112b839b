"""A separate database of the worker's local cloud for each test."""

from collections.abc import AsyncIterator

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import LocalCloud
from shared.chat.store.chats import FirestoreChats
from tests.shared.new_chats import new_chats


@pytest.fixture
async def chats(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FirestoreChats]:
    """Yield the chats of a database that belongs to one test, so that other tests' data is neither counted nor
    searched.
    """
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    async with new_chats() as found:
        yield found


@pytest.fixture
def firestore(chats: FirestoreChats) -> AsyncClient:
    """Return the client of the same database, since measures read all of it."""
    return chats.client
