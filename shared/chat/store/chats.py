"""The tick's part of Firestore: chats with their inboxes, in fenced commits; conversations, and their summaries."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_document import AsyncDocumentReference
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import ValidationError
from ulid import ULID

from shared.base.errors import LeaseLost, StopRequested, WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.chat.store.inbox import add_update
from shared.chat.store.plans import decode_plan, encode_plan
from shared.chat.store.queries import NEWEST_PAGES, NEWEST_UPDATE, UNREAD
from shared.chat.store.transcripts import decode_window, is_current, readable
from shared.chat.store.writes import CommitContext, Record, Write, WriteBatch, WriteMode, portions_of, replace_seen
from shared.tasks.plan import Plan
from shared.values.chat import Chat, Lease, parts_of_chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import AnyEntry
from shared.values.update import InboxUpdate


@dataclass(frozen=True, kw_only=True)
class ChatSnapshot:
    """A chat's document as it was read or written: with the version that a write of it must still find."""

    chat: Chat
    #: Firestore's update time; none when there is no document yet
    version: object | None


@dataclass(frozen=True, kw_only=True)
class ChatCommit:
    """What one commit of a tick writes; all of it or nothing, and only while the lease is this tick's."""

    chat: Chat
    #: what is written beside the chat's document, in this order
    records: tuple[Record, ...] = ()


