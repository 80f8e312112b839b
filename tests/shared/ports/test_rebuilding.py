"""The adapter serves the whole of the port of rebuilding."""

from shared.adapters.firestore.rebuilding import FirestoreRebuilding
from shared.ports import rebuilding
from tests.shared.ports.serving import assert_serves


def test_an_adapter_takes_the_calls_of_its_port() -> None:
    assert_serves(rebuilding.Rebuilding, FirestoreRebuilding)
