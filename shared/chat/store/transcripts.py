"""Transcripts in Firestore: their pages, the windows with the newest entries, and the reads and writes of archives."""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from google.api_core import exceptions
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.vector import Vector as FirestoreVector
from pydantic import TypeAdapter, ValidationError

from shared.base.errors import TranscriptUnreadable, WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, FirestoreStore, ProjectStore, translate_errors
from shared.chat.store.queries import (
    CHANGED_CONVERSATIONS,
    CONVERSATIONS_OF_CHAT,
    NAME,
    PAGES,
    Cursor,
    PageQuery,
    Query,
    QueryScope,
    encode_cursor,
    page_of,
)
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.chat.tick_record import TickRecord, encode_record
from shared.values.chat import Chat
from shared.values.message import AnyEntry
from shared.values.prompt import CompressionSummary
from shared.values.transcript import StoredDocument, Transcript, Vector, participants_in, people_in

_ENTRY: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
_ENTRIES: TypeAdapter[tuple[AnyEntry, ...]] = TypeAdapter(tuple[AnyEntry, ...])

#: the field of a page with the record of the tick that wrote it
TICK = "tick"
#: a document may have 1 MiB; pages stay far below this
PAGE_BYTES = 300_000
#: documents per query; a page has at most 300 kB
PAGES_AT_ONCE = 30
DOCUMENTS_AT_ONCE = 300


@dataclass(frozen=True, kw_only=True)
class TranscriptPart(Record):
    """The record that appends numbered entries to a transcript."""

    conversation: str
    entries: tuple[AnyEntry, ...]
    #: the record of the tick that writes the entries, which the first page gets; None if no tick does
    record: TickRecord | None = None

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield a write for each page, which creates the page's document."""
        record = {TICK: encode_record(self.record)} if self.record is not None else {}
        for page in pages_of(self.entries):
            path = paths.page_path(self.conversation, page[0].seq)
            yield Write(path=path, document=encode_page(page) | record, mode=WriteMode.CREATE)
            record = {}


@dataclass(frozen=True)
class Window(Record):
    """The record that replaces the window, that is, the newest entries of the chat's conversation."""

    entries: tuple[AnyEntry, ...]

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        chat = commit.chat
        yield Write(path=paths.window_path(chat.key), document=encode_window(chat, self.entries), mode=WriteMode.SET)


@dataclass(frozen=True)
class WindowDeletion(Record):
    """The record that deletes the window of a chat that moves. The window is rebuilt under the chat's new id."""

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        yield Write(path=paths.window_path(commit.chat.key), document={}, mode=WriteMode.DELETE)


def encode_page(entries: Sequence[AnyEntry]) -> layout.Document:
    """Return the document of consecutive entries, with the ids and the names of all people who occur in them.

    Searches find a person's pages, and so the conversations, by these ids. A single list in the conversation's own
    document would grow in a public group until the document could not be written any more.
    """
    return {
        "first_seq": entries[0].seq,
        "entries": [entry.model_dump() for entry in entries],
        "people": sorted(people_in(entries)),
        "names": {str(one.id): one.name for one in participants_in(entries)},
    }


def pages_of(entries: tuple[AnyEntry, ...]) -> Iterator[tuple[AnyEntry, ...]]:
    """Yield the entries of one commit in as few pages as possible.

    A busy minute of a group then costs one document and one write instead of sixty.
    """
    page: list[AnyEntry] = []
    size = 0
    for entry in entries:
        length = len(json.dumps(entry.model_dump(mode="json"), ensure_ascii=False).encode(errors="replace"))
        if page and size + length > PAGE_BYTES:
            yield tuple(page)
            page, size = [], 0
        page.append(entry)
        size += length
    if page:
        yield tuple(page)


def encode_window(chat: Chat, entries: tuple[AnyEntry, ...]) -> layout.Document:
    """Return the window's document. The number of its last entry shows whether it is current (`is_current`).

    The entries are one JSON text. Each tick reads and writes all of them, and a text takes a tenth of the time that
    nested maps take.
    """
    return {"seq": chat.talk.seq, "conversation": chat.conversation, "entries": _ENTRIES.dump_json(entries).decode()}


