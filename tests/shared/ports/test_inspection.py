"""The adapter serves its whole port."""

from shared.adapters.firestore.inspection import FirestoreInspection
from shared.ports.inspection import Inspection
from tests.shared.ports.serving import assert_serves


def test_the_adapter_takes_the_calls_of_its_port() -> None:
    assert_serves(Inspection, FirestoreInspection)
