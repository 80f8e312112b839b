"""Every query of lull's, declared as a value: what it asks of Firestore's indexes can be compared with `infra/`.

Firestore refuses a query whose index is missing, and its emulator does not: only that comparison finds it here.
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

#: Firestore's name for a document's own path in an order
NAME = "__name__"


@dataclass(frozen=True, kw_only=True)
class Cursor:
    """A place in an order of documents: the moment that orders them, and the path of the document there."""

    at: datetime
    path: str


@dataclass(frozen=True, kw_only=True)
class PageQuery:
    """Which documents are asked for: from before a moment, beyond a cursor, the oldest first, so many at most."""

    before: datetime
    beyond: Cursor | None
    limit: int


@dataclass(frozen=True, kw_only=True)
class StalledChat:
    """A document that no tick came for: the id of its chat's document, and where it stands among its like."""

    chat: str
    cursor: Cursor


def encode_cursor(cursor: Cursor) -> dict[str, Any]:
    """How far something came; `Cursor(**document)` reads it."""
    return {"at": cursor.at, "path": cursor.path}


class QueryScope(StrEnum):
    """Which collections a query looks into, in the words of Firestore's indexes."""

    COLLECTION = "COLLECTION"  #: one collection
    COLLECTION_GROUP = "COLLECTION_GROUP"  #: all of that name, wherever they are


class Direction(StrEnum):
    """An order's direction, in the words of Firestore's indexes."""

    ASCENDING = "ASCENDING"
    DESCENDING = "DESCENDING"


@dataclass(frozen=True, kw_only=True)
class SortOrder:
    """A field that the answer is ordered by; bounds and cursors of the query are of this field too."""

    field: str
    direction: Direction = Direction.ASCENDING


@dataclass(frozen=True, kw_only=True)
class Query:
    """What one query asks of the indexes: a collection's id, the fields that are compared with `==`, and the order.

    `contains` is a list of which a value is looked for, `vector` a vector that others are near to; either may be empty.
    With neither order nor more than one field an automatic index serves it, unless its scope is the collection group.
    """

    collection: str
    scope: QueryScope = QueryScope.COLLECTION
    equals: tuple[str, ...] = ()
    contains: str = ""
    order: tuple[SortOrder, ...] = ()
    vector: str = ""

    @property
    def needs_index(self) -> bool:
        """Whether no automatic index of a single field serves it."""
        fields = (*self.equals, *filter(None, (self.contains, self.vector)), *self.order)
        is_grouped = bool(fields) and self.scope is QueryScope.COLLECTION_GROUP
        return bool(self.vector) or len(fields) > 1 or is_grouped

    def on(self, parent: AsyncClient | AsyncDocumentReference, *values: Any) -> AsyncQuery:
        """The query below a document or, of top collections and groups, the client; a value for each of `equals`.

        A list is several values, each of which will do: indexes serve both alike.
        """
        built = self._everything(parent)
        for field, value in zip(self.equals, values, strict=True):
            operator = "in" if isinstance(value, list) else "=="
            built = built.where(filter=FieldFilter(field, operator, value))
        for order in self.order:
            built = built.order_by(order.field, direction=order.direction.value)
        return built

    def _everything(self, parent: AsyncClient | AsyncDocumentReference) -> AsyncQuery:
        if self.scope is QueryScope.COLLECTION:
            return AsyncQuery(parent.collection(self.collection))
        if isinstance(parent, AsyncClient):
            return parent.collection_group(self.collection)
        raise TypeError(f"the group of all collections {self.collection} belongs to the client, not to a document")


def page_of(client: AsyncClient, query: Query, asked: PageQuery, *values: Any, also: Sequence[str] = ()) -> AsyncQuery:
    """Some documents of a query that is ordered by a moment.

    Only that field is read, and those in `also`: an update may be large.
    """
    field = query.order[0].field
    page = query.on(client, *values).where(filter=FieldFilter(field, "<", asked.before)).order_by(NAME)
    page = page.select([field, *also])
    if asked.beyond is not None:
        page = page.start_after({field: asked.beyond.at, NAME: client.document(asked.beyond.path)})
    return page.limit(asked.limit)