def is_current(window: layout.Document, chat: Chat) -> bool:
    """Return whether a window ends with the same entry as the pages of the chat's conversation."""
    return bool(
        window.get("seq") == chat.talk.seq - len(chat.talk.unpaged) and window.get("conversation") == chat.conversation
    )


def decode_window(document: layout.Document | None) -> tuple[AnyEntry, ...]:
    """Return the entries of a window. Raises ValidationError for an unknown form or kind of entry."""
    return _ENTRIES.validate_json((document or {}).get("entries"))  # type: ignore[arg-type]  # validated here


def decode_entries(document: layout.Document | None) -> tuple[AnyEntry, ...]:
    """Return the entries of a page. Raises ValidationError for an unknown kind of entry."""
    return _ENTRIES.validate_python((document or {}).get("entries"))


def readable(pages: Iterable[DocumentSnapshot[Any]]) -> Iterator[AnyEntry]:
    """Yield the entries of pages. Kinds of entry that only a later version of lull knows are left out."""
    for page in pages:
        yield from _readable((page.to_dict() or {}).get("entries"), page.id)


def readable_window(document: layout.Document) -> tuple[AnyEntry, ...]:
    """Return the entries of a window. Kinds of entry that only a later version of lull knows are left out. If the
    document's form is unknown, return ().
    """
    try:
        entries = json.loads(document.get("entries", ""))
    except (TypeError, ValueError):
        return ()
    return tuple(_readable(entries, "the window"))


def _readable(entries: Any, name: str) -> Iterator[AnyEntry]:
    for entry in entries if isinstance(entries, list) else ():
        try:
            yield _ENTRY.validate_python(entry)
        except ValidationError:
            log("an entry of a transcript cannot be read and is left out", page=name)


class FirestoreTranscripts(ProjectStore):
    """Reads whole transcripts. Create one for each function instance, inside the running event loop.

    Every method may raise StoreUnavailable or StoreRefused.
    """

    async def changed_since(self, wanted: PageQuery) -> Sequence[Cursor]:
        """Return the cursors of conversations, sorted by the time at which the conversation was last written."""
        with translate_errors("find what changed"):
            snapshots = await page_of(self.client, CHANGED_CONVERSATIONS, wanted).get(retry=RETRY, timeout=CALL_SECONDS)
        return [Cursor(at=one.get(CHANGED_CONVERSATIONS.order[0].field), path=one.reference.path) for one in snapshots]

    async def every(self, chat: str = "") -> AsyncIterator[str]:
        """Yield the ids of all conversations, or of one chat's conversations, sorted."""
        query = CONVERSATIONS_OF_CHAT.on(self.client, chat) if chat else self.client.collection(paths.CONVERSATIONS)
        page = query.select([]).order_by(NAME).limit(DOCUMENTS_AT_ONCE)
        while True:
            with translate_errors("list the conversations"):
                snapshots = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            for snapshot in snapshots:
                yield snapshot.id
            if len(snapshots) < DOCUMENTS_AT_ONCE:
                return
            page = page.start_after({NAME: snapshots[-1].reference})

    async def read(self, conversation: str) -> Transcript | None:
        """Return a whole conversation; None if there is none. Raises TranscriptUnreadable."""
        document = await self._document(paths.conversation_path(conversation))
        if document is None:
            return None
        try:
            entries = [entry async for entry in self._entries(conversation)]
            chat_id = str(document.get("chat", ""))
            chat = await self._document(paths.chat_path_of(chat_id)) if chat_id else None
            summary = await self._document(paths.compression_path(conversation))
            return Transcript(
                conversation=conversation,
                document={key: _plain(value) for key, value in document.items()},
                chat=Chat.model_validate(chat) if chat else None,
                entries=tuple(entries),
                compression=CompressionSummary.model_validate(summary) if summary else None,
            )
        except ValidationError as wrong:
            place = ".".join(str(part) for part in wrong.errors(include_input=False)[0]["loc"])
            # the cause of the error would quote what people wrote
            raise TranscriptUnreadable(
                f"the stored conversation {conversation} has an unknown form at {place}"
            ) from None

    async def _entries(self, conversation: str) -> AsyncIterator[AnyEntry]:
        query = PAGES.on(self.client.document(paths.conversation_path(conversation))).limit(PAGES_AT_ONCE)
        while True:
            with translate_errors("read a transcript"):
                snapshots = await query.get(retry=RETRY, timeout=CALL_SECONDS)
            for snapshot in snapshots:
                for entry in decode_entries(snapshot.to_dict()):
                    yield entry
            if len(snapshots) < PAGES_AT_ONCE:
                return
            query = query.start_after(snapshots[-1])

    async def cursor(self, archive: str) -> Cursor | None:
        """Return the position up to which an archive was written; None if there is none."""
        document = await self._document(paths.archive_cursor_path(archive))
        return Cursor(at=document["at"], path=document["path"]) if document else None

    async def keep_cursor(self, archive: str, cursor: Cursor) -> None:
        """Store the position up to which an archive was written, in place of the previous one."""
        document = {"archive": archive} | encode_cursor(cursor)
        ref = self.client.document(paths.archive_cursor_path(archive))
        with translate_errors("store an archive's cursor"):
            await ref.set(document, retry=RETRY, timeout=CALL_SECONDS)

    async def _document(self, path: str) -> dict[str, Any] | None:
        with translate_errors("read a document"):
            snapshot = await self.client.document(path).get(retry=RETRY, timeout=CALL_SECONDS)
        document: dict[str, Any] | None = snapshot.to_dict()
        return document


