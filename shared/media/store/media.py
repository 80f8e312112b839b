"""Files, and references to them, in Firestore: for the job that describes files, for ticks, and for operators."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Final

from google.cloud.firestore_v1 import ArrayUnion
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.base.errors import WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, FirestoreStore, translate_errors
from shared.chat.store.inbox import add_update
from shared.chat.store.queries import (
    MEDIA_OF_OUTCOME,
    NAME,
    OPEN_OF_AGENT,
    OPEN_OF_FILE,
    OPEN_REFERENCES,
    REFERENCES_OF_CHAT,
    REFERENCES_OF_FILE,
    REFERENCES_OF_PERSON,
)
from shared.chat.store.writes import CommitContext, Record, Write, WriteBatch, WriteMode, replace_seen
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import DescriptionOutcome, MediaRef
from shared.values.reference import FileReference
from shared.values.stored_media import DescribeAgain, StoredMedia
from shared.values.update import InboxUpdate

#: the most references to a file that are handled together; a commit has at most 500 writes
MOST_REFERENCES: Final = 400
#: how many commits are made at once
AT_ONCE: Final = 20
#: the wait before a document that this version cannot read is tried again; a newer version may read it
UNREADABLE_WAITS: Final = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class MediaSnapshot:
    """A file's document as this run wrote it, with its version. The next write fails if the version has changed."""

    media: StoredMedia
    version: object


@dataclass(frozen=True, kw_only=True)
class MediaCounts:
    """The number of files by outcome, and the number of references whose chats have not got the description yet."""

    by_outcome: Mapping[DescriptionOutcome, int]
    open_references: int


