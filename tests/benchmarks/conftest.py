"""A database of the worker's local cloud that nothing else is kept in."""

from collections.abc import AsyncIterator

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import LocalCloud
from shared.chat.store.chats import FirestoreChats
from tests.shared.new_chats import new_chats


@pytest.fixture
async def chats(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FirestoreChats]:
    """The tick's part of a database of one test's own: what others keep in theirs is neither counted nor searched."""
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)
    async with new_chats() as found:
        yield found


@pytest.fixture
def firestore(chats: FirestoreChats) -> AsyncClient:
    """The same database: measures look at all that there is."""
    return chats.client
