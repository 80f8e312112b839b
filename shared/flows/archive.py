"""The archive: a scheduled copy of the transcripts that changed, as files outside the database.

Each archive has its own cursor: one that cannot be reached neither keeps the others waiting nor misses anything, and a
new one begins with everything. A file is written whole each time, so that every run may be repeated.

What is in no transcript (memories, reminders, what people set, whom an owner let in) has one file for each kind. These
are made once a night at most, and only if something was said since: whatever changes them is said in some chat.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from shared.archiving.documents import KINDS, documents_content, read_documents, without_forgotten
from shared.archiving.erasures import erasure_content
from shared.archiving.lines import content_of
from shared.archiving.names import documents_name_of, erasure_name_of, is_documents, name_of
from shared.errors import ArchiveUnavailable, Contended, LullError, StoreRefused, StoreUnavailable, TranscriptUnreadable
from shared.logs import about, log, log_failure
from shared.models.erasure import Erasure
from shared.models.occasion import Occasion
from shared.models.transcript import StoredDocument
from shared.ports.erasing import ErasableArchive, ErasureLog
from shared.ports.upkeep import Archive, Cursor, Documents, PageQuery, Putting, Transcripts

#: a commit is seen by queries a little later than the moment that it bears
SETTLED = timedelta(seconds=5)
#: made again after so long, if something was said since; and after so long in any case
EVERY: Final = timedelta(hours=12)
AT_LAST: Final = timedelta(days=7)
#: an archive that has none yet
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: beyond each conversation of a moment
_LAST: Final = "conversations/~"
#: documents that other things than a restore may have begun: what they lack is added
_SHARED: Final = frozenset({"bots"})


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

    transcripts: Transcripts
    erasures: ErasureLog
    archives: Sequence[Archive]
    clock: Callable[[], datetime]
    limits: ArchiveLimits = ArchiveLimits()
    #: what is in no transcript; none: it is not archived
    documents: Documents | None = None


async def archive(archiver: Archiver, occasion: Occasion) -> Counter[str]:
    """How many transcripts were written to each archive, and how many cannot be.

    Raises the first StoreUnavailable, StoreRefused or ArchiveUnavailable after all archives: then the run is repeated.
    """
    done, failures = Counter[str](), list[LullError]()
    for place in archiver.archives:
        with about(archive=place.url):
            try:
                await archive_erasures(archiver, place)
                done += await _bring_up_to_date(archiver, place)
                await _store_documents(archiver, place)
            except (StoreUnavailable, StoreRefused, ArchiveUnavailable) as error:  # no archive waits for another
                failures.append(error)
    for failure in failures[1:]:
        log_failure(failure)
    if failures:
        raise failures[0]
    return done


async def archive_erasures(archiver: Archiver, place: Archive) -> int:
    """Store who was forgotten, and until when, one file each; how many are new since the last time.

    Whoever restores the archive erases by them again. Files of their own are never replaced by a list that is shorter,
    as that of a database would be that was itself brought back from a backup.
    """
    name = f"{place.url} erasures"
    cursor = await archiver.transcripts.cursor(name)
    known = [one async for one in archiver.erasures.all() if cursor is None or one.asked_at > cursor.at]
    for one in known:
        await place.put(erasure_name_of(one.id), erasure_content(one))
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


async def _store(transcripts: Transcripts, place: Archive, cursor: Cursor) -> str:
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


def cursor_name(url: str) -> str:
    """Return the name of the cursor that says when an archive's documents were made."""
    return f"{url} documents"


async def is_due(transcripts: Transcripts, place: Archive, now: datetime, every: timedelta) -> bool:
    """Return whether an archive's documents are to be made again. Raises StoreUnavailable or StoreRefused."""
    cursor = await transcripts.cursor(cursor_name(place.url))
    if cursor is None or now - cursor.at >= AT_LAST:
        return True
    if now - cursor.at < every:
        return False
    beyond = Cursor(at=cursor.at, path=_LAST)
    return bool(await transcripts.changed(PageQuery(before=now, beyond=beyond, limit=1)))


async def archive_documents(documents: Documents, transcripts: Transcripts, place: Archive, now: datetime) -> None:
    """Store every kind. Raises StoreUnavailable, StoreRefused or ArchiveUnavailable."""
    count = await store_documents(documents, place, now)
    await transcripts.keep_cursor(cursor_name(place.url), Cursor(at=now, path=_LAST))
    log(f"{count} documents were archived")


async def store_documents(documents: Documents, place: Putting, now: datetime) -> int:
    """Store every kind, a file each; return how many documents they hold."""
    found: dict[str, list[StoredDocument]] = {kind: [] for kind in KINDS}
    async for one in documents.of(KINDS):
        found[one.collection].append(one)
    for kind, those in found.items():
        await place.put(documents_name_of(kind), documents_content(kind, now, those))
    return sum(map(len, found.values()))


async def erase_documents(documents: Documents, transcripts: Transcripts, place: ErasableArchive, now: datetime) -> int:
    """Delete every version of every kind's file, and store them as they are by now; return how many were deleted.

    Whoever dies in between leaves an archive without them, which the next night's run makes anew: so it is told first.
    """
    if await transcripts.cursor(cursor_name(place.url)) is not None:
        await transcripts.keep_cursor(cursor_name(place.url), Cursor(at=_NEVER, path=_LAST))
    count = 0
    for kind in KINDS:
        count += await place.erase(documents_name_of(kind))
    if count:
        await store_documents(documents, place, now)
    return count


async def restore_documents(
    documents: Documents,
    archive: Archive,
    names: Sequence[str],
    erasures: Sequence[Erasure],
    warn: Callable[[str], None],
) -> Counter[str]:
    """Add what the database has not, but for who was forgotten since: `restored`, `there`, `unreadable` files."""
    done, kinds = Counter[str](), {documents_name_of(kind): number for number, kind in enumerate(KINDS)}
    for name in sorted(filter(is_documents, names), key=lambda one: kinds.get(one, len(kinds))):
        try:
            content = await archive.get(name)
            made_at, found = read_documents(content, _warner(name, warn))
        except TranscriptUnreadable as error:
            warn(f"{name}: {error}; left out")
            done["unreadable"] += 1
            continue
        for one in found:
            kept = without_forgotten(one, made_at, erasures) if one.collection in KINDS else None
            if kept is not None:
                done["restored" if await _add(documents, kept) else "there"] += 1
    return done


async def _add(documents: Documents, document: StoredDocument) -> bool:
    if document.collection not in _SHARED:
        return await documents.add(document)
    for _ in range(5):
        try:
            return await documents.complete(document)
        except Contended:
            log("a document changes while it is restored")
    return await documents.complete(document)


def _warner(name: str, warn: Callable[[str], None]) -> Callable[[int, str], None]:
    return lambda line, what: warn(f"{name}: line {line} {what}; left out")
