"""The read model's part of Firestore, over the worker's local cloud."""

from collections.abc import AsyncIterator

import pytest

from shared.adapters.firestore.inspection import FirestoreInspection


@pytest.fixture
async def store(emulator: str) -> AsyncIterator[FirestoreInspection]:
    """What is read for whoever looks."""
    found = FirestoreInspection(emulator)
    yield found
    found.client.close()  # type: ignore[no-untyped-call]
