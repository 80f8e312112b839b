"""Reads a person's data from Firestore for an export, one document at a time."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.field_path import FieldPath
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.bots import decode_owner
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.chats import decode_chat
from shared.chat.store.queries import (
    CHATS_OF_ID,
    CONSOLE_RECORDS_OF_PERSON,
    CONVERSATIONS_OF_CHAT,
    GROUPS_OF_PERSON,
    INCIDENTS_OF_CHAT,
    MARKS_BY_OWNER,
    MARKS_OF_PERSON,
    NAME,
    PAGES,
    REFERENCES_OF_PERSON,
    REMINDERS_EVER,
    REQUESTS_EVER,
    USAGE_EVER,
)
from shared.chat.store.transcripts import readable
from shared.media.store.curations import FirestoreCurations, decode_edits
from shared.media.store.media import decode_media, decode_reference
from shared.memory.store import FirestoreMemories, decode_memories
from shared.recall.store.memberships import Membership, memberships_in
from shared.recall.store.notes import decode_observation
from shared.spending.store.usage import usage_in_budget
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.media import MediaRef
from shared.values.memory import Memory, MemoryOwner, MemoryScope, memories_of_chat
from shared.values.message import AnyEntry
from shared.values.notes import Observation, history_in
from shared.values.place import chat_of, place_of
from shared.values.stored_media import StoredMedia, StoredPart
from shared.webchat.files import is_web_file, stored_path


@dataclass(frozen=True, kw_only=True)
class PersonChat:
    """A private chat of a person with an agent, or a group in which the person was seen."""

    #: ids of the chat's documents, including the one from before the group became a supergroup
    ids: tuple[str, ...]
    agent: str
    chat_id: int
    topic_id: int = 0
    title: str = ""
    is_private: bool = False
    #: the person's memberships of the group, one for each id that the group has had
    memberships: tuple[Membership, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PersonConversation:
    """A conversation of one of the person's chats."""

    id: str
    chat: PersonChat


#: Number of documents in one query result. A page of a transcript holds up to 300 kB; other documents are small.
PAGES_AT_ONCE: Final = 10
DOCUMENTS_AT_ONCE: Final = 100
_NOTED: Final = ("title", "topics", "abbreviation", "opening", "model", "entries", "turns", "updated_at")


