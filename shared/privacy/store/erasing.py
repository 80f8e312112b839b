"""Erasing in Firestore: documents that go, and documents that go on without somebody."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_document import AsyncDocumentReference
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.transforms import DELETE_FIELD
from pydantic import ValidationError

from shared.base.errors import Contended
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.chat.store.queries import INCIDENTS_OF_CHAT, Query
from shared.chat.store.transcripts import encode_page
from shared.chat.store.writes import Batch, Mode, Write
from shared.memory.store import decode_memories
from shared.privacy.erasure.covers import COVERS, Cover, Way
from shared.privacy.store.erasing_bots import ToldOf, bots_without
from shared.privacy.store.erasing_conversations import conversation_without, plans_without, retitle
from shared.privacy.store.erasing_finding import Outline, StoredPage, pages_of
from shared.privacy.store.erasing_inbox import empty_inbox, empty_of_owner, empty_of_person, empty_updates
from shared.privacy.store.erasing_memories import erase_of_conversation, memories_without, remembering
from shared.recall.store.summaries import Span
from shared.reminders.documents import decode_due
from shared.values.access import request_id
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryOwner
from shared.values.message import AnyEntry
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Reminder
from shared.values.transcript import Telling

if TYPE_CHECKING:
    from shared.privacy.erasure.forgotten import Forgotten

#: documents that are deleted by one commit
AT_ONCE: Final = 300
#: what is left of what comes at a time
Rest = Callable[[Reminder | OutboxNotice], Reminder | OutboxNotice]


class FirestoreErasing:
    """What erases. One client per instance, made inside the running loop.

    Each call returns what it erased, by kind, and may be repeated. Raises a StoreError.
    """

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def conversation(self, conversation: str) -> Counter[str]:
        """Delete a conversation with all that is below it; its own document goes last, by which it is found."""
        document = self.client.document(paths.conversation_path(conversation))
        with translated("read a conversation"):
            found = await document.get(["entries"], retry=RETRY, timeout=CALL_SECONDS)
        below = await self._delete_below(document)
        if found.exists:
            await self._delete([document])
        counts = Counter(documents=below + found.exists, conversations=int(found.exists))
        return counts + Counter(entries=int((found.to_dict() or {}).get("entries") or 0))

    async def rewrite(self, pages: Sequence[tuple[StoredPage, Sequence[AnyEntry]]]) -> None:
        """Write some pages of a transcript anew, MOST_PAGES at most: all, or none.

        Raises Contended if one changed since it was read.
        """
        batch = Batch(self.client)
        for page, entries in pages:
            document = encode_page(entries)
            batch.add(Write(path=page.path, document=document, mode=Mode.UPDATE, version=page.version))
        with translated("erase words of a transcript"):
            try:
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                raise Contended("a transcript changed while it was erased") from cause

    async def made_of(self, conversation: str) -> int:
        """Delete what models are shown of a conversation: segments, statements, notes, and its older part's summary."""
        document = self.client.document(paths.conversation_path(conversation))
        count = await self._delete_there([paths.compression_path(conversation)])
        for below in (paths.segments_path(conversation), paths.observations_path(conversation)):
            count += await self._delete_all(self.client.collection(below))
        notes: layout.Document = dict.fromkeys(("abbreviation", "embedding_model", "history", "opening"), "")
        notes |= {"topics": [], "embedding": DELETE_FIELD}
        with translated("erase the notes of a conversation"):
            await document.update(notes, retry=RETRY, timeout=CALL_SECONDS)
        return count

    async def retitle(self, outline: Outline) -> None:
        """Have a conversation's document tell the titles of the outline, of its chat, too."""
        await retitle(self.client, outline)

    async def conversation_without(self, outline: Outline, telling: Telling) -> None:
        """Have a conversation's document tell of what is left alone; the summary of its older part goes."""
        await conversation_without(self.client, outline, telling)

    async def below_chat(self, key: ChatKey, cut: datetime) -> Counter[str]:
        """Delete what is kept below and beside a chat's document, but for updates that came after the cut."""
        plan = self.client.document(paths.plan_path(key))
        counts = Counter(documents=await self._delete_below(plan))
        beside = [paths.entity_path(key), plan.path, *_summaries(key.id)]
        counts["documents"] += await self._delete_there(beside)
        async for collection in _collections(self.client.document(paths.chat_path(key))):
            if collection.id != paths.INBOX:
                counts["documents"] += await self._delete_all(collection)
        counts["documents"] += await empty_inbox(self.client, key, cut)
        return counts

    async def inbox_without(self, key: ChatKey, cut: datetime, who: Forgotten) -> int:
        """Empty the updates of a group that tell of a person; those that nobody has read yet lose their words alone."""
        return await empty_of_person(self.client, key, cut, who)

    async def inbox_of_owner(self, key: ChatKey, person: int, settled: datetime) -> int:
        """Empty the updates of an owner's chat that were read before it settled and repeat what tells of somebody."""
        return await empty_of_owner(self.client, key, person, settled)

    async def plans_without(self, key: ChatKey, rest: Callable[[layout.Document], layout.Document | None]) -> int:
        """Have a chat's plan be what is left of it, and delete those of which nothing is left."""
        return await plans_without(self.client, key, rest)

    async def inbox_before(self, key: ChatKey, cut: datetime, settled: datetime) -> int:
        """Empty the updates of a chat that came before the cut, and those that were read and came before it settled."""
        return await empty_inbox(self.client, key, cut, settled)

    async def window_of_others(self, key: ChatKey, conversation: str = "") -> int:
        """Delete a chat's window, unless it is of this conversation."""
        window = self.client.document(paths.window_path(key))
        with translated("read a window"):
            found = await window.get(["conversation"], retry=RETRY, timeout=CALL_SECONDS)
        is_others = found.exists and (found.to_dict() or {}).get("conversation") != conversation
        return await self._delete([window]) if is_others else 0

    async def summaries(self, chats: Sequence[str], cut: datetime) -> int:
        """Delete the summaries of chats that were made before the cut; they are made again."""
        return await self._delete_there([path for chat in chats for path in _summaries(chat)], cut)

    async def memories_without(
        self,
        owner: MemoryOwner,
        is_gone: Callable[[Memory], bool],
        rest: Callable[[Memory], Memory] = lambda one: one,
    ) -> int:
        """Delete those memories of an owner of which it is true; the others say what is left of them."""
        return await memories_without(self.client, owner, is_gone, rest)

    async def remembering(self, owners: Sequence[MemoryOwner]) -> Sequence[MemoryOwner]:
        """Those owners of whom something is remembered."""
        return await remembering(self.client, owners)

    async def of_conversation(self, key: ChatKey, outline: Outline, updates: Collection[int]) -> Counter[str]:
        """Delete what is kept elsewhere of a conversation: memories, reminders, incidents, the words of its updates."""
        counts = Counter(memories=await erase_of_conversation(self.client, key, outline))
        query = Query(collection=paths.EVENTS, equals=("chat",)).on(self.client, key.id)
        found = [one async for one in pages_of(query, "find reminders")]
        theirs = [one for one in found if (one.to_dict() or {}).get("conversation") == outline.conversation]
        counts["events"] = await self._delete([one.reference for one in theirs])
        query = INCIDENTS_OF_CHAT.on(self.client, key.id)
        found = [one async for one in pages_of(query, "find incidents") if _may_be_of(one, outline.conversation)]
        counts["incidents"] = await self._delete([one.reference for one in found])
        counts["documents"] = counts["events"] + counts["incidents"]
        counts["documents"] += await empty_updates(self.client, key, updates, datetime.now(UTC))
        return counts

    async def reminders_without(self, chats: Sequence[str], rest: Rest) -> int:
        """Have what comes in the chats with these ids, or came, say what is left of it; how many changed.

        `rest` returns the same reminder or notice where nothing goes. Raises Contended if one changed meanwhile.
        """
        count = 0
        for chat in chats:
            query = Query(collection=paths.EVENTS, equals=("chat",)).on(self.client, chat)
            async for one in pages_of(query, "find reminders"):
                known = _known(one)
                left = rest(known)
                if left is known:
                    continue
                before, after = known.model_dump(), left.model_dump()
                fields: dict[str, Any] = {name: value for name, value in after.items() if value != before[name]}
                same = self.client.write_option(last_update_time=one.update_time)
                with translated("erase words of a reminder"):
                    try:
                        await one.reference.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
                    except CHANGED as cause:
                        raise Contended("a reminder changed while it was erased") from cause
                count += 1
        return count

    async def named_after(self, person: int, cut: datetime) -> Counter[str]:
        """Delete the documents that have a person's id for their name, and what is below them."""
        document = self.client.document(paths.person_path(person))
        counts = Counter[str]()
        async for collection in _collections(document):
            async for one in pages_of(collection, "read what is kept of a person"):
                if one.create_time <= cut:
                    counts["memories"] += len(decode_memories(one.to_dict()))
                    counts["documents"] += await self._delete([one.reference])
        with translated("look for what is erased"):
            found = await document.get(["changed_at"], retry=RETRY, timeout=CALL_SECONDS)
        # what is counted of somebody each day is written there too, and tells nothing of when they told what is there
        if found.exists and ((found.to_dict() or {}).get("changed_at") or found.update_time) <= cut:
            counts["documents"] += await self._delete([document])
        return counts

    async def documents_of(self, person: int, cut: datetime) -> Counter[str]:
        """Delete or strip every document that has a person's id in a field, as COVERS says."""
        counts = Counter[str]()
        for cover in COVERS:
            if cover.way in {Way.DELETED, Way.STRIPPED}:
                count = await self._of_person(cover, person, cut)
                counts += Counter({"documents": count, cover.collection: count})
        return counts

    async def _of_person(self, cover: Cover, person: int, cut: datetime) -> int:
        query = Query(collection=cover.collection, equals=(cover.field,)).on(self.client, person)
        found = [one async for one in pages_of(query, "find what is kept of a person")]
        if cover.way is Way.DELETED:
            return await self._delete([one.reference for one in found if one.create_time <= cut])
        for one in found:  # whenever it was written: what something cost is settled a while after it was said
            kept = {name: value for name, value in (one.to_dict() or {}).items() if name in cover.kept}
            with translated("strip a document of its person"):
                await one.reference.set(kept, retry=RETRY, timeout=CALL_SECONDS)
        return len(found)

    async def documents_in(self, keys: Sequence[ChatKey], cut: datetime) -> Counter[str]:
        """Delete what other collections have of a group: reminders, who was seen in it, that it asks to be let in.

        `keys` are all its chats with one agent: at least one.
        """
        groups = {one.chat_id: one for one in keys}
        queries: dict[str, list[tuple[str, Any]]] = {
            paths.EVENTS: [("chat", one.id) for one in keys],
            paths.MEMBERSHIPS: [("chat_id", one) for one in groups],
        }
        counts = Counter[str]()
        for collection, asked in queries.items():
            for field, value in asked:
                query = Query(collection=collection, equals=(field,)).on(self.client, value)
                found = [one async for one in pages_of(query, "find what is kept of a group")]
                gone = [one.reference for one in found if one.create_time <= cut and _is_of(one, keys[0].agent)]
                count = await self._delete(gone)
                counts += Counter({"documents": count, collection: count})
        for key in groups.values():
            count = await self._request_of(key, cut)
            counts += Counter({"documents": count, paths.REQUESTS: count})
        return counts

    async def _request_of(self, key: ChatKey, cut: datetime) -> int:
        """Delete that a chat waits to be let in. Another request since has the same document, and its own moment."""
        document = self.client.document(paths.request_path(request_id(key)))
        with translated("read an access request"):
            found = await document.get(["at"], retry=RETRY, timeout=CALL_SECONDS)
        return await self._delete([document]) if found.exists and found.get("at") <= cut else 0

    async def talk_of(self, key: ChatKey) -> int:
        """Delete what is kept beside a chat of the conversation that it leaves: its window and its plans."""
        plan = self.client.document(paths.plan_path(key))
        return await self._delete_below(plan) + await self._delete_there([plan.path, paths.window_path(key)])

    async def lookups(self, cut: datetime) -> int:
        """Delete what services said before the cut."""
        kept = pages_of(self.client.collection(paths.LOOKUPS).select([]), "list what services said")
        return await self._delete([one.reference async for one in kept if one.create_time <= cut])

    async def incidents(self, chats: Collection[str], person: int, cut: datetime) -> int:
        """Delete the incidents of chats, and those whose bodies have a person's id, from before the cut."""

        def is_theirs(known: layout.Document) -> bool:
            is_named = person > 0 and re.search(rf"(?<!\d){person}(?!\d)", str(known.get("body", "")))
            return known.get("chat") in chats or bool(is_named)

        return await self._delete_incidents(self.client.collection(paths.INCIDENTS), is_theirs, cut)

    async def incidents_without(self, key: ChatKey, is_gone: Callable[[str], bool], cut: datetime) -> int:
        """Delete those incidents of a chat from before the cut of whose bodies it is true."""
        query = INCIDENTS_OF_CHAT.on(self.client, key.id)
        return await self._delete_incidents(query, lambda known: is_gone(str(known.get("body") or "")), cut)

    async def _delete_incidents(self, query: Any, is_gone: Callable[[layout.Document], bool], cut: datetime) -> int:
        found = [(one.reference, one.to_dict() or {}) async for one in pages_of(query, "find incidents")]
        return await self._delete([one for one, known in found if known.get("at", cut) <= cut and is_gone(known)])

    async def bots(self, person: int, chat_ids: Collection[int], cut: datetime) -> int:
        """Delete what bots' documents told of a person and of chats before the cut."""
        return await bots_without(self.client, ToldOf(person, chat_ids, cut))

    async def _delete_below(self, document: AsyncDocumentReference) -> int:
        return sum([await self._delete_all(collection) async for collection in _collections(document)])

    async def _delete_all(self, collection: Any) -> int:
        return await self._delete(
            [one.reference async for one in pages_of(collection.select([]), "list what is erased")]
        )

    async def _delete_there(self, wanted: Sequence[str], cut: datetime | None = None) -> int:
        """Delete those of these documents that are there, and were last written before the cut."""
        references = [self.client.document(path) for path in wanted]
        with translated("look for what is erased"):
            found = [one async for one in self.client.get_all(references, [], retry=RETRY, timeout=CALL_SECONDS)]
        gone = [one.reference for one in found if one.exists and (cut is None or one.update_time <= cut)]
        return await self._delete(gone)

    async def _delete(self, gone: Sequence[AsyncDocumentReference]) -> int:
        for start in range(0, len(gone), AT_ONCE):
            batch: Any = self.client.batch()
            for one in gone[start : start + AT_ONCE]:
                batch.delete(one)
            with translated("erase documents"):
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
        return len(gone)


