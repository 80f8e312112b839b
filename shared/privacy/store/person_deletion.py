"""Deletes data about people that Firestore has outside of chats: memories, reminders, incidents, access lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.transforms import DELETE_FIELD
from pydantic import ValidationError

from shared.base.errors import WriteConflict
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import INCIDENTS_OF_CHAT, MARKS_OF_CONVERSATION, Query
from shared.memory.store import decode_forgotten, decode_memories
from shared.privacy.deletion.rules import DELETION_RULES, DeletionMethod, DeletionRule
from shared.privacy.store.deleting import collections_of, delete
from shared.privacy.store.deletion_lookup import ConversationOutline, pages_of
from shared.reminders.store import decode_due
from shared.values.access_request import request_id
from shared.values.chat_key import ChatKey
from shared.values.memory import Memory, MemoryOwner, MemoryScope, memories_of_chat
from shared.values.origin import is_made_of
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Reminder

#: a function that returns the part of a reminder or notice that stays
Rest = Callable[[Reminder | OutboxNotice], Reminder | OutboxNotice]
#: number of documents that are looked up in one call
AT_ONCE: Final = 300
#: Number of tries to update a bot's document. It seldom changes between a read and a write.
TRIES: Final = 5


@dataclass(frozen=True)
class BotDeletionCriteria:
    """The person (0 for nobody) and chats whose data up to the time `cut` is deleted from bots' documents."""

    person: int
    chat_ids: Collection[int]
    cut: datetime

    def is_made_of_theirs(self, memory: Memory) -> bool:
        """Return whether a memory from before the cut may be based on words of the person or of these chats."""
        told = self.person != 0 and memory.source.person == self.person
        made = any(is_made_of(memory.elsewhere, one) for one in (self.person, *self.chat_ids) if one)
        return memory.made_at <= self.cut and (told or made)


