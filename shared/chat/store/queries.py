"""All queries as values, so that a test can compare the indexes they need with `infra/`.

Firestore refuses a query without its index, but the emulator accepts it. So only this comparison finds a missing index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_document import AsyncDocumentReference
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store import paths

#: Firestore's name for the document's own path, used to sort by it
NAME = "__name__"


@dataclass(frozen=True, kw_only=True)
class Cursor:
    """A position in a sorted query: the value of the time field, and the document's path."""

    at: datetime
    path: str


@dataclass(frozen=True, kw_only=True)
class PageQuery:
    """A page of documents to read: those with a time before `before`, after the cursor `beyond`, the oldest first."""

    before: datetime
    beyond: Cursor | None
    limit: int


@dataclass(frozen=True, kw_only=True)
class StalledChat:
    """A document with work that no tick has done: the id of its chat, and the document's position in the query."""

    chat: str
    cursor: Cursor


def encode_cursor(cursor: Cursor) -> dict[str, Any]:
    """Return the cursor's fields; `Cursor(**document)` reads them."""
    return {"at": cursor.at, "path": cursor.path}


class QueryScope(StrEnum):
    """The extent of a query, in Firestore's terms for indexes."""

    COLLECTION = "COLLECTION"  #: one collection
    COLLECTION_GROUP = "COLLECTION_GROUP"  #: all collections with this name


class Direction(StrEnum):
    """The direction of a sort, in Firestore's terms for indexes."""

    ASCENDING = "ASCENDING"
    DESCENDING = "DESCENDING"


@dataclass(frozen=True, kw_only=True)
class SortOrder:
    """A field by which a query is sorted. Bounds and cursors of the query use the same field."""

    field: str
    direction: Direction = Direction.ASCENDING


@dataclass(frozen=True, kw_only=True)
class Query:
    """The parts of a query that determine its indexes: collection, fields compared with `==`, and sort order.

    `contains` names a list that must contain a value, and `vector` a vector whose neighbours are searched; both are
    optional. Without a sort order and with at most one field, an automatic index is enough, unless the scope is the
    collection group.
    """

    collection: str
    scope: QueryScope = QueryScope.COLLECTION
    equals: tuple[str, ...] = ()
    contains: str = ""
    order: tuple[SortOrder, ...] = ()
    vector: str = ""

    @property
    def needs_index(self) -> bool:
        """Whether the query needs more than Firestore's automatic indexes of single fields."""
        fields = (*self.equals, *filter(None, (self.contains, self.vector)), *self.order)
        is_grouped = bool(fields) and self.scope is QueryScope.COLLECTION_GROUP
        return bool(self.vector) or len(fields) > 1 or is_grouped

    def on(self, parent: AsyncClient | AsyncDocumentReference, *values: Any) -> AsyncQuery:
        """Return the query on collections below `parent`, which is the client for top-level collections and groups.

        `values` has one value for each field in `equals`. If a value is a list, the field may equal any item of it.
        """
        built = self.without_order(parent, *values)
        for order in self.order:
            built = built.order_by(order.field, direction=order.direction.value)
        return built

    def without_order(self, parent: AsyncClient | AsyncDocumentReference, *values: Any) -> AsyncQuery:
        """Return the query without its sort order. It also finds documents that lack the field of the sort order."""
        built = self._everything(parent)
        for field, value in zip(self.equals, values, strict=True):
            operator = "in" if isinstance(value, list) else "=="
            built = built.where(filter=FieldFilter(field, operator, value))
        return built

    def _everything(self, parent: AsyncClient | AsyncDocumentReference) -> AsyncQuery:
        if self.scope is QueryScope.COLLECTION:
            return AsyncQuery(parent.collection(self.collection))
        if isinstance(parent, AsyncClient):
            return parent.collection_group(self.collection)
        raise TypeError(f"query the collection group {self.collection} on the client, not on a document")


