"""The adapters serve their whole ports."""

from shared.adapters.blobs import StorageBlobs
from shared.adapters.firestore.belongings import FirestoreBelongings
from shared.adapters.firestore.takeouts import FirestoreTakeouts
from shared.adapters.takeout_bucket import StorageTakeouts
from shared.ports.takeouts import Belongings, StoredMedia, TakeoutBucket, Takeouts
from tests.shared.ports.serving import assert_serves


def test_the_adapters_fit_the_ports() -> None:
    assert_serves(Takeouts, FirestoreTakeouts)
    assert_serves(Belongings, FirestoreBelongings)
    assert_serves(TakeoutBucket, StorageTakeouts)
    assert_serves(StoredMedia, StorageBlobs)
