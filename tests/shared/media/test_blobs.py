"""The media bucket, through the emulator."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from local.cloud import LocalCloud
from local.parts import MEDIA_BUCKET
from shared.base.errors import BlobsUnavailable
from shared.media.blobs import StorageBlobs
from shared.values.stored_media import StoredPart


@pytest.fixture
def blobs(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> Iterator[StorageBlobs]:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", cloud.storage_url)
    found = StorageBlobs(cloud.project, MEDIA_BUCKET)
    yield found
    found.client.close()


def part(name: str = "") -> StoredPart:
    return StoredPart(path=f"{name or uuid4().hex}/0", mime_type="image/jpeg", size=6)


async def test_a_part_is_stored_once_with_its_type(blobs: StorageBlobs) -> None:
    one = part()
    assert await blobs.get(one) is None
    await blobs.put(one, b"pixels")
    await blobs.put(one, b"others")
    assert await blobs.get(one) == b"pixels"
    stored = blobs.client.bucket(MEDIA_BUCKET).get_blob(one.path)
    assert (stored.content_type, stored.size) == ("image/jpeg", 6)


async def test_a_bucket_that_is_not_there_is_said(blobs: StorageBlobs) -> None:
    gone = StorageBlobs("p", "no-such-bucket")
    with pytest.raises(BlobsUnavailable, match=r"did not store a part of a file: there is none of that name$"):
        await gone.put(part(), b"what Ann sent")
    gone.client.close()


async def test_a_failure_tells_neither_what_was_stored_nor_where(
    cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", cloud.storage_url)
    strange = StorageBlobs("p", "a/b c")
    with pytest.raises(BlobsUnavailable) as refused:
        await strange.put(part("of-ann"), b"what Ann sent")
    assert "ann" not in str(refused.value).lower()
    strange.client.close()
