"""Files and who sent them, in Firestore: for what describes them, for commits of ticks, and for whoever runs lull."""

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

from shared.base.errors import Contended
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.chat.store.inbox import add_update
from shared.chat.store.queries import (
    MEDIA_OF_OUTCOME,
    NAME,
    OPEN_OF_FILE,
    OPEN_REFERENCES,
    REFERENCES_OF_CHAT,
    REFERENCES_OF_FILE,
    REFERENCES_OF_PERSON,
)
from shared.chat.store.writes import Batch, Commit, Mode, Record, Write, replace_seen
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import DescriptionOutcome
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia
from shared.values.update import InboxUpdate

#: references of a file that are looked at together; a commit has 500 writes at most
MOST_REFERENCES: Final = 400
#: commits that are made side by side
AT_ONCE: Final = 20
#: a document that this version does not understand is looked at again after so long; another version may
UNREADABLE_WAITS: Final = timedelta(days=1)


@dataclass(frozen=True, kw_only=True)
class MediaSnapshot:
    """What is kept of a file as this run wrote it, and the version that its next write must still find."""

    media: StoredMedia
    version: object


@dataclass(frozen=True, kw_only=True)
class MediaCounts:
    """How many files there are by what came of describing them, and how many references whose chats are not told."""

    by_outcome: Mapping[DescriptionOutcome, int]
    open_references: int


