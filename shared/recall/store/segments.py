"""Segments in Firestore: written, counted, found by terms and by vectors, and read to show turns.

Turns are read from segments because that is cheaper: ten turns are three segments, but twenty transcript entries.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.vector import Vector
from pydantic import TypeAdapter, ValidationError

from shared.base.language.terms import author_term
from shared.base.logs import log
from shared.chat.store import layout, paths, queries
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import NEWEST_SEGMENTS, SEGMENTS_BY_TURN, Query
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.recalled import TITLED_OUTSIDE, USUAL_TURNS, RecalledMessage, RecalledTurns, SourceConversation
from shared.values.segment import Segment, SegmentMessage, SegmentNote

if TYPE_CHECKING:
    from datetime import datetime

    from shared.values.place import VisibleChats

_MESSAGES: Final[TypeAdapter[tuple[SegmentMessage, ...]]] = TypeAdapter(tuple[SegmentMessage, ...])
_NOTES: Final[TypeAdapter[tuple[SegmentNote, ...]]] = TypeAdapter(tuple[SegmentNote, ...])
#: fields that a search does not read
DERIVED: Final = ("terms_set", "embedding")


@dataclass(frozen=True)
class SegmentRecord(Record):
    """The record of a changed segment of a conversation. It replaces the stored segment.

    The stored vector is removed, since it belongs to the old text. The segment's notes are added again when the
    conversation is at rest (idle).
    """

    segment: Segment

    def writes(self, _: CommitContext) -> Iterator[Write]:
        path = paths.segment_path(self.segment.conversation, self.segment.number)
        yield Write(path=path, document=encode_segment(self.segment), mode=WriteMode.SET)


def encode_segment(segment: Segment, vector: tuple[float, ...] = ()) -> layout.Document:
    """Return a segment's whole document.

    `vector` was made by the model that the segment names; () for no vector. Messages and notes are each stored as one
    JSON text: a search reads a hundred segments, and decoding maps takes ten times as long.
    """
    turns = [one.turn for one in segment.messages if one.turn] or [0]
    document: layout.Document = segment.model_dump(exclude={"messages", "notes"}) | {
        "messages": _MESSAGES.dump_json(segment.messages, exclude_defaults=True).decode(),
        "notes": _NOTES.dump_json(segment.notes, exclude_defaults=True).decode(),
        "terms_set": sorted(terms_in(segment)),
        "first_seq": segment.first_seq,
        "last_seq": segment.last_seq,
        "first_turn": min(turns),
        "last_turn": max(turns),
        "first_at": segment.messages[0].at,
        "last_at": segment.messages[-1].at,
    }
    return document | ({"embedding": Vector(vector)} if vector else {})


def decode_segment(document: layout.Document) -> Segment:
    """Return the segment, which has at least one message. Raises ValidationError or KeyError for an unknown form."""
    known = {name: value for name, value in document.items() if name in Segment.model_fields}
    messages = _MESSAGES.validate_json(document["messages"])
    if not messages:
        raise KeyError("messages")
    notes = _NOTES.validate_json(document.get("notes") or "[]")
    return Segment.model_validate(known | {"messages": messages, "notes": notes})


def terms_in(segment: Segment) -> set[str]:
    """Return the terms by which a segment is found: those of its messages and notes, and one for each author."""
    texts = (*(one.terms for one in segment.messages), *(one.terms for one in segment.notes))
    return {term for text in texts for term in text.split()} | {author_term(one.author) for one in segment.messages}


@dataclass(frozen=True, kw_only=True)
class SearchArea:
    """The area of a search: all chats that a person may see, or one conversation. It may be limited to a time."""

    visible: VisibleChats
    #: "" for all conversations
    conversation: str = ""
    #: limits for the time of a segment's last message, from `since` until before `until`; None for no limit
    since: datetime | None = None
    until: datetime | None = None

    def within(self, since: datetime, until: datetime) -> SearchArea:
        """Return the part of the area between two times. The area's own time limits apply if they are narrower."""
        latest = since if self.since is None else max(since, self.since)
        earliest = until if self.until is None else min(until, self.until)
        return replace(self, since=latest, until=earliest)


@dataclass(frozen=True)
class SegmentCount:
    """The number of segments, None if there are too many to count; and the number of reads that counting took."""

    segments: int | None
    reads: int


