"""Each adapter serves its whole port."""

import pytest

from shared.adapters.archive.folder import FolderArchive
from shared.adapters.archive.s3 import S3Archive
from shared.adapters.archive.storage import StorageArchive
from shared.adapters.firestore.incidents import FirestoreIncidents
from shared.adapters.firestore.restoring import FirestoreRestoring
from shared.adapters.firestore.sweep import FirestoreSweep
from shared.adapters.firestore.transcripts import FirestoreTranscripts
from shared.ports import upkeep
from tests.shared.ports.serving import assert_serves

SERVED = [
    (upkeep.LeftOvers, FirestoreSweep),
    (upkeep.Incidents, FirestoreIncidents),
    (upkeep.Transcripts, FirestoreTranscripts),
    (upkeep.Restoring, FirestoreRestoring),
    (upkeep.Archive, FolderArchive),
    (upkeep.Archive, StorageArchive),
    (upkeep.Archive, S3Archive),
]


@pytest.mark.parametrize(("port", "adapter"), SERVED, ids=lambda kind: kind.__name__)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
