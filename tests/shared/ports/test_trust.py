"""The adapter serves its whole port."""

from shared.adapters.firestore.rosters import FirestoreRosters
from shared.ports.trust import Rosters
from tests.shared.ports.serving import assert_serves


def test_the_adapter_fits_the_port() -> None:
    assert_serves(Rosters, FirestoreRosters)
