"""An archive in Cloud Storage, through the emulator."""

import itertools
import os

import pytest

from local.cloud import LocalCloud
from local.parts import ARCHIVE_BUCKET
from shared.base.errors import ArchiveUnavailable
from shared.upkeep.archives.storage import StorageArchive

_numbers = itertools.count(1)


@pytest.fixture
def archive(cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch) -> StorageArchive:
    """Make an archive under a new prefix in the bucket."""
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", cloud.storage_url)
    return StorageArchive(cloud.project, ARCHIVE_BUCKET, f"/test-{os.getpid()}-{next(_numbers)}/")


async def test_a_file_is_given_as_it_was_stored_last(archive: StorageArchive) -> None:
    assert await archive.names() == []
    await archive.put("conversations/2026/b.jsonl", "Grüße\n".encode())
    await archive.put("conversations/2026/b.jsonl", "Grüße 2\n".encode())
    await archive.put("conversations/2025/a.jsonl", b"\n")
    assert await archive.names() == ["conversations/2025/a.jsonl", "conversations/2026/b.jsonl"]
    assert (await archive.get("conversations/2026/b.jsonl")).decode() == "Grüße 2\n"
    assert archive.url == f"gs://{ARCHIVE_BUCKET}/{archive.prefix[:-1]}"
    archive.client.close()


async def test_a_bucket_or_a_file_that_is_not_there_is_said(archive: StorageArchive) -> None:
    with pytest.raises(ArchiveUnavailable, match=r"did not give a file: there is no such bucket or file"):
        await archive.get("x.jsonl")
    other = StorageArchive("p", "no-such-bucket")
    with pytest.raises(ArchiveUnavailable, match=r"^gs://no-such-bucket did not store a file: there is no such bucket"):
        await other.put("x.jsonl", b"what Ann said")
    archive.client.close()
    other.client.close()


async def test_a_file_that_cannot_be_stored_is_said_without_what_is_in_it(archive: StorageArchive) -> None:
    with pytest.raises(ArchiveUnavailable) as refused:
        await StorageArchive("p", "a/b c").put("x.jsonl", b"what Ann said")
    assert "Ann" not in str(refused.value)
