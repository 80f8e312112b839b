"""The documents of conversations, and the summaries of their older parts. The transcripts are in `transcripts.py`."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.transforms import SERVER_TIMESTAMP, ArrayUnion, Increment
from pydantic import ValidationError

from shared.base.errors import WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, FirestoreStore, translate_errors
from shared.chat.store.decision_counts import encode_answer_times, encode_decisions
from shared.chat.store.queries import CONVERSATIONS_BY_DATE, NEWEST_COMPRESSIONS, NEWEST_PAGES, PAGES
from shared.chat.store.transcripts import readable
from shared.chat.store.writes import CommitContext, Record, Write, WriteBatch, WriteMode, replace_seen
from shared.values.chat import Chat, ConversationInfo
from shared.values.conversation_row import row_fields
from shared.values.message import AnyEntry, calls_of
from shared.values.place import place_of
from shared.values.prompt import CompressionSummary
from shared.values.transcript import opening_of, participants_in
from shared.values.usage import cost_of

#: pages per query; a page may have 300 kB, but usually it has one or two messages
PAGES_AT_ONCE = 60
#: the field by which pages are sorted: the number of a page's first entry
FIRST = PAGES.order[0].field


@dataclass(frozen=True, kw_only=True)
class ConversationState(Record):
    """The record that updates a conversation's document from the chat's state.

    The conversation is the chat's current one, or the one that the chat is leaving.
    """

    chat: Chat
    newest_at: datetime | None
    #: the newest entries
    entries: tuple[AnyEntry, ...] = ()
    #: the entries that this commit adds to the transcript
    added: tuple[AnyEntry, ...] = ()
    #: whether it stays the chat's current conversation
    is_current: bool = True

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the write that merges the fields into the conversation's document."""
        document = encode_conversation(self.chat, self.newest_at) | told_by(self.entries)
        document |= encode_decisions(self.added) | encode_cost(self.added) | encode_participants(self.added)
        document |= {"place": place_of(self.chat.key), "is_current": self.is_current}
        yield Write(path=paths.conversation_path(self.chat.conversation), document=document, mode=WriteMode.MERGE)


@dataclass(frozen=True, kw_only=True)
class ConversationChoice(Record):
    """The record of a title or model that the owner chose for a conversation that its chat has left."""

    conversation: str
    #: "": the title, or the model, stays as it is
    title: str = ""
    model: str = ""

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the write that changes the document. The commit fails if the conversation was deleted."""
        document: layout.Document = {"changed_at": SERVER_TIMESTAMP}
        document |= {"title": self.title, "manually_named": True} if self.title else {}
        document |= {"model": self.model} if self.model else {}
        yield Write(path=paths.conversation_path(self.conversation), document=document, mode=WriteMode.UPDATE)


@dataclass(frozen=True, kw_only=True)
class TakenConversation(Record):
    """The record that moves a conversation to this chat from another chat of the same person, which has left it."""

    conversation: str
    #: the version in which it was read. The commit fails if it was written since: two chats never go on with it
    version: object

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that makes the conversation the current one of this chat."""
        key = commit.chat.key
        document = {"chat": key.id, "channel": key.channel.value, "is_current": True, "changed_at": SERVER_TIMESTAMP}
        path = paths.conversation_path(self.conversation)
        yield Write(path=path, document=document, mode=WriteMode.UPDATE, version=self.version)


