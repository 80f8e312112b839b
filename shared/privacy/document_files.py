"""The files in which an archive stores documents outside of conversations, one file for each collection."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from shared.base.errors import TranscriptUnreadable, WriteConflict
from shared.base.logs import log
from shared.chat.archive import Archive
from shared.chat.archive_names import documents_name_of, is_documents
from shared.chat.document_json import from_json, to_json
from shared.chat.store.queries import Cursor, PageQuery
from shared.values.chat_key import ChatKey
from shared.values.deletion import Deletion, DeletionScope
from shared.values.media import MediaKind
from shared.values.transcript import StoredDocument

if TYPE_CHECKING:
    from shared.chat.store.transcripts import FirestoreDocuments, FirestoreTranscripts


#: After this time, the files are written again even if nothing was said.
AT_LAST: Final = timedelta(days=7)
#: the cursor that is assumed for an archive without such files
_NEVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: a path that sorts after all conversations with the same time
_LAST: Final = "conversations/~"
#: Collections whose documents may exist before a restore. A restore adds the fields that such a document lacks.
_SHARED: Final = frozenset({"bots"})


def cursor_name(url: str) -> str:
    """Return the name of the cursor that stores when an archive's document files were last written."""
    return f"{url} documents"


async def is_due(transcripts: FirestoreTranscripts, place: Archive, now: datetime, every: timedelta) -> bool:
    """Return whether an archive's document files have to be written again. Raises StoreUnavailable or StoreRefused."""
    cursor = await transcripts.cursor(cursor_name(place.url))
    if cursor is None or now - cursor.at >= AT_LAST:
        return True
    if now - cursor.at < every:
        return False
    beyond = Cursor(at=cursor.at, path=_LAST)
    return bool(await transcripts.changed_since(PageQuery(before=now, beyond=beyond, limit=1)))


async def archive_documents(
    documents: FirestoreDocuments, transcripts: FirestoreTranscripts, place: Archive, now: datetime
) -> None:
    """Write the files of all collections, and set the archive's cursor to `now`.

    Raises StoreUnavailable, StoreRefused or ArchiveUnavailable.
    """
    count = await store_documents(documents, place, now)
    await transcripts.keep_cursor(cursor_name(place.url), Cursor(at=now, path=_LAST))
    log(f"{count} documents were archived")


async def store_documents(documents: FirestoreDocuments, place: Archive, now: datetime) -> int:
    """Write one file for each collection. Return the number of documents in all files."""
    found: dict[str, list[StoredDocument]] = {kind: [] for kind in KINDS}
    async for one in documents.of(KINDS):
        found[one.collection].append(one)
    for kind, those in found.items():
        await place.put(documents_name_of(kind), documents_content(kind, now, those))
    return sum(map(len, found.values()))


