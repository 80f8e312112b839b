"""Documents outside of transcripts: archived if something changed, deleted in every version, and restored."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from shared.chat.archive_names import documents_name_of, is_documents
from shared.chat.store.transcripts import FirestoreDocuments
from shared.privacy.document_files import AT_LAST, KINDS, restore_documents, store_documents
from shared.privacy.jobs.erase import erase
from shared.upkeep.archives.folder import FolderArchive
from shared.upkeep.jobs.archive import EVERY, ArchiveLimits, Archiver, archive
from shared.values.job_run import JobRun
from tests.shared.examples import ANN, BOB
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, MARK, DeletionHarness, hers


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


def documents(harness: DeletionHarness) -> FirestoreDocuments:
    return FirestoreDocuments(harness.chats.client)


async def learns(harness: DeletionHarness, person: int, text: str) -> None:
    source = {"person": person, "place": "p"}
    memory = {"m": {"id": "m", "text": text, "source": source, "made_at": harness.now(), "changed_at": harness.now()}}
    await harness.chats.client.document(f"people/{person}/memories/lull").set({"memories": memory})


def archived(harness: DeletionHarness) -> dict[str, str]:
    place = harness.archive.folder
    names = (file.relative_to(place).as_posix() for file in place.rglob("*.jsonl"))
    return {name: (place / name).read_text() for name in names if is_documents(name)}


async def runs(harness: DeletionHarness, minutes: float, limits: ArchiveLimits | None = None) -> bool:
    """Run the nightly job; return whether it wrote the documents."""
    before = {name: (harness.archive.folder / name).stat().st_mtime_ns for name in archived(harness)}
    archiver = Archiver(
        transcripts=harness.transcripts, deletions=harness.log, archives=[harness.archive],
        clock=lambda: harness.now() + timedelta(minutes=minutes), limits=limits or ArchiveLimits(),
        documents=documents(harness),
    )  # fmt: skip
    await archive(archiver, JobRun(scheduled_for="s"))
    return {name: (harness.archive.folder / name).stat().st_mtime_ns for name in archived(harness)} != before


async def test_they_are_made_once_a_night_and_only_if_something_was_said(harness: DeletionHarness) -> None:
    half = EVERY.total_seconds() / 60
    await learns(harness, ANN.id, MARK)
    assert await runs(harness, -half - 1), "there were none yet"
    assert archived(harness).keys() == set(map(documents_name_of, KINDS))
    assert MARK in archived(harness)[documents_name_of("people/memories")]
    assert not await runs(harness, 0), "nothing was said since"
    await harness.says(HERS, hers("tea", message_id=1))
    assert not await runs(harness, -2), "they were made half a day ago, not longer"
    assert await runs(harness, 1)
    assert not await runs(harness, 2)
    assert not await runs(harness, half + 2), "nothing was said since"
    assert await runs(harness, 2, ArchiveLimits(documents_every=timedelta())) is False
    assert await runs(harness, AT_LAST.total_seconds() / 60 + 1), "in any case after a week"


async def test_who_is_forgotten_is_in_none_of_them_any_more_and_others_are(harness: DeletionHarness) -> None:
    await harness.says(HERS, hers("tea", message_id=1))
    await learns(harness, ANN.id, MARK)
    await learns(harness, BOB.id, "a green bicycle")
    assert await runs(harness, 1)
    by, name = harness.deleter(documents=documents(harness)), await harness.asked()
    for _ in range(2):
        await erase(by, JobRun(scheduled_for="s", deletion=name))
        assert [file for file, text in archived(harness).items() if MARK in text] == []
        assert "a green bicycle" in archived(harness)[documents_name_of("people/memories")]
        harness.minutes += 21
        by = harness.deleter(documents=documents(harness))
    assert await runs(harness, 1), "whoever was killed in between leaves it to the next night"


async def test_a_copy_from_before_brings_back_all_but_who_was_forgotten(
    harness: DeletionHarness, tmp_path: Path
) -> None:
    await harness.says(HERS, hers("tea", message_id=1))
    await learns(harness, ANN.id, MARK)
    await learns(harness, BOB.id, "a green bicycle")
    copy = FolderArchive(tmp_path / "copy")
    await store_documents(documents(harness), copy, harness.now())
    harness.minutes += 1
    await harness.forgets()
    await harness.chats.client.document(f"people/{BOB.id}/memories/lull").delete()
    warned: list[str] = []
    known, names = [one async for one in harness.log.all()], await copy.names()
    done = await restore_documents(documents(harness), copy, names, known, warned.append)
    assert (done["restored"], warned) == (1, [])
    assert [path for path in await harness.where(MARK) if "copy" not in path and not path.endswith(".jsonl")] == []
    again = await restore_documents(documents(harness), copy, await copy.names(), known, warned.append)
    assert again["restored"] == 0
    await copy.put(documents_name_of("events"), b"nothing")
    assert (await restore_documents(documents(harness), copy, names, known, warned.append))["unreadable"] == 1
    assert warned == [f"{documents_name_of('events')}: not a file of archived documents (JSONDecodeError); left out"]
