"""The adapter serves its whole port."""

from shared.adapters.firestore.memories import FirestoreMemories
from shared.ports.memories import Memories
from tests.shared.ports.serving import assert_serves


def test_the_adapter_fits_the_port() -> None:
    assert_serves(Memories, FirestoreMemories)
