"""What serves the ports of media."""

import pytest

from shared.adapters.blobs import StorageBlobs
from shared.adapters.firestore.descriptions import FirestoreDescriptions
from shared.adapters.firestore.media import FirestoreMedia
from shared.adapters.firestore.media_upkeep import FirestoreMediaUpkeep
from shared.adapters.telegram.downloads import TelegramDownloads
from shared.describing.by_model import ByModel
from shared.describing.known import KnownMedia
from shared.describing.sources import Budget, Chain, Curated, Kept, Nothing
from shared.executing.making import FileMaker
from shared.ports import media
from tests.shared.ports.serving import assert_serves


@pytest.mark.parametrize(
    ("port", "adapter"),
    [
        (media.Descriptions, KnownMedia),
        (media.KeptDescriptions, FirestoreDescriptions),
        (media.MediaRequests, FirestoreMedia),
        (media.MediaStore, FirestoreMedia),
        (media.MediaUpkeep, FirestoreMediaUpkeep),
        (media.Downloads, TelegramDownloads),
        (media.Blobs, StorageBlobs),
        (media.Maker, FileMaker),
        *((media.MediaSource, source) for source in (Chain, Curated, Kept, Budget, Nothing, ByModel)),
    ],
)
def test_an_adapter_takes_the_calls_of_its_port(port: type, adapter: type) -> None:
    assert_serves(port, adapter)