async def _collections(document: AsyncDocumentReference) -> AsyncIterator[Any]:
    with translated("list what is below a document"):
        async for collection in document.collections(retry=RETRY, timeout=CALL_SECONDS):
            yield collection


def _is_of(snapshot: DocumentSnapshot[Any], agent: str) -> bool:
    return bool((snapshot.to_dict() or {}).get("agent") == agent)


def _may_be_of(incident: DocumentSnapshot[Any], conversation: str) -> bool:
    """Whether it is of a conversation; one that names none may be of any of its chat."""
    return (incident.to_dict() or {}).get("conversation") in {None, "", conversation}


def _summaries(chat: str) -> list[str]:
    return [*(paths.summary_path(chat, span) for span in Span), paths.shown_summaries_path(chat)]


def _known(document: DocumentSnapshot[Any]) -> Reminder | OutboxNotice:
    """The reminder; of one that this version cannot read whole, what it can: its words are to go all the same."""
    found = document.to_dict() or {}
    try:
        return decode_due(found)
    except ValidationError as wrong:
        odd = {str(one["loc"][0]) for one in wrong.errors(include_url=False, include_input=False)}
    missing = {"id": document.id, "agent": "", "chat": "", "person": 0, "next_at": None, "set_at": document.update_time}
    return decode_due(missing | {name: value for name, value in found.items() if name not in odd})