class FirestoreChats:
    """The chats in Firestore. One client per instance, made inside the running loop.

    Every call raises StoreUnavailable when Firestore does not answer, and StoreRefused for what cannot be stored as it
    is.
    """

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

    async def see(self, key: ChatKey) -> ChatSnapshot:
        """The chat's document and its version."""
        snapshot = await self._get(paths.chat_path(key), "read a chat")
        version = snapshot.update_time if snapshot.exists else None
        return ChatSnapshot(chat=decode_chat(key, snapshot.to_dict()), version=version)

    async def newest_update_at(self, key: ChatKey) -> datetime | None:
        """When the newest update of the chat came; none for an empty inbox."""
        newest = NEWEST_UPDATE.on(self._chat(key)).select(["received_at"]).limit(1)
        with translated("find the newest update"):
            snapshots = await newest.get(retry=RETRY, timeout=CALL_SECONDS)
        return snapshots[0].get("received_at") if snapshots else None

    async def claim(self, seen: ChatSnapshot, lease: Lease) -> ChatSnapshot:
        """Take the lease and count the generation up, in one compare-and-set. Raises WriteConflict."""
        chat = seen.chat.with_part(
            evolve(
                seen.chat.claim,
                lease=lease,
                generation=seen.chat.claim.generation + 1,
                starts=seen.chat.claim.starts + 1,
            )
        )
        try:
            return await self.commit(seen, ChatCommit(chat=chat))
        except (LeaseLost, StopRequested) as cause:
            raise WriteConflict("the chat was claimed by another tick") from cause

    async def unread(self, key: ChatKey, limit: int) -> Sequence[InboxUpdate]:
        """The oldest unread updates, in the order of their ids, which is the order of the documents' names."""
        unread = UNREAD.on(self._chat(key), False).limit(limit)
        with translated("read an inbox"):
            snapshots = await unread.get(retry=RETRY, timeout=CALL_SECONDS)
        documents = ((snapshot.to_dict() or {}) | {"update_id": int(snapshot.id)} for snapshot in snapshots)
        return [layout.decode_update(key, document) for document in documents]

    async def unread_count(self, key: ChatKey) -> int:
        """How many updates are unread; counting costs one read for up to a thousand."""
        count: Any = UNREAD.on(self._chat(key), False).count()  # a decorator hides its types
        with translated("count an inbox"):
            counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
        return int(counts[0][0].value)

    async def commit(self, held: ChatSnapshot, change: ChatCommit) -> ChatSnapshot:
        """Write a change, all of it or nothing, if the chat's document is still the one that was seen.

        Raises LeaseLost or StopRequested.
        """
        batch, stamp = WriteBatch(self.client), str(ULID())
        for write in writes_in(held, change, stamp):
            batch.add(write)
        with translated("commit"):
            try:
                results = await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                return await self._already_written(held, change, stamp, cause)
        return ChatSnapshot(chat=change.chat, version=results[0].update_time)

    def portions(self, chat: Chat, records: Sequence[Record]) -> Sequence[Sequence[Record]]:
        """Records in portions, in their order, each as many as a commit takes beside what else a tick writes."""
        return list(portions_of(records, chat))

    async def _already_written(
        self, held: ChatSnapshot, change: ChatCommit, stamp: str, cause: Exception
    ) -> ChatSnapshot:
        # a commit whose answer was lost is repeated by the client and then finds itself
        snapshot = await self._get(paths.chat_path(change.chat.key), "read a chat")
        document: dict[str, Any] = snapshot.to_dict() or {}
        if layout.stamp_in(document) == stamp:
            # a stop request that was marked since is left for the next commit to meet
            is_marked = document.get("stop") != change.chat.claim.stop
            return ChatSnapshot(chat=change.chat, version=held.version if is_marked else snapshot.update_time)
        if document and held.chat.claim.lease is not None:
            now = Chat.model_validate(document)
            if (
                now.claim.lease is not None
                and now.claim.lease.owner == held.chat.claim.lease.owner
                and now.claim.stop != held.chat.claim.stop
            ):
                raise StopRequested(now.claim.stop, snapshot.update_time) from cause
        raise LeaseLost("the chat's document was changed by another tick") from cause

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        """The newest entries of the chat's conversation, oldest first.

        They are from one document, or from the transcript when that is behind or cannot be read.
        """
        if not chat.talk.seq:
            return ()
        snapshot = await self._get(paths.window_path(chat.key), "read a window")
        document = snapshot.to_dict() or {}
        if is_current(document, chat):
            with suppress(ValidationError):
                return (*decode_window(document), *chat.talk.unpaged)[-limit:]
        return await self._rebuilt_window(chat, limit)

    async def _rebuilt_window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        conversation = self.client.document(paths.conversation_path(chat.conversation))
        newest = NEWEST_PAGES.on(conversation).limit(limit)  # a page holds one entry at least
        with translated("read a transcript"):
            snapshots = await newest.get(retry=RETRY, timeout=CALL_SECONDS)
        return (*readable(reversed(snapshots)), *chat.talk.unpaged)[-limit:]

    async def plan(self, key: ChatKey) -> Plan | None:
        """The chat's standing or last plan. Raises PlanUnreadable."""
        snapshot = await self._get(paths.plan_path(key), "read a plan")
        return decode_plan(snapshot.to_dict())

    async def unread_update(self, key: ChatKey, update_id: int) -> InboxUpdate | None:
        """One update; none if it is not stored, or has been read."""
        document = (await self._get(paths.update_path(key, update_id), "read an update")).to_dict()
        return layout.decode_update(key, document) if document is not None and document["read"] is False else None

    async def ask_to_stop(self, key: ChatKey, stop: int) -> None:
        """Mark the chat's document with the update that asks the agent to stop, whoever holds the chat by now.

        The holder's next commit then raises StopRequested. The write has no precondition, since a tick that sends part
        after part changes the document all the time; it changes one field.
        """
        with translated("ask to stop"):
            await self._chat(key).update({"stop": stop}, retry=RETRY, timeout=CALL_SECONDS)

    async def tell(self, update: InboxUpdate) -> None:
        """Store an update of lull's own in its chat's inbox; it may be repeated. A tick is still to be woken."""
        await add_update(self.client, update)

    async def forward(self, update: InboxUpdate, to: ChatKey) -> None:
        """Store an update in another chat's inbox, and mark it as read in this one; it may be repeated."""
        there = replace(update, envelope=replace(update.envelope, key=to))
        await add_update(self.client, there)
        with translated("mark an update"):
            here = self.client.document(paths.update_path(update.envelope.key, update.envelope.update_id))
            await here.update(layout.as_read(datetime.now(UTC)), retry=RETRY, timeout=CALL_SECONDS)

    def _chat(self, key: ChatKey) -> AsyncDocumentReference:
        return self.client.document(paths.chat_path(key))

    async def _get(self, path: str, what: str) -> DocumentSnapshot[Any]:
        with translated(what):
            return await self.client.document(path).get(retry=RETRY, timeout=CALL_SECONDS)