@dataclass(frozen=True)
class NearSegment:
    """A segment and its cosine similarity to a vector."""

    segment: Segment
    similarity: float


@dataclass(frozen=True, kw_only=True)
class ConversationNotes:
    """Title and topics of a whole conversation, and its similarity to the question."""

    conversation: str
    title: str = ""
    #: whether the title was made from text that is partly from outside
    title_holds_outside: bool = False
    chat_title: str = ""
    topics: tuple[str, ...] = ()
    #: cosine similarity of the abbreviation to a vector; 0 if no vector was given
    similarity: float = 0.0


#: the largest product of the numbers of list values and places in one query
#: (cloud.google.com/firestore/docs/query-data/queries, "30 disjunctions")
MOST_DISJUNCTIONS: Final = 30
#: the number of places in one query, chosen to leave room for three list values
PLACES_AT_ONCE: Final = 10
#: the number of index entries that are counted for the price of one read (cloud.google.com/firestore/pricing)
COUNTED_AT_ONCE: Final = 1000
_READ: Final = tuple(name for name in Segment.model_fields if name not in DERIVED)
_DISTANCE: Final = "distance"
#: fields that tell whether a title was made from text from outside
TITLED: Final = ("abbreviation_holds_outside", "manually_named")
_TOLD: Final = ("title", "chat_title", "topics", *TITLED)


def is_titled_outside(known: Mapping[str, Any]) -> bool:
    """Return whether a model made the title and topics from untrusted text. `known` has the fields listed in TITLED."""
    made_of_outside, by_hand = (bool(known.get(name)) for name in TITLED)
    return made_of_outside and not by_hand