def page_of(client: AsyncClient, query: Query, asked: PageQuery, *values: Any, also: Sequence[str] = ()) -> AsyncQuery:
    """Return one page of a query that is sorted by time.

    Only the time field and the fields in `also` are read, since an update may be large.
    """
    field = query.order[0].field
    page = query.on(client, *values).where(filter=FieldFilter(field, "<", asked.before)).order_by(NAME)
    page = page.select([field, *also])
    if asked.beyond is not None:
        page = page.start_after({field: asked.beyond.at, NAME: client.document(asked.beyond.path)})
    return page.limit(asked.limit)


#: a chat's unread updates by name, so by id; also used to count them
UNREAD = Query(collection=paths.INBOX, equals=("read",))
#: a chat's newest update
NEWEST_UPDATE = Query(collection=paths.INBOX, order=(SortOrder(field="received_at", direction=Direction.DESCENDING),))
#: the newest pages of a transcript
NEWEST_PAGES = Query(collection=paths.MESSAGES, order=(SortOrder(field="first_seq", direction=Direction.DESCENDING),))
#: unread updates of all chats, the oldest first
UNREAD_ANYWHERE = Query(
    collection=paths.INBOX, scope=QueryScope.COLLECTION_GROUP, equals=("read",), order=(SortOrder(field="received_at"),)
)
#: chats by the time of their plan; with a bound, chats without a plan are left out, since their `due_at` is null
OVERDUE = Query(collection=paths.CHATS, order=(SortOrder(field="due_at"),))
#: incidents, the newest first
INCIDENTS = Query(collection=paths.INCIDENTS, order=(SortOrder(field="at", direction=Direction.DESCENDING),))
INCIDENTS_OF_KIND = Query(
    collection=paths.INCIDENTS, equals=("kind",), order=(SortOrder(field="at", direction=Direction.DESCENDING),)
)
#: a transcript's pages, the oldest first
PAGES = Query(collection=paths.MESSAGES, order=(SortOrder(field="first_seq"),))
#: the summaries of a conversation's older part, the newest first
NEWEST_COMPRESSIONS = Query(
    collection=paths.COMPRESSIONS, order=(SortOrder(field="up_to_seq", direction=Direction.DESCENDING),)
)
#: conversations by their last write
CHANGED_CONVERSATIONS = Query(collection=paths.CONVERSATIONS, order=(SortOrder(field="changed_at"),))
#: one chat's conversations
CONVERSATIONS_OF_CHAT = Query(collection=paths.CONVERSATIONS, equals=("chat",))
#: one chat's conversations, the most recent first
CONVERSATIONS_BY_DATE = Query(
    collection=paths.CONVERSATIONS,
    equals=("chat",),
    order=(SortOrder(field="updated_at", direction=Direction.DESCENDING),),
)
#: the conversations of some agents, or those in some kinds of chat, the most recent first
CONVERSATIONS_OF_AGENT = Query(
    collection=paths.CONVERSATIONS,
    equals=("agent",),
    order=(SortOrder(field="updated_at", direction=Direction.DESCENDING),),
)
CONVERSATIONS_OF_KIND = Query(
    collection=paths.CONVERSATIONS,
    equals=("agent", "chat_kind"),
    order=(SortOrder(field="updated_at", direction=Direction.DESCENDING),),
)
#: the conversations of some agents by their last write; the console listens to this query
CONVERSATIONS_CHANGED_LATELY = Query(
    collection=paths.CONVERSATIONS, equals=("agent",), order=(SortOrder(field="changed_at"),)
)
#: conversations of a place in one channel, the most recent first
WEB_CONVERSATIONS = Query(
    collection=paths.CONVERSATIONS,
    equals=("place", "channel"),
    order=(SortOrder(field="updated_at", direction=Direction.DESCENDING),),
)
#: conversations by due time; with a bound, those without a due time are left out
CONVERSATIONS_DUE = Query(collection=paths.CONVERSATIONS, order=(SortOrder(field="due_at"),))
#: conversations by the model of their vectors
CONVERSATIONS_BY_EMBEDDING = Query(collection=paths.CONVERSATIONS, order=(SortOrder(field="embedding_model"),))
#: a conversation's segments by the model of their vectors, and by their last message
SEGMENTS_BY_EMBEDDING = Query(collection=paths.SEGMENTS, order=(SortOrder(field="embedding_model"),))
SEGMENTS_BY_MOMENT = Query(collection=paths.SEGMENTS, order=(SortOrder(field="last_at"),))
#: a conversation's observations by the time of the message
OBSERVATIONS_BY_MOMENT = Query(collection=paths.OBSERVATIONS, order=(SortOrder(field="said_at"),))
#: observations of a place, the newest first
OBSERVATIONS_OF_PLACE = Query(
    collection=paths.OBSERVATIONS,
    scope=QueryScope.COLLECTION_GROUP,
    equals=("place",),
    order=(SortOrder(field="made_at", direction=Direction.DESCENDING),),
)
#: pages of all transcripts in which a person occurs; and old conversations, whose own documents list all people
PAGES_WITH = Query(
    collection=paths.MESSAGES,
    scope=QueryScope.COLLECTION_GROUP,
    contains="people",
    order=(SortOrder(field="first_seq"),),
)
CONVERSATIONS_WITH = Query(collection=paths.CONVERSATIONS, contains="people")
#: the groups in which any agent has seen a person
GROUPS_OF_PERSON = Query(collection=paths.MEMBERSHIPS, equals=("person",))
#: deletions by due time; with a bound, finished deletions are left out
DELETIONS_DUE = Query(collection=paths.DELETIONS, order=(SortOrder(field="due_at"),))
#: a person's deletions
DELETIONS_OF_PERSON = Query(collection=paths.DELETIONS, equals=("person",))
#: the chats of all agents that have a certain chat id at Telegram
CHATS_OF_ID = Query(collection=paths.CHATS, equals=("key.chat_id",))
#: the chats of agents, by name
CHATS_OF_AGENT = Query(collection=paths.CHATS, equals=("key.agent",))
#: chats by the end of their silence; with a bound, those that are not silent are left out
MUTED_CHATS = Query(collection=paths.CHATS, order=(SortOrder(field="muted_until"),))
#: a chat's open reminders by time; a person's open reminders, only counted
REMINDERS_OF_CHAT = Query(collection=paths.EVENTS, equals=("open_in",), order=(SortOrder(field="next_at"),))
REMINDERS_OF_PERSON = Query(collection=paths.EVENTS, equals=("open_for",))
#: open reminders by time; with a bound, ended reminders are left out, since their `next_at` is null
REMINDERS_BY_DATE = Query(collection=paths.EVENTS, order=(SortOrder(field="next_at"),))
#: reminders and notices, open or not, by the time at which they were set, the newest first
REMINDERS_BY_SETTING = Query(
    collection=paths.EVENTS, order=(SortOrder(field="set_at", direction=Direction.DESCENDING),)
)
#: all references to a file, one for each sender and chat; the cursor of a page is the name of a reference
REFERENCES_OF_FILE = Query(collection=paths.REFERENCES, equals=("ref.unique_id",))
#: references to a file whose chats do not know the result yet
OPEN_OF_FILE = Query(collection=paths.REFERENCES, equals=("ref.unique_id", "is_open"))
#: open references by due time; the sweep reads only the first; also counted
OPEN_REFERENCES = Query(collection=paths.REFERENCES, equals=("is_open",), order=(SortOrder(field="try_at"),))
#: open references of agents; only counted
OPEN_OF_AGENT = Query(collection=paths.REFERENCES, equals=("agent", "is_open"))
#: references of a chat, of a conversation, and of a person
REFERENCES_OF_CHAT = Query(collection=paths.REFERENCES, equals=("chat",), order=(SortOrder(field="at"),))
REFERENCES_OF_CONVERSATION = Query(collection=paths.REFERENCES, equals=("conversation",))
REFERENCES_OF_PERSON = Query(collection=paths.REFERENCES, equals=("person",), order=(SortOrder(field="at"),))
#: references of agents, the newest first; of one kind of file, and of one sticker set; and those to one file
_SENT_LAST = (SortOrder(field="at", direction=Direction.DESCENDING),)
REFERENCES_OF_AGENT = Query(collection=paths.REFERENCES, equals=("agent",), order=_SENT_LAST)
REFERENCES_OF_KIND = Query(collection=paths.REFERENCES, equals=("agent", "ref.kind"), order=_SENT_LAST)
REFERENCES_OF_SET = Query(collection=paths.REFERENCES, equals=("agent", "ref.set_name"), order=_SENT_LAST)
AGENTS_OF_FILE = Query(collection=paths.REFERENCES, equals=("ref.unique_id", "agent"))
#: references to files that others forwarded from a person
REFERENCES_FROM = Query(collection=paths.REFERENCES, contains="passed_on_from")
#: a person's groups with an agent, the most recent first
MEMBERSHIPS_OF_PERSON = Query(
    collection=paths.MEMBERSHIPS,
    equals=("agent", "person"),
    order=(SortOrder(field="seen_at", direction=Direction.DESCENDING),),
)
#: an agent's access requests in one state, the newest first; also counted
REQUESTS_OF_STATE = Query(
    collection=paths.REQUESTS,
    equals=("agent", "state"),
    order=(SortOrder(field="at", direction=Direction.DESCENDING),),
)
#: a conversation's segments by their turns; the newest segments of a conversation
SEGMENTS_BY_TURN = Query(collection=paths.SEGMENTS, order=(SortOrder(field="last_turn"),))
NEWEST_SEGMENTS = Query(
    collection=paths.SEGMENTS, order=(SortOrder(field="last_turn", direction=Direction.DESCENDING),)
)
#: files by the outcome of their description; also counted
MEDIA_OF_OUTCOME = Query(collection=paths.MEDIA, equals=("outcome",))