class FirestoreMedia(FirestoreStore):
    """Reads and writes files and the references to them. Each instance has one client, made inside the running loop.

    Methods may raise StoreUnavailable, StoreRefused or WriteConflict.
    """

    async def find(self, unique_id: str) -> StoredMedia | None:
        """Return a file's document; None if there is none, or if this version cannot read it."""
        return decode_media((await self._read(unique_id)).to_dict())

    async def claim(self, reference: FileReference, now: datetime, until: datetime) -> MediaSnapshot:
        """Claim a file for one try to describe it, until `until`. Raises WriteConflict if the file is not due."""
        ref, seen = reference.ref, await self._read(reference.ref.unique_id)
        kept = decode_media(seen.to_dict()) or StoredMedia(unique_id=ref.unique_id, kind=ref.kind, updated_at=now)
        if not kept.is_due(now, reference.person):
            raise WriteConflict("the file is already described, is being described, or waits for its next try")
        claim = {"tries": kept.tries + 1, "claimed_until": until, "claim": token_hex(8), "updated_at": now}
        return await self._write(kept.model_copy(update=claim), seen.update_time)

    async def keep(self, held: MediaSnapshot, media: StoredMedia) -> MediaSnapshot:
        """Write a file's document. Raises WriteConflict if another run wrote it since it was read."""
        return await self._write(media, held.version)

    async def ask_again(self, ref: MediaRef, again: DescribeAgain) -> None:
        """Request a new description of a file. Earlier tries no longer count. The old description stays meanwhile.

        Raises WriteConflict if a run is describing the file, or has changed the file's document meanwhile.
        """
        now, seen = again.at, await self._read(ref.unique_id)
        kept = decode_media(seen.to_dict()) or StoredMedia(unique_id=ref.unique_id, kind=ref.kind, updated_at=now)
        if kept.claimed_until is not None and kept.claimed_until > now:
            raise WriteConflict("the file is being described")
        cleared = {"tries": 0, "claimed_until": None, "next_try_at": None, "limited": 0, "updated_at": now}
        wanted = kept.model_copy(update={**cleared, "again": again, "again_failure": ""})
        await self._write(wanted, seen.update_time)

    async def open_references(self, unique_id: str) -> Sequence[FileReference]:
        """Return the open references to a file: those whose chats have not got its description yet."""
        query = OPEN_OF_FILE.on(self.client, unique_id, True).limit(MOST_REFERENCES)
        with translate_errors("find who sent a file"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return references_in(found)

    async def count_open(self, agents: Sequence[str]) -> int:
        """Return the number of open references of these agents."""
        return await _count(OPEN_OF_AGENT.on(self.client, list(agents), True)) if agents else 0

    async def left_over(self, now: datetime, limit: int) -> Sequence[FileReference]:
        """Return open references that no run handled in time, the oldest first."""
        query = OPEN_REFERENCES.on(self.client, True).where(filter=FieldFilter("try_at", "<=", now)).limit(limit)
        with translate_errors("find files that are left over"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        references = {one.reference.path: reference_in(one) for one in found}
        # otherwise unreadable references would stay left over, and the sweep would start a useless run every five
        # minutes
        await self._change(
            [path for path, one in references.items() if one is None], {"try_at": now + UNREADABLE_WAITS}
        )
        return [one for one in references.values() if one is not None]

    async def tell(self, update: InboxUpdate, references: Sequence[FileReference]) -> None:
        """Put `update` into a chat's inbox, at most once, and close `references`: the chat then has the description."""
        envelope = update.envelope
        path = paths.update_path(envelope.key, envelope.update_id)
        told = Write(path=path, document=layout.encode_update(update), mode=WriteMode.CREATE)
        try:
            await self._commit(told, *await self._closing(references))
        except _NotAsSeen:  # the chat was told before, or a reference changed meanwhile
            await add_update(self.client, update)
            await self.close(references)

    async def close(self, references: Sequence[FileReference]) -> None:
        """Close references. Missing references are ignored."""
        await self._each(await self._closing(references))

    async def _closing(self, references: Sequence[FileReference]) -> Sequence[Write]:
        """Return the writes that close references. A reference to which messages were added meanwhile stays open, so
        that the chat gets the description for these, too.
        """
        told = {one.id: frozenset(one.message_ids) for one in references}
        documents = [self.client.document(paths.reference_path(name)) for name in told]
        with translate_errors("look for who sent a file"):
            found = self.client.get_all(documents, ["message_ids"], retry=RETRY, timeout=CALL_SECONDS)
            known = [one async for one in found if one.exists]
        return [
            Write(path=one.reference.path, document={"is_open": False}, mode=WriteMode.UPDATE, version=one.update_time)
            for one in known
            if told[one.id].issuperset((one.to_dict() or {}).get("message_ids") or ())
        ]

    async def open_again(self, reference: FileReference, try_at: datetime) -> None:
        """Open a reference, so that its chat gets the description: from a run or, after `try_at`, from the sweep."""
        opened = {"is_open": True, "is_awaited": False, "try_at": try_at}
        await self._change([paths.reference_path(reference.id)], opened)

    async def put_off(self, references: Sequence[FileReference], until: datetime) -> None:
        """Delay references until `until`. Missing references are ignored."""
        await self._change([paths.reference_path(one.id) for one in references], {"try_at": until})

    async def leave(self, references: Sequence[FileReference]) -> None:
        """Store new references for the sweep, the job that finds leftover work. Existing references stay unchanged."""
        documents = [self.client.document(paths.reference_path(one.id)) for one in references]
        with translate_errors("look for who sent a file"):
            found = self.client.get_all(documents, ["is_open"], retry=RETRY, timeout=CALL_SECONDS)
            known = {one.id async for one in found if one.exists}
        new = [one for one in references if one.id not in known][:MOST_REFERENCES]
        creates = [
            Write(path=paths.reference_path(one.id), document=encode_reference(one), mode=WriteMode.CREATE)
            for one in new
        ]
        try:
            if creates:
                await self._commit(*creates)
        except _NotAsSeen:
            log("another run has stored the same references")

    async def _change(self, documents: Sequence[str], fields: layout.Document) -> None:
        await self._each([Write(path=path, document=fields, mode=WriteMode.UPDATE) for path in documents])

    async def _each(self, writes: Sequence[Write]) -> None:
        """Make each write in a separate commit, since one failed precondition fails the whole commit."""
        for start in range(0, len(writes), AT_ONCE):
            await asyncio.gather(*map(self._alone, writes[start : start + AT_ONCE]))

    async def _alone(self, write: Write) -> None:
        try:
            await self._commit(write)
        except _NotAsSeen:
            log("a reference to a file changed, or is gone")

    async def _read(self, unique_id: str) -> DocumentSnapshot[Any]:
        with translate_errors("read what is kept of a file"):
            return await self.client.document(paths.media_path(unique_id)).get(retry=RETRY, timeout=CALL_SECONDS)

    async def _write(self, media: StoredMedia, version: Any) -> MediaSnapshot:
        try:
            results = await self._commit(replace_seen(paths.media_path(media.unique_id), encode_media(media), version))
        except _NotAsSeen as cause:
            stored = await self._read(media.unique_id)
            # if the answer to a commit is lost, the client repeats the commit, which then meets its own first write
            if decode_media(stored.to_dict()) != media:
                raise WriteConflict("another run has claimed the file") from cause
            return MediaSnapshot(media=media, version=stored.update_time)
        return MediaSnapshot(media=media, version=results[0].update_time)

    async def _commit(self, *writes: Write) -> Any:
        """Commit writes; return Firestore's results. If a precondition fails, nothing is written; raises _NotAsSeen."""
        batch = WriteBatch(self.client)
        for write in writes:
            batch.add(write)
        with translate_errors("keep what a file shows"):
            try:
                return await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise _NotAsSeen from cause


class _NotAsSeen(Exception):
    """A document is not in the state that a write expects."""


def references_in(found: Iterable[DocumentSnapshot[Any]]) -> list[FileReference]:
    """Return the file references in these documents. Documents that this version cannot read are left out."""
    return [one for one in map(reference_in, found) if one is not None]


def reference_in(document: DocumentSnapshot[Any]) -> FileReference | None:
    """Return the reference in a document, or None if this version cannot read it."""
    try:
        return decode_reference(document.to_dict() or {})
    except ValidationError:
        log("a reference to a file has a form that this version does not know", id=document.id)
        return None


def encode_media(media: StoredMedia) -> layout.Document:
    """Return a file's document. The outcome is also a separate field, by which files are counted."""
    return media.model_dump() | {"outcome": media.description.outcome.value if media.description else ""}


def decode_media(document: layout.Document | None) -> StoredMedia | None:
    """Return a file from its document, or None if there is none or this version cannot read it."""
    try:
        return StoredMedia.model_validate(document) if document else None
    except ValidationError:
        log("a file's document has a form that this version does not know")
        return None


@dataclass(frozen=True)
class SentFile(Record):
    """The record that a person sent a file in a chat. Queries find the file by that person and by that chat."""

    reference: FileReference

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the write of the reference. If the person sent the same file here before, the messages are merged."""
        yield Write(
            path=paths.reference_path(self.reference.id), document=merge_document(self.reference), mode=WriteMode.MERGE
        )


def merge_document(reference: FileReference) -> layout.Document:
    """Return the fields to merge into a reference's document: messages are added, and an open reference stays open.

    If the file was already described when it was sent, `is_open`, `is_awaited` and `try_at` are left out, so that the
    merge does not close a reference that is open. A new reference without these fields counts as closed. Queries find
    it by its file, not by `is_open`.
    """
    document = encode_reference(reference) | {"message_ids": ArrayUnion(list(reference.message_ids))}
    origins = document.pop("passed_on_from")
    document |= {"passed_on_from": ArrayUnion(list(origins))} if origins else {}
    if not reference.is_own:
        del document["is_own"]  # the file may have been their own in an earlier message
    if not reference.is_open:
        for name in ("is_open", "is_awaited", "try_at"):
            del document[name]
    elif not reference.is_awaited:
        del document["is_awaited"]  # an earlier message may still wait for the file
    return document


def encode_reference(reference: FileReference) -> layout.Document:
    return reference.model_dump(mode="python")


def decode_reference(document: layout.Document) -> FileReference:
    """Return the reference in a document. A reference without `is_open` counts as closed."""
    told = {"is_open": False, "try_at": document.get("at"), "is_own": is_own_file(document)}
    return FileReference.model_validate(told | document)


def is_own_file(document: layout.Document) -> bool:
    """Return whether the sender sent the file as their own, and did not only forward it."""
    return bool(document.get("is_own", not document.get("passed_on_from")))


class FirestoreMediaUpkeep:
    """Files and references, for operators and exports. Each instance has one client, made inside the running loop.

    Methods may raise StoreUnavailable or StoreRefused.
    """

    def __init__(self, project: str, page: int = MOST_REFERENCES) -> None:
        """Open the client. It finds the address of an emulator by itself, in the environment.

        `page` is how many references are read at once, and also how many are written in one commit.
        """
        self.client, self._page = AsyncClient(project=project), page

    async def counts(self) -> MediaCounts:
        """Return the number of files by outcome. A count costs one read per thousand documents."""
        by_outcome = {one: await _count(MEDIA_OF_OUTCOME.on(self.client, one.value)) for one in DescriptionOutcome}
        return MediaCounts(by_outcome=by_outcome, open_references=await _count(OPEN_REFERENCES.on(self.client, True)))

    async def given_up(self, limit: int) -> Sequence[StoredMedia]:
        """Return up to `limit` files that are given up: no further attempt to describe them is made."""
        query = MEDIA_OF_OUTCOME.on(self.client, DescriptionOutcome.PERMANENT_FAILURE.value).limit(limit)
        with translate_errors("list files that were given up"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in (decode_media(document.to_dict()) for document in found) if one is not None]

    async def give_back(self, media: StoredMedia, now: datetime) -> None:
        """Reset a file that was given up. The next sweep starts a new try, and the file's chats get the result.

        The file is written last. If the function ends early, the file still counts as given up and can be reset again.
        """
        opened = {"is_open": True, "is_awaited": False, "try_at": now}
        batch = WriteBatch(self.client)
        async for page in self._pages(REFERENCES_OF_FILE.on(self.client, media.unique_id)):
            for one in page:
                batch.add(Write(path=one.reference.path, document=opened, mode=WriteMode.UPDATE))
            if len(page) == self._page:
                await _commit(batch)
                batch = WriteBatch(self.client)
        again = encode_media(
            evolve(media, description=None, again=None, tries=0, claimed_until=None, next_try_at=None, updated_at=now)
        )
        batch.add(Write(path=paths.media_path(media.unique_id), document=again, mode=WriteMode.UPDATE))
        await _commit(batch)

    async def of_chat(self, key: ChatKey) -> Sequence[FileReference]:
        """Return the references of a chat, the oldest first."""
        return await self._references(REFERENCES_OF_CHAT.on(self.client, key.id))

    async def of_person(self, person: int) -> Sequence[FileReference]:
        """Return a person's references in all chats of all agents, the oldest first."""
        return await self._references(REFERENCES_OF_PERSON.on(self.client, person))

    async def _references(self, query: AsyncQuery) -> Sequence[FileReference]:
        return [one async for page in self._pages(query) for one in references_in(page)]

    async def _pages(self, query: AsyncQuery) -> AsyncIterator[Sequence[DocumentSnapshot[Any]]]:
        """Yield all documents of a query in pages. The last page is shorter than the others, and may be empty."""
        page = query.order_by(NAME).limit(self._page)
        while True:
            with translate_errors("find who sent a file"):
                found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            yield found
            if len(found) < self._page:
                return
            page = page.start_after(found[-1])


async def _commit(batch: WriteBatch) -> None:
    with translate_errors("give a file back"):
        await batch.commit(retry=RETRY, timeout=CALL_SECONDS)


async def _count(query: AsyncQuery) -> int:
    count: Any = query.count()  # a decorator hides the types
    with translate_errors("count what was sent"):
        counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
    return int(counts[0][0].value)
