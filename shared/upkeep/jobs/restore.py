"""Restores conversations, chats and other documents from an archive into a database, without overwriting data there.

People whose data was deleted stay deleted: the archive contains the deletions, and the restore repeats them at the end.

Plans are not restored: it is unknown which messages were sent after the archive was made, and nothing may be sent
twice. The next message in a chat makes a new plan.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shared.base.errors import RestoreRefused, TranscriptUnreadable
from shared.chat.archive import Archive
from shared.chat.archive_names import conversation_of, is_deletion
from shared.chat.deletion_files import read_deletion
from shared.chat.document_json import from_json
from shared.chat.lines import ABBREVIATION, COMPRESSION, TOPICS
from shared.privacy.document_files import restore_documents
from shared.privacy.jobs.erase_again import erase_again, keep_deletions
from shared.privacy.jobs.erase_run import Deleter
from shared.values.chat import Chat, ChatClaim, SupergroupMigration
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.deletion import Deletion
from shared.values.evolve import evolve
from shared.values.message import TITLED, AnyEntry, ButtonPress, Edit, Event, MediaDescribed, Message, Reaction
from shared.values.notes import NotedEvent, history_text
from shared.values.prompt import CompressionSummary
from shared.values.transcript import Transcript

if TYPE_CHECKING:
    from shared.chat.store.transcripts import FirestoreDocuments
    from shared.upkeep.store.restoring import FirestoreRestoring

#: this is added to a chat's generation, a counter that is part of task names: for a while, Cloud Tasks refuses a name
#: that was used before
GENERATIONS_AHEAD = 1_000_000


@dataclass(frozen=True, kw_only=True)
class RestoreProgress:
    done: int
    of: int


@dataclass(frozen=True, kw_only=True)
class Restorer:
    """The dependencies of a restore: the database, the archive to restore from, and callbacks.

    `tell` gets the progress. `warn` gets sentences about problems, which quote nothing from the archive. `deleter`
    repeats deletions in the database only; it leaves archives alone.
    """

    database: FirestoreRestoring
    deleter: Deleter
    archive: Archive
    tell: Callable[[RestoreProgress], None]
    warn: Callable[[str], None]
    #: documents that are in no transcript; None if they are not restored
    documents: FirestoreDocuments | None = None


@dataclass(kw_only=True)
class RestoreResult:
    """Numbers of files, chats and documents that were restored, already there, or unreadable.

    `deletions` counts the deletions that were repeated (`erased`), that the sweep will repeat (`left`), or that are
    unreadable.
    """

    conversations: Counter[str] = field(default_factory=Counter)
    chats: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    deletions: Counter[str] = field(default_factory=Counter)


async def restore(restorer: Restorer, *, adds: bool = False) -> RestoreResult:
    """Add all data that the database lacks. May be repeated.

    Raises RestoreRefused if the database is not empty and `adds` is False. Also raises StoreUnavailable, StoreRefused
    or ArchiveUnavailable.
    """
    if not adds and not await restorer.database.is_empty():
        raise RestoreRefused(
            "the database already has conversations, so nothing was restored. To add only what is missing, set ADD=yes"
        )
    files = await restorer.archive.names()
    names = [name for name in files if conversation_of(name)]
    restored, chats, ends = RestoreResult(), dict[str, Chat](), dict[str, tuple[int, int]]()
    archived = await _deletions(restorer, [name for name in files if is_deletion(name)], restored)
    await keep_deletions(
        restorer.deleter, archived
    )  # first, so that the sweep deletes restored data even if this run dies
    for number, name in enumerate(names, start=1):
        transcript = await _read(restorer, name)
        if transcript is None:
            restored.conversations["unreadable"] += 1
        else:
            restored.conversations[_counter_of(await restorer.database.add(transcript))] += 1
            ends[transcript.conversation] = (transcript.seq, transcript.turn)
            if transcript.chat is not None:
                chats[transcript.chat.key.id] = _newer(chats.get(transcript.chat.key.id), transcript.chat)
        restorer.tell(RestoreProgress(done=number, of=len(names)))
    if restorer.documents is not None:
        known = [one async for one in restorer.deleter.log.all()]
        restored.documents = await restore_documents(restorer.documents, restorer.archive, files, known, restorer.warn)
    for chat in chats.values():  # last, so that a chat's conversation exists before the chat is used
        restored.chats[_counter_of(await restorer.database.add_chat(_with_counters(chat, ends)))] += 1
        if chat.moves.moved_from:
            await restorer.database.add_chat(_former_chat(chat))
    restored.deletions += await erase_again(restorer.deleter)
    return restored


async def _deletions(restorer: Restorer, names: Sequence[str], restored: RestoreResult) -> Sequence[Deletion]:
    found = list[Deletion]()
    for name in names:
        try:
            found.append(read_deletion(await restorer.archive.get(name)))
        except TranscriptUnreadable as error:
            restorer.warn(f"{name}: {error}; left out")
            restored.deletions["unreadable"] += 1
    return found


async def _read(restorer: Restorer, name: str) -> Transcript | None:
    content = await restorer.archive.get(name)
    try:
        return read_transcript(content, lambda line, what: restorer.warn(f"{name}: line {line} {what}; left out"))
    except TranscriptUnreadable as error:
        restorer.warn(f"{name}: {error}; left out")
        return None


def _newer(known: Chat | None, chat: Chat) -> Chat:
    """Return the newer of two states of a chat that come from two files."""
    return (
        chat
        if known is None or (chat.claim.generation, chat.talk.seq) >= (known.claim.generation, known.talk.seq)
        else known
    )


def _with_counters(chat: Chat, ends: Mapping[str, tuple[int, int]]) -> Chat:
    """Return the chat with counters that are at least the newest entry and turn of its conversation.

    The name of a transcript's page is the number of an entry. With lower counters, the chat would try to create pages
    that exist already.
    """
    seq, turn = ends.get(chat.conversation, (0, 0))
    return evolve(
        chat,
        talk=evolve(chat.talk, seq=max(chat.talk.seq, seq), turn=max(chat.talk.turn, turn)),
        claim=evolve(chat.claim, generation=chat.claim.generation + GENERATIONS_AHEAD),
    )


def _former_chat(chat: Chat) -> Chat:
    """Return a chat for the id that a supergroup had as a basic group. It only points to the supergroup."""
    key = ChatKey(agent=chat.key.agent, chat_id=chat.moves.moved_from)
    generation = chat.claim.generation + GENERATIONS_AHEAD
    return Chat(
        key=key,
        kind=ChatKind.GROUP,
        moves=SupergroupMigration(moved_to=chat.key.chat_id),
        claim=ChatClaim(generation=generation),
    )


def _counter_of(was_added: bool) -> str:
    return "restored" if was_added else "there"


#: receives the number of a line, from 1, and the problem with it, without quoting the line
Warn = Callable[[int, str], None]

_KINDS: dict[
    str, type[Message] | type[Edit] | type[Reaction] | type[ButtonPress] | type[MediaDescribed] | type[Event]
] = {
    "service": Message,
    "command": Message,
    "edit": Edit,
    "reaction": Reaction,
    "press": ButtonPress,
    "described": MediaDescribed,
    "update": Event,
    TITLED: Event,
}
#: fields for other programs that read archives; lull reads the same data from other fields
_FOR_READERS = frozenset(
    {"type", "role", "event", "content", "timestamp", "turnNumber", "channel", "sender", "usage", "cost"}
)
#: events that lull derived from the conversation; in contrast, a title that a person set is an entry with a number
_NOTED = frozenset({TITLED, ABBREVIATION, TOPICS})


def read_transcript(content: bytes, warn: Warn) -> Transcript:
    """Return the transcript of a file. Raises TranscriptUnreadable if no line names the conversation.

    If two lines have the same `seq`, the later one counts, so that corrections can be appended.
    """
    found = _Found()
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            if not found.take(_fields(line)):
                warn(number, "is of a kind that this version does not know")
        except (ValueError, KeyError, TypeError, RecursionError) as wrong:
            warn(number, f"is corrupt ({type(wrong).__name__})")
    return found.transcript()


@dataclass
class _Found:
    """The parts of a transcript, collected from the lines of its file."""

    meta: dict[str, Any] = field(default_factory=dict)
    entries: dict[int, AnyEntry] = field(default_factory=dict)
    history: list[NotedEvent] = field(default_factory=list)
    compression: CompressionSummary | None = None

    def take(self, fields: dict[str, Any]) -> bool:
        """Add a line; return False if this version does not know its kind."""
        event = fields.get("event")
        if fields["type"] == "meta":
            self.meta = _meta(fields)
        elif event == COMPRESSION and "up_to_seq" in fields:
            self.compression = _compression(fields)
        elif event in _NOTED and "seq" not in fields and "timestamp" in fields:
            self.history.append(_noted_event(fields))
        elif (entry := _entry(fields)) is not None:
            self.entries[entry.seq] = entry
        else:
            return False
        return True

    def transcript(self) -> Transcript:
        """Return the transcript. Raises TranscriptUnreadable if no line names the conversation."""
        if not self.meta:
            raise TranscriptUnreadable("no `meta` line has the id of the conversation")
        if self.history:
            self.meta["document"] |= {"history": history_text(self.history)}
        entries = tuple(self.entries[seq] for seq in sorted(self.entries))
        return Transcript(entries=entries, compression=self.compression, **self.meta)


def _fields(line: bytes) -> dict[str, Any]:
    fields = json.loads(line.decode())
    if not isinstance(fields, dict):
        raise TypeError("expected a JSON object in each line")
    return fields


def _meta(fields: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(fields["id"], str) or not fields["id"]:
        raise TypeError("expected a text as `id`")
    document = from_json(fields.get("document", {}))
    if not isinstance(document, dict):
        raise TypeError("expected an object as `document`")
    chat = Chat.model_validate(fields["chat"]) if fields.get("chat") else None
    return {"conversation": fields["id"], "document": document, "chat": chat}


def _noted_event(fields: dict[str, Any]) -> NotedEvent:
    told = {name: fields[name] for name in ("title", "topics", "holds_outside") if name in fields}
    return NotedEvent.model_validate(told | {"at": fields["timestamp"], "abbreviation": fields.get("text", "")})


def _compression(fields: dict[str, Any]) -> CompressionSummary:
    told = {"up_to_seq": fields["up_to_seq"], "text": fields["summary"], "made_at": fields["timestamp"]}
    return CompressionSummary.model_validate(told | {"holds_outside": bool(fields.get("holds_outside"))})


def _entry(fields: dict[str, Any]) -> AnyEntry | None:
    """Return the entry of a turn or an event; None for an event that is not one of lull's."""
    kind = Message if fields["type"] == "turn" else _KINDS.get(str(fields.get("event")))
    if fields["type"] not in {"turn", "event"} or kind is None or (kind is Event and "seq" not in fields):
        return None
    own = {name: value for name, value in fields.items() if name not in _FOR_READERS}
    if "turnNumber" in fields:
        own["turn"] = fields["turnNumber"]
    if "content" in fields:
        own["text"] = fields["content"]
    entry = kind.model_validate({**own, "at": fields["timestamp"]})
    if entry.seq < 1:
        raise ValueError("expected a `seq` from 1")
    return entry