def writes_in(held: ChatSnapshot, change: ChatCommit, stamp: str) -> Iterator[Write]:
    """What a commit writes. The chat's document comes first: its precondition is the fence for all the others.

    `stamp` marks the chat's document, so that a commit can be known again.
    """
    document = layout.encode_chat(change.chat, stamp)
    yield replace_seen(paths.chat_path(change.chat.key), document, held.version)
    commit = CommitContext(chat=change.chat, at=datetime.now(UTC))
    for record in change.records:
        yield from record.writes(commit)


#: what says how far a chat's conversation came; without one of these it begins another
_OF_CONVERSATION = {
    "conversation", "seq", "moved_seq", "shown_seq", "turn", "unpaged", "segment", "unmarked_seq", "waits_until",
    "is_answered", "is_behind", "keyboards", "conversation_title", "begun_by", "rests_at", "busy_since",
}  # fmt: skip


def decode_chat(key: ChatKey, document: layout.Document | None) -> Chat:
    """The chat; a new one, of generation 0, when there is no document.

    Of a document that somebody changed by hand, what is odd is missing: nobody would be answered there any more.
    """
    if document is None:
        return Chat(key=key)
    try:
        return Chat.model_validate(document)
    except ValidationError as wrong:
        places = [one["loc"] for one in wrong.errors(include_url=False, include_input=False)]
        odd = {str(place[1] if place[0] in parts_of_chat() else place[0]) for place in places}
    log("fields of a chat's document cannot be read and are left out", chat=key.id, fields=", ".join(sorted(odd)))
    # where it is not known how far a conversation came, nothing can be added to it
    odd |= set() if odd.isdisjoint(_OF_CONVERSATION) else _OF_CONVERSATION
    rest = {name: value for name, value in document.items() if name not in odd}
    return Chat.model_validate({**rest, "key": key, "generation": layout.generation_in(document)})


@dataclass(frozen=True, kw_only=True)
class MovedChat(Record):
    """The document of the chat's new id, when the chat moves there, and the plan that stands there from then on."""

    chat: Chat
    #: what that document must still be; none: there was no document
    version: object | None
    plan: Plan | None

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Write both, unless a tick claimed the new chat meanwhile."""
        key = self.chat.key
        yield replace_seen(paths.chat_path(key), layout.encode_chat(self.chat), self.version)
        if self.plan is not None:
            yield Write(path=paths.plan_path(key), document=encode_plan(self.plan), mode=WriteMode.SET)


@dataclass(frozen=True)
class ReadUpdates(Record):
    """Updates of the inbox that are read now."""

    update_ids: tuple[int, ...]

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Mark each as read, from when on it may be deleted."""
        for update_id in self.update_ids:
            path = paths.update_path(commit.chat.key, update_id)
            yield Write(path=path, document=layout.as_read(commit.at), mode=WriteMode.UPDATE)


@dataclass(frozen=True)
class NewUpdate(Record):
    """An update of lull's own, which the chat is to read as any other; there must be none of its id."""

    update: InboxUpdate

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Create it in the inbox of its chat."""
        envelope = self.update.envelope
        path = paths.update_path(envelope.key, envelope.update_id)
        yield Write(path=path, document=layout.encode_update(self.update), mode=WriteMode.CREATE)
