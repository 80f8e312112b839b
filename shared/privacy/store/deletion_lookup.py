"""Finds the chats, conversations and pages in Firestore that concern a person or a group."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from google.cloud.firestore_v1.async_collection import AsyncCollectionReference
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import TypeAdapter, ValidationError

from shared.chat.store import layout, paths
from shared.chat.store.bots import decode_owner
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import (
    CHATS_OF_ID,
    CONVERSATIONS_OF_CHAT,
    CONVERSATIONS_WITH,
    GROUPS_OF_PERSON,
    NAME,
    NEWEST_PAGES,
    PAGES,
    PAGES_WITH,
    Query,
)
from shared.chat.store.transcripts import TICK
from shared.values.chat_key import ChatKey
from shared.values.message import AnyEntry
from shared.values.place import chat_of

#: Number of pages that are rewritten in one commit. A page holds up to 300 kB, a commit 10 MiB
#: (firebase.google.com/docs/firestore/quotas).
MOST_PAGES: Final = 30


@dataclass(frozen=True, kw_only=True)
class TranscriptPage:
    """A stored page of a transcript. An entry is None if this version of lull cannot read it."""

    path: str
    version: object
    entries: tuple[AnyEntry | None, ...]
    #: number of the page's first entry
    first: int = 0
    #: the record of the tick that wrote the page, as JSON; "" if there is none
    tick: str = ""


@dataclass(frozen=True, kw_only=True)
class ConversationOutline:
    """The facts about a conversation that a deletion needs: its chat, titles, people and notes."""

    conversation: str
    chat: str
    title: str
    is_named_by_hand: bool
    entries: int
    #: title of the conversation's group
    chat_title: str = ""
    #: ids of the people in the conversation
    people: frozenset[int] = frozenset()
    #: notes by models by which the conversation is found: abbreviation and topics
    notes: tuple[str, ...] = ()
    #: names of the people who took part, by id
    names: Mapping[int, str] = field(default_factory=dict)


_ENTRY: Final[TypeAdapter[AnyEntry]] = TypeAdapter(AnyEntry)
#: Number of pages in one query result, since a page holds up to 300 kB. Small pages, which ticks write, are read in
#: larger groups.
PAGES_AT_ONCE: Final = 30
SMALL_AT_ONCE: Final = 120
#: a page with at most this many entries is small
FEW: Final = 5
DOCUMENTS_AT_ONCE: Final = 300
#: field with the number of a page
FIRST: Final = PAGES.order[0].field
#: the fields from which an outline is made
OUTLINE: Final = (
    "chat", "title", "manually_named", "entries", "people", "participants", "chat_title", "abbreviation", "topics",
    "history",
)  # fmt: skip
#: fields that are made from the conversation's words, besides the title and the topics
_MADE: Final = ("abbreviation", "history")


class FirestoreDeletionLookup(FirestoreStore):
    """Finds data that a deletion concerns. The client must have been made inside the running event loop.

    Every method may raise StoreUnavailable or StoreRefused.
    """

    async def chats_of(self, chat_id: int, agent: str = "") -> Sequence[ChatKey]:
        """Return all chats, with all topics, that have this Telegram chat id: of one agent, or of all if `agent` is
        "".
        """
        found = [one async for one in pages_of(CHATS_OF_ID.on(self.client, chat_id).select([]), "find chats")]
        keys = [key for key in map(_key_in, found) if key is not None]
        return [key for key in keys if agent in {"", key.agent}]

    async def groups_of(self, person: int) -> Sequence[ChatKey]:
        """Return the groups in which a person was seen, under each of their ids, without topics.

        The person's topics in the direct messages of channels are included.
        """
        query = GROUPS_OF_PERSON.on(self.client, person).select(["agent", "chat_id", "places"])
        found = [one.to_dict() or {} async for one in pages_of(query, "find a person's groups")]
        return list(dict.fromkeys(key for one in found for key in _seen_in(one)))

    async def owners(self) -> Sequence[ChatKey]:
        """Return, for each agent that has an owner, the owner's private chat with the agent."""
        found = [one async for one in pages_of(self.client.collection(paths.BOTS), "read bots")]
        owned = ((one.id, decode_owner(one.to_dict() or {})) for one in found)
        return [ChatKey(agent=agent, chat_id=owner) for agent, owner in owned if owner]

    async def conversations_in(self, chats: Sequence[str]) -> Sequence[ConversationOutline]:
        found = list[ConversationOutline]()
        for chat in chats:
            query = CONVERSATIONS_OF_CHAT.on(self.client, chat).select(OUTLINE)
            found += [await self._outline(one) async for one in pages_of(query, "find a chat's conversations")]
        return found

    async def conversations_with(self, person: int) -> Sequence[ConversationOutline]:
        """Return the conversations whose pages or documents list a person."""
        is_named = FieldFilter("people", "array_contains", person)
        whole = CONVERSATIONS_WITH.on(self.client).where(filter=is_named).select([])
        pages = PAGES_WITH.on(self.client).where(filter=is_named).select([FIRST])
        names = [one.id async for one in pages_of(whole, "find conversations that name a person")]
        names += [_conversation_of(one) async for one in pages_of(pages, "find conversations that name a person")]
        found = [await self.outline(one) for one in dict.fromkeys(names)]
        return [one for one in found if one is not None]

    async def outline(self, conversation: str) -> ConversationOutline | None:
        """Return a conversation's outline; None if the conversation does not exist."""
        document: Any = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a conversation"):
            found = await document.get(OUTLINE, retry=RETRY, timeout=CALL_SECONDS)
        return await self._outline(found) if found.exists else None

    async def _outline(self, found: DocumentSnapshot[Any]) -> ConversationOutline:
        """Return the outline, with the people that are listed in the conversation's pages or in its own document."""
        known = found.to_dict() or {}
        names, authors = _participants_of(known)
        people = {*(known.get("people") or ()), *authors}
        pages = PAGES.on(found.reference).select([FIRST, "people", "names"])
        async for page in pages_of(pages, "find the people in a transcript"):
            named = page.to_dict() or {}
            people.update(named.get("people") or ())
            names |= {int(one): str(name) for one, name in (named.get("names") or {}).items()}
        return ConversationOutline(
            conversation=found.id,
            chat=str(known.get("chat") or ""),
            title=str(known.get("title") or ""),
            is_named_by_hand=bool(known.get("manually_named")),
            chat_title=str(known.get("chat_title") or ""),
            entries=int(known.get("entries") or 0),
            people=frozenset((*people, *names)),
            notes=(*map(str, known.get("topics") or ()), *(str(known.get(one) or "") for one in _MADE)),
            names=names,
        )

    async def pages(self, conversation: str, after: int = 0, before: int = 0) -> AsyncIterator[TranscriptPage]:
        """Yield the pages after page `after` and before page `before` (0 for no limit), the oldest first."""
        query = self._query(PAGES, conversation)
        query = query.start_after({FIRST: after}) if after else query
        async for page in self._pages(query.end_before({FIRST: before}) if before else query):
            yield page

    async def pages_back(self, conversation: str, before: int = 0) -> AsyncIterator[TranscriptPage]:
        """Yield the pages before page `before` (0 for all), the newest first."""
        query = self._query(NEWEST_PAGES, conversation)
        async for page in self._pages(query.start_after({FIRST: before}) if before else query):
            yield page

    def _query(self, wanted: Query, conversation: str) -> AsyncQuery:
        return wanted.on(self.client.document(paths.conversation_path(conversation)))

    async def _pages(self, query: AsyncQuery) -> AsyncIterator[TranscriptPage]:
        limit = PAGES_AT_ONCE
        while True:
            with translate_errors("read a transcript"):
                found = await query.limit(limit).get(retry=RETRY, timeout=CALL_SECONDS)
            most = 0
            for one in found:
                known = one.to_dict() or {}
                entries = tuple(map(_entry, known.get("entries") or ()))
                first, most = int(known[FIRST]), max(most, len(entries))
                tick = str(known.get(TICK) or "")
                yield TranscriptPage(
                    path=one.reference.path, version=one.update_time, entries=entries, first=first, tick=tick
                )
            if len(found) < limit:
                return
            query = query.start_after(found[-1])
            limit = SMALL_AT_ONCE if most <= FEW else PAGES_AT_ONCE