def encode_conversation(chat: Chat, newest_at: datetime | None) -> layout.Document:
    """Return fields to be merged into a conversation's document.

    Only titles given by people are written. `updated_at` is set only if the conversation has a turn or a title: lists
    sort by it, and so leave out conversations in which nobody has said anything. `changed_at` is the time of this
    write. The archive uses it, since the last message may be a day older. `due_at` is when notes are due.
    """
    listed = {"updated_at": newest_at} if chat.talk.turn or chat.talk.conversation_title else {}
    listed |= {"due_at": chat.recall.rests_at} if chat.talk.turn else {}
    own_title = {"title": chat.talk.conversation_title, "manually_named": True} if chat.talk.conversation_title else {}
    return {
        "agent": chat.key.agent,
        "chat": chat.key.id,
        "channel": chat.key.channel.value,
        "chat_kind": chat.kind.value,
        "chat_title": chat.title,
        "is_turned_away": chat.access.is_turned_away,
        "model": chat.talk.model,
        "entries": chat.talk.seq,
        "moved_seq": chat.moves.moved_seq,
        "turns": chat.talk.turn,
        "segment": chat.recall.segment.model_dump(),
        "changed_at": SERVER_TIMESTAMP,
        **listed,
        **own_title,
    }


def told_by(entries: tuple[AnyEntry, ...]) -> layout.Document:
    """Return the fields to merge into a conversation's document, made from its newest entries.

    They contain the newest message, the recent authors, and, if `entries` begins at number 1, a person's first message.
    """
    opening = opening_of(entries)
    return ({"opening": opening} if opening else {}) | (row_fields(entries) if entries else {})


@dataclass(frozen=True, kw_only=True)
class ConversationCost(Record):
    """The record that adds new entries' cost and authors to a conversation, if no ConversationState is written."""

    conversation: str
    added: tuple[AnyEntry, ...]

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the write that adds the cost and the authors, if there are any."""
        if fields := encode_cost(self.added) | encode_participants(self.added):
            yield Write(path=paths.conversation_path(self.conversation), document=fields, mode=WriteMode.MERGE)


def encode_cost(added: Sequence[AnyEntry]) -> layout.Document:
    """Return fields that add the dollars of new entries to a conversation's `cost`, and count their durations.

    A page of a transcript is written once, so its cost is added once. `is_cost_partial` says that the cost of some
    calls is unknown. In conversations that are older than this field, `cost` covers only the time since its
    introduction.
    """
    fields, total = encode_answer_times(added), 0.0
    for one in added:
        if calls := calls_of(one):
            cost = cost_of(calls, one.at)
            total += cost or 0.0
            fields |= {"is_cost_partial": True} if cost is None else {}
    return fields | ({"cost": Increment(total)} if total else {})


def encode_participants(added: Sequence[AnyEntry]) -> layout.Document:
    """Return the field that adds the authors of new entries to the ids of a conversation's participants.

    Ids are small, so that even thousands fit into the document. Authors from before this field existed are added when
    the conversation is rebuilt.
    """
    ids = [one.id for one in participants_in(added)]
    return {"participants": ArrayUnion(ids)} if ids else {}


@dataclass(frozen=True, kw_only=True)
class CompressionSnapshot:
    """A conversation's summary, and the version that it must still have when it is written next."""

    summary: CompressionSummary | None
    version: object

    @property
    def up_to_seq(self) -> int:
        """The number of the last summarised entry."""
        return self.summary.up_to_seq if self.summary else 0


