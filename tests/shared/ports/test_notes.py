"""Each adapter serves its whole port."""

import pytest

from shared.adapters.firestore.notes import FirestoreNotes
from shared.adapters.firestore.sweep import FirestoreSweep
from shared.ports import notes
from tests.shared.ports.serving import assert_serves


@pytest.mark.parametrize(("port", "adapter"), [(notes.DueNotes, FirestoreSweep), (notes.NotesStore, FirestoreNotes)])
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
