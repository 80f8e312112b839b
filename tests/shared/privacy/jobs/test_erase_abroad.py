"""Deletions from an archive in another cloud, with only those rights that Terraform gives there."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from shared.chat.archive_names import deletion_name_of, name_of
from shared.privacy.jobs.erase import REFUSED, erase
from shared.upkeep.archives.s3 import S3Archive
from shared.upkeep.jobs.archive import Archiver, archive
from shared.values.deletion import Deletion
from shared.values.job_run import JobRun
from tests.shared.aws import ArchiveAbroad, aws
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import MARK, ROOM, DeletionHarness, hers, talk


@pytest.fixture(scope="module")
def amazon() -> Iterator[str]:
    with aws() as url:
        yield url


@pytest.fixture
def abroad(amazon: str) -> ArchiveAbroad:
    return ArchiveAbroad(amazon)


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


async def archives(harness: DeletionHarness, abroad: ArchiveAbroad) -> None:
    """Run the nightly job with the role that may store files."""
    later = harness.now() + timedelta(minutes=1)
    archiver = Archiver(
        transcripts=harness.transcripts,
        deletions=harness.log,
        archives=[abroad.archive("archive")],
        clock=lambda: later,
    )
    with abroad.held_to_rights():
        await archive(archiver, JobRun(scheduled_for="s"))


async def runs(harness: DeletionHarness, abroad: ArchiveAbroad, name: str, place: S3Archive) -> Deletion:
    """Run the deletion once with one of the roles in the other cloud. Return the deletion."""
    with abroad.held_to_rights():
        await erase(harness.deleter(archives=[harness.archive, place]), JobRun(scheduled_for="s", deletion=name))
    return await harness.deletion(name)


def marked(abroad: ArchiveAbroad) -> list[str]:
    """Return the names of the file versions that contain the mark."""
    return [name for name, told in abroad.versions() if MARK in told]


async def test_whoever_is_forgotten_is_in_no_version_of_a_file_there_and_others_stay(
    harness: DeletionHarness, abroad: ArchiveAbroad
) -> None:
    private, room, bobs = await talk(harness)
    await archives(harness, abroad)
    await harness.says(ROOM, hers(f"Again, {MARK}", message_id=5))
    await archives(harness, abroad)
    places = [name_of(chat.conversation) for chat in (private, room, bobs)]
    assert marked(abroad) == sorted([places[0], places[1], places[1]])
    name = await harness.asked()
    first = await runs(harness, abroad, name, abroad.archive("erase"))
    assert (first.is_told, first.refused, marked(abroad)) == (True, (), [])
    harness.minutes += 21
    last = await runs(harness, abroad, name, abroad.archive("erase"))
    assert (last.due_at, last.refused, last.gone) == (None, (), ())
    assert await harness.where(MARK, '"Ann"') == [name for name, told in abroad.versions() if '"Ann"' in told] == []
    assert {name for name, _ in abroad.versions()} == {places[1], places[2], deletion_name_of(name)}


async def test_without_a_role_that_erases_it_stays_there_until_there_is_one(
    harness: DeletionHarness, abroad: ArchiveAbroad
) -> None:
    await talk(harness)
    await archives(harness, abroad)
    there = marked(abroad)
    name, place = await harness.asked(), abroad.archive("archive")
    first = await runs(harness, abroad, name, place)
    assert (first.is_told, first.refused, marked(abroad)) == (True, (place.url,), there)
    assert await harness.where(MARK) == []
    harness.minutes += 21
    second = await runs(harness, abroad, name, place)
    assert second.due_at is not None
    assert second.due_at > harness.now() + REFUSED - timedelta(minutes=5)
    harness.minutes += 24 * 60 + 5
    last = await runs(harness, abroad, name, abroad.archive("erase"))
    assert (last.due_at, last.refused, marked(abroad)) == (None, (), [])
