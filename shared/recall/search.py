"""Searches earlier conversations by words and by meaning, only in the chats that the asker may see.

A search reads at most 200 documents: terms are counted first, then the segments with the rarest terms and those with
the nearest vectors are read. If the question has no vector, words alone decide, and the result says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from typing import TYPE_CHECKING, Final

from shared.base.errors import LullError, StoreError
from shared.base.language.terms import QueryTerm, name_terms, query_terms, spans_of
from shared.base.logs import log
from shared.llm.ports.embedding import Embedder, EmbeddingTask
from shared.recall.candidates import (
    FEW,
    MOST_OF_ALL,
    NEWEST,
    FoundSegments,
    SegmentQuery,
    channel_of,
    dated_query,
    is_in_chat,
    is_small,
    is_written_by,
    newest_segments,
    search_area,
    segments_by_words,
)
from shared.recall.matching.dates import periods_in
from shared.recall.matching.questions import asks_of_days, terms_besides_days
from shared.recall.matching.scoring import Candidate, ScoredCandidate, SearchQuestion, Weights, score_candidates
from shared.recall.store.segments import ConversationNotes, NearSegment, SearchArea
from shared.values.evolve import evolve
from shared.values.place import VisibleChats
from shared.values.recalled import TITLED_OUTSIDE, FoundRange, RecallHit, RecallHits, RecallQuery, SourceConversation
from shared.values.segment import Segment, SegmentMessage, SegmentNote

if TYPE_CHECKING:
    from shared.recall.store.segments import FirestoreSegments

#: the number of nearest segments to read in all places together, the least number for each place, and the number of
#: nearest conversations to read
NEIGHBOURS: Final = 90
LEAST_NEIGHBOURS: Final = 3
NEAR_CONVERSATIONS: Final = 6
#: for how many conversations the titles are read for the results
TITLED: Final = 10
#: seconds to wait for the question's vector; after them, words alone decide
VECTOR_S: Final = 5.0

NO_MODEL: Final = "there is no embedding model, so the search used words alone"
NO_NEIGHBOURS: Final = "vectors cannot be searched now, so the search used words alone"
NO_WORDS: Final = "words cannot be searched now, so the search used meaning alone"
NO_VECTOR: Final = "the embedding model did not answer, so the search used words alone"


def neighbours_of_each(places: int) -> int:
    """Return how many of the nearest segments to read in each chat: a share of NEIGHBOURS, with a minimum."""
    return max(LEAST_NEIGHBOURS, NEIGHBOURS // max(1, places))


@dataclass(frozen=True, kw_only=True)
class _Meaning:
    """The result of the search by vectors: near segments and conversations, and the number of documents read."""

    segments: Sequence[NearSegment] = ()
    abbreviations: dict[str, float]
    reads: int = 0
    trouble: str = ""


@dataclass(frozen=True, kw_only=True)
class Search:
    """Searches segments. Without an embedder, it searches by words alone."""

    segments: FirestoreSegments
    embedder: Embedder | None = None
    weights: Weights = field(default_factory=Weights)
    #: the number of searches among which the reads of one search are divided
    share: int = 1

    async def search(self, visible: VisibleChats, query: RecallQuery) -> RecallHits:
        """Return the results, the best first. Raises StoreUnavailable or StoreRefused.

        Any text is a valid query. Nothing outside `visible` is ever returned.
        """
        if not (visible.places or visible.is_everything):
            return RecallHits()
        area = search_area(visible, query)
        question = SearchQuestion(
            terms=query_terms(query.query, query.language),
            periods=periods_in(query.query, query.now.astimezone(query.zone).date()),
            is_of_days=asks_of_days(*dated_query(query)),
        )
        total, vector = await asyncio.gather(
            self.segments.count(area, MOST_OF_ALL), _vector_of(self.embedder, query.query)
        )
        lookup = SegmentQuery(
            segments=self.segments,
            area=area,
            question=question,
            query=query,
            total=total.segments or 0,
            share=self.share,
        )
        found, near = await (self._of_few(lookup, vector) if is_small(lookup) else self._of_many(lookup, vector))
        question, ranked = _rank(lookup, found, near, self.weights)
        about: dict[str, ConversationNotes] = {}
        if query.chat:
            about |= await self._conversations({one.segment.chat: one.segment.conversation for one in ranked}.values())
            chats = {one.segment.chat for one in ranked if is_in_chat(about.get(one.segment.conversation), query.chat)}
            ranked = [one for one in ranked if one.segment.chat in chats]
        shown = ranked[: max(0, query.limit)]
        about |= await self._conversations(one.segment.conversation for one in shown)
        return RecallHits(
            found=tuple(build_finding(one, question, query, about.get(one.segment.conversation)) for one in shown),
            total=len(ranked),
            reads=total.reads + found.reads + near.reads + len(about),
            trouble=near.trouble or ("" if vector or not query.query.strip() else _trouble(self.embedder)),
        )

    async def _of_few(self, lookup: SegmentQuery, vector: tuple[float, ...]) -> tuple[FoundSegments, _Meaning]:
        """Return all segments: those that a vector search finds, and those without a vector of the current model."""
        found, near = await asyncio.gather(
            newest_segments(lookup, lookup.most(NEWEST if vector else FEW)),
            self._by_meaning(lookup.area, vector, lookup.most(FEW)),
        )
        if vector and len(near.segments) + len(found.segments) < lookup.total:
            more = await newest_segments(lookup, lookup.most(FEW) - len(near.segments))
            found = replace(more, reads=more.reads + found.reads)
        return found, near

    async def _of_many(self, lookup: SegmentQuery, vector: tuple[float, ...]) -> tuple[FoundSegments, _Meaning]:
        """Return the segments that may contain the answer: those found by words, and those near in meaning."""
        is_one = lookup.area.conversation or lookup.area.visible.is_everything
        each = neighbours_of_each((1 if is_one else len(lookup.area.visible.places)) * self.share)
        found, near = await asyncio.gather(
            _by_words(lookup, has_vectors=bool(vector)), self._by_meaning(lookup.area, vector, each)
        )
        if isinstance(found, FoundSegments):
            return found, near
        if not near.segments:
            raise found
        log(f"a search used vectors alone: {found}")
        return await newest_segments(lookup, lookup.most(NEWEST)), replace(near, trouble=NO_WORDS)

    async def _by_meaning(self, area: SearchArea, vector: tuple[float, ...], each: int) -> _Meaning:
        if not vector or self.embedder is None:
            return _Meaning(abbreviations={})
        model = self.embedder.model
        try:
            near, conversations = await asyncio.gather(
                self.segments.nearest(area, vector, model, each),
                self.segments.nearest_conversations(area, vector, model, max(1, NEAR_CONVERSATIONS // self.share)),
            )
        except StoreError as error:  # for example while an index is still being built
            log(f"a search used words alone: {error}")
            return _Meaning(abbreviations={}, trouble=NO_NEIGHBOURS)
        return _Meaning(
            segments=near,
            abbreviations={one.conversation: one.similarity for one in conversations},
            reads=len(near) + len(conversations),
        )

    async def _conversations(self, ids: Iterable[str]) -> Mapping[str, ConversationNotes]:
        some = list(dict.fromkeys(ids))[: max(1, TITLED // self.share)]
        return await self.segments.conversations(some) if some else {}


async def _by_words(lookup: SegmentQuery, *, has_vectors: bool) -> FoundSegments | StoreError:
    """Return the segments found by words; if that fails, the error, so that results by meaning remain usable."""
    try:
        return await segments_by_words(lookup, has_vectors=has_vectors)
    except StoreError as error:
        return error


def _trouble(embedder: Embedder | None) -> str:
    return NO_VECTOR if embedder is not None and embedder.model else NO_MODEL


async def _vector_of(embedder: Embedder | None, query: str) -> tuple[float, ...]:
    """Return the question's vector; () if there is no model, or if it fails or takes longer than VECTOR_S seconds."""
    if embedder is None or not embedder.model or not query.strip():
        return ()
    try:
        async with asyncio.timeout(VECTOR_S):
            (vector,) = await embedder.embed([query], EmbeddingTask.QUERY)
    except (LullError, TimeoutError) as error:
        log(f"a search used words alone: {error or 'no vector in time'}")
        return ()
    return vector