class FirestoreDocuments(FirestoreStore):
    """The documents of all collections. Every method may raise StoreUnavailable or StoreRefused."""

    async def of(self, collections: Sequence[str]) -> AsyncIterator[StoredDocument]:
        """Yield all documents of these collections, including collections of the same names below any document."""
        wanted = set(collections)
        names = {one.rpartition("/")[2]: _scope(one) for one in collections}
        for name, scope in names.items():
            page = Query(collection=name, scope=scope).on(self.client).order_by(NAME).limit(DOCUMENTS_AT_ONCE)
            while True:
                with translate_errors("read documents"):
                    found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
                for one in found:
                    document = StoredDocument(one.reference.path, _plain(one.to_dict() or {}))
                    if document.collection in wanted:
                        yield document
                if len(found) < DOCUMENTS_AT_ONCE:
                    break
                page = page.start_after(found[-1])

    async def add(self, document: StoredDocument) -> bool:
        """Create a document. Return False if it exists."""
        with translate_errors("restore a document"):
            try:
                ref = self.client.document(document.path)
                await ref.create(_to_stored(document.fields), retry=RETRY, timeout=CALL_SECONDS)
            except exceptions.AlreadyExists:
                return False
        return True

    async def complete(self, document: StoredDocument) -> bool:
        """Create a document, or add the fields that it lacks. Return False if it lacks none. Raises WriteConflict."""
        if await self.add(document):
            return True
        ref = self.client.document(document.path)
        with translate_errors("restore a document"):
            seen = await ref.get(retry=RETRY, timeout=CALL_SECONDS)
            there = seen.to_dict() or {}
            lacking = {name: value for name, value in document.fields.items() if name not in there}
            if not lacking:
                return False
            fields = {FieldPath(name).to_api_repr(): value for name, value in _to_stored(lacking).items()}
            same = self.client.write_option(last_update_time=seen.update_time)
            try:
                await ref.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED:
                raise WriteConflict("a document changed while it was restored; try again") from None
        return True


def _scope(collection: str) -> QueryScope:
    return QueryScope.COLLECTION_GROUP if "/" in collection else QueryScope.COLLECTION


def _plain(value: Any) -> Any:
    if isinstance(value, FirestoreVector):
        return Vector(value)
    return {name: _plain(one) for name, one in value.items()} if isinstance(value, dict) else value


def _to_stored(value: Any) -> Any:
    if isinstance(value, Vector):
        return FirestoreVector(value)
    return {name: _to_stored(one) for name, one in value.items()} if isinstance(value, dict) else value