#: memories of all people, chats and agents, by name
MEMORIES_OF_ALL = Query(collection=paths.MEMORIES, scope=QueryScope.COLLECTION_GROUP)

#: the curated descriptions of all agents
CURATIONS_OF_ALL = Query(collection=paths.CURATIONS, scope=QueryScope.COLLECTION_GROUP)

#: usage, the newest first, of everybody, of an agent, of a person with an agent, or of a chat; also summed
_SPENT_LAST = (SortOrder(field="at", direction=Direction.DESCENDING),)
USAGE_OF_ALL = Query(collection=paths.USAGE, equals=("month",), order=_SPENT_LAST)
USAGE_OF_AGENT = Query(collection=paths.USAGE, equals=("agent", "month"), order=_SPENT_LAST)
USAGE_OF_PERSON = Query(collection=paths.USAGE, equals=("agent", "person", "month"), order=_SPENT_LAST)
USAGE_OF_CHAT = Query(collection=paths.USAGE, equals=("chat", "month"), order=_SPENT_LAST)
#: chats whose budgets have spent something in a month that no usage document contains yet
BUDGETS_OF_MONTH = Query(collection=paths.CHATS, equals=("purse.month",))

#: segments that contain a term, in some places, with an agent or in a conversation, the newest first; also counted
_NEWEST = (SortOrder(field="last_at", direction=Direction.DESCENDING),)
_GROUP = QueryScope.COLLECTION_GROUP
MATCHES_OF_PLACES = Query(
    collection=paths.SEGMENTS, scope=_GROUP, equals=("place",), contains="terms_set", order=_NEWEST
)
MATCHES_OF_AGENT = Query(
    collection=paths.SEGMENTS, scope=_GROUP, equals=("agent",), contains="terms_set", order=_NEWEST
)
MATCHES_OF_CONVERSATION = Query(collection=paths.SEGMENTS, contains="terms_set", order=_NEWEST)
#: all segments in some places, with an agent or in a conversation
SEGMENTS_OF_PLACES = Query(collection=paths.SEGMENTS, scope=_GROUP, equals=("place",), order=_NEWEST)
SEGMENTS_OF_AGENT = Query(collection=paths.SEGMENTS, scope=_GROUP, equals=("agent",), order=_NEWEST)
SEGMENTS_OF_CONVERSATION = Query(collection=paths.SEGMENTS, order=_NEWEST)
#: segments near to a vector of the same model; conversations whose abbreviations are near to it
_NEAR = "embedding"
NEAR_OF_PLACE = Query(collection=paths.SEGMENTS, scope=_GROUP, equals=("place", "embedding_model"), vector=_NEAR)
NEAR_OF_AGENT = Query(collection=paths.SEGMENTS, scope=_GROUP, equals=("agent", "embedding_model"), vector=_NEAR)
NEAR_OF_CONVERSATION = Query(collection=paths.SEGMENTS, equals=("embedding_model",), vector=_NEAR)
ABBREVIATIONS_OF_PLACE = Query(collection=paths.CONVERSATIONS, equals=("place", "embedding_model"), vector=_NEAR)
ABBREVIATIONS_OF_AGENT = Query(collection=paths.CONVERSATIONS, equals=("agent", "embedding_model"), vector=_NEAR)

