"""A database without documents for each test, since deletions search whole collections."""

from collections.abc import AsyncIterator

import pytest

from shared.chat.store.chats import FirestoreChats
from tests.shared.new_chats import new_chats


@pytest.fixture
async def chats(emulator: str) -> AsyncIterator[FirestoreChats]:
    async with new_chats() as chats:
        yield chats