def _rank(
    lookup: SegmentQuery, found: FoundSegments, near: _Meaning, weights: Weights
) -> tuple[SearchQuestion, Sequence[ScoredCandidate]]:
    """Return the question, with the people whom it names, and the ranked results."""
    candidates = _candidates(found, near, lookup.area.visible, lookup.query)
    question = with_asked_people(lookup.question, lookup.query, [one.segment for one in candidates])
    ranked = score_candidates(candidates, question, found.corpus(near.abbreviations), weights)
    return question, [one for one in ranked if is_relevant(one, question, lookup.query)]


def _candidates(found: FoundSegments, near: _Meaning, visible: VisibleChats, query: RecallQuery) -> list[Candidate]:
    """Return the visible segments that pass the filters, each once."""
    similarities = {(one.segment.conversation, one.segment.number): one.similarity for one in near.segments}
    segments = {(one.conversation, one.number): one for one in (*found.segments, *(n.segment for n in near.segments))}
    return [
        Candidate(segment=one, similarity=similarities.get(key), days=days_of(one, query.zone))
        for key, one in segments.items()
        if visible.holds(one.place) and matches_filters(one, query)
    ]


#: approximate number of characters in a snippet
MOST_SHOWN: Final = 300
CUT: Final = "…"


@dataclass(frozen=True)
class Snippet:
    """The message that matches best, and the matching part of its text."""

    message: SegmentMessage
    text: str