#: exports by due time; with a bound, ended exports are left out, since their `due_at` is null
EXPORTS_DUE = Query(collection=paths.EXPORTS, order=(SortOrder(field="due_at"),))
#: all reminders of a person, open or not
REMINDERS_EVER = Query(collection=paths.EVENTS, equals=("person",))
#: a person's access requests, decided or not; a person's usage; a chat's incidents; what a person did in the console
REQUESTS_EVER = Query(collection=paths.REQUESTS, equals=("person",))
USAGE_EVER = Query(collection=paths.USAGE, equals=("person",))
INCIDENTS_OF_CHAT = Query(collection=paths.INCIDENTS, equals=("chat",))
#: chats with open offers, the newest first; with a bound, chats without offers are left out
OFFERS = Query(collection=paths.CHATS, order=(SortOrder(field="offered_at", direction=Direction.DESCENDING),))
#: reminders and notices whose last occurrence failed, the newest first; with a bound, all others are left out
FAILED_REMINDERS = Query(collection=paths.EVENTS, order=(SortOrder(field="failed_at", direction=Direction.DESCENDING),))
#: the owner's marks on an agent's decisions, the newest first; a conversation's marks
MARKS_OF_AGENT = Query(
    collection=paths.MARKS, equals=("agent",), order=(SortOrder(field="at", direction=Direction.DESCENDING),)
)
MARKS_OF_CONVERSATION = Query(collection=paths.MARKS, equals=("conversation",))
#: the marks on a person's messages; those that a person made as an owner
MARKS_OF_PERSON = Query(collection=paths.MARKS, equals=("person",))
MARKS_BY_OWNER = Query(collection=paths.MARKS, equals=("by",))
CONSOLE_RECORDS_OF_PERSON = Query(collection=paths.CONSOLE_RECORDS, equals=("person",))
CONSOLE_RECORDS_BY_DATE = Query(
    collection=paths.CONSOLE_RECORDS,
    equals=("person",),
    order=(SortOrder(field="at", direction=Direction.DESCENDING),),
)

#: the kept exchanges of a chat by which a message was answered
EXCHANGES_OF_MESSAGE = Query(collection=paths.EXCHANGES, contains="answers")

#: all queries of this module
QUERIES = tuple(one for one in tuple(globals().values()) if isinstance(one, Query))
