"""Copies changed transcripts as files to archives outside the database, on a schedule.

Each archive has its own cursor, the point up to which it is complete. So an unavailable archive does not delay the
others, and catches up later. A new archive gets all transcripts. Each file is written as a whole, so every run may be
repeated.

Data that is in no transcript (memories, reminders, settings, access lists) has one file for each kind. These files are
written at most every 12 hours. Without new messages they are written once a week, since most changes come from chats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from shared.base.errors import ArchiveUnavailable, LullError, StoreRefused, StoreUnavailable, TranscriptUnreadable
from shared.base.logs import about, log, log_failure
from shared.chat.archive import Archive
from shared.chat.archive_names import deletion_name_of, name_of
from shared.chat.deletion_files import deletion_content
from shared.chat.lines import content_of
from shared.chat.store.queries import Cursor, PageQuery
from shared.privacy.document_files import archive_documents, is_due
from shared.values.job_run import JobRun

if TYPE_CHECKING:
    from shared.chat.store.transcripts import FirestoreDocuments, FirestoreTranscripts
    from shared.privacy.store.deletions import FirestoreDeletions

#: how old a change must be to be archived: queries see a commit slightly later than its timestamp
SETTLED = timedelta(seconds=5)
#: minimum time between two copies of the documents
EVERY: Final = timedelta(hours=12)


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """Limits of one run for each archive; the next run continues.

    Reading and storing a conversation of a few hundred messages takes about 50 ms. The time limit `lasting` ends a run
    well before Cloud Scheduler's limit of three minutes. The cursor is saved after every `page` conversations.
    """

    conversations: int = 2_000
    page: int = 25
    lasting: timedelta = timedelta(seconds=60)
    documents_every: timedelta = EVERY


@dataclass(frozen=True, kw_only=True)
class Archiver:
    """The dependencies of archiving: the stores, the archives, and the limits of a run."""

    transcripts: FirestoreTranscripts
    deletions: FirestoreDeletions
    archives: Sequence[Archive]
    clock: Callable[[], datetime]
    limits: ArchiveLimits = ArchiveLimits()
    #: documents that are in no transcript; None if they are not archived
    documents: FirestoreDocuments | None = None


async def archive(archiver: Archiver, job_run: JobRun) -> Counter[str]:
    """Archive the changed transcripts. Return the number of stored transcripts by the archive's URL, and the numbers of
    those that are `unreadable`, or `gone` from the database.

    After all archives were tried, raises the first StoreUnavailable, StoreRefused or ArchiveUnavailable. The run is
    then repeated.
    """
    done, failures = Counter[str](), list[LullError]()
    for place in archiver.archives:
        with about(archive=place.url):
            try:
                await archive_deletions(archiver, place)
                done += await _bring_up_to_date(archiver, place)
                await _store_documents(archiver, place)
            except (
                StoreUnavailable,
                StoreRefused,
                ArchiveUnavailable,
            ) as error:  # a failing archive does not stop the others
                failures.append(error)
    for failure in failures[1:]:
        log_failure(failure)
    if failures:
        raise failures[0]
    return done


async def archive_deletions(archiver: Archiver, place: Archive) -> int:
    """Store a file for each new deletion that a person requested. Return the number of files.

    A restore repeats these deletions. Each has its own file: after a restore from an old backup, the database lacks
    the latest deletions, and a single file would be overwritten without them.
    """
    name = f"{place.url} erasures"
    cursor = await archiver.transcripts.cursor(name)
    known = [one async for one in archiver.deletions.all() if cursor is None or one.asked_at > cursor.at]
    for one in known:
        await place.put(deletion_name_of(one.id), deletion_content(one))
    if known:
        newest = max(known, key=lambda one: one.asked_at)
        await archiver.transcripts.keep_cursor(name, Cursor(at=newest.asked_at, path=f"erasures/{newest.id}"))
    return len(known)


async def _bring_up_to_date(archiver: Archiver, place: Archive) -> Counter[str]:
    done = Counter[str]()
    limits, began = archiver.limits, archiver.clock()
    cursor = await archiver.transcripts.cursor(place.url)
    while True:
        page = await archiver.transcripts.changed_since(
            PageQuery(
                before=began - SETTLED, beyond=cursor, limit=min(limits.page, limits.conversations - done.total())
            )
        )
        for cursor in page:
            done[await _store(archiver.transcripts, place, cursor)] += 1
        if page and cursor is not None:
            await archiver.transcripts.keep_cursor(place.url, cursor)
        if not page or len(page) < limits.page:
            break
        if done.total() >= limits.conversations or archiver.clock() - began > limits.lasting:
            log("this run has reached its limit; the next run continues")
            break
    log(f"{done[place.url]} transcripts were archived")
    return done


async def _store_documents(archiver: Archiver, place: Archive) -> None:
    """Store the documents that are in no transcript, if they are due."""
    now, every = archiver.clock(), archiver.limits.documents_every
    if archiver.documents is not None and await is_due(archiver.transcripts, place, now, every):
        await archive_documents(archiver.documents, archiver.transcripts, place, now)


async def _store(transcripts: FirestoreTranscripts, place: Archive, cursor: Cursor) -> str:
    """Store one transcript. Return the name of the counter to increase: the archive's URL, `unreadable` or `gone`."""
    conversation = cursor.path.split("/")[1]
    try:
        transcript = await transcripts.read(conversation)
    except TranscriptUnreadable as error:
        log_failure(error)
        return "unreadable"
    if transcript is None:
        return "gone"
    await place.put(name_of(conversation), content_of(transcript))
    return place.url