#: a chat's updates that no tick has read, in the order of their ids, which their names follow; counted, too
UNREAD = Query(collection=paths.INBOX, equals=("read",))
#: a chat's newest update
NEWEST_UPDATE = Query(collection=paths.INBOX, order=(SortOrder(field="received_at", direction=Direction.DESCENDING),))
#: the newest pages of a transcript
NEWEST_PAGES = Query(collection=paths.MESSAGES, order=(SortOrder(field="first_seq", direction=Direction.DESCENDING),))
#: what has lain unread longest, in any chat
UNREAD_ANYWHERE = Query(
    collection=paths.INBOX, scope=QueryScope.COLLECTION_GROUP, equals=("read",), order=(SortOrder(field="received_at"),)
)
#: the chats by when their plan goes on; a bound leaves out those that have none, whose `due_at` is null
OVERDUE = Query(collection=paths.CHATS, order=(SortOrder(field="due_at"),))
#: what went wrong, newest first
INCIDENTS = Query(collection=paths.INCIDENTS, order=(SortOrder(field="at", direction=Direction.DESCENDING),))
INCIDENTS_OF_KIND = Query(
    collection=paths.INCIDENTS, equals=("kind",), order=(SortOrder(field="at", direction=Direction.DESCENDING),)
)
#: a transcript's pages, the oldest first
PAGES = Query(collection=paths.MESSAGES, order=(SortOrder(field="first_seq"),))
#: the conversations by when they were last written to
CHANGED_CONVERSATIONS = Query(collection=paths.CONVERSATIONS, order=(SortOrder(field="changed_at"),))
#: one chat's conversations
CONVERSATIONS_OF_CHAT = Query(collection=paths.CONVERSATIONS, equals=("chat",))
#: one chat's conversations, those first in which something was said last
CONVERSATIONS_BY_DATE = Query(
    collection=paths.CONVERSATIONS,
    equals=("chat",),
    order=(SortOrder(field="updated_at", direction=Direction.DESCENDING),),
)
#: the conversations by when they are to be worked on: a bound leaves out those of which nothing is due
CONVERSATIONS_DUE = Query(collection=paths.CONVERSATIONS, order=(SortOrder(field="due_at"),))
#: those whose vectors another model made than the one that is asked now
CONVERSATIONS_BY_EMBEDDING = Query(collection=paths.CONVERSATIONS, order=(SortOrder(field="embedding_model"),))
#: a conversation's segments by the model that made their vectors, and by when their last message was written
SEGMENTS_BY_EMBEDDING = Query(collection=paths.SEGMENTS, order=(SortOrder(field="embedding_model"),))
SEGMENTS_BY_MOMENT = Query(collection=paths.SEGMENTS, order=(SortOrder(field="last_at"),))
#: what was observed in a conversation, by when that was said
OBSERVATIONS_BY_MOMENT = Query(collection=paths.OBSERVATIONS, order=(SortOrder(field="said_at"),))
#: what was observed in a place, the newest first
OBSERVATIONS_OF_PLACE = Query(
    collection=paths.OBSERVATIONS,
    scope=QueryScope.COLLECTION_GROUP,
    equals=("place",),
    order=(SortOrder(field="made_at", direction=Direction.DESCENDING),),
)
#: the pages of all transcripts in which a person is named; and conversations whose own documents named everybody
PAGES_WITH = Query(
    collection=paths.MESSAGES,
    scope=QueryScope.COLLECTION_GROUP,
    contains="people",
    order=(SortOrder(field="first_seq"),),
)
CONVERSATIONS_WITH = Query(collection=paths.CONVERSATIONS, contains="people")
#: the groups in which a person was seen, of all agents
GROUPS_OF_PERSON = Query(collection=paths.MEMBERSHIPS, equals=("person",))
#: deletions by when they are to go on: a bound leaves out those that are done
DELETIONS_DUE = Query(collection=paths.DELETIONS, order=(SortOrder(field="due_at"),))
#: what a person asked for
DELETIONS_OF_PERSON = Query(collection=paths.DELETIONS, equals=("person",))
#: the chats of all agents under one of Telegram's chat ids
CHATS_OF_ID = Query(collection=paths.CHATS, equals=("key.chat_id",))
#: the open reminders of a chat, by when they come; and of a person, counted
REMINDERS_OF_CHAT = Query(collection=paths.EVENTS, equals=("open_in",), order=(SortOrder(field="next_at"),))
REMINDERS_OF_PERSON = Query(collection=paths.EVENTS, equals=("open_for",))
#: the open reminders by when they come: a bound leaves out those that are over, whose `next_at` is null
REMINDERS_BY_DATE = Query(collection=paths.EVENTS, order=(SortOrder(field="next_at"),))
#: the senders' references to a file: all of them; a page begins after a reference's name
REFERENCES_OF_FILE = Query(collection=paths.REFERENCES, equals=("ref.unique_id",))
#: and those whose chats are still to be told of it
OPEN_OF_FILE = Query(collection=paths.REFERENCES, equals=("ref.unique_id", "is_open"))
#: open references by when they are to be looked after; the sweep asks for one of them; counted, too
OPEN_REFERENCES = Query(collection=paths.REFERENCES, equals=("is_open",), order=(SortOrder(field="try_at"),))
#: what was sent in a chat, and by a person
REFERENCES_OF_CHAT = Query(collection=paths.REFERENCES, equals=("chat",), order=(SortOrder(field="at"),))
REFERENCES_OF_PERSON = Query(collection=paths.REFERENCES, equals=("person",), order=(SortOrder(field="at"),))
#: and what somebody passed on of a person's
REFERENCES_FROM = Query(collection=paths.REFERENCES, contains="passed_on_from")
#: the groups in which a person was seen with an agent, those first in which they were seen last
MEMBERSHIPS_OF_PERSON = Query(
    collection=paths.MEMBERSHIPS,
    equals=("agent", "person"),
    order=(SortOrder(field="seen_at", direction=Direction.DESCENDING),),
)
#: the access requests of an agent in one state, the newest first; counted, too
REQUESTS_OF_STATE = Query(
    collection=paths.REQUESTS,
    equals=("agent", "state"),
    order=(SortOrder(field="at", direction=Direction.DESCENDING),),
)
#: a conversation's segments by their turns, and the newest of them
SEGMENTS_BY_TURN = Query(collection=paths.SEGMENTS, order=(SortOrder(field="last_turn"),))
NEWEST_SEGMENTS = Query(
    collection=paths.SEGMENTS, order=(SortOrder(field="last_turn", direction=Direction.DESCENDING),)
)
#: the files by what came of describing them; counted, too
MEDIA_OF_OUTCOME = Query(collection=paths.MEDIA, equals=("outcome",))

