"""The adapters serve the whole of their ports."""

import pytest

from shared.adapters.firestore.memberships import FirestoreMemberships
from shared.adapters.firestore.people import FirestoreEntities, FirestorePeople
from shared.ports import people
from tests.shared.ports.serving import assert_serves


@pytest.mark.parametrize(
    ("port", "adapter"),
    [
        (people.People, FirestorePeople),
        (people.Entities, FirestoreEntities),
        (people.Memberships, FirestoreMemberships),
    ],
    ids=lambda kind: kind.__name__,
)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