@dataclass(frozen=True)
class _Hit:
    start: int
    end: int
    #: indexes of those terms of the question that are in this part
    places: frozenset[int]


def matches_filters(segment: Segment, query: RecallQuery) -> bool:
    """Return whether a segment passes the filters (conversation, person, days) and is not in the prompt already."""
    if query.conversation and segment.conversation != query.conversation:
        return False
    if query.channel and channel_of(segment.chat) != query.channel:
        return False
    if query.person and not any(is_written_by(one, query.person) for one in segment.messages):
        return False
    shown = query.shown
    if shown is not None and segment.conversation == shown.conversation and segment.first_seq >= shown.from_seq:
        return False
    days = [one.at.astimezone(query.zone).date() for one in (segment.messages[0], segment.messages[-1])]
    is_early = query.since is not None and days[1] < query.since
    return not is_early and not (query.until is not None and days[0] > query.until)


def days_of(segment: Segment, zone: tzinfo) -> frozenset[date]:
    """Return the local dates of a segment's messages."""
    return frozenset(one.at.astimezone(zone).date() for one in segment.messages)


def with_asked_people(question: SearchQuestion, query: RecallQuery, segments: Iterable[Segment]) -> SearchQuestion:
    """If a question contains only days and names of authors of these segments, return it with the terms of these names
    as `people`. Otherwise return it unchanged.
    """
    names = {term for one in segments for said in one.messages for term in name_terms(said.name)}
    if question.is_of_days or not question.periods or not asks_of_days(*dated_query(query), names):
        return question
    asked = (variant for one in terms_besides_days(*dated_query(query)) for variant in one.variants)
    return replace(question, people=frozenset(asked))


def is_relevant(one: ScoredCandidate, question: SearchQuestion, query: RecallQuery) -> bool:
    """Return whether a candidate fits by meaning, by a word (not a small one like "the"), or by a day asked about."""
    if one.candidate.similarity is not None or not question.terms:
        return True
    if (question.is_of_days or question.people) and any(
        _is_of_day(said, question, query) for said in one.segment.messages
    ):
        return True
    return any(not question.terms[place].is_small for place in one.found) or all(t.is_small for t in question.terms)


def _is_of_day(said: SegmentMessage, question: SearchQuestion, query: RecallQuery) -> bool:
    """Return whether a message is of a day, and by a person, that the question names."""
    is_theirs = not question.people or not question.people.isdisjoint(name_terms(said.name))
    return is_theirs and question.asks_of(said.at.astimezone(query.zone).date())


def build_finding(
    one: ScoredCandidate, question: SearchQuestion, query: RecallQuery, about: ConversationNotes | None
) -> RecallHit:
    """Return a candidate's search result. If only days are asked about, it quotes only messages of these days."""
    segment = one.candidate.segment
    people = {one.author for one in segment.messages if query.person and is_written_by(one, query.person)}
    told = _part_to_tell(segment, question, query.zone) if question.is_of_days and not people else segment
    snippet = snippet_of(told, question.terms, people)
    turns = [message.turn for message in segment.messages if message.turn] or [0]
    return RecallHit(
        source=SourceConversation(
            conversation=segment.conversation,
            title=about.title if about else "",
            title_outside=TITLED_OUTSIDE if about and about.title_holds_outside else "",
            chat=segment.chat,
            place=segment.place,
            chat_title=about.chat_title if about else "",
        ),
        stretch=FoundRange(
            first_turn=min(turns), last_turn=max(turns), first_seq=segment.first_seq, last_seq=segment.last_seq
        ),
        people=tuple(dict.fromkeys(one.author for one in segment.messages if not one.is_agent)),
        message_id=snippet.message.message_id,
        at=snippet.message.at,
        snippet=snippet.text,
        text=_text(told, query.zone),
        score=min(1.0, one.score),
        fit=one.fit,
        topics=about.topics if about else (),
        notes=newest_first(segment.notes),
        outside=segment.outside,
        messages=segment.messages,
        left_out=tuple(one for one in segment.messages if one not in told.messages),
        said=tuple((0 if m.is_agent else m.author, m.text) for m in segment.messages),
    )


