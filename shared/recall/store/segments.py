"""Segments in Firestore: written, counted, found by their terms and by their vectors, and read as turns.

Ten turns are three documents of segments, and twenty in the transcript.
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
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.queries import NEWEST_SEGMENTS, SEGMENTS_BY_TURN, Query
from shared.chat.store.writes import Commit, Mode, Record, Write
from shared.values.recalled import TITLED_OUTSIDE, USUAL_TURNS, RecalledMessage, RecalledTurns, SourceConversation
from shared.values.segment import Segment, SegmentMessage, SegmentNote

if TYPE_CHECKING:
    from datetime import datetime

    from shared.values.place import VisibleChats

_MESSAGES: Final[TypeAdapter[tuple[SegmentMessage, ...]]] = TypeAdapter(tuple[SegmentMessage, ...])
_NOTES: Final[TypeAdapter[tuple[SegmentNote, ...]]] = TypeAdapter(tuple[SegmentNote, ...])
#: what a search needs not read
DERIVED: Final = ("terms_set", "embedding")


@dataclass(frozen=True)
class SegmentRecord(Record):
    """A segment of a conversation as it is from now on, in place of what it was: its words changed.

    Its vector was of what it said before, and goes; its notes come again when the conversation rests.
    """

    segment: Segment

    def writes(self, _: Commit) -> Iterator[Write]:
        """Replace the segment's document."""
        path = paths.segment_path(self.segment.conversation, self.segment.number)
        yield Write(path=path, document=encode_segment(self.segment), mode=Mode.SET)