class FirestoreSegments:
    """The segments in Firestore.

    Every method may raise StoreUnavailable or StoreRefused. Each document returned costs one read.
    """

    def __init__(self, client: AsyncClient, call_s: float = CALL_SECONDS) -> None:
        """`client` belongs to the running loop; `call_s` limits one call and its retries, in seconds."""
        self.client = client
        self._call: Any = {"retry": RETRY.with_timeout(call_s), "timeout": call_s}

    async def count(self, area: SearchArea, most: int) -> SegmentCount:
        """Count the segments in the area. If there are more than `most`, return `most`."""
        counts = await asyncio.gather(*(self._count(query, most) for query in self._all(area)))
        return SegmentCount(min(most, sum(counts)), sum(map(_reads_of, counts)))

    async def matches(self, area: SearchArea, variants: Sequence[str], most: int) -> SegmentCount:
        """Count the segments with at least one of these terms. If there are `most` or more, the count is None."""
        counts = await asyncio.gather(*(self._count(query, most) for query in self._matching(area, variants)))
        total = sum(counts)
        return SegmentCount(total if total < most else None, sum(map(_reads_of, counts)))

    async def with_terms(self, area: SearchArea, variants: Sequence[str], limit: int) -> Sequence[Segment]:
        """Return the newest segments with any of these terms. A segment with several terms may occur twice."""
        asked = list(self._matching(area, variants))
        each = max(1, limit // max(1, len(asked)))
        return await self._find(query.limit(each) for query in asked)

    async def newest(self, area: SearchArea, each: int) -> Sequence[Segment]:
        """Return the newest segments: up to `each` from each query. A query searches at most ten chats."""
        return await self._find(query.limit(each) for query in self._all(area))

    async def nearest(self, area: SearchArea, vector: Sequence[float], model: str, each: int) -> Sequence[NearSegment]:
        """Return the segments with the nearest vectors: up to `each` from each chat of the area."""
        asked = self._near(area, model)
        answers = await asyncio.gather(*(self._neighbours(query, vector, each, _READ) for query in asked))
        found = ((segment, near) for answer in answers for one, near in answer for segment in _readable(one))
        return [NearSegment(segment, near) for segment, near in found]

    async def nearest_conversations(
        self, area: SearchArea, vector: Sequence[float], model: str, limit: int
    ) -> Sequence[ConversationNotes]:
        """Return up to `limit` conversations with abbreviations near to `vector`. Searches at most `limit` chats."""
        asked = list(self._near_conversations(area, model))[:limit]
        each = max(1, limit // max(1, len(asked)))
        answers = await asyncio.gather(*(self._neighbours(query, vector, each, _TOLD) for query in asked))
        return [_notes(one, near) for answer in answers for one, near in answer]

    async def conversations(self, ids: Sequence[str]) -> Mapping[str, ConversationNotes]:
        """Return the notes of these conversations, by the conversation's id."""
        refs = [self.client.document(paths.conversation_path(one)) for one in ids]
        with translate_errors("read conversations"):
            found = [one async for one in self.client.get_all(refs, field_paths=_TOLD, **self._call)]
        return {one.id: _notes(one, 0.0) for one in found if one.exists}

    def _all(self, area: SearchArea) -> Iterator[AsyncQuery]:
        if area.conversation:
            yield _within_time(queries.SEGMENTS_OF_CONVERSATION.on(self._conversation(area)), area)
        elif area.visible.is_everything:
            yield _within_time(queries.SEGMENTS_OF_AGENT.on(self.client, area.visible.agent), area)
        else:
            for places in _batches(area.visible.places, PLACES_AT_ONCE):
                yield _within_time(queries.SEGMENTS_OF_PLACES.on(self.client, list(places)), area)

    def _matching(self, area: SearchArea, variants: Sequence[str]) -> Iterator[AsyncQuery]:
        for query, places in self._matches(area):
            for some in _batches(variants, MOST_DISJUNCTIONS // places):
                containing = FieldFilter(queries.MATCHES_OF_PLACES.contains, "array_contains_any", list(some))
                yield _within_time(query.where(filter=containing), area)

    def _matches(self, area: SearchArea) -> Iterator[tuple[AsyncQuery, int]]:
        """Yield queries, to which the terms are still to be added, each with its number of chats."""
        if area.conversation:
            yield queries.MATCHES_OF_CONVERSATION.on(self._conversation(area)), 1
        elif area.visible.is_everything:
            yield queries.MATCHES_OF_AGENT.on(self.client, area.visible.agent), 1
        else:
            for places in _batches(area.visible.places, PLACES_AT_ONCE):
                yield queries.MATCHES_OF_PLACES.on(self.client, list(places)), len(places)

    def _near(self, area: SearchArea, model: str) -> Iterator[AsyncQuery]:
        if area.conversation:
            yield queries.NEAR_OF_CONVERSATION.on(self._conversation(area), model)
        else:
            yield from self._near_in(area, model, queries.NEAR_OF_AGENT, queries.NEAR_OF_PLACE)

    def _near_conversations(self, area: SearchArea, model: str) -> Iterator[AsyncQuery]:
        if not area.conversation:
            yield from self._near_in(area, model, queries.ABBREVIATIONS_OF_AGENT, queries.ABBREVIATIONS_OF_PLACE)

    def _near_in(self, area: SearchArea, model: str, of_agent: Query, of_place: Query) -> Iterator[AsyncQuery]:
        if area.visible.is_everything:
            yield of_agent.on(self.client, area.visible.agent, model)
        else:
            yield from (of_place.on(self.client, place, model) for place in area.visible.places)

    def _conversation(self, area: SearchArea) -> Any:
        return self.client.document(paths.conversation_path(area.conversation))

    async def _count(self, query: AsyncQuery, most: int) -> int:
        counting: Any = query.limit(most).count()  # the client's decorator hides the types of `count`
        with translate_errors("count segments"):
            counts = await counting.get(**self._call)
        return int(counts[0][0].value)

    async def _find(self, asked: Iterator[AsyncQuery]) -> Sequence[Segment]:
        with translate_errors("find segments"):
            answers = await asyncio.gather(*(query.select(_READ).get(**self._call) for query in asked))
        return [segment for answer in answers for one in answer for segment in _readable(one)]

    async def _neighbours(
        self, query: AsyncQuery, vector: Sequence[float], limit: int, fields: Sequence[str]
    ) -> Sequence[tuple[DocumentSnapshot[Any], float]]:
        """Return the nearest documents with their cosine similarities."""
        near: Any = query.select([*fields, _DISTANCE]).find_nearest(
            vector_field=queries.NEAR_OF_PLACE.vector,
            query_vector=Vector(vector),
            limit=limit,
            distance_measure=DistanceMeasure.COSINE,
            distance_result_field=_DISTANCE,
        )
        with translate_errors("find neighbours of a vector"):
            found = await near.get(**self._call)
        return [(one, 1.0 - float((one.to_dict() or {}).get(_DISTANCE, 1.0))) for one in found]


def _batches(values: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (values[begin : begin + size] for begin in range(0, len(values), size))


def _within_time(query: AsyncQuery, area: SearchArea) -> AsyncQuery:
    field = queries.MATCHES_OF_PLACES.order[0].field
    if area.since is not None:
        query = query.where(filter=FieldFilter(field, ">=", area.since))
    if area.until is not None:
        query = query.where(filter=FieldFilter(field, "<", area.until))
    return query


def _reads_of(count: int) -> int:
    return max(1, math.ceil(count / COUNTED_AT_ONCE))


def _readable(snapshot: DocumentSnapshot[Any]) -> Iterator[Segment]:
    """Yield the segment, unless its form is unknown."""
    try:
        yield decode_segment(snapshot.to_dict() or {})
    except (KeyError, ValidationError):
        log("a segment cannot be read and is left out", segment=snapshot.reference.path)


def _notes(snapshot: DocumentSnapshot[Any], similarity: float) -> ConversationNotes:
    known = snapshot.to_dict() or {}
    return ConversationNotes(
        conversation=snapshot.id,
        title=str(known.get("title") or ""),
        title_holds_outside=is_titled_outside(known),
        chat_title=str(known.get("chat_title") or ""),
        topics=tuple(map(str, topics)) if isinstance(topics := known.get("topics"), list) else (),
        similarity=similarity,
    )


#: the number of segments in one read: a turn may fill several
MOST_SEGMENTS: Final = 20
#: the fields that are read of the conversation's own document
FIELDS: Final = ("chat", "place", "title", "chat_title", "turns", *TITLED)


class FirestoreTurns(FirestoreStore):
    """The turns of all conversations. Every method may raise StoreUnavailable or StoreRefused."""

    async def of(self, conversation: str, first: int | None, last: int | None) -> RecalledTurns | None:
        """Return some turns of a conversation, by default the newest ones; None if the conversation does not exist."""
        if "/" in conversation or not conversation:
            return None  # no document can have such an id
        document: Any = self.client.document(paths.conversation_path(conversation))
        with translate_errors("read a conversation"):
            found = await document.get(FIELDS, retry=RETRY, timeout=CALL_SECONDS)
        if not found.exists:
            return None
        known = found.to_dict() or {}
        total = int(known.get("turns") or 0)
        begin, end = (first, last or first) if first is not None else (max(1, total - USUAL_TURNS + 1), total)
        messages = list(_within(await self._segments(document, first), begin, end))
        return RecalledTurns(
            source=SourceConversation(
                conversation=conversation,
                title=str(known.get("title") or ""),
                title_outside=TITLED_OUTSIDE if is_titled_outside(known) else "",
                chat=str(known.get("chat") or ""),
                chat_title=str(known.get("chat_title") or ""),
                place=str(known.get("place") or ""),
            ),
            messages=tuple(messages),
            total=total,
        )

    async def _segments(self, document: Any, first: int | None) -> Sequence[Segment]:
        """Return segments in order: from the one with turn `first` on, or the newest if `first` is None."""
        if first is None:
            query = NEWEST_SEGMENTS.on(document)
        else:
            query = SEGMENTS_BY_TURN.on(document).start_at({"last_turn": first})
        fields = [*(name for name in Segment.model_fields if name not in DERIVED)]
        with translate_errors("read turns"):
            found = await query.select(fields).limit(MOST_SEGMENTS).get(retry=RETRY, timeout=CALL_SECONDS)
        return sorted((segment for one in found for segment in _readable(one)), key=lambda one: one.number)


def _within(segments: Sequence[Segment], begin: int, end: int) -> Iterator[RecalledMessage]:
    """Yield the messages of these turns. The parts of a long message are joined.

    A message that belongs to no turn is counted with the turn before it.
    """
    turn, spoken = 0, dict[int, RecalledMessage]()
    for one in (message for segment in segments for message in segment.messages):
        turn = one.turn or turn
        if begin <= turn <= end:
            first = spoken.get(one.seq)
            spoken[one.seq] = replace(first, text=f"{first.text} {one.text}") if first else _message_of(one, turn)
    yield from spoken.values()


def _message_of(one: SegmentMessage, turn: int) -> RecalledMessage:
    return RecalledMessage(
        turn=turn,
        seq=one.seq,
        at=one.at,
        author=one.author,
        name=one.name,
        is_agent=one.is_agent,
        text=one.text,
        outside=one.outside,
    )