def _part_to_tell(segment: Segment, question: SearchQuestion, zone: tzinfo) -> Segment:
    """Return the segment with only the messages of the days asked about; unchanged if it has no such message."""
    told = tuple(one for one in segment.messages if question.asks_of(one.at.astimezone(zone).date()))
    return evolve(segment, messages=told) if told else segment


def _text(segment: Segment, zone: tzinfo) -> str:
    """Return one line for each message. If the messages are of several days, each line has its day."""
    has_days = len(days_of(segment, zone)) > 1
    days = (f"{one.at.astimezone(zone):%a %Y-%m-%d} " if has_days else "" for one in segment.messages)
    said = (f"{' '.join(one.name.split())}: {' '.join(one.text.split())}" for one in segment.messages)
    return "\n".join(map("".join, zip(days, said, strict=True)))


def newest_first(notes: tuple[SegmentNote, ...]) -> tuple[SegmentNote, ...]:
    """Return the notes: valid ones before contradicted ones, and in each group the later days first."""
    beginning = datetime(1, 1, 1, tzinfo=UTC).date()
    later = sorted(notes, key=lambda one: one.happened, reverse=True)
    return tuple(
        sorted(later, key=lambda one: (one.superseded_on is not None, beginning - (one.superseded_on or beginning)))
    )


def snippet_of(segment: Segment, asked: Sequence[QueryTerm], people: Collection[int] = ()) -> Snippet:
    """Return the part of the messages that matches best; the beginning if nothing matches.

    If `people` are given, only their messages count.
    """
    told = [one for one in segment.messages if one.author in people] or segment.messages
    places = {variant: place for place, term in enumerate(asked) for variant in term.variants}
    found = [{places[term] for term in one.terms.split() if term in places} for one in told]
    best = max(range(len(told)), key=lambda n: (_worth(found[n], asked), -n))
    return Snippet(told[best], f"{told[best].name}: {_cut(told[best].text, places, asked)}")


def _hits(text: str, places: Mapping[str, int]) -> list[_Hit]:
    found = (_Hit(a, b, frozenset(places[v] for v in terms if v in places)) for a, b, terms in spans_of(text))
    return [hit for hit in found if hit.places]


def _worth(places: Iterable[int], asked: Sequence[QueryTerm]) -> float:
    """Return the weight of these terms. A term counts once, and a small word such as "the" counts little."""
    return sum(0.1 if asked[place].is_small else 1.0 for place in set(places))


def _cut(text: str, places: Mapping[str, int], asked: Sequence[QueryTerm]) -> str:
    """Return the part of the text with the most matches. The text is cut between words."""
    if len(text) <= MOST_SHOWN:
        return text
    hits = _hits(text, places)
    begin = max((hit.start for hit in hits), key=lambda start: _worth_from(start, hits, asked), default=0)
    # show some words before the first match as context
    begin = min(max(0, begin - MOST_SHOWN // 4), len(text) - MOST_SHOWN)
    begin = 0 if begin < MOST_SHOWN // 8 else _after_space(text, begin)
    end = begin + MOST_SHOWN
    end = len(text) if end >= len(text) else _before_space(text, begin, end)
    return f"{CUT if begin else ''}{text[begin:end].strip()}{CUT if end < len(text) else ''}"


def _worth_from(start: int, hits: Sequence[_Hit], asked: Sequence[QueryTerm]) -> tuple[float, int]:
    inside = [hit for hit in hits if start <= hit.start and hit.end <= start + MOST_SHOWN * 3 // 4]
    return _worth((place for hit in inside for place in hit.places), asked), -start


def _after_space(text: str, at: int) -> int:
    space = text.find(" ", at, at + 30)
    return space + 1 if space >= 0 else at


def _before_space(text: str, begin: int, at: int) -> int:
    space = text.rfind(" ", max(begin + 1, at - 30), at)
    return space if space >= 0 else at
