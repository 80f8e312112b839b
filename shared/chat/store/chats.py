"""The documents that ticks write: chats, inboxes and windows. Each commit requires that the chat is unchanged."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from google.cloud.firestore_v1.async_document import AsyncDocumentReference
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import ValidationError
from ulid import ULID

from shared.base.errors import LeaseLost, StopRequested, WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, ProjectStore, translate_errors
from shared.chat.store.inbox import add_update
from shared.chat.store.plans import decode_plan, encode_plan
from shared.chat.store.queries import NEWEST_PAGES, NEWEST_UPDATE, UNREAD
from shared.chat.store.transcripts import decode_window, is_current, readable
from shared.chat.store.writes import CommitContext, Record, Write, WriteBatch, WriteMode, portions_of, replace_seen
from shared.tasks.plan import Plan
from shared.values.chat import STORED_BUDGET, Chat, Lease, parts_of_chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.message import AnyEntry
from shared.values.update import InboxUpdate


@dataclass(frozen=True, kw_only=True)
class ChatSnapshot:
    """A chat's document, and the version that it must still have when it is written next."""

    chat: Chat
    #: Firestore's update time; None if there is no document
    version: object | None


@dataclass(frozen=True, kw_only=True)
class ChatCommit:
    """The content of a commit. Everything is written or nothing, and only while this tick holds the lease."""

    chat: Chat
    #: the records that are written in addition to the chat's document, in this order
    records: tuple[Record, ...] = ()


class FirestoreChats(ProjectStore):
    """The chats in Firestore. Create one for each function instance, inside the running event loop.

    Every method may raise StoreUnavailable, or StoreRefused for something that can never be stored.
    """

    async def see(self, key: ChatKey) -> ChatSnapshot:
        """Return the chat's document and its version. If there is no document, return a new chat with version None."""
        snapshot = await self._get(paths.chat_path(key), "read a chat")
        version = snapshot.update_time if snapshot.exists else None
        return ChatSnapshot(chat=decode_chat(key, snapshot.to_dict()), version=version)

    async def newest_update_at(self, key: ChatKey) -> datetime | None:
        """Return the time at which the newest update arrived; None for an empty inbox."""
        newest = NEWEST_UPDATE.on(self._chat(key)).select(["received_at"]).limit(1)
        with translate_errors("find the newest update"):
            snapshots = await newest.get(retry=RETRY, timeout=CALL_SECONDS)
        return snapshots[0].get("received_at") if snapshots else None

    async def claim(self, seen: ChatSnapshot, lease: Lease) -> ChatSnapshot:
        """Take the lease and increase the generation, a counter. Raises WriteConflict if `seen` is outdated."""
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
            raise WriteConflict("another tick claimed the chat first; read it again") from cause

    async def unread(self, key: ChatKey, limit: int) -> Sequence[InboxUpdate]:
        """Return up to `limit` of the oldest unread updates, in the order of their ids."""
        unread = UNREAD.on(self._chat(key), False).limit(limit)
        with translate_errors("read an inbox"):
            snapshots = await unread.get(retry=RETRY, timeout=CALL_SECONDS)
        documents = ((snapshot.to_dict() or {}) | {"update_id": int(snapshot.id)} for snapshot in snapshots)
        return [layout.decode_update(key, document) for document in documents]

    async def unread_count(self, key: ChatKey) -> int:
        """Return the number of unread updates. Costs one read for each thousand of them."""
        count: Any = UNREAD.on(self._chat(key), False).count()  # the client's decorator hides the type
        with translate_errors("count an inbox"):
            counts = await count.get(retry=RETRY, timeout=CALL_SECONDS)
        return int(counts[0][0].value)

    async def commit(self, held: ChatSnapshot, change: ChatCommit) -> ChatSnapshot:
        """Write everything or nothing, on condition that the chat's document is still the one in `held`. Raises
        LeaseLost or StopRequested.
        """
        batch, stamp = WriteBatch(self.client), str(ULID())
        for write in writes_in(held, change, stamp):
            batch.add(write)
        with translate_errors("commit"):
            try:
                results = await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                return await self._already_written(held, change, stamp, cause)
        return ChatSnapshot(chat=change.chat, version=results[0].update_time)

    def portions(self, chat: Chat, records: Sequence[Record]) -> Sequence[Sequence[Record]]:
        """Return the records, in the same order, in portions that each fit into one commit of a tick."""
        return list(portions_of(records, chat))

    async def _already_written(
        self, held: ChatSnapshot, change: ChatCommit, stamp: str, cause: Exception
    ) -> ChatSnapshot:
        # if the answer to a commit is lost, the client repeats the commit, and then finds its own write
        snapshot = await self._get(paths.chat_path(change.chat.key), "read a chat")
        document: dict[str, Any] = snapshot.to_dict() or {}
        if layout.stamp_in(document) == stamp:
            # if a stop was requested after the write, keep the old version, so that the next commit finds the request
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
        raise LeaseLost("another tick changed the chat's document; this tick must start over") from cause

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        """Return the newest entries of the chat's conversation, oldest first.

        If the window's document is outdated or unreadable, the entries are read from the transcript.
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
        newest = NEWEST_PAGES.on(conversation).limit(limit)  # a page holds at least one entry
        with translate_errors("read a transcript"):
            snapshots = await newest.get(retry=RETRY, timeout=CALL_SECONDS)
        return (*readable(reversed(snapshots)), *chat.talk.unpaged)[-limit:]

    async def plan(self, key: ChatKey) -> Plan | None:
        """Return the chat's current or last plan. Raises PlanUnreadable."""
        snapshot = await self._get(paths.plan_path(key), "read a plan")
        return decode_plan(snapshot.to_dict())

    async def past_plan(self, key: ChatKey, plan_id: str) -> Plan | None:
        """Return a plan that another one replaced; None if it is not stored any more. Raises PlanUnreadable."""
        snapshot = await self._get(paths.past_plan_path(key, plan_id), "read a plan")
        return decode_plan(snapshot.to_dict())

    async def unread_update(self, key: ChatKey, update_id: int) -> InboxUpdate | None:
        """Return an update; None if the update is not stored or was already read."""
        document = (await self._get(paths.update_path(key, update_id), "read an update")).to_dict()
        return layout.decode_update(key, document) if document is not None and document["read"] is False else None

    async def ask_to_stop(self, key: ChatKey, stop: int) -> None:
        """Store a stop request in the chat's document: `stop`, the id of the update that asks the agent to stop.

        The next commit of the tick that holds the chat then raises StopRequested. The write has no precondition, since
        a tick that sends many parts changes the document all the time. The write changes only this field.
        """
        with translate_errors("ask to stop"):
            await self._chat(key).update({"stop": stop}, retry=RETRY, timeout=CALL_SECONDS)

    async def tell(self, update: InboxUpdate) -> None:
        """Store in its chat's inbox an update that lull itself made. May be repeated. The caller schedules a tick."""
        await add_update(self.client, update)

    async def forward(self, update: InboxUpdate, to: ChatKey) -> None:
        """Store an update in another chat's inbox, and mark it as read in this chat. May be repeated."""
        there = replace(update, envelope=replace(update.envelope, key=to))
        await add_update(self.client, there)
        with translate_errors("mark an update"):
            here = self.client.document(paths.update_path(update.envelope.key, update.envelope.update_id))
            await here.update(layout.as_read(datetime.now(UTC)), retry=RETRY, timeout=CALL_SECONDS)

    def _chat(self, key: ChatKey) -> AsyncDocumentReference:
        return self.client.document(paths.chat_path(key))

    async def _get(self, path: str, what: str) -> DocumentSnapshot[Any]:
        with translate_errors(what):
            return await self.client.document(path).get(retry=RETRY, timeout=CALL_SECONDS)


