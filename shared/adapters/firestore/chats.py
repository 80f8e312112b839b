"""The tick's part of Firestore: claim a chat, read its inbox, write what came of it in fenced commits."""

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import TypeAdapter, ValidationError
from ulid import ULID

from shared.adapters.firestore.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.adapters.firestore.commits import write_change
from shared.adapters.firestore.inbox import add_update, as_read, chat_ref, update_ref
from shared.adapters.firestore.queries import NEWEST_PAGES, NEWEST_UPDATE, UNREAD
from shared.errors import Contended, LeaseLost, PlanUnreadable, StopAsked
from shared.logs import log
from shared.models.chat import Chat, ChatKey, ChatKind, Lease
from shared.models.message import AnyEntry
from shared.models.update import Envelope, InboxUpdate
from shared.ports import Change, Seen
from shared.tasks.plan import Plan

_ENTRY: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
_ENTRIES: TypeAdapter[tuple[AnyEntry, ...]] = TypeAdapter(tuple[AnyEntry, ...])


class FirestoreChats:
    """The chats in Firestore. One client per instance, made inside the running loop."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

    async def see(self, key: ChatKey) -> Seen:
        """The chat's document and its version."""
        snapshot = await self._get(f"chats/{key.id}", "read a chat")
        if not snapshot.exists:
            return Seen(chat=Chat(key=key), version=None)
        return Seen(chat=Chat.model_validate(snapshot.to_dict()), version=snapshot.update_time)

    async def newest_update_at(self, key: ChatKey) -> datetime | None:
        """When the newest update of the chat came."""
        newest = NEWEST_UPDATE.on(chat_ref(self.client, key)).select(["received_at"]).limit(1)
        with translated("find the newest update"):
            found = await newest.get(retry=RETRY, timeout=CALL_SECONDS)
        return found[0].get("received_at") if found else None

    async def claim(self, seen: Seen, lease: Lease) -> Seen:
        """Take the lease and count the generation up. Raises Contended when the document changed since."""
        counted = {"generation": seen.chat.generation + 1, "starts": seen.chat.starts + 1}
        chat = seen.chat.model_copy(update={"lease": lease, **counted})
        try:
            return await self.commit(seen, Change(chat=chat))
        except (LeaseLost, StopAsked) as cause:
            raise Contended("the chat was claimed by another tick") from cause

    async def unread(self, key: ChatKey, limit: int) -> Sequence[InboxUpdate]:
        """The oldest unread updates, in the order of their ids, which is the order of the documents' names."""
        unread = UNREAD.on(chat_ref(self.client, key), False).limit(limit)
        with translated("read an inbox"):
            found = await unread.get(retry=RETRY, timeout=CALL_SECONDS)
        return [_update(key, snapshot) for snapshot in found]

    async def unread_count(self, key: ChatKey) -> int:
        """How many updates are unread; counting costs one read for up to a thousand."""
        count: Any = UNREAD.on(chat_ref(self.client, key), False).count()  # a decorator hides its types
        with translated("count an inbox"):
            found = await count.get(retry=RETRY, timeout=CALL_SECONDS)
        return int(found[0][0].value)

    async def commit(self, held: Seen, change: Change) -> Seen:
        """Write a change if the chat's document is still the one that was seen. Raises LeaseLost or StopAsked."""
        batch = self.client.batch()
        stamp = str(ULID())
        write_change(batch, self.client, held, change, stamp)
        with translated("commit"):
            try:
                results = await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                return await self._already_written(held, change, stamp, cause)
        return Seen(chat=change.chat, version=results[0].update_time)

    async def _already_written(self, held: Seen, change: Change, stamp: str, cause: Exception) -> Seen:
        # a commit whose answer was lost is repeated by the client and then finds itself
        snapshot = await self._get(f"chats/{change.chat.key.id}", "read a chat")
        found: dict[str, Any] = snapshot.to_dict() or {}
        if found.get("stamp") == stamp:
            # a wish to stop that was marked since is left for the next commit to run into
            is_marked = found.get("stop") != change.chat.stop
            return Seen(chat=change.chat, version=held.version if is_marked else snapshot.update_time)
        if found and held.chat.lease is not None:
            now = Chat.model_validate(found)
            if now.lease is not None and now.lease.owner == held.chat.lease.owner and now.stop != held.chat.stop:
                raise StopAsked(now.stop, snapshot.update_time) from cause
        raise LeaseLost("the chat's document was changed by another tick") from cause

    async def window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        """The newest entries: from one document, or from the transcript when that is behind or cannot be read."""
        if not chat.seq:
            return ()
        snapshot = await self._get(f"chats/{chat.key.id}/window/current", "read a window")
        found = snapshot.to_dict() or {}
        if found.get("seq") == chat.seq and found.get("conversation") == chat.conversation:
            with suppress(ValidationError):
                return _ENTRIES.validate_python(found.get("entries"))[-limit:]
        return await self._rebuilt_window(chat, limit)

    async def _rebuilt_window(self, chat: Chat, limit: int) -> tuple[AnyEntry, ...]:
        conversation = self.client.document(f"conversations/{chat.conversation}")
        newest = NEWEST_PAGES.on(conversation).limit(limit)  # a page holds one entry at least
        with translated("read a transcript"):
            found = await newest.get(retry=RETRY, timeout=CALL_SECONDS)
        return tuple(readable(reversed(found)))[-limit:]

    async def plan(self, key: ChatKey) -> Plan | None:
        """The chat's standing or last plan. Raises PlanUnreadable."""
        snapshot = await self._get(f"plans/{key.id}", "read a plan")
        try:
            return Plan.model_validate(snapshot.to_dict()) if snapshot.exists else None
        except ValidationError:
            # its cause would tell what people wrote
            raise PlanUnreadable(json.dumps(snapshot.to_dict(), default=str)) from None

    async def is_unread(self, key: ChatKey, update_id: int) -> bool:
        """Whether one update is stored and not yet read."""
        snapshot = await self._get(f"chats/{key.id}/inbox/{update_id:020d}", "read an update")
        return snapshot.exists and snapshot.get("read") is False

    async def ask_to_stop(self, key: ChatKey, stop: int) -> None:
        """Mark the chat's document; unfenced, since a tick that sends part after part changes it all the time."""
        with translated("ask to stop"):
            await chat_ref(self.client, key).update({"stop": stop}, retry=RETRY, timeout=CALL_SECONDS)

    async def forward(self, update: InboxUpdate, to: ChatKey) -> None:
        """Store an update in another chat's inbox, and mark it as read in this one; it may be repeated."""
        there = update.model_copy(update={"envelope": update.envelope.model_copy(update={"key": to})})
        await add_update(self.client, there)
        with translated("mark an update"):
            await update_ref(self.client, update.envelope.key, update.envelope.update_id).update(
                as_read(datetime.now(UTC)), retry=RETRY, timeout=CALL_SECONDS
            )

    async def _get(self, path: str, what: str) -> DocumentSnapshot[Any]:
        with translated(what):
            return await self.client.document(path).get(retry=RETRY, timeout=CALL_SECONDS)


def readable(pages: Iterable[DocumentSnapshot[Any]]) -> Iterator[AnyEntry]:
    """The entries of some pages of a transcript; those of a kind that only a newer lull knows are left out."""
    for page in pages:
        for entry in (page.to_dict() or {}).get("entries", ()):
            try:
                yield _ENTRY.validate_python(entry)
            except ValidationError:
                log("an entry of a transcript cannot be read and is left out", page=page.id)


def _update(key: ChatKey, snapshot: DocumentSnapshot[Any]) -> InboxUpdate:
    found: dict[str, Any] = snapshot.to_dict() or {}
    raw = found["raw"]
    envelope = Envelope(
        update_id=found["update_id"], kind=found["kind"], key=key, chat_kind=ChatKind(found["chat_kind"])
    )
    return InboxUpdate(
        envelope=envelope,
        raw=json.loads(raw if isinstance(raw, str) else zlib.decompress(raw)),
        received_at=found["received_at"],
    )
