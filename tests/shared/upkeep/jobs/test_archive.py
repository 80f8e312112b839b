"""Archiving changed transcripts, in limited runs that continue from a cursor after any failure. Firestore is the
emulator.
"""

import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.base.errors import ArchiveUnavailable
from shared.chat.archive import Archive
from shared.chat.archive_names import deletion_name_of, is_deletion, name_of
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.transcripts import FirestoreTranscripts
from shared.privacy.store.deletions import FirestoreDeletions
from shared.upkeep.archives.folder import FolderArchive
from shared.upkeep.jobs.archive import ArchiveLimits, Archiver, archive
from shared.upkeep.jobs.restore import read_transcript
from shared.values.deletion import Deletion, DeletionScope
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from tests.shared.new_chats import new_chats, talk

JOB_RUN = JobRun(scheduled_for="3 a.m.")


@pytest.fixture
async def chats(emulator: str) -> AsyncIterator[FirestoreChats]:
    """Make a database for this test."""
    async with new_chats() as found:
        yield found


@pytest.fixture
async def transcripts(chats: FirestoreChats) -> AsyncIterator[FirestoreTranscripts]:
    found = FirestoreTranscripts(str(chats.client.project))
    yield found
    found.client.close()  # type: ignore[no-untyped-call]


def later() -> datetime:
    """Return a time at which all commits are visible."""
    return datetime.now(UTC) + timedelta(minutes=1)


def archiver(transcripts: FirestoreTranscripts, *archives: Archive, **more: Any) -> Archiver:
    deletions = FirestoreDeletions(transcripts.client)
    return Archiver(
        **{"transcripts": transcripts, "deletions": deletions, "archives": archives, "clock": later, **more}
    )


def never(number: int, what: str) -> None:
    raise AssertionError(f"line {number} {what}")


async def test_what_changed_is_written_and_nothing_twice(
    chats: FirestoreChats, transcripts: FirestoreTranscripts, tmp_path: Path
) -> None:
    first, second = [await talk(chats, number, "Hi", "Hello!") for number in (1, 2)]
    place = FolderArchive(tmp_path)
    assert await archive(archiver(transcripts, place), JOB_RUN) == {place.url: 2}
    assert await place.names() == sorted([name_of(first), name_of(second)])
    assert await archive(archiver(transcripts, place), JOB_RUN) == Counter()
    await talk(chats, 1, "How are you?")
    (tmp_path / name_of(second)).unlink()
    assert await archive(archiver(transcripts, place), JOB_RUN) == {place.url: 1}
    assert await place.names() == [name_of(first)]
    found = read_transcript(await place.get(name_of(first)), never)
    assert found == await transcripts.read(first)
    assert [getattr(entry, "text", "") for entry in found.entries] == ["Hi", "Hello!", "How are you?"]


async def test_what_is_being_written_waits_for_the_next_run(
    chats: FirestoreChats, transcripts: FirestoreTranscripts, tmp_path: Path
) -> None:
    await talk(chats, 1, "Hi")
    place = FolderArchive(tmp_path)
    assert await archive(archiver(transcripts, place, clock=lambda: datetime.now(UTC)), JOB_RUN) == Counter()
    assert await archive(archiver(transcripts, place), JOB_RUN) == {place.url: 1}


@pytest.mark.parametrize(
    "limits", [ArchiveLimits(conversations=2, page=1), ArchiveLimits(lasting=timedelta(0), page=2)]
)
async def test_a_bounded_run_is_gone_on_with_by_the_next(
    chats: FirestoreChats, transcripts: FirestoreTranscripts, tmp_path: Path, limits: ArchiveLimits
) -> None:
    for number in range(5):
        await talk(chats, number, "Hi")
    place = FolderArchive(tmp_path)
    counts = [(await archive(archiver(transcripts, place, limits=limits), JOB_RUN)).total() for _ in range(4)]
    assert counts == [2, 2, 1, 0]
    assert len(await place.names()) == 5