async def erase_documents(
    documents: FirestoreDocuments, transcripts: FirestoreTranscripts, place: Archive, now: datetime
) -> int:
    """Delete every version of the document files, and write them again. The new files lack the documents that were
    deleted.

    Returns the number of deleted versions. The cursor is reset first: if this run dies in between, the next nightly run
    writes the files.
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
    deletions: Sequence[Deletion],
    warn: Callable[[str], None],
) -> Counter[str]:
    """Add the archived documents that the database lacks, unless their people, groups or conversations were deleted.

    Returns the number of documents that were `restored` or already `there`, and of `unreadable` files.
    """
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
            kept = without_forgotten(one, made_at, deletions) if one.collection in KINDS else None
            if kept is not None:
                done["restored" if await _add(documents, kept) else "there"] += 1
    return done


async def _add(documents: FirestoreDocuments, document: StoredDocument) -> bool:
    if document.collection not in _SHARED:
        return await documents.add(document)
    for _ in range(5):
        try:
            return await documents.complete(document)
        except WriteConflict:
            log("a document changed while it was restored")
    return await documents.complete(document)


def _warner(name: str, warn: Callable[[str], None]) -> Callable[[int, str], None]:
    return lambda line, what: warn(f"{name}: line {line} {what}; left out")


class Archived(StrEnum):
    """The ways in which an archive stores a collection."""

    #: in the file of the conversation
    WITH_CONVERSATION = "with_conversation"
    #: in one file with all documents of the same collection
    WITH_KIND = "with_kind"
    #: not archived; `why` describes what this means after a restore
    NOT = "not"


@dataclass(frozen=True)
class ArchiveRule:
    """The rule for one collection: how an archive stores its documents."""

    collection: str
    archived: Archived
    why: str = ""
    #: the part of an archived document that a restore leaves out, and the reason
    but: str = ""


def _not(collection: str, why: str) -> ArchiveRule:
    return ArchiveRule(collection, Archived.NOT, why)


RULES: Final = (
    ArchiveRule("chats", Archived.WITH_CONVERSATION, but="the offers of buttons, since later presses are unknown"),
    ArchiveRule("conversations", Archived.WITH_CONVERSATION),
    ArchiveRule("conversations/messages", Archived.WITH_CONVERSATION),
    ArchiveRule("conversations/compression", Archived.WITH_CONVERSATION),
    ArchiveRule("people", Archived.WITH_KIND),
    ArchiveRule("people/memories", Archived.WITH_KIND),
    ArchiveRule("chats/memories", Archived.WITH_KIND),
    ArchiveRule("bots", Archived.WITH_KIND),
    ArchiveRule("bots/memories", Archived.WITH_KIND),
    ArchiveRule(
        "bots/curations",
        Archived.WITH_KIND,
        but="descriptions of files other than stickers, if somebody was forgotten since the archive was made",
    ),
    ArchiveRule("events", Archived.WITH_KIND),
    ArchiveRule("memberships", Archived.WITH_KIND),
    ArchiveRule("requests", Archived.WITH_KIND),
    ArchiveRule("marks", Archived.WITH_KIND),
    _not("chats/inbox", "updates are stored for some days; messages that were read are in the transcript"),
    _not("chats/exchanges", "kept for some days, if the owner has switched that on"),
    _not("chats/window", "made again from the transcript"),
    _not("chats/screen", "what the agent said is in the transcript; old buttons are of no use"),
    _not("plans", "a restored plan could send messages twice"),
    _not("plans/past", "their messages are in the transcript"),
    _not("summaries", "made again from the transcript by the nightly job"),
    _not("entities", "Telegram is asked again"),
    _not("conversations/segments", "made again from the transcript: `make rebuild`"),
    _not("conversations/observations", "made again from the transcript: `make rebuild`"),
    _not("takeouts", "the person can use `/export` again; exports are not archived"),
    _not("references", "each message names its files"),
    _not("media", "a message has the descriptions of its files; a file that is sent again is described again"),
    _not("lookups", "services are asked again"),
    _not("incidents", "they belong to the lost database"),
    _not("usage", "the transcript has the cost of each answer"),
    _not("accounts", "sums of the current month; limits start again from zero"),
    _not("budgets", "sums of the current month; limits start again from zero"),
    _not("notices", "the owner is notified once more"),
    _not("console_records", "they belong to the lost database"),
    _not("archives", "the next run archives everything again"),
    _not("sweeps", "the next sweep starts from the beginning"),
    _not("rebuilds", "the next `make rebuild` starts from the beginning"),
    _not("erasures", "separate files list erasures; a restore reads these and erases again"),
    _not("canaries", "the next canary replaces it"),
)

#: collections that have a file of their own, in the order in which they are restored
KINDS: Final = tuple(one.collection for one in RULES if one.archived is Archived.WITH_KIND)


def rule_of(collection: str) -> ArchiveRule | None:
    """Return the rule for a collection; None if there is none."""
    return next((one for one in RULES if one.collection == collection), None)


_TYPE: Final = "documents"
#: fields that are emptied in a blocked person's entry of an access list; the entry itself stays
_UNNAMED: Final = {"name": "", "why": ""}


def documents_content(collection: str, made_at: datetime, documents: Iterable[StoredDocument]) -> bytes:
    """Return the content of a collection's file. The same documents always give the same lines."""
    head = {"type": _TYPE, "collection": collection, "made": made_at.isoformat()}
    lines = [{"path": one.path, "fields": to_json(one.fields)} for one in sorted(documents, key=lambda one: one.path)]
    return "".join(f"{json.dumps(one, ensure_ascii=False, sort_keys=True)}\n" for one in (head, *lines)).encode()


def read_documents(content: bytes, warn: Callable[[int, str], None]) -> tuple[datetime, Sequence[StoredDocument]]:
    """Return the time at which a file was made, and the documents in it. A corrupt line is skipped with a warning.

    Raises TranscriptUnreadable.
    """
    found, (first, *lines) = list[StoredDocument](), content.split(b"\n")
    try:
        head = json.loads(first)
        made_at, collection = datetime.fromisoformat(head["made"]), str(head["collection"])
        if head["type"] != _TYPE or made_at.tzinfo is None:
            raise ValueError("not a file of documents")
    except (ValueError, KeyError, TypeError) as wrong:
        raise TranscriptUnreadable(f"not a file of archived documents ({type(wrong).__name__})") from None
    for number, line in enumerate(lines, start=2):
        if not line.strip():
            continue
        try:
            told = json.loads(line.decode())
            one = StoredDocument(str(told["path"]), from_json(told["fields"]))
            if one.collection != collection or not isinstance(one.fields, Mapping):
                raise ValueError("the document is not of this file's collection")
            found.append(one)
        except (ValueError, KeyError, TypeError, RecursionError) as wrong:
            warn(number, f"is corrupt ({type(wrong).__name__})")
    return made_at, found


