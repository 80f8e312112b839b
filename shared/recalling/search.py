"""The search over what was said: by words and by meaning at once, within somebody's sight.

It reads 200 documents at most, however much was said: terms are counted, the rarest are followed, and of vectors only
the nearest are read. Without a vector of the question words alone answer, and the findings say so.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from shared.errors import LullError, StoreError
from shared.logs import log
from shared.models.place import Sight
from shared.models.recalled import Findings, Wanted
from shared.ports.embedding import EmbeddedAs, Embedder
from shared.ports.search import Area, ConversationNotes, Near, Segments
from shared.recalling.candidates import (
    FEW,
    MOST_OF_ALL,
    NEWEST,
    Gathered,
    Looking,
    area_of,
    asked_on,
    by_words,
    is_small,
    newest,
)  # fmt: skip
from shared.recalling.findings import days_of, finding_of, holds, is_in, tells, with_people
from shared.search.asking import asks_of_days
from shared.search.dates import periods_in
from shared.search.scoring import Candidate, Question, Scored, Weights, scored
from shared.search.terms import asked_terms

#: neighbours of the question's vector that are read, in all places together; and conversations
NEIGHBOURS: Final = 90
LEAST_NEIGHBOURS: Final = 3
NEAR_CONVERSATIONS: Final = 6
#: conversations of which the findings tell the title
TITLED: Final = 10
#: seconds for the question's vector: whoever waits is better answered by words alone
VECTOR_S: Final = 5.0

NO_MODEL: Final = "there is no model of embeddings: it was searched by words alone"
NO_NEIGHBOURS: Final = "vectors cannot be searched now: it was searched by words alone"
NO_WORDS: Final = "words cannot be searched now: it was searched by meaning alone"
NO_VECTOR: Final = "the model of embeddings did not answer: it was searched by words alone"


def neighbours_of_each(places: int) -> int:
    """Return how many neighbours are read of each of some places: together they are bounded, and none has too few."""
    return max(LEAST_NEIGHBOURS, NEIGHBOURS // max(1, places))


@dataclass(frozen=True, kw_only=True)
class _Meaning:
    """What is near to the question in meaning, and what it took."""

    segments: Sequence[Near] = ()
    abbreviations: dict[str, float]
    reads: int = 0
    trouble: str = ""


@dataclass(frozen=True, kw_only=True)
class Search:
    """The search. Without an embedder it goes by words alone."""

    segments: Segments
    embedder: Embedder | None = None
    weights: Weights = field(default_factory=Weights)

    async def search(self, sight: Sight, wanted: Wanted) -> Findings:
        """What was said about something, the best first. Raises StoreUnavailable or StoreRefused.

        Any text may be asked for. Nothing outside the sight is ever among the findings.
        """
        if not (sight.places or sight.is_everything):
            return Findings()
        area = area_of(sight, wanted)
        question = Question(
            terms=asked_terms(wanted.query, wanted.language),
            periods=periods_in(wanted.query, wanted.now.astimezone(wanted.zone).date()),
            is_of_days=asks_of_days(*asked_on(wanted)),
        )
        total, vector = await asyncio.gather(
            self.segments.count(area, MOST_OF_ALL), _vector_of(self.embedder, wanted.query)
        )
        looking = Looking(
            segments=self.segments, area=area, question=question, wanted=wanted, total=total.segments or 0
        )
        found, near = await (self._of_few(looking, vector) if is_small(looking) else self._of_many(looking, vector))
        question, ranked = _ranked(looking, found, near, self.weights)
        about: dict[str, ConversationNotes] = {}
        if wanted.chat:
            about |= await self._conversations({one.segment.chat: one.segment.conversation for one in ranked}.values())
            chats = {one.segment.chat for one in ranked if is_in(about.get(one.segment.conversation), wanted.chat)}
            ranked = [one for one in ranked if one.segment.chat in chats]
        shown = ranked[: max(0, wanted.limit)]
        about |= await self._conversations(one.segment.conversation for one in shown)
        return Findings(
            found=tuple(finding_of(one, question, wanted, about.get(one.segment.conversation)) for one in shown),
            total=len(ranked),
            reads=total.reads + found.reads + near.reads + len(about),
            trouble=near.trouble or ("" if vector or not wanted.query.strip() else _trouble(self.embedder)),
        )

    async def _of_few(self, looking: Looking, vector: tuple[float, ...]) -> tuple[Gathered, _Meaning]:
        """All there are, mostly by their vectors. Those of a model that was changed have none yet."""
        found, near = await asyncio.gather(
            newest(looking, NEWEST if vector else FEW), self._by_meaning(looking.area, vector, FEW)
        )
        if vector and len(near.segments) + len(found.segments) < looking.total:
            more = await newest(looking, FEW - len(near.segments))
            found = replace(more, reads=more.reads + found.reads)
        return found, near

    async def _of_many(self, looking: Looking, vector: tuple[float, ...]) -> tuple[Gathered, _Meaning]:
        """Those that may answer."""
        is_one = looking.area.conversation or looking.area.sight.is_everything
        each = neighbours_of_each(1 if is_one else len(looking.area.sight.places))
        found, near = await asyncio.gather(
            _by_words(looking, has_vectors=bool(vector)), self._by_meaning(looking.area, vector, each)
        )
        if isinstance(found, Gathered):
            return found, near
        if not near.segments:
            raise found
        log(f"a search goes by meaning alone: {found}")
        return await newest(looking, NEWEST), replace(near, trouble=NO_WORDS)

    async def _by_meaning(self, area: Area, vector: tuple[float, ...], each: int) -> _Meaning:
        if not vector or self.embedder is None:
            return _Meaning(abbreviations={})
        model = self.embedder.model
        try:
            near, conversations = await asyncio.gather(
                self.segments.nearest(area, vector, model, each),
                self.segments.nearest_conversations(area, vector, model, NEAR_CONVERSATIONS),
            )
        except StoreError as error:  # such as an index that is still being built
            log(f"a search goes by words alone: {error}")
            return _Meaning(abbreviations={}, trouble=NO_NEIGHBOURS)
        return _Meaning(
            segments=near,
            abbreviations={one.conversation: one.similarity for one in conversations},
            reads=len(near) + len(conversations),
        )

    async def _conversations(self, ids: Iterable[str]) -> Mapping[str, ConversationNotes]:
        some = list(dict.fromkeys(ids))[:TITLED]
        return await self.segments.conversations(some) if some else {}


async def _by_words(looking: Looking, *, has_vectors: bool) -> Gathered | StoreError:
    """What was found by words; the error if they cannot be searched, so that what is near in meaning still answers."""
    try:
        return await by_words(looking, has_vectors=has_vectors)
    except StoreError as error:
        return error


def _trouble(embedder: Embedder | None) -> str:
    return NO_VECTOR if embedder is not None and embedder.model else NO_MODEL


async def _vector_of(embedder: Embedder | None, query: str) -> tuple[float, ...]:
    """The question's vector; empty if there is none."""
    if embedder is None or not embedder.model or not query.strip():
        return ()
    try:
        async with asyncio.timeout(VECTOR_S):
            (vector,) = await embedder.embed([query], EmbeddedAs.QUERY)
    except (LullError, TimeoutError) as error:
        log(f"a search goes by words alone: {error or 'no vector in time'}")
        return ()
    return vector


def _ranked(looking: Looking, found: Gathered, near: _Meaning, weights: Weights) -> tuple[Question, Sequence[Scored]]:
    """What was found, the best first, and the question, of which it is known now whether its words are names."""
    candidates = _candidates(found, near, looking.area.sight, looking.wanted)
    question = with_people(looking.question, looking.wanted, [one.segment for one in candidates])
    ranked = scored(candidates, question, found.corpus(near.abbreviations), weights)
    return question, [one for one in ranked if tells(one, question, looking.wanted)]


def _candidates(found: Gathered, near: _Meaning, sight: Sight, wanted: Wanted) -> list[Candidate]:
    """Each segment once, of those that may be shown and that the filters let through."""
    similarities = {(one.segment.conversation, one.segment.number): one.similarity for one in near.segments}
    segments = {(one.conversation, one.number): one for one in (*found.segments, *(n.segment for n in near.segments))}
    return [
        Candidate(segment=one, similarity=similarities.get(key), days=days_of(one, wanted.zone))
        for key, one in segments.items()
        if sight.holds(one.place) and holds(one, wanted)
    ]