class FirestoreBelongings(FirestoreStore):
    """Reads all data that is stored about a person.

    For a group, the results include other people's words; `shared/privacy/export` selects those of the person. Methods
    may raise StoreUnavailable, StoreRefused or TranscriptUnreadable.
    """

    async def chats(self, person: int) -> Sequence[PersonChat]:
        """Return a person's private chats with all agents, and the groups in which the person was seen."""
        seen = list[Membership]()
        async for one in self._all(GROUPS_OF_PERSON.on(self.client, person).order_by(NAME), "list a person's groups"):
            seen += memberships_in([one])
        places = (
            chat_id for one in seen for chat_id in (one.chat_id, *(chat_of(place).chat_id for place in one.places))
        )
        found = dict[str, PersonChat]()
        for chat_id in dict.fromkeys((person, *places)):
            query = CHATS_OF_ID.on(self.client, chat_id).order_by(NAME)
            async for document in self._all(query, "find a person's chats"):
                chat = _chat(document, seen)
                # other people's direct messages to a channel are not the person's
                if chat.topic_id >= 0 or chat.memberships:
                    found[document.id] = chat
        return [found[name] for name in sorted(found)]

    async def conversations(self, chats: Sequence[PersonChat]) -> Sequence[PersonConversation]:
        found = dict[str, PersonConversation]()
        for chat in chats:
            for chat_id in chat.ids:
                query = CONVERSATIONS_OF_CHAT.on(self.client, chat_id).select([]).order_by(NAME)
                async for document in self._all(query, "list the conversations of a chat"):
                    found.setdefault(document.id, PersonConversation(id=document.id, chat=chat))
        return [found[name] for name in sorted(found)]

    async def entries(self, conversation: str) -> AsyncIterator[AnyEntry]:
        """Yield a conversation's entries, including entries in the chat's document that are not on a page yet."""
        query, last = PAGES.on(self.client.document(paths.conversation_path(conversation))), 0
        async for page in self._all(query, "read a transcript", PAGES_AT_ONCE):
            for entry in readable([page]):
                last = entry.seq
                yield entry
        chat_id = (await self._document(paths.conversation_path(conversation))).get("chat")
        chat = await self._document(paths.chat_path_of(chat_id)) if chat_id else {}
        if chat_id and chat.get("conversation") == conversation:
            for entry in decode_chat(ChatKey.from_id(chat_id), chat).talk.unpaged:
                if entry.seq > last:
                    yield entry

    async def observations(self, conversation: str) -> AsyncIterator[Observation]:
        """Yield the observations of a conversation, in the order of their ids. Unreadable ones are left out."""
        query = self.client.collection(paths.observations_path(conversation)).order_by(NAME)
        async for document in self._all(query, "read observations"):
            observation = decode_observation(document.to_dict())
            if observation is not None:
                yield observation

    async def notes(self, conversation: PersonConversation) -> Mapping[str, Any]:
        """Return the notes on a whole conversation: its title, topics and abbreviation, and the summary of its older
        part.
        """
        document = await self._document(paths.conversation_path(conversation.id))
        summary = await self._document(paths.compression_path(conversation.id))
        below = self.client.collection(paths.compressions_path(conversation.id)).order_by(NAME)
        every = [_fields_of(one) async for one in self._all(below, "read summaries of a conversation's older part")]
        replaced = [one["text"] for one in every if one.get("text") and one.get("text") != summary.get("text")]
        noted = {name: document[name] for name in _NOTED if document.get(name)}
        if history := history_in(document.get("history") or ""):
            noted["history"] = [one.model_dump(mode="json", exclude_defaults=True) for one in history]
        summaries = {"summary_of_older_part": summary.get("text"), "replaced_summaries": replaced}
        return noted | {name: told for name, told in summaries.items() if told}

    async def summaries(self, chat: PersonChat) -> Mapping[str, Any]:
        """Return the summaries of a chat's last 7 and 30 days, by span."""
        found = dict[str, Any]()
        for chat_id in chat.ids:
            shown = (await self._document(paths.shown_summaries_path(chat_id))).get("shown", {})
            found |= {span: one.get("text", "") for span, one in shown.items() if one.get("text")}
        return found

    async def profile(self, person: int) -> Mapping[str, Any]:
        """Return the person's profile, such as pronouns and time zone."""
        return await self._document(paths.person_path(person))

    async def memories(self, person: int, chats: Sequence[PersonChat]) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the memories about a person, and memories of chats and agents that come from the person's words."""
        query = self.client.collection(f"{paths.person_path(person)}/{paths.MEMORIES}").order_by(NAME)
        async for document in self._all(query, "read memories"):
            for memory in decode_memories(document.to_dict()):
                yield {"agent": document.id, **_memory_fields(memory)}
        shared_with_others = FirestoreMemories(self.client)
        for owner in _owners(chats):
            for memory in (await shared_with_others.of([owner])).get(owner, ()):
                if memory.forgotten_at is None and person in {memory.source.person, *memory.also_by}:
                    yield {"agent": owner.agent, **_memory_fields(_as_said_by(memory, person))}

    async def reminders(self, person: int) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the person's reminders, open and past.

        A notice to an owner about the person is left out, since it belongs to the owner.
        """
        async for document in self._all(REMINDERS_EVER.on(self.client, person).order_by(NAME), "read reminders"):
            kept = document.to_dict() or {}
            if not kept.get("is_apart"):
                yield kept

    async def requests(self, person: int) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the person's access requests, and the person's entry in each agent's access list."""
        async for document in self._all(REQUESTS_EVER.on(self.client, person).order_by(NAME), "read requests"):
            yield _fields_of(document)
        theirs = [FieldPath(name, str(person)).to_api_repr() for name in ("people", "blocked")]
        bots = self.client.collection(paths.BOTS).select(["owner", *theirs]).order_by(NAME)
        async for bot in self._all(bots, "read a person's entries in access lists"):
            kept = bot.to_dict() or {}
            let_in, blocked = (kept.get(name, {}).get(str(person)) for name in ("people", "blocked"))
            told = {"is_owner": decode_owner(kept) == person, "let_in": let_in, "blocked": blocked}
            if any(told.values()):
                yield {"agent": bot.id} | {name: value for name, value in told.items() if value}

    async def console_records(self, person: int) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the records of what the person did in the console."""
        query = CONSOLE_RECORDS_OF_PERSON.on(self.client, person).order_by(NAME)
        async for document in self._all(query, "read records of the console"):
            yield _fields_of(document)

    async def usage(self, person: int, chats: Sequence[PersonChat]) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the person's sums of usage, the costs of answers to the person, and costs that are not settled yet."""
        for agent in dict.fromkeys(chat.agent for chat in chats):
            account = await self._document(paths.account_path(agent, person))
            if account:
                yield {"agent": agent, "sums": account.get("sums", {}), "lent": account.get("lent", {})}
        async for document in self._all(USAGE_EVER.on(self.client, person).order_by(NAME), "read a person's usage"):
            yield _fields_of(document)
        for chat in chats:
            kept = await self._document(paths.chat_path_of(chat.ids[0]))
            for used in usage_in_budget(chat.ids[0], kept):
                if used.person == person:
                    yield used.model_dump()

    async def incidents(self, chat: PersonChat) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the incidents of a chat, under each id that the chat has had."""
        for chat_id in chat.ids:
            query = INCIDENTS_OF_CHAT.on(self.client, chat_id).order_by(NAME)
            async for document in self._all(query, "read a chat's incidents", PAGES_AT_ONCE):
                yield _fields_of(document)

    async def marks(self, person: int) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the owners' verdicts ("marks") on the person's messages."""
        async for document in self._all(MARKS_OF_PERSON.on(self.client, person).order_by(NAME), "read marks"):
            yield _fields_of(document)

    async def written_as_owner(self, person: int) -> AsyncIterator[Mapping[str, Any]]:
        """Yield the marks that the person made, and the descriptions of files that the person wrote."""
        async for document in self._all(MARKS_BY_OWNER.on(self.client, person).order_by(NAME), "read a person's marks"):
            yield _fields_of(document)
        bots = self.client.collection(paths.BOTS).select([]).order_by(NAME)
        async for bot in self._all(bots, "read agents"):
            for edit in decode_edits(await self._document(paths.curations_path(bot.id))).values():
                if edit.by == person:
                    yield {"agent": bot.id, **edit.model_dump(mode="json", exclude_defaults=True)}

    async def files(self, person: int) -> AsyncIterator[tuple[Mapping[str, Any], Sequence[StoredPart]]]:
        """Yield the files that the person sent, each with its stored parts, in chronological order."""
        curations = FirestoreCurations(self.client, lambda: datetime.now(UTC))
        async for document in self._all(
            REFERENCES_OF_PERSON.on(self.client, person), "read a person's file references"
        ):
            try:
                reference = decode_reference(document.to_dict() or {})
            except ValidationError:
                log("this version cannot read a file's reference")
                continue
            kept = decode_media(await self._document(paths.media_path(reference.ref.unique_id)))
            told = reference.model_dump(include={"agent", "chat", "conversation", "message_ids", "at"})
            file = reference.ref.model_dump(exclude={"file_id", "description"}, exclude_defaults=True)
            known = kept.description if kept is not None else None
            shown = known.model_dump(exclude={"call"}, exclude_defaults=True) if known is not None else None
            edit = (await curations.of_agent(reference.agent)).get(reference.ref.unique_id)
            written = {"curated": edit.description} if edit is not None else {}
            yield {**told, "file": file, "description": shown, **written}, _copies(reference.ref, kept)

    async def _document(self, path: str) -> dict[str, Any]:
        with translate_errors("read a person's data"):
            found: Any = await self.client.document(path).get(retry=RETRY, timeout=CALL_SECONDS)
        document: dict[str, Any] = found.to_dict() or {}
        return document

    async def _all(
        self, query: AsyncQuery, what: str, at_once: int = DOCUMENTS_AT_ONCE
    ) -> AsyncIterator[DocumentSnapshot[Any]]:
        """Yield all documents of an ordered query. Each request to Firestore reads `at_once` documents."""
        query = query.limit(at_once)
        while True:
            with translate_errors(what):
                found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
            for one in found:
                yield one
            if len(found) < at_once:
                return
            query = query.start_after(found[-1])