async def pages_of(query: AsyncQuery | AsyncCollectionReference, what: str) -> AsyncIterator[DocumentSnapshot[Any]]:
    """Yield all documents of a query. If the query selects fields, these must include the fields by which it is
    ordered.
    """
    page: Any = query.order_by(NAME).limit(DOCUMENTS_AT_ONCE)
    while True:
        with translate_errors(what):
            found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
        for one in found:
            yield one
        if len(found) < DOCUMENTS_AT_ONCE:
            return
        page = page.start_after(found[-1])


def _key_in(snapshot: DocumentSnapshot[Any]) -> ChatKey | None:
    try:
        return ChatKey.from_id(snapshot.id)
    except ValueError:
        return None  # not a chat of lull's


def _seen_in(membership: layout.Document) -> tuple[ChatKey, ...]:
    agent, places = str(membership["agent"]), membership.get("places") or ()
    keys = tuple(replace(chat_of(place), agent=agent) for place in places)
    is_direct = any(key.is_direct for key in keys)
    return keys if is_direct else (ChatKey(agent=agent, chat_id=int(membership["chat_id"])), *keys)


def _conversation_of(page: DocumentSnapshot[Any]) -> str:
    conversation = page.reference.parent.parent
    return str(conversation.id) if conversation is not None else ""


def _entry(raw: Any) -> AnyEntry | None:
    try:
        return _ENTRY.validate_python(raw)
    except ValidationError:
        return None  # a kind that only a newer version knows


def _participants_of(known: layout.Document) -> tuple[dict[int, str], Collection[int]]:
    """Return the names and ids of the authors in a conversation's document. Only older documents contain names."""
    listed = known.get("participants") or ()
    if isinstance(listed, Mapping):
        names = {int(one): str(told.get("name") or "") for one, told in listed.items()}
        return names, names.keys()
    return {}, listed