def without_forgotten(
    document: StoredDocument, made_at: datetime, deletions: Iterable[Deletion]
) -> StoredDocument | None:
    """Return the part of an archived document that may be restored after later deletions; None if there is none.

    A deletion also rewrites the files of archives. This function matters for copies of an archive, and for archives
    that do not allow deletion.
    """
    kept: StoredDocument | None = document
    for one in deletions:
        if kept is not None and made_at <= (one.cut or one.asked_at):
            kept = _without(kept, one)
    return kept


def _without(document: StoredDocument, deletion: Deletion) -> StoredDocument | None:
    fields = dict(document.fields)
    if _is_of(document, deletion):
        return None
    if isinstance(memories := fields.get("memories"), Mapping):
        left = {name: one for name, one in memories.items() if not _comes_from(one, deletion)}
        if memories and not left:
            return None
        fields["memories"] = left
    if document.collection == "bots/curations" and isinstance(edits := fields.get("edits"), Mapping):
        # the archive does not tell who had sent a file, so it may have been the deleted person
        fields["edits"] = {
            n: one for n, one in edits.items() if _is_of_sticker(one) and one.get("by") != deletion.person
        }
    if document.collection == "bots":
        fields |= _access_list(fields, deletion)
    return StoredDocument(document.path, fields)


def _is_of_sticker(edit: Any) -> bool:
    return isinstance(edit, Mapping) and edit.get("kind") in {MediaKind.STICKER.value, MediaKind.CUSTOM_EMOJI.value}


def _is_of(document: StoredDocument, deletion: Deletion) -> bool:
    """Return whether the whole document belongs to the deleted person, group or conversation."""
    parts, fields = document.path.split("/"), document.fields
    match deletion.scope:
        case DeletionScope.PERSON:
            is_named = parts[0] == "people" and parts[1] == str(deletion.person)
            maker = fields.get("by") if document.collection == "marks" else None
            return is_named or deletion.person in (fields.get("person"), fields.get("chat_id"), maker)
        case DeletionScope.GROUP:
            key = deletion.key
            is_group = fields.get("chat_id") == key.chat_id and fields.get("agent") == key.agent
            named = parts[1] if parts[0] == "chats" else str(fields.get("chat", ""))
            return is_group or _is_in(key, named)
        case DeletionScope.CONVERSATION:
            return fields.get("conversation") == deletion.conversation


def _is_in(group: ChatKey, chat: str) -> bool:
    """Return whether a chat, given by its document's id, is the group or one of its topics."""
    try:
        key = ChatKey.from_id(chat)
    except ValueError:
        return False
    return (key.agent, key.chat_id) == (group.agent, group.chat_id)


def _comes_from(memory: Any, deletion: Deletion) -> bool:
    source = memory.get("source") if isinstance(memory, Mapping) else None
    if not isinstance(source, Mapping):
        return False
    match deletion.scope:
        case DeletionScope.PERSON:
            return source.get("person") == deletion.person and not memory.get("also_by")
        case DeletionScope.GROUP:
            return source.get("place") == f"{deletion.key.agent}.{deletion.key.chat_id}"
        case DeletionScope.CONVERSATION:
            return source.get("conversation") == deletion.conversation


def _access_list(fields: Mapping[str, Any], deletion: Deletion) -> dict[str, Any]:
    """Return the access lists without the deleted person or group.

    A block stays, but the name of the blocked person or group is removed.
    """
    changed = dict[str, Any]()
    if deletion.scope is DeletionScope.CONVERSATION:
        return changed
    name = str(deletion.person or deletion.key.chat_id)
    for access_list, left in {"people": None, "waits": None, "blocked": _UNNAMED, "groups": {"title": ""}}.items():
        known = fields.get(access_list)
        if isinstance(known, Mapping) and name in known:
            others = {other: value for other, value in known.items() if other != name}
            changed[access_list] = others if left is None else {**others, name: {**known[name], **left}}
    return changed