def encode_segment(segment: Segment, vector: tuple[float, ...] = ()) -> layout.Document:
    """A segment's document, whole; `vector` is of the model that the segment names, empty if it has none.

    Messages and notes are one JSON text each: a search reads a hundred segments, and a text takes a tenth of the time
    that as many maps take.
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
    """The segment, which has a message at least. Raises ValidationError or KeyError if it is of another form."""
    known = {name: value for name, value in document.items() if name in Segment.model_fields}
    messages = _MESSAGES.validate_json(document["messages"])
    if not messages:
        raise KeyError("messages")
    notes = _NOTES.validate_json(document.get("notes") or "[]")
    return Segment.model_validate(known | {"messages": messages, "notes": notes})


def terms_in(segment: Segment) -> set[str]:
    """The terms that a segment is found by: those of its messages and notes, and who wrote in it."""
    texts = (*(one.terms for one in segment.messages), *(one.terms for one in segment.notes))
    return {term for text in texts for term in text.split()} | {author_term(one.author) for one in segment.messages}


@dataclass(frozen=True, kw_only=True)
class SearchArea:
    """What is looked into: what somebody may see, or of that one conversation, or some time."""

    visible: VisibleChats
    #: empty: all of them
    conversation: str = ""
    #: when a segment ended: from then on, and before; none: at any time
    since: datetime | None = None
    until: datetime | None = None

    def within(self, since: datetime, until: datetime) -> SearchArea:
        """The part of it that is of a time; what is narrower stays so."""
        latest = since if self.since is None else max(since, self.since)
        earliest = until if self.until is None else min(until, self.until)
        return replace(self, since=latest, until=earliest)


@dataclass(frozen=True)
class SegmentCount:
    """How many segments there are; none: more than were counted. And how many documents that counts for."""

    segments: int | None
    reads: int


@dataclass(frozen=True)
class NearSegment:
    """A segment whose vector is near to another, and the cosine of the two."""

    segment: Segment
    similarity: float


@dataclass(frozen=True, kw_only=True)
class ConversationNotes:
    """What is known of a conversation as a whole."""

    conversation: str
    title: str = ""
    #: whether a model made the title of text from outside, too
    title_holds_outside: bool = False
    chat_title: str = ""
    topics: tuple[str, ...] = ()
    #: the cosine of its abbreviation's vector and another; 0: it was not asked for by a vector
    similarity: float = 0.0


#: values of a list times those of the places (cloud.google.com/firestore/docs/query-data/queries, "30 disjunctions")
MOST_DISJUNCTIONS: Final = 30
#: places in one query, so that three values of a list may stand beside them
PLACES_AT_ONCE: Final = 10
#: entries of an index that are counted for the price of one document (cloud.google.com/firestore/pricing)
COUNTED_AT_ONCE: Final = 1000
_READ: Final = tuple(name for name in Segment.model_fields if name not in DERIVED)
_DISTANCE: Final = "distance"
#: what tells whose words a conversation's title is
TITLED: Final = ("abbreviation_holds_outside", "manually_named")
_TOLD: Final = ("title", "chat_title", "topics", *TITLED)


def is_titled_outside(known: Mapping[str, Any]) -> bool:
    """Whether a model made a conversation's title and topics of text from outside, too, by its document's `TITLED`."""
    made_of_outside, by_hand = (bool(known.get(name)) for name in TITLED)
    return made_of_outside and not by_hand


class FirestoreSegments:
    """The segments in Firestore.

    All raise StoreUnavailable or StoreRefused; each document of an answer is one that was read.
    """

    def __init__(self, client: AsyncClient, call_s: float = CALL_SECONDS) -> None:
        """`client` belongs to the running loop; `call_s` are seconds for one call with its retries."""
        self.client = client
        self._call: Any = {"retry": RETRY.with_timeout(call_s), "timeout": call_s}

    async def count(self, area: SearchArea, most: int) -> SegmentCount:
        """How many there are, up to so many; the number itself if there are more."""
        counts = await asyncio.gather(*(self._count(query, most) for query in self._all(area)))
        return SegmentCount(min(most, sum(counts)), sum(map(_reads_of, counts)))

    async def matches(self, area: SearchArea, variants: Sequence[str], most: int) -> SegmentCount:
        """How many have one of some terms; none if more than so many do."""
        counts = await asyncio.gather(*(self._count(query, most) for query in self._matching(area, variants)))
        total = sum(counts)
        return SegmentCount(total if total < most else None, sum(map(_reads_of, counts)))

    async def with_terms(self, area: SearchArea, variants: Sequence[str], limit: int) -> Sequence[Segment]:
        """The newest that have one of some terms; one that has several may be among them twice."""
        asked = list(self._matching(area, variants))
        each = max(1, limit // max(1, len(asked)))
        return await self._find(query.limit(each) for query in asked)

    async def newest(self, area: SearchArea, each: int) -> Sequence[Segment]:
        """The newest, whatever they say: so many of each ten places."""
        return await self._find(query.limit(each) for query in self._all(area))

    async def nearest(self, area: SearchArea, vector: Sequence[float], model: str, each: int) -> Sequence[NearSegment]:
        """Those whose vectors are nearest, so many of each place."""
        asked = self._near(area, model)
        answers = await asyncio.gather(*(self._neighbours(query, vector, each, _READ) for query in asked))
        found = ((segment, near) for answer in answers for one, near in answer for segment in _readable(one))
        return [NearSegment(segment, near) for segment, near in found]

    async def nearest_conversations(
        self, area: SearchArea, vector: Sequence[float], model: str, limit: int
    ) -> Sequence[ConversationNotes]:
        """The conversations whose abbreviations are nearest, of as many places as there may be answers."""
        asked = list(self._near_conversations(area, model))[:limit]
        each = max(1, limit // max(1, len(asked)))
        answers = await asyncio.gather(*(self._neighbours(query, vector, each, _TOLD) for query in asked))
        return [_notes(one, near) for answer in answers for one, near in answer]

    async def conversations(self, ids: Sequence[str]) -> Mapping[str, ConversationNotes]:
        """What is known of some conversations."""
        refs = [self.client.document(paths.conversation_path(one)) for one in ids]
        with translated("read conversations"):
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
        """The queries without their terms, and how many places each compares."""
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
        counting: Any = query.limit(most).count()  # a decorator hides its types
        with translated("count segments"):
            counts = await counting.get(**self._call)
        return int(counts[0][0].value)

    async def _find(self, asked: Iterator[AsyncQuery]) -> Sequence[Segment]:
        with translated("find segments"):
            answers = await asyncio.gather(*(query.select(_READ).get(**self._call) for query in asked))
        return [segment for answer in answers for one in answer for segment in _readable(one)]

    async def _neighbours(
        self, query: AsyncQuery, vector: Sequence[float], limit: int, fields: Sequence[str]
    ) -> Sequence[tuple[DocumentSnapshot[Any], float]]:
        """Documents and cosines."""
        near: Any = query.select([*fields, _DISTANCE]).find_nearest(
            vector_field=queries.NEAR_OF_PLACE.vector,
            query_vector=Vector(vector),
            limit=limit,
            distance_measure=DistanceMeasure.COSINE,
            distance_result_field=_DISTANCE,
        )
        with translated("find neighbours of a vector"):
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
    """The segment, unless it is of a form that only a newer lull knows."""
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


#: segments of one answer: a turn may fill several
MOST_SEGMENTS: Final = 20
#: what is read of the conversation's own document
FIELDS: Final = ("chat", "place", "title", "chat_title", "turns", *TITLED)


class FirestoreTurns:
    """The turns of all conversations. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def of(self, conversation: str, first: int | None, last: int | None) -> RecalledTurns | None:
        """Some turns of a conversation, the newest if none are named; none if there is no such conversation."""
        if "/" in conversation or not conversation:
            return None  # no document has such an id
        document: Any = self.client.document(paths.conversation_path(conversation))
        with translated("read a conversation"):
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
        """Segments in their order: from the one that holds a turn on, or the newest."""
        if first is None:
            query = NEWEST_SEGMENTS.on(document)
        else:
            query = SEGMENTS_BY_TURN.on(document).start_at({"last_turn": first})
        fields = [*(name for name in Segment.model_fields if name not in DERIVED)]
        with translated("read turns"):
            found = await query.select(fields).limit(MOST_SEGMENTS).get(retry=RETRY, timeout=CALL_SECONDS)
        return sorted((segment for one in found for segment in _readable(one)), key=lambda one: one.number)


def _within(segments: Sequence[Segment], begin: int, end: int) -> Iterator[RecalledMessage]:
    """The messages of these turns, the parts of a long one together; what has no turn stands with what is before it."""
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