class FirestorePersonDeletion(FirestoreStore):
    """Deletes data about people and groups outside of their chats.

    `client` must have been made inside the running event loop. Each method returns the number of deleted things by
    kind, may be repeated, and may raise a StoreError.
    """

    async def owners_with_memories(self, owners: Sequence[MemoryOwner]) -> Sequence[MemoryOwner]:
        """Return the owners that have memories. This saves reads, since in a large group few people have any."""
        found = list[MemoryOwner]()
        for start in range(0, len(owners), AT_ONCE):
            by_name = {paths.memories_path(one): one for one in owners[start : start + AT_ONCE]}
            references = [self.client.document(name) for name in by_name]
            with translate_errors("look for memories"):
                there = [one async for one in self.client.get_all(references, [], retry=RETRY, timeout=CALL_SECONDS)]
            names = {one.reference.path for one in there if one.exists}
            found += [owner for name, owner in by_name.items() if name in names]
        return found

    async def delete_memories(
        self,
        owner: MemoryOwner,
        is_gone: Callable[[Memory], bool],
        rest: Callable[[Memory], Memory] = lambda one: one,
    ) -> int:
        """Delete an owner's memories for which `is_gone` is true, and likewise the records of forgotten facts.

        Returns the number of deleted memories. `rest` returns the part of each other memory that stays.
        """
        document = self.client.document(paths.memories_path(owner))
        with translate_errors("read memories"):
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
            with translate_errors("erase memories"):
                await document.update(fields, retry=RETRY, timeout=CALL_SECONDS)
        return len(gone)

    async def delete_beside_conversation(self, key: ChatKey, outline: ConversationOutline) -> Counter[str]:
        """Delete the data about a conversation that is stored elsewhere: memories, reminders, incidents, marks."""
        counts = Counter(memories=await self._learned_in(key, outline))
        query = Query(collection=paths.EVENTS, equals=("chat",)).on(self.client, key.id)
        found = [one async for one in pages_of(query, "find reminders")]
        theirs = [one for one in found if (one.to_dict() or {}).get("conversation") == outline.conversation]
        counts["events"] = await delete(self.client, [one.reference for one in theirs])
        query = INCIDENTS_OF_CHAT.on(self.client, key.id)
        found = [one async for one in pages_of(query, "find incidents") if _may_be_of(one, outline.conversation)]
        counts["incidents"] = await delete(self.client, [one.reference for one in found])
        query = MARKS_OF_CONVERSATION.on(self.client, outline.conversation)
        marked = [one.reference async for one in pages_of(query, "find marks")]
        counts["documents"] = counts["events"] + counts["incidents"] + await delete(self.client, marked)
        return counts

    async def _learned_in(self, key: ChatKey, outline: ConversationOutline) -> int:
        """Delete the memories that come from a conversation. They may belong to its people, to its chat, or to
        everybody.
        """
        people = [
            MemoryOwner(scope=MemoryScope.PERSON, agent=key.agent, person=person) for person in sorted(outline.people)
        ]
        chat = memories_of_chat(key)
        everything = MemoryOwner(scope=MemoryScope.AGENT, agent=key.agent)
        count = 0
        for owner in await self.owners_with_memories((*people, chat, everything)):
            count += await self.delete_memories(owner, lambda one: one.source.conversation == outline.conversation)
        return count

    async def erase_from_reminders(self, chats: Sequence[str], rest: Rest) -> int:
        """Replace each reminder and notice of these chats, open or past, by the part that `rest` returns.

        Returns how many were changed. `rest` returns the same object if nothing must be removed. Raises WriteConflict
        if a document changed meanwhile.
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
                with translate_errors("erase words from a reminder"):
                    try:
                        await one.reference.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
                    except CHANGED as cause:
                        raise WriteConflict("a reminder changed while it was erased") from cause
                count += 1
        return count

    async def delete_person_document(self, person: int, cut: datetime) -> Counter[str]:
        """Delete the document whose name is the person's id, and everything below it."""
        document = self.client.document(paths.person_path(person))
        counts = Counter[str]()
        async for collection in collections_of(document):
            async for one in pages_of(collection, "read a person's data"):
                if one.create_time <= cut:
                    counts["memories"] += len(decode_memories(one.to_dict()))
                    counts["documents"] += await delete(self.client, [one.reference])
        with translate_errors("look for data to erase"):
            found = await document.get(["changed_at"], retry=RETRY, timeout=CALL_SECONDS)
        # daily counts are also written to this document, so the time of its last write is not that of the profile
        if found.exists and ((found.to_dict() or {}).get("changed_at") or found.update_time) <= cut:
            counts["documents"] += await delete(self.client, [document])
        return counts

    async def delete_documents_of_person(self, person: int, cut: datetime) -> Counter[str]:
        """Delete or strip every document that has the person's id in a field, as DELETION_RULES says."""
        counts = Counter[str]()
        for rule in DELETION_RULES:
            if rule.method in {DeletionMethod.DELETED, DeletionMethod.STRIPPED}:
                count = await self._of_person(rule, person, cut)
                counts += Counter({"documents": count, rule.collection: count})
        return counts

    async def _of_person(self, rule: DeletionRule, person: int, cut: datetime) -> int:
        queries = [Query(collection=rule.collection, equals=(one,)) for one in (rule.field, rule.maker_field) if one]
        pages = [pages_of(one.on(self.client, person), "find a person's documents") for one in queries]
        found = list({one.id: one for some in pages async for one in some}.values())
        if rule.method is DeletionMethod.DELETED:
            return await delete(self.client, [one.reference for one in found if one.create_time <= cut])
        for one in found:  # all of them, whatever their time: costs are settled after the message
            kept = {name: value for name, value in (one.to_dict() or {}).items() if name in rule.kept}
            with translate_errors("remove the person from a document"):
                await one.reference.set(kept, retry=RETRY, timeout=CALL_SECONDS)
        return len(found)

    async def delete_documents_of_group(self, keys: Sequence[ChatKey], cut: datetime) -> Counter[str]:
        """Delete a group's reminders, memberships, access request, and the marks on its messages.

        `keys` are all chats of the group with one agent. There must be at least one.
        """
        groups = {one.chat_id: one for one in keys}
        queries: dict[str, list[tuple[str, Any]]] = {
            paths.EVENTS: [("chat", one.id) for one in keys],
            paths.MEMBERSHIPS: [("chat_id", one) for one in groups],
            paths.MARKS: [("chat", one.id) for one in keys],
        }
        counts = Counter[str]()
        for collection, asked in queries.items():
            for field, value in asked:
                query = Query(collection=collection, equals=(field,)).on(self.client, value)
                found = [one async for one in pages_of(query, "find a group's documents")]
                gone = [one.reference for one in found if one.create_time <= cut and _is_of(one, keys[0].agent)]
                count = await delete(self.client, gone)
                counts += Counter({"documents": count, collection: count})
        for key in groups.values():
            count = await self._request_of(key, cut)
            counts += Counter({"documents": count, paths.REQUESTS: count})
        return counts

    async def _request_of(self, key: ChatKey, cut: datetime) -> int:
        """Delete a chat's access request if it is from before the cut.

        A later request is stored in the same document with a later time, and stays.
        """
        document = self.client.document(paths.request_path(request_id(key)))
        with translate_errors("read an access request"):
            found = await document.get(["at"], retry=RETRY, timeout=CALL_SECONDS)
        return await delete(self.client, [document]) if found.exists and found.get("at") <= cut else 0

    async def delete_lookups(self, cut: datetime) -> int:
        """Delete the cached answers of services from before the cut."""
        kept = pages_of(self.client.collection(paths.LOOKUPS).select([]), "list cached answers of services")
        return await delete(self.client, [one.reference async for one in kept if one.create_time <= cut])

    async def delete_incidents(self, chats: Collection[str], person: int, cut: datetime) -> int:
        """Delete incidents from before the cut that are of these chats, or that have the person's id in their body."""

        def is_theirs(known: layout.Document) -> bool:
            is_named = person > 0 and re.search(rf"(?<!\d){person}(?!\d)", str(known.get("body", "")))
            return known.get("chat") in chats or bool(is_named)

        return await self._delete_incidents(self.client.collection(paths.INCIDENTS), is_theirs, cut)

    async def delete_incidents_where(self, key: ChatKey, is_gone: Callable[[str], bool], cut: datetime) -> int:
        """Delete the incidents of a chat from before the cut, if `is_gone` is true for the body."""
        query = INCIDENTS_OF_CHAT.on(self.client, key.id)
        return await self._delete_incidents(query, lambda known: is_gone(str(known.get("body") or "")), cut)

    async def _delete_incidents(self, query: Any, is_gone: Callable[[layout.Document], bool], cut: datetime) -> int:
        found = [(one.reference, one.to_dict() or {}) async for one in pages_of(query, "find incidents")]
        return await delete(
            self.client, [one for one, known in found if known.get("at", cut) <= cut and is_gone(known)]
        )

    async def erase_from_bots(self, of: BotDeletionCriteria) -> int:
        """Delete a person or chats from the documents and shared memories of all bots. Return the number of changes.

        An owner stays the owner. A blocked person stays blocked, but without a name, since being forgotten must not end
        a block. A person who was admitted after the cut stays. Raises WriteConflict for a document that changes again
        and again.
        """
        count = 0
        async for bot in pages_of(self.client.collection(paths.BOTS), "read bots"):
            count += await self.erase_from_bot(bot, of)
            owner = MemoryOwner(scope=MemoryScope.AGENT, agent=bot.id)
            count += await self.delete_memories(owner, of.is_made_of_theirs)
        return count

    async def erase_from_bot(self, bot: DocumentSnapshot[Any], of: BotDeletionCriteria) -> int:
        """Delete a person or chats from one bot's document. Return 1 if it changed, else 0. Raises WriteConflict."""
        for _ in range(TRIES):
            gone = _told_by(bot.to_dict() or {}, of)
            if not gone:
                return 0
            # Changes that the owner makes meanwhile are kept: if the owner unblocks a person, the person stays
            # unblocked.
            same = self.client.write_option(last_update_time=bot.update_time)
            fields = {FieldPath(*path).to_api_repr(): value for path, value in gone.items()}
            with translate_errors("erase a person from a bot's document"):
                try:
                    await bot.reference.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
                except CHANGED:
                    bot = await bot.reference.get(retry=RETRY, timeout=CALL_SECONDS)
                    continue
            return 1
        raise WriteConflict("the bot's document kept changing; the deletion will be tried again")