def _chat(document: DocumentSnapshot[Any], seen: Iterable[Membership]) -> PersonChat:
    chat = decode_chat(ChatKey.from_id(document.id), document.to_dict())
    return PersonChat(
        ids=tuple(dict.fromkeys((document.id, *chat.ids))),
        agent=chat.key.agent,
        chat_id=chat.key.chat_id,
        topic_id=chat.key.topic_id,
        title=chat.title,
        is_private=chat.key.is_private,
        memberships=tuple(one for one in seen if _is_of(one, chat)),
    )


def _is_of(membership: Membership, chat: Chat) -> bool:
    """Return whether a membership, with any agent, is of this group or of this topic of direct messages."""
    if chat.key.is_direct:
        return place_of(chat.key) in membership.places
    seen = (key.chat_id for key in map(chat_of, membership.places) if not key.is_direct)
    return not {chat.key.chat_id, chat.moves.moved_from}.isdisjoint(seen)


def _owners(chats: Iterable[PersonChat]) -> Sequence[MemoryOwner]:
    """Return the owners whose memories may come from the person's words: groups, and agents (memories for
    everybody).
    """
    keys = (ChatKey(agent=c.agent, chat_id=c.chat_id, topic_id=c.topic_id) for c in chats)
    groups = dict.fromkeys(map(memories_of_chat, keys))
    return (*groups, *{MemoryOwner(scope=MemoryScope.AGENT, agent=c.agent): None for c in chats})


def _fields_of(document: DocumentSnapshot[Any]) -> Mapping[str, Any]:
    """Return the fields of a document except for its expiry time."""
    return {name: value for name, value in (document.to_dict() or {}).items() if name != layout.EXPIRES}


def _as_said_by(memory: Memory, person: int) -> Memory:
    """Return a memory with the person as its source, even if others said the same first."""
    source = memory.source
    own = source if source.person == person else evolve(source, person=person, name="")
    return evolve(memory, source=own)


def _memory_fields(memory: Memory) -> Mapping[str, Any]:
    return memory.model_dump(mode="json", exclude_defaults=True)


def _copies(ref: MediaRef, kept: StoredMedia | None) -> Sequence[StoredPart]:
    """Return the stored copies: for a file sent in the console, the file itself; for others, the parts for models."""
    if is_web_file(ref.unique_id):
        return (StoredPart(path=stored_path(ref.unique_id), mime_type=ref.mime_type, size=ref.size),)
    return kept.parts if kept is not None else ()