def writes_in(held: ChatSnapshot, change: ChatCommit, stamp: str) -> Iterator[Write]:
    """Yield the writes of a commit. The first one is the chat's document; its precondition guards all the others.

    `stamp` is stored in the chat's document, so that a repeated commit recognises its own write.
    """
    document = layout.encode_chat(change.chat, stamp)
    yield replace_seen(paths.chat_path(change.chat.key), document, held.version)
    commit = CommitContext(chat=change.chat, at=datetime.now(UTC))
    for record in change.records:
        yield from record.writes(commit)


#: fields that say how far the current conversation is; if one is malformed, the chat begins another conversation
_OF_CONVERSATION = {
    "conversation", "seq", "moved_seq", "shown_seq", "turn", "unpaged", "segment", "unmarked_seq", "waits_until",
    "is_answered", "is_behind", "keyboards", "conversation_title", "begun_by", "rests_at", "busy_since",
}  # fmt: skip


def decode_chat(key: ChatKey, document: layout.Document | None) -> Chat:
    """Return the chat; a new one if there is no document.

    Malformed fields, as after a change by hand, are dropped. Otherwise the agent would never answer in this chat again.
    """
    if document is None:
        return Chat(key=key)
    try:
        return Chat.model_validate(document)
    except ValidationError as wrong:
        places = [one["loc"] for one in wrong.errors(include_url=False, include_input=False)]
        odd = {str(place[1] if place[0] in parts_of_chat() else place[0]) for place in places}
        odd = {STORED_BUDGET if name == "budget" else name for name in odd}
    log("fields of a chat's document cannot be read and are left out", chat=key.id, fields=", ".join(sorted(odd)))
    # if it is unknown how far a conversation is, nothing can be added to it
    odd |= set() if odd.isdisjoint(_OF_CONVERSATION) else _OF_CONVERSATION
    rest = {name: value for name, value in document.items() if name not in odd}
    return Chat.model_validate({**rest, "key": key, "generation": layout.generation_in(document)})


@dataclass(frozen=True, kw_only=True)
class MovedChat(Record):
    """The record of a moved chat: the chat's document and its plan under the new id."""

    chat: Chat
    #: the version that the document must still have; None: the document must not exist
    version: object | None
    plan: Plan | None

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the writes of the document and the plan. The commit fails if a tick claimed the new chat meanwhile."""
        key = self.chat.key
        yield replace_seen(paths.chat_path(key), layout.encode_chat(self.chat), self.version)
        if self.plan is not None:
            yield Write(path=paths.plan_path(key), document=encode_plan(self.plan), mode=WriteMode.SET)


@dataclass(frozen=True)
class ReadUpdates(Record):
    """The record that marks updates as read. The content of the updates in `emptied` is deleted."""

    update_ids: tuple[int, ...]
    emptied: frozenset[int] = frozenset()

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield, for each update, the write that marks it as read. Only updates that are read may be deleted."""
        for update_id in self.update_ids:
            path = paths.update_path(commit.chat.key, update_id)
            document = layout.as_read(commit.at) | (layout.empty_fields() if update_id in self.emptied else {})
            yield Write(path=path, document=document, mode=WriteMode.UPDATE)


@dataclass(frozen=True)
class NewUpdate(Record):
    """The record that adds an update made by lull to an inbox. The commit fails if an update with its id exists."""

    update: InboxUpdate

    def writes(self, _: CommitContext) -> Iterator[Write]:
        """Yield the write that creates the update in the inbox of its chat."""
        envelope = self.update.envelope
        path = paths.update_path(envelope.key, envelope.update_id)
        yield Write(path=path, document=layout.encode_update(self.update), mode=WriteMode.CREATE)
