"""The files of an archive that hold documents besides conversations, one for each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from shared.archiving.documents import KINDS, documents_content, read_documents, without_forgotten
from shared.archiving.names import documents_name_of, is_documents
from shared.errors import Contended, TranscriptUnreadable
from shared.logs import log
from shared.models.erasure import Erasure
from shared.models.transcript import StoredDocument
from shared.ports.erasing import ErasableArchive
from shared.ports.upkeep import Archive, Cursor, PageQuery, Putting

if TYPE_CHECKING:
    from shared.adapters.firestore.transcripts import FirestoreDocuments, FirestoreTranscripts

#: made again after so long in any case
AT_LAST: Final = timedelta(days=7)
#: an archive that has none yet
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: beyond each conversation of a moment
_LAST: Final = "conversations/~"
#: documents that other things than a restore may have begun: what they lack is added
_SHARED: Final = frozenset({"bots"})


def cursor_name(url: str) -> str:
    """Return the name of the cursor that says when an archive's documents were made."""
    return f"{url} documents"


async def is_due(transcripts: FirestoreTranscripts, place: Archive, now: datetime, every: timedelta) -> bool:
    """Return whether an archive's documents are to be made again. Raises StoreUnavailable or StoreRefused."""
    cursor = await transcripts.cursor(cursor_name(place.url))
    if cursor is None or now - cursor.at >= AT_LAST:
        return True
    if now - cursor.at < every:
        return False
    beyond = Cursor(at=cursor.at, path=_LAST)
    return bool(await transcripts.changed(PageQuery(before=now, beyond=beyond, limit=1)))


async def archive_documents(
    documents: FirestoreDocuments, transcripts: FirestoreTranscripts, place: Archive, now: datetime
) -> None:
    """Store every kind. Raises StoreUnavailable, StoreRefused or ArchiveUnavailable."""
    count = await store_documents(documents, place, now)
    await transcripts.keep_cursor(cursor_name(place.url), Cursor(at=now, path=_LAST))
    log(f"{count} documents were archived")


async def store_documents(documents: FirestoreDocuments, place: Putting, now: datetime) -> int:
    """Store every kind, a file each; return how many documents they hold."""
    found: dict[str, list[StoredDocument]] = {kind: [] for kind in KINDS}
    async for one in documents.of(KINDS):
        found[one.collection].append(one)
    for kind, those in found.items():
        await place.put(documents_name_of(kind), documents_content(kind, now, those))
    return sum(map(len, found.values()))


async def erase_documents(
    documents: FirestoreDocuments, transcripts: FirestoreTranscripts, place: ErasableArchive, now: datetime
) -> int:
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
    documents: FirestoreDocuments,
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


async def _add(documents: FirestoreDocuments, document: StoredDocument) -> bool:
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