class FirestoreMedia:
    """The files and the references. One client per instance, made inside the running loop.

    Raises StoreUnavailable, StoreRefused, or Contended.
    """

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def find(self, unique_id: str) -> StoredMedia | None:
        """What is kept of a file."""
        return decode_media((await self._read(unique_id)).to_dict())

    async def claim(self, reference: FileReference, now: datetime, until: datetime) -> MediaSnapshot:
        """Take a file to describe it, which counts a try. Raises Contended."""
        ref, seen = reference.ref, await self._read(reference.ref.unique_id)
        kept = decode_media(seen.to_dict()) or StoredMedia(unique_id=ref.unique_id, kind=ref.kind, updated_at=now)
        if not kept.is_due(now, reference.person):
            raise Contended("the file is described, or is being described, or waits")
        claim = {"tries": kept.tries + 1, "claimed_until": until, "claim": token_hex(8), "updated_at": now}
        return await self._write(kept.model_copy(update=claim), seen.update_time)

    async def keep(self, held: MediaSnapshot, media: StoredMedia) -> MediaSnapshot:
        """Write what is kept of a file. Raises Contended if somebody else wrote it since."""
        return await self._write(media, held.version)

    async def open_references(self, unique_id: str) -> Sequence[FileReference]:
        """Those whose chats are still to be told of a file."""
        query = OPEN_OF_FILE.on(self.client, unique_id, True).limit(MOST_REFERENCES)
        with translated("find who sent a file"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return references_in(found)

    async def left_over(self, now: datetime, limit: int) -> Sequence[FileReference]:
        """Open references that nobody looked after in time, the oldest first."""
        query = OPEN_REFERENCES.on(self.client, True).where(filter=FieldFilter("try_at", "<=", now)).limit(limit)
        with translated("find files that are left over"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        references = {one.reference.path: reference_in(one) for one in found}
        # else there would always be something left over, and the sweep start a run for nothing every five minutes
        await self._change(
            [path for path, one in references.items() if one is None], {"try_at": now + UNREADABLE_WAITS}
        )
        return [one for one in references.values() if one is not None]

    async def tell(self, update: InboxUpdate, references: Sequence[FileReference]) -> None:
        """Give a chat an update of lull's own, once, and close the references of its file."""
        envelope = update.envelope
        path = paths.update_path(envelope.key, envelope.update_id)
        told = Write(path=path, document=layout.encode_update(update), mode=Mode.CREATE)
        try:
            await self._commit(told, *await self._closing(references))
        except _NotAsSeen:  # it was told before, or a reference changed in between
            await add_update(self.client, update)
            await self.close(references)

    async def close(self, references: Sequence[FileReference]) -> None:
        """Close references; one that is gone by now is no error."""
        await self._each(await self._closing(references))

    async def _closing(self, references: Sequence[FileReference]) -> Sequence[Write]:
        """The writes that close references; one that names more messages by now stays open, for these to be told."""
        told = {one.id: frozenset(one.message_ids) for one in references}
        documents = [self.client.document(paths.reference_path(name)) for name in told]
        with translated("look for who sent a file"):
            found = self.client.get_all(documents, ["message_ids"], retry=RETRY, timeout=CALL_SECONDS)
            known = [one async for one in found if one.exists]
        return [
            Write(path=one.reference.path, document={"is_open": False}, mode=Mode.UPDATE, version=one.update_time)
            for one in known
            if told[one.id].issuperset((one.to_dict() or {}).get("message_ids") or ())
        ]

    async def put_off(self, references: Sequence[FileReference], until: datetime) -> None:
        """Have references looked after no sooner than at a moment; one that is gone is no error."""
        await self._change([paths.reference_path(one.id) for one in references], {"try_at": until})

    async def leave(self, references: Sequence[FileReference]) -> None:
        """Leave references, for the sweep to find; one that was left before stays as it is."""
        documents = [self.client.document(paths.reference_path(one.id)) for one in references]
        with translated("look for who sent a file"):
            found = self.client.get_all(documents, ["is_open"], retry=RETRY, timeout=CALL_SECONDS)
            known = {one.id async for one in found if one.exists}
        new = [one for one in references if one.id not in known][:MOST_REFERENCES]
        creates = [
            Write(path=paths.reference_path(one.id), document=encode_reference(one), mode=Mode.CREATE) for one in new
        ]
        try:
            if creates:
                await self._commit(*creates)
        except _NotAsSeen:
            log("others left the same files to be described")

    async def _change(self, documents: Sequence[str], fields: layout.Document) -> None:
        await self._each([Write(path=path, document=fields, mode=Mode.UPDATE) for path in documents])

    async def _each(self, writes: Sequence[Write]) -> None:
        """Several writes, each in a commit of its own: one that is not as seen would fail all the others."""
        for start in range(0, len(writes), AT_ONCE):
            await asyncio.gather(*map(self._alone, writes[start : start + AT_ONCE]))

    async def _alone(self, write: Write) -> None:
        try:
            await self._commit(write)
        except _NotAsSeen:
            log("a reference to a file changed, or is gone")

    async def _read(self, unique_id: str) -> DocumentSnapshot[Any]:
        with translated("read what is kept of a file"):
            return await self.client.document(paths.media_path(unique_id)).get(retry=RETRY, timeout=CALL_SECONDS)

    async def _write(self, media: StoredMedia, version: Any) -> MediaSnapshot:
        try:
            results = await self._commit(replace_seen(paths.media_path(media.unique_id), encode_media(media), version))
        except _NotAsSeen as cause:
            stored = await self._read(media.unique_id)
            # a commit whose answer was lost is repeated by the client, and then finds itself
            if decode_media(stored.to_dict()) != media:
                raise Contended("another run has the file by now") from cause
            return MediaSnapshot(media=media, version=stored.update_time)
        return MediaSnapshot(media=media, version=results[0].update_time)

    async def _commit(self, *writes: Write) -> Any:
        """What Firestore says of each write. Raises _NotAsSeen, with nothing written."""
        batch = Batch(self.client)
        for write in writes:
            batch.add(write)
        with translated("keep what a file shows"):
            try:
                return await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise _NotAsSeen from cause


class _NotAsSeen(Exception):
    """A document is not, or not any more, as a write expects it."""


def references_in(found: Iterable[DocumentSnapshot[Any]]) -> list[FileReference]:
    """The references in some documents; one of a shape that this version does not know is left out."""
    return [one for one in map(reference_in, found) if one is not None]


def reference_in(document: DocumentSnapshot[Any]) -> FileReference | None:
    """The reference in a document; none if it is of a shape that this version does not know."""
    try:
        return decode_reference(document.to_dict() or {})
    except ValidationError:
        log("a reference to a file is of a shape that this version does not know", id=document.id)
        return None


def encode_media(media: StoredMedia) -> layout.Document:
    """The document of a file. What came of it stands for itself, too: by that files are counted."""
    return media.model_dump() | {"outcome": media.description.outcome.value if media.description else ""}


def decode_media(document: layout.Document | None) -> StoredMedia | None:
    """What is kept of a file; what this version does not understand is as good as nothing."""
    try:
        return StoredMedia.model_validate(document) if document else None
    except ValidationError:
        log("what is kept of a file is of a shape that this version does not know")
        return None


@dataclass(frozen=True)
class SentFile(Record):
    """A person's sending of a file, by which what is known of it is found from the person and the chat."""

    reference: FileReference

    def writes(self, _: Commit) -> Iterator[Write]:
        """Merge it with what the sender sent before of the same file."""
        yield Write(
            path=paths.reference_path(self.reference.id), document=merge_document(self.reference), mode=Mode.MERGE
        )


def merge_document(reference: FileReference) -> layout.Document:
    """What the document of a reference is merged with: it names all the messages, and whoever is to be told stays so.

    Of a file that was known when it was sent it says nothing of being open: one that is open must not be closed by it,
    and one that is new is as good as closed. So nothing finds those by `is_open`; their file finds them.
    """
    document = encode_reference(reference) | {"message_ids": ArrayUnion(list(reference.message_ids))}
    origins = document.pop("passed_on_from")
    document |= {"passed_on_from": ArrayUnion(list(origins))} if origins else {}
    if not reference.is_own:
        del document["is_own"]  # an earlier message may be
    if not reference.is_open:
        for name in ("is_open", "is_awaited", "try_at"):
            del document[name]
    elif not reference.is_awaited:
        del document["is_awaited"]  # an earlier message may wait for it
    return document


def encode_reference(reference: FileReference) -> layout.Document:
    """A reference's document."""
    return reference.model_dump(mode="python")


def decode_reference(document: layout.Document) -> FileReference:
    """The reference. One of a file that was described when it was sent says nothing of being open."""
    told = {"is_open": False, "try_at": document.get("at"), "is_own": is_own_file(document)}
    return FileReference.model_validate(told | document)


def is_own_file(document: layout.Document) -> bool:
    """Return whether the sender in a reference's document sent the file as their own, and did not only pass it on."""
    return bool(document.get("is_own", not document.get("passed_on_from")))


class FirestoreMediaUpkeep:
    """One client per instance, made inside the running loop. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, project: str, page: int = MOST_REFERENCES) -> None:
        """Open the client; the emulator's address is the official client's own setting.

        `page`: references that are read, and written in one commit, at once.
        """
        self.client, self._page = AsyncClient(project=project), page

    async def counts(self) -> MediaCounts:
        """How many files there are, by what came of them; a count costs a read for every thousand."""
        by_outcome = {one: await _count(MEDIA_OF_OUTCOME.on(self.client, one.value)) for one in DescriptionOutcome}
        return MediaCounts(by_outcome=by_outcome, open_references=await _count(OPEN_REFERENCES.on(self.client, True)))

    async def given_up(self, limit: int) -> Sequence[StoredMedia]:
        """Files that could not be described, however often they were tried."""
        query = MEDIA_OF_OUTCOME.on(self.client, DescriptionOutcome.PERMANENT_FAILURE.value).limit(limit)
        with translated("list files that were given up"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [one for one in (decode_media(document.to_dict()) for document in found) if one is not None]

    async def give_back(self, media: StoredMedia, now: datetime) -> None:
        """Have the next sweep's run try a file, as if it had never been tried; its senders' chats are told anew.

        The file is last: what ends before it leaves a file that is still given up, and so is given back again.
        """
        opened = {"is_open": True, "is_awaited": False, "try_at": now}
        batch = Batch(self.client)
        async for page in self._pages(REFERENCES_OF_FILE.on(self.client, media.unique_id)):
            for one in page:
                batch.add(Write(path=one.reference.path, document=opened, mode=Mode.UPDATE))
            if len(page) == self._page:
                await _commit(batch)
                batch = Batch(self.client)
        again = encode_media(
            evolve(media, description=None, tries=0, claimed_until=None, next_try_at=None, updated_at=now)
        )
        batch.add(Write(path=paths.media_path(media.unique_id), document=again, mode=Mode.UPDATE))
        await _commit(batch)

    async def of_chat(self, key: ChatKey) -> Sequence[FileReference]:
        """What was sent in a chat, the oldest first."""
        return await self._references(REFERENCES_OF_CHAT.on(self.client, key.id))

    async def of_person(self, person: int) -> Sequence[FileReference]:
        """What a person sent, in all chats of all agents, the oldest first."""
        return await self._references(REFERENCES_OF_PERSON.on(self.client, person))

    async def _references(self, query: AsyncQuery) -> Sequence[FileReference]:
        return [one async for page in self._pages(query) for one in references_in(page)]

    async def _pages(self, query: AsyncQuery) -> AsyncIterator[Sequence[DocumentSnapshot[Any]]]:
        """All documents of a query; the last page is shorter than the others, and may be empty."""
        page = query.order_by(NAME).limit(self._page)
        while True:
            with translated("find who sent a file"):
                found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            yield found
            if len(found) < self._page:
                return
            page = page.start_after(found[-1])


async def _commit(batch: Batch) -> None:
    with translated("give a file back"):
        await batch.commit(retry=RETRY, timeout=CALL_SECONDS)


async def _count(query: AsyncQuery) -> int:
    count: Any = query.count()  # a decorator hides its types
    with translated("count what was sent"):
        counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
    return int(counts[0][0].value)