async def test_another_archive_begins_with_everything(
    chats: FirestoreChats, transcripts: FirestoreTranscripts, tmp_path: Path
) -> None:
    await talk(chats, 1, "Hi")
    here, there = FolderArchive(tmp_path / "here"), FolderArchive(tmp_path / "there")
    await archive(archiver(transcripts, here), JOB_RUN)
    assert await archive(archiver(transcripts, here, there), JOB_RUN) == {there.url: 1}
    assert await there.names() == await here.names()


async def test_an_archive_that_fails_keeps_no_other_waiting_and_misses_nothing(
    chats: FirestoreChats, transcripts: FirestoreTranscripts, tmp_path: Path
) -> None:
    await talk(chats, 1, "Hi")
    broken, whole = FolderArchive(tmp_path / "file"), FolderArchive(tmp_path / "whole")
    broken.folder.write_text("in the way")
    with pytest.raises(ArchiveUnavailable, match="cannot be written"):
        await archive(archiver(transcripts, broken, whole), JOB_RUN)
    assert len(await whole.names()) == 1
    broken.folder.unlink()
    assert await archive(archiver(transcripts, broken, whole), JOB_RUN) == {broken.url: 1}


async def test_one_that_cannot_be_read_keeps_no_other_from_being_archived(
    chats: FirestoreChats, transcripts: FirestoreTranscripts, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    odd, other = [await talk(chats, number, "a secret") for number in (1, 2)]
    page = chats.client.document(f"conversations/{odd}/messages/0000000001")
    await page.set({"first_seq": 1, "entries": [{"type": "message", "text": "a secret"}]})
    place = FolderArchive(tmp_path)
    assert await archive(archiver(transcripts, place), JOB_RUN) == {place.url: 1, "unreadable": 1}
    assert await place.names() == [name_of(other)]
    assert odd in caplog.text
    assert "a secret" not in caplog.text


async def test_a_run_that_dies_repeats_no_more_than_a_page(
    chats: FirestoreChats, transcripts: FirestoreTranscripts, tmp_path: Path
) -> None:
    for number in range(5):
        await talk(chats, number, "Hi")
    place = _Failing(tmp_path, after=3)
    with pytest.raises(ArchiveUnavailable):
        await archive(archiver(transcripts, place, limits=ArchiveLimits(page=2)), JOB_RUN)
    place.after = 99
    assert await archive(archiver(transcripts, place, limits=ArchiveLimits(page=2)), JOB_RUN) == {place.url: 3}
    assert sorted(set(place.stored)) == await place.names()
    assert len(place.stored) == 6


class _Failing(FolderArchive):
    """A folder on a disk that is full after some files."""

    def __init__(self, folder: Path, after: int) -> None:
        super().__init__(folder)
        self.after = after
        self.stored: list[str] = []

    async def put(self, name: str, content: bytes) -> None:
        if len(self.stored) >= self.after:
            raise ArchiveUnavailable("the disk is full")
        await super().put(name, content)
        self.stored.append(name)

    async def names(self) -> Sequence[str]:
        return await super().names()


async def test_who_was_forgotten_is_archived_once_and_nothing_that_they_said(
    transcripts: FirestoreTranscripts, tmp_path: Path
) -> None:
    place, asked = FolderArchive(tmp_path), datetime(2026, 3, 1, tzinfo=UTC)
    deletion = Deletion(
        id="e1", scope=DeletionScope.PERSON, person=7, chat="lull:7", language="de", asked_at=asked, due_at=None,
        changed=("conv-x",), counts={"entries": 3},
    )  # fmt: skip
    log = FirestoreDeletions(transcripts.client)
    await log.keep(deletion)
    await archive(archiver(transcripts, place), JOB_RUN)
    (name,) = await place.names()
    assert is_deletion(name)
    assert json.loads(await place.get(name)) == {
        "type": "erasure", "id": "e1", "scope": "person", "person": 7, "chat": "lull:7", "conversation": "",
        "asked_at": "2026-03-01T00:00:00Z", "cut": "2026-03-01T00:00:00Z",
    }  # fmt: skip
    (tmp_path / name).unlink()
    await archive(archiver(transcripts, place), JOB_RUN)
    assert await place.names() == []
    await log.keep(evolve(deletion, id="e2", asked_at=asked + timedelta(days=1)))
    await archive(archiver(transcripts, place), JOB_RUN)
    assert await place.names() == [deletion_name_of("e2")]
