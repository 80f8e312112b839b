"""What is searched, in Firestore: counts by aggregation, segments by their terms, neighbours of vectors."""

import asyncio
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_query import AsyncQuery
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.vector import Vector
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import paths, queries
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.queries import Query
from shared.recall.documents.segments import DERIVED, decode_segment
from shared.recall.ports.search import Area, ConversationNotes, Count, Near
from shared.values.segment import Segment

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

    async def count(self, area: Area, most: int) -> Count:
        """How many there are, up to so many; the number itself if there are more."""
        counts = await asyncio.gather(*(self._counted(query, most) for query in self._all(area)))
        return Count(min(most, sum(counts)), sum(map(_reads_of, counts)))

    async def matches(self, area: Area, variants: Sequence[str], most: int) -> Count:
        """How many have one of some terms; none if more than so many do."""
        counts = await asyncio.gather(*(self._counted(query, most) for query in self._matching(area, variants)))
        total = sum(counts)
        return Count(total if total < most else None, sum(map(_reads_of, counts)))

    async def with_terms(self, area: Area, variants: Sequence[str], limit: int) -> Sequence[Segment]:
        """The newest that have one of some terms; one that has several may be among them twice."""
        asked = list(self._matching(area, variants))
        each = max(1, limit // max(1, len(asked)))
        return await self._found(query.limit(each) for query in asked)

    async def newest(self, area: Area, each: int) -> Sequence[Segment]:
        """The newest, whatever they say: so many of each ten places."""
        return await self._found(query.limit(each) for query in self._all(area))

    async def nearest(self, area: Area, vector: Sequence[float], model: str, each: int) -> Sequence[Near]:
        """Those whose vectors are nearest, so many of each place."""
        asked = self._near(area, model)
        answers = await asyncio.gather(*(self._neighbours(query, vector, each, _READ) for query in asked))
        found = ((segment, near) for answer in answers for one, near in answer for segment in _readable(one))
        return [Near(segment, near) for segment, near in found]

    async def nearest_conversations(
        self, area: Area, vector: Sequence[float], model: str, limit: int
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

    def _all(self, area: Area) -> Iterator[AsyncQuery]:
        if area.conversation:
            yield _timed(queries.SEGMENTS_OF_CONVERSATION.on(self._conversation(area)), area)
        elif area.sight.is_everything:
            yield _timed(queries.SEGMENTS_OF_AGENT.on(self.client, area.sight.agent), area)
        else:
            for places in _batched(area.sight.places, PLACES_AT_ONCE):
                yield _timed(queries.SEGMENTS_OF_PLACES.on(self.client, list(places)), area)

    def _matching(self, area: Area, variants: Sequence[str]) -> Iterator[AsyncQuery]:
        for query, places in self._matches(area):
            for some in _batched(variants, MOST_DISJUNCTIONS // places):
                containing = FieldFilter(queries.MATCHES_OF_PLACES.contains, "array_contains_any", list(some))
                yield _timed(query.where(filter=containing), area)

    def _matches(self, area: Area) -> Iterator[tuple[AsyncQuery, int]]:
        """The queries without their terms, and how many places each compares."""
        if area.conversation:
            yield queries.MATCHES_OF_CONVERSATION.on(self._conversation(area)), 1
        elif area.sight.is_everything:
            yield queries.MATCHES_OF_AGENT.on(self.client, area.sight.agent), 1
        else:
            for places in _batched(area.sight.places, PLACES_AT_ONCE):
                yield queries.MATCHES_OF_PLACES.on(self.client, list(places)), len(places)

    def _near(self, area: Area, model: str) -> Iterator[AsyncQuery]:
        if area.conversation:
            yield queries.NEAR_OF_CONVERSATION.on(self._conversation(area), model)
        else:
            yield from self._near_in(area, model, queries.NEAR_OF_AGENT, queries.NEAR_OF_PLACE)

    def _near_conversations(self, area: Area, model: str) -> Iterator[AsyncQuery]:
        if not area.conversation:
            yield from self._near_in(area, model, queries.ABBREVIATIONS_OF_AGENT, queries.ABBREVIATIONS_OF_PLACE)

    def _near_in(self, area: Area, model: str, of_agent: Query, of_place: Query) -> Iterator[AsyncQuery]:
        if area.sight.is_everything:
            yield of_agent.on(self.client, area.sight.agent, model)
        else:
            yield from (of_place.on(self.client, place, model) for place in area.sight.places)

    def _conversation(self, area: Area) -> Any:
        return self.client.document(paths.conversation_path(area.conversation))

    async def _counted(self, query: AsyncQuery, most: int) -> int:
        counting: Any = query.limit(most).count()  # a decorator hides its types
        with translated("count segments"):
            counts = await counting.get(**self._call)
        return int(counts[0][0].value)

    async def _found(self, asked: Iterator[AsyncQuery]) -> Sequence[Segment]:
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


def _batched(values: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (values[begin : begin + size] for begin in range(0, len(values), size))


def _timed(query: AsyncQuery, area: Area) -> AsyncQuery:
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
