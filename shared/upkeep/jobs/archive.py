"""The archive: a scheduled copy of the transcripts that changed, as files outside the database.

Each archive has its own cursor: one that cannot be reached neither keeps the others waiting nor misses anything, and a
new one begins with everything. A file is written whole each time, so that every run may be repeated.

What is in no transcript (memories, reminders, what people set, whom an owner let in) has one file for each kind. These
are made once a night at most, and only if something was said since: whatever changes them is said in some chat.
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
from shared.chat.deletion_files import deletion_content
from shared.chat.lines import content_of
from shared.chat.names import deletion_name_of, name_of
from shared.chat.store.queries import Cursor, PageQuery
from shared.privacy.document_files import archive_documents, is_due
from shared.values.job_run import JobRun

if TYPE_CHECKING:
    from shared.chat.store.transcripts import FirestoreDocuments, FirestoreTranscripts
    from shared.privacy.store.deletions import FirestoreDeletions

#: a commit is seen by queries a little later than the moment that it bears
SETTLED = timedelta(seconds=5)
#: documents are stored again after so long, if something was said since
EVERY: Final = timedelta(hours=12)


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """How much one run does for each archive; what is beyond it is the next run's.

    A conversation of a few hundred messages takes some 50 ms to read and to store. `lasting` ends a run well before
    Cloud Scheduler's three minutes; the cursor is kept after every `page`, so that a run that dies repeats no more.
    """

    conversations: int = 2_000
    page: int = 25
    lasting: timedelta = timedelta(seconds=60)
    documents_every: timedelta = EVERY


@dataclass(frozen=True, kw_only=True)
class Archiver:
    """What archiving needs."""

    transcripts: FirestoreTranscripts
    deletions: FirestoreDeletions
    archives: Sequence[Archive]
    clock: Callable[[], datetime]
    limits: ArchiveLimits = ArchiveLimits()
    #: what is in no transcript; none: it is not archived
    documents: FirestoreDocuments | None = None


async def archive(archiver: Archiver, job_run: JobRun) -> Counter[str]:
    """How many transcripts were written to each archive, and how many cannot be.

    Raises the first StoreUnavailable, StoreRefused or ArchiveUnavailable after all archives: then the run is repeated.
    """
    done, failures = Counter[str](), list[LullError]()
    for place in archiver.archives:
        with about(archive=place.url):
            try:
                await archive_deletions(archiver, place)
                done += await _bring_up_to_date(archiver, place)
                await _store_documents(archiver, place)
            except (StoreUnavailable, StoreRefused, ArchiveUnavailable) as error:  # no archive waits for another
                failures.append(error)
    for failure in failures[1:]:
        log_failure(failure)
    if failures:
        raise failures[0]
    return done


async def archive_deletions(archiver: Archiver, place: Archive) -> int:
    """Store who was forgotten, and until when, one file each; how many are new since the last time.

    Whoever restores the archive erases by them again. Files of their own are never replaced by a list that is shorter,
    as that of a database would be that was itself brought back from a backup.
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
        page = await archiver.transcripts.changed(
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
            log("one run archives no more than this; the next goes on from here")
            break
    log(f"{done[place.url]} transcripts were archived")
    return done


async def _store_documents(archiver: Archiver, place: Archive) -> None:
    """Store what is in no transcript, if it is time for it."""
    now, every = archiver.clock(), archiver.limits.documents_every
    if archiver.documents is not None and await is_due(archiver.transcripts, place, now, every):
        await archive_documents(archiver.documents, archiver.transcripts, place, now)


async def _store(transcripts: FirestoreTranscripts, place: Archive, cursor: Cursor) -> str:
    """Under what it is counted: the archive's name, or `unreadable`, which keeps no other from being archived."""
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