#: what was spent, the newest first: by all, by an agent, a person with it, or in a chat; summed, too
_SPENT_LAST = (SortOrder(field="at", direction=Direction.DESCENDING),)
USAGE_OF_ALL = Query(collection=paths.USAGE, equals=("month",), order=_SPENT_LAST)
USAGE_OF_AGENT = Query(collection=paths.USAGE, equals=("agent", "month"), order=_SPENT_LAST)
USAGE_OF_PERSON = Query(collection=paths.USAGE, equals=("agent", "person", "month"), order=_SPENT_LAST)
USAGE_OF_CHAT = Query(collection=paths.USAGE, equals=("chat", "month"), order=_SPENT_LAST)
#: the chats whose purses have used something of a month that no document of usage tells yet
BUDGETS_OF_MONTH = Query(collection=paths.CHATS, equals=("purse.month",))

#: segments in which a term is, of places, of an agent, of a conversation, the newest first; counted, too
_NEWEST = (SortOrder(field="last_at", direction=Direction.DESCENDING),)
_GROUP = QueryScope.COLLECTION_GROUP
MATCHES_OF_PLACES = Query(
    collection=paths.SEGMENTS, scope=_GROUP, equals=("place",), contains="terms_set", order=_NEWEST
)
MATCHES_OF_AGENT = Query(
    collection=paths.SEGMENTS, scope=_GROUP, equals=("agent",), contains="terms_set", order=_NEWEST
)
MATCHES_OF_CONVERSATION = Query(collection=paths.SEGMENTS, contains="terms_set", order=_NEWEST)
#: all segments there
SEGMENTS_OF_PLACES = Query(collection=paths.SEGMENTS, scope=_GROUP, equals=("place",), order=_NEWEST)
SEGMENTS_OF_AGENT = Query(collection=paths.SEGMENTS, scope=_GROUP, equals=("agent",), order=_NEWEST)
SEGMENTS_OF_CONVERSATION = Query(collection=paths.SEGMENTS, order=_NEWEST)
#: those whose vectors, of one model, are near to another; and the conversations whose abbreviations are
_NEAR = "embedding"
NEAR_OF_PLACE = Query(collection=paths.SEGMENTS, scope=_GROUP, equals=("place", "embedding_model"), vector=_NEAR)
NEAR_OF_AGENT = Query(collection=paths.SEGMENTS, scope=_GROUP, equals=("agent", "embedding_model"), vector=_NEAR)
NEAR_OF_CONVERSATION = Query(collection=paths.SEGMENTS, equals=("embedding_model",), vector=_NEAR)
ABBREVIATIONS_OF_PLACE = Query(collection=paths.CONVERSATIONS, equals=("place", "embedding_model"), vector=_NEAR)
ABBREVIATIONS_OF_AGENT = Query(collection=paths.CONVERSATIONS, equals=("agent", "embedding_model"), vector=_NEAR)