class FirestoreCompressions(FirestoreStore):
    """The summaries of all conversations. Every method may raise StoreUnavailable or StoreRefused."""

    async def read(self, conversation: str) -> CompressionSnapshot:
        """Return a conversation's summary with its version. If no readable summary is stored, `summary` is None."""
        with translate_errors("read a summary"):
            snapshot = await self.client.document(paths.compression_path(conversation)).get(
                retry=RETRY, timeout=CALL_SECONDS
            )
        if not snapshot.exists:
            return CompressionSnapshot(summary=None, version=None)
        try:
            summary = CompressionSummary.model_validate(snapshot.to_dict())
        except ValidationError:
            log("a summary has an unknown form, and is made again", conversation=conversation)
            return CompressionSnapshot(summary=None, version=snapshot.update_time)
        return CompressionSnapshot(summary=summary, version=snapshot.update_time)

    async def newest(self, conversation: str, limit: int) -> Sequence[CompressionSummary]:
        """Return a conversation's summary and those that it replaced, the newest first, without unreadable ones."""
        query = NEWEST_COMPRESSIONS.on(self.client.document(paths.conversation_path(conversation)))
        with translate_errors("read summaries"):
            found = await query.limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
        summaries = list[CompressionSummary]()
        for one in found:
            with suppress(ValidationError):
                summaries.append(CompressionSummary.model_validate(one.to_dict()))
        return summaries

    async def replace(
        self, conversation: str, seen: CompressionSnapshot, summary: CompressionSummary
    ) -> CompressionSnapshot:
        """Replace the summary `seen`, which the owner can still read. Raises WriteConflict if `seen` is outdated."""
        path, document = paths.compression_path(conversation), encode_compression(summary)
        batch = WriteBatch(self.client)
        batch.add(replace_seen(path, document, seen.version))
        if seen.summary is not None and seen.summary.text:
            kept = paths.replaced_compression_path(conversation, seen.up_to_seq)
            batch.add(Write(path=kept, document=encode_compression(seen.summary), mode=WriteMode.SET))
        with translate_errors("store a summary"):
            try:
                results = await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise WriteConflict("another tick replaced the conversation's summary first; read it again") from cause
        return CompressionSnapshot(summary=summary, version=results[0].update_time)

    async def entries_after(self, conversation: str, seq: int) -> tuple[AnyEntry, ...]:
        """Return the entries after number `seq`. The number of pages that are read is limited."""
        document = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a transcript"):
            # the page that contains entry seq + 1 may begin before it
            begun = NEWEST_PAGES.on(document).start_at({FIRST: seq + 1}).limit(1)
            pages = list(await begun.get(retry=RETRY, timeout=CALL_SECONDS))
            following = PAGES.on(document).start_after({FIRST: seq + 1}).limit(PAGES_AT_ONCE)
            pages += await following.get(retry=RETRY, timeout=CALL_SECONDS)
        return tuple(entry for entry in readable(pages) if entry.seq > seq)


#: the fields to read; others are left out, since older documents may list everybody who took part
FIELDS = tuple(name for name in ConversationInfo.model_fields if name not in {"id", "version"})


class FirestoreConversations(FirestoreStore):
    """Reads conversations' documents, but no transcripts. Every method may raise StoreUnavailable or StoreRefused."""

    async def page(self, chats: Sequence[str], skipped: int, limit: int) -> Sequence[ConversationInfo]:
        """Return up to `limit` conversations of these chats, the most recent first, after the first `skipped`."""
        query = CONVERSATIONS_BY_DATE.on(self.client, list(chats)).select(FIELDS).offset(skipped).limit(limit)
        with translate_errors("list conversations"):
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return [kept for kept in map(_decode_info, found) if kept is not None]

    async def count(self, chats: Sequence[str]) -> int:
        """Return the number of conversations of these chats, counted by Firestore without reading them."""
        counting: Any = CONVERSATIONS_BY_DATE.on(self.client, list(chats)).count()  # a decorator hides its types
        with translate_errors("count conversations"):
            ((counted,),) = await counting.get(retry=RETRY, timeout=CALL_SECONDS)
        return int(counted.value)

    async def find(self, conversation: str) -> ConversationInfo | None:
        """Return a conversation; None if there is none."""
        document: Any = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a conversation"):
            found = await document.get(FIELDS, retry=RETRY, timeout=CALL_SECONDS)
        return _decode_info(found) if found.exists else None


def _decode_info(snapshot: DocumentSnapshot[Any]) -> ConversationInfo | None:
    """Return the conversation; None if the document has an unknown form."""
    try:
        read = {"id": snapshot.id, "version": snapshot.update_time}
        return ConversationInfo.model_validate((snapshot.to_dict() or {}) | read)
    except ValidationError:
        log("a conversation has an unknown form", conversation=snapshot.id)
        return None


def encode_compression(summary: CompressionSummary) -> layout.Document:
    return summary.model_dump()
