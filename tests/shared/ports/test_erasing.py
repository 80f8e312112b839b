"""Each adapter serves its whole port."""

import pytest

from shared.adapters.archive.folder import FolderArchive
from shared.adapters.archive.s3 import S3Archive
from shared.adapters.archive.storage import StorageArchive
from shared.adapters.firestore.erasing import FirestoreErasing
from shared.adapters.firestore.erasing_finding import FirestoreFinding
from shared.adapters.firestore.erasing_media import FirestoreMediaErasing
from shared.adapters.firestore.erasures import FirestoreErasures
from shared.adapters.firestore.reminders import FirestoreReceipts
from shared.ports import erasing
from tests.shared.ports.serving import assert_serves

SERVED = [
    (erasing.Erasures, FirestoreErasures),
    (erasing.ErasureLog, FirestoreErasures),
    (erasing.Finding, FirestoreFinding),
    (erasing.Erasing, FirestoreErasing),
    (erasing.MediaErasing, FirestoreMediaErasing),
    (erasing.Receipts, FirestoreReceipts),
    *((erasing.ErasableArchive, one) for one in (FolderArchive, S3Archive, StorageArchive)),
]


@pytest.mark.parametrize(("port", "adapter"), SERVED)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