#: the exports by when they are to be looked after: a bound leaves out those that are over, whose `due_at` is null
EXPORTS_DUE = Query(collection=paths.EXPORTS, order=(SortOrder(field="due_at"),))
#: all reminders of a person, open or not
REMINDERS_EVER = Query(collection=paths.EVENTS, equals=("person",))
#: all requests of a person, decided or not; all usage that is theirs; what went wrong in a chat
REQUESTS_EVER = Query(collection=paths.REQUESTS, equals=("person",))
USAGE_EVER = Query(collection=paths.USAGE, equals=("person",))
INCIDENTS_OF_CHAT = Query(collection=paths.INCIDENTS, equals=("chat",))

QUERIES = (
    UNREAD,
    NEWEST_UPDATE,
    NEWEST_PAGES,
    UNREAD_ANYWHERE,
    OVERDUE,
    INCIDENTS,
    INCIDENTS_OF_KIND,
    PAGES,
    CHANGED_CONVERSATIONS,
    CONVERSATIONS_OF_CHAT,
    CONVERSATIONS_BY_DATE,
    CONVERSATIONS_DUE,
    CONVERSATIONS_BY_EMBEDDING,
    SEGMENTS_BY_EMBEDDING,
    SEGMENTS_BY_MOMENT,
    OBSERVATIONS_BY_MOMENT,
    OBSERVATIONS_OF_PLACE,
    PAGES_WITH,
    CONVERSATIONS_WITH,
    GROUPS_OF_PERSON,
    DELETIONS_DUE,
    DELETIONS_OF_PERSON,
    CHATS_OF_ID,
    REMINDERS_OF_CHAT,
    REMINDERS_OF_PERSON,
    REMINDERS_BY_DATE,
    REFERENCES_OF_FILE,
    OPEN_OF_FILE,
    OPEN_REFERENCES,
    REFERENCES_OF_CHAT,
    REFERENCES_OF_PERSON,
    REFERENCES_FROM,
    MEMBERSHIPS_OF_PERSON,
    REQUESTS_OF_STATE,
    SEGMENTS_BY_TURN,
    NEWEST_SEGMENTS,
    MEDIA_OF_OUTCOME,
    USAGE_OF_ALL,
    USAGE_OF_AGENT,
    USAGE_OF_PERSON,
    USAGE_OF_CHAT,
    BUDGETS_OF_MONTH,
    MATCHES_OF_PLACES,
    MATCHES_OF_AGENT,
    MATCHES_OF_CONVERSATION,
    SEGMENTS_OF_PLACES,
    SEGMENTS_OF_AGENT,
    SEGMENTS_OF_CONVERSATION,
    NEAR_OF_PLACE,
    NEAR_OF_AGENT,
    NEAR_OF_CONVERSATION,
    ABBREVIATIONS_OF_PLACE,
    ABBREVIATIONS_OF_AGENT,
    EXPORTS_DUE,
    REMINDERS_EVER,
    REQUESTS_EVER,
    USAGE_EVER,
    INCIDENTS_OF_CHAT,
)