def _is_of(snapshot: DocumentSnapshot[Any], agent: str) -> bool:
    return bool((snapshot.to_dict() or {}).get("agent") == agent)


def _may_be_of(incident: DocumentSnapshot[Any], conversation: str) -> bool:
    """Return whether an incident may belong to a conversation.

    An incident that names no conversation may belong to any conversation of its chat.
    """
    return (incident.to_dict() or {}).get("conversation") in {None, "", conversation}


def _decode_leniently(document: DocumentSnapshot[Any]) -> Reminder | OutboxNotice:
    """Return the reminder or notice. If this version of lull cannot read all of it, return the readable part, since
    this must be erased.
    """
    found = document.to_dict() or {}
    try:
        return decode_due(found)
    except ValidationError as wrong:
        odd = {str(one["loc"][0]) for one in wrong.errors(include_url=False, include_input=False)}
    missing = {"id": document.id, "agent": "", "chat": "", "person": 0, "next_at": None, "set_at": document.update_time}
    return decode_due(missing | {name: value for name, value in found.items() if name not in odd})


def _told_by(known: layout.Document, of: BotDeletionCriteria) -> dict[tuple[str, str], object]:
    """Return the changes to a bot's document that remove the person or chats, as a map from field path to new value."""
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
    """Return an entry of an access list if it is from before the cut; None otherwise."""
    entry: layout.Document | None = (known.get(access_list) or {}).get(name)
    since = (entry or {}).get("since")
    return entry if since is None or since <= cut else None
