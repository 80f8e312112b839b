"""What Firestore keeps of people beside chats: memories, reminders, incidents, access lists, and what names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.transforms import DELETE_FIELD
from pydantic import ValidationError

from shared.base.errors import Contended
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.chat.store.queries import INCIDENTS_OF_CHAT, Query
from shared.memory.store import decode_forgotten, decode_memories
from shared.privacy.deletion.rules import DELETION_RULES, DeletionMethod, DeletionRule
from shared.privacy.store.deleting import collections_of, delete
from shared.privacy.store.deletion_lookup import ConversationOutline, pages_of
from shared.reminders.store import decode_due
from shared.values.access import request_id
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryOwner, MemoryScope, memories_of_chat
from shared.values.origin import is_made_of
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Reminder

#: what is left of what comes at a time
Rest = Callable[[Reminder | OutboxNotice], Reminder | OutboxNotice]
#: documents that are looked for by one call
AT_ONCE: Final = 300
#: the owner, flood waits and access list are written there: it seldom changes between a look and a write
TRIES: Final = 5


@dataclass(frozen=True)
class BotDeletionCriteria:
    """Of whom and of which chats nothing is told any more that was written before the cut; 0: of nobody."""

    person: int
    chat_ids: Collection[int]
    cut: datetime

    def is_made_of_theirs(self, memory: Memory) -> bool:
        """Whether it was told by them, or may be made of their words elsewhere."""
        told = self.person != 0 and memory.source.person == self.person
        made = any(is_made_of(memory.elsewhere, one) for one in (self.person, *self.chat_ids) if one)
        return memory.made_at <= self.cut and (told or made)


class FirestorePersonDeletion:
    """Erases what is kept of people and groups beside their chats. One client per instance, made inside the loop.

    Each call returns what it erased, by kind, and may be repeated. Raises a StoreError.
    """

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def remembering(self, owners: Sequence[MemoryOwner]) -> Sequence[MemoryOwner]:
        """Those owners of whom something is remembered: of a public group's many, few are."""
        found = list[MemoryOwner]()
        for start in range(0, len(owners), AT_ONCE):
            by_name = {paths.memories_path(one): one for one in owners[start : start + AT_ONCE]}
            references = [self.client.document(name) for name in by_name]
            with translated("look for memories"):
                there = [one async for one in self.client.get_all(references, [], retry=RETRY, timeout=CALL_SECONDS)]
            names = {one.reference.path for one in there if one.exists}
            found += [owner for name, owner in by_name.items() if name in names]
        return found

    async def memories_without(
        self,
        owner: MemoryOwner,
        is_gone: Callable[[Memory], bool],
        rest: Callable[[Memory], Memory] = lambda one: one,
    ) -> int:
        """Delete those memories of an owner of which it is true, and marks of forgotten ones; how many memories went.

        `rest`: what is left of the other memories.
        """
        document = self.client.document(paths.memories_path(owner))
        with translated("read memories"):
            found = await document.get(retry=RETRY, timeout=CALL_SECONDS)
        stored = found.to_dict()
        known = decode_memories(stored)
        gone = [one.id for one in known if is_gone(one)]
        fields: layout.Document = {f"{name}.{one}": DELETE_FIELD for one in gone for name in ("memories", "used")}
        fields |= {f"forgotten.{one.id}": DELETE_FIELD for one in decode_forgotten(stored) if is_gone(one)}
        for one in (one for one in known if one.id not in gone):
            before, after = one.model_dump(), rest(one).model_dump()
            fields |= {f"memories.{one.id}.{name}": value for name, value in after.items() if value != before[name]}
        if fields:
            with translated("erase memories"):
                await document.update(fields, retry=RETRY, timeout=CALL_SECONDS)
        return len(gone)

    async def of_conversation(self, key: ChatKey, outline: ConversationOutline) -> Counter[str]:
        """Delete what is kept elsewhere of a conversation: memories, reminders, incidents."""
        counts = Counter(memories=await self._learned_in(key, outline))
        query = Query(collection=paths.EVENTS, equals=("chat",)).on(self.client, key.id)
        found = [one async for one in pages_of(query, "find reminders")]
        theirs = [one for one in found if (one.to_dict() or {}).get("conversation") == outline.conversation]
        counts["events"] = await delete(self.client, [one.reference for one in theirs])
        query = INCIDENTS_OF_CHAT.on(self.client, key.id)
        found = [one async for one in pages_of(query, "find incidents") if _may_be_of(one, outline.conversation)]
        counts["incidents"] = await delete(self.client, [one.reference for one in found])
        counts["documents"] = counts["events"] + counts["incidents"]
        return counts

    async def _learned_in(self, key: ChatKey, outline: ConversationOutline) -> int:
        """Delete what was learned in a conversation: of those who are named in it, of its chat, and of everything."""
        people = [
            MemoryOwner(scope=MemoryScope.PERSON, agent=key.agent, person=person) for person in sorted(outline.people)
        ]
        chat = memories_of_chat(key)
        everything = MemoryOwner(scope=MemoryScope.AGENT, agent=key.agent)
        count = 0
        for owner in await self.remembering((*people, chat, everything)):
            count += await self.memories_without(owner, lambda one: one.source.conversation == outline.conversation)
        return count

    async def reminders_without(self, chats: Sequence[str], rest: Rest) -> int:
        """Have what comes in the chats with these ids, or came, say what is left of it; how many changed.

        `rest` returns the same reminder or notice where nothing goes. Raises Contended if one changed meanwhile.
        """
        count = 0
        for chat in chats:
            query = Query(collection=paths.EVENTS, equals=("chat",)).on(self.client, chat)
            async for one in pages_of(query, "find reminders"):
                known = _decode_leniently(one)
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
        async for collection in collections_of(document):
            async for one in pages_of(collection, "read what is kept of a person"):
                if one.create_time <= cut:
                    counts["memories"] += len(decode_memories(one.to_dict()))
                    counts["documents"] += await delete(self.client, [one.reference])
        with translated("look for what is erased"):
            found = await document.get(["changed_at"], retry=RETRY, timeout=CALL_SECONDS)
        # what is counted of somebody each day is written there too, and tells nothing of when they told what is there
        if found.exists and ((found.to_dict() or {}).get("changed_at") or found.update_time) <= cut:
            counts["documents"] += await delete(self.client, [document])
        return counts

    async def documents_of(self, person: int, cut: datetime) -> Counter[str]:
        """Delete or strip every document that has a person's id in a field, as DELETION_RULES say."""
        counts = Counter[str]()
        for cover in DELETION_RULES:
            if cover.way in {DeletionMethod.DELETED, DeletionMethod.STRIPPED}:
                count = await self._of_person(cover, person, cut)
                counts += Counter({"documents": count, cover.collection: count})
        return counts

    async def _of_person(self, cover: DeletionRule, person: int, cut: datetime) -> int:
        query = Query(collection=cover.collection, equals=(cover.field,)).on(self.client, person)
        found = [one async for one in pages_of(query, "find what is kept of a person")]
        if cover.way is DeletionMethod.DELETED:
            return await delete(self.client, [one.reference for one in found if one.create_time <= cut])
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
                count = await delete(self.client, gone)
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
        return await delete(self.client, [document]) if found.exists and found.get("at") <= cut else 0

    async def lookups(self, cut: datetime) -> int:
        """Delete what services said before the cut."""
        kept = pages_of(self.client.collection(paths.LOOKUPS).select([]), "list what services said")
        return await delete(self.client, [one.reference async for one in kept if one.create_time <= cut])

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
        return await delete(
            self.client, [one for one, known in found if known.get("at", cut) <= cut and is_gone(known)]
        )

    async def bots(self, of: BotDeletionCriteria) -> int:
        """Delete what bots' documents and memories tell of somebody; how many there were.

        Who owns an agent goes on to own it. Who is blocked stays so, without a name: else forgetting would end a block.
        Whom the owner let in since is let in. Raises Contended for a document that changes all the time.
        """
        count = 0
        async for bot in pages_of(self.client.collection(paths.BOTS), "read bots"):
            count += await self.bot(bot, of)
            owner = MemoryOwner(scope=MemoryScope.AGENT, agent=bot.id)
            count += await self.memories_without(owner, of.is_made_of_theirs)
        return count

    async def bot(self, bot: DocumentSnapshot[Any], of: BotDeletionCriteria) -> int:
        """Delete what one bot's document tells of somebody, as it was read; 1 if it told anything. Raises Contended."""
        for _ in range(TRIES):
            gone = _told_by(bot.to_dict() or {}, of)
            if not gone:
                return 0
            # what the owner changes meanwhile is not written over: who is unblocked then stays so
            same = self.client.write_option(last_update_time=bot.update_time)
            fields = {FieldPath(*path).to_api_repr(): value for path, value in gone.items()}
            with translated("erase what a bot's document tells of somebody"):
                try:
                    await bot.reference.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
                except CHANGED:
                    bot = await bot.reference.get(retry=RETRY, timeout=CALL_SECONDS)
                    continue
            return 1
        raise Contended("a bot's document changes all the time")


