"""The adapters serve their whole ports."""

import pytest

from shared.adapters.firestore.requests import FirestoreAccessRequests
from shared.adapters.firestore.rosters import FirestoreRosters
from shared.ports import trust
from tests.shared.ports.serving import assert_serves


@pytest.mark.parametrize(
    ("port", "adapter"), [(trust.Rosters, FirestoreRosters), (trust.AccessRequests, FirestoreAccessRequests)]
)
def test_an_adapter_fits_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
