"""The adapter serves its whole port."""

from shared.adapters.firestore.invitations import FirestoreInvitations
from shared.ports.invitations import Invitations
from tests.shared.ports.serving import assert_serves


def test_the_adapter_fits_the_port() -> None:
    assert_serves(Invitations, FirestoreInvitations)