def _is_of(snapshot: DocumentSnapshot[Any], agent: str) -> bool:
    return bool((snapshot.to_dict() or {}).get("agent") == agent)


def _may_be_of(incident: DocumentSnapshot[Any], conversation: str) -> bool:
    """Whether it is of a conversation; one that names none may be of any of its chat."""
    return (incident.to_dict() or {}).get("conversation") in {None, "", conversation}


def _decode_leniently(document: DocumentSnapshot[Any]) -> Reminder | OutboxNotice:
    """The reminder; of one that this version cannot read whole, what it can: its words are to go all the same."""
    found = document.to_dict() or {}
    try:
        return decode_due(found)
    except ValidationError as wrong:
        odd = {str(one["loc"][0]) for one in wrong.errors(include_url=False, include_input=False)}
    missing = {"id": document.id, "agent": "", "chat": "", "person": 0, "next_at": None, "set_at": document.update_time}
    return decode_due(missing | {name: value for name, value in found.items() if name not in odd})


def _told_by(known: layout.Document, of: BotDeletionCriteria) -> dict[tuple[str, str], object]:
    """What changes of a bot's document, by the path of each field."""
    gone: dict[tuple[str, str], object] = {}
    for chat_id in map(str, of.chat_ids):
        if chat_id in (known.get("waits") or {}):
            gone["waits", chat_id] = DELETE_FIELD
        group = _entry(known, "groups", chat_id, of.cut) or {}
        if group.get("title"):
            gone["groups", chat_id] = {**group, "title": ""}
    name = str(of.person)
    if _entry(known, "people", name, of.cut) is not None:
        gone["people", name] = DELETE_FIELD
    blocked = _entry(known, "blocked", name, of.cut) or {}
    if blocked.get("name") or blocked.get("why"):
        gone["blocked", name] = {**blocked, "name": "", "why": ""}
    return gone


def _entry(known: layout.Document, access_list: str, name: str, cut: datetime) -> layout.Document | None:
    """An entry of an access list from before the cut; none: there is no such."""
    entry: layout.Document | None = (known.get(access_list) or {}).get(name)
    since = (entry or {}).get("since")
    return entry if since is None or since <= cut else None
