"""Scores how well segments fit a question. The score is a weighted sum of BM25 variants, vector similarity and nearness
of dates.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from statistics import median
from typing import Final

from shared.base.language.terms import QueryTerm, name_terms
from shared.recall.matching.periods import Period, nearness
from shared.recall.matching.questions import repeats_question, word_shares
from shared.values.segment import Segment


@dataclass(frozen=True, kw_only=True)
class Weights:
    """The weights of the parts of a score. Before they are weighted, the values of each part are scaled to 0..1.

    Tuned on five LoCoMo conversations with leave-one-out cross-validation (`docs/benchmarks.md`).
    """

    segment: float = 0.15
    #: for the words of the whole conversation; all its segments share this part
    conversation: float = 0.15
    #: for the words of the segment's best message
    message: float = 0.15
    #: for words that are side by side as in the question
    phrase: float = 0.05
    vector: float = 0.35
    #: for the conversation's best vector
    conversation_vector: float = 0.05
    #: for the nearness to the days that the question names
    date: float = 0.3
    #: the same, if the question names only days
    days_alone: float = 1.0
    #: factor for messages of other people, if the question names somebody who writes here
    of_another: float = 0.5
    #: factor for a segment that only repeats the question
    asking: float = 0.4


@dataclass(frozen=True)
class Bm25Parameters:
    """The two parameters of BM25: saturation by repetition (k1), and the effect of length (b)."""

    k1: float
    b: float

    def of(self, count: float, length: float, average: float) -> float:
        """Return the weight of a term that occurs `count` times, before it is multiplied by the term's rarity."""
        return count * (self.k1 + 1) / (count + self.k1 * (1 - self.b + self.b * length / max(average, 1.0)))


SEGMENTS: Final = Bm25Parameters(0.9, 0.5)
#: if fewer similarities than this are known, `USUALLY_NEAR` is taken as the similarity of unrelated texts
FEWEST_KNOWN: Final = 8
USUALLY_NEAR: Final = 0.2
#: the similarity of a text with the same meaning is greater than that of unrelated texts by this much
STANDS_OUT: Final = 0.4
CONVERSATIONS: Final = Bm25Parameters(1.2, 0.75)
#: a word is common if it is in more than this share of all segments, and in more than this number of them
COMMON: Final = 0.2
LEAST_COMMON: Final = 5


@dataclass(frozen=True, kw_only=True)
class SearchQuestion:
    """A question to search for: its terms, and the days that it names."""

    terms: tuple[QueryTerm, ...]
    periods: tuple[Period, ...] = ()
    #: whether the question names only these days
    is_of_days: bool = False
    #: the terms of people's names, if the question names only days and these people
    people: frozenset[str] = frozenset()

    def asks_of(self, day: date) -> bool:
        """Return whether the question names this day, alone or within a period."""
        return any(one.holds(day) for one in self.periods)

    def nearness(self, days: Collection[date]) -> float:
        """Return how near these days are to the days that the question names, from 0 to 1.

        If the question names nothing but days, the result is 0 unless one of `days` is named.
        """
        if self.is_of_days and not any(map(self.asks_of, days)):
            return 0.0
        return max(nearness(self.periods, day) for day in days)


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A segment that may contain the answer, and its similarity to the question."""

    segment: Segment
    #: cosine similarity; None if the segment has no vector of the model, or is not among the nearest
    similarity: float | None = None
    #: the local dates of the segment's messages
    days: frozenset[date]


@dataclass(frozen=True, kw_only=True)
class CorpusStatistics:
    """The number of segments in the searched area, how many contain each term, and similarities of conversations."""

    segments: int
    #: how many segments contain each term of the question; None if not counted
    matches: tuple[int | None, ...]
    #: by conversation: the similarity of its abbreviation to the question
    abbreviations: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class ScoredCandidate:
    """A candidate with its score (0 to 1). `found`: the indexes of the question's terms that the candidate contains."""

    candidate: Candidate
    score: float
    found: frozenset[int]
    #: how well the segment fits on its own (0 to 1), whatever the other candidates are
    fit: float = 1.0

    @property
    def segment(self) -> Segment:
        """The candidate's segment."""
        return self.candidate.segment


class _Words:
    """The terms of a candidate's messages, each as the indexes of the question's terms that it matches."""

    def __init__(self, segment: Segment, places: Mapping[str, tuple[int, ...]]) -> None:
        messages = [one.terms.split() for one in segment.messages]
        notes = [term for one in segment.notes for term in one.terms.split()]
        self.messages = [[places.get(term, ()) for term in terms] for terms in messages]
        self.names = [name_terms(one.name) for one in segment.messages]
        in_messages = (place for terms in self.messages for hit in terms for place in hit)
        in_notes = (place for term in notes for place in places.get(term, ()))
        self.counts = Counter((*in_messages, *in_notes))
        self.length = sum(map(len, messages)) + len(notes)
        self.terms_before = segment.terms_before


def score_candidates(
    candidates: Sequence[Candidate], question: SearchQuestion, corpus: CorpusStatistics, weights: Weights = Weights()
) -> list[ScoredCandidate]:
    """Return all candidates with their scores, the best first. Of candidates with equal scores, the newer is first."""
    if not candidates:
        return []
    places = _places(question.terms)
    words = [_Words(one.segment, places) for one in candidates]
    total, matches = max(corpus.segments, len(words), 1), _matches(question, corpus, words)
    rarity = [math.log(1 + (total - count + 0.5) / (count + 0.5)) for count in matches]
    conversations = [one.segment.conversation for one in candidates]
    days = [question.nearness(one.days) for one in candidates]
    kept = [
        weights.asking if repeats_question(n.segment, word.messages, question.terms) else 1.0
        for n, word in zip(candidates, words, strict=True)
    ]
    parts = (
        (weights.segment, _normalise(_bm25(words, rarity), kept)),
        (weights.conversation, _normalise(_of_conversations(words, conversations, rarity), kept)),
        (weights.message, _normalise(_of_messages(words, question, rarity, weights), kept)),
        (weights.phrase, _normalise(_of_phrases(words, len(question.terms)), kept)),
        (weights.days_alone if question.is_of_days else weights.date, days),
        *_of_vectors(candidates, corpus, weights, kept),
    )
    most = sum(weight for weight, values in parts if any(values)) or 1.0
    # apply the factor to the sum as well: if all segments repeat the question, scaling has cancelled it in each part
    totals = [kept[n] * sum(weight * values[n] for weight, values in parts) / most for n in range(len(candidates))]
    common = {place for place, count in enumerate(matches) if count > max(COMMON * total, LEAST_COMMON)}
    names = frozenset[str]().union(*(name for one in words for name in one.names))
    shares = word_shares(question.terms, names, common, [one.counts for one in words])
    found = [
        ScoredCandidate(candidate=one, score=total, found=frozenset(word.counts), fit=max(fits))
        for one, total, word, *fits in zip(
            candidates, totals, words, shares, _excess_similarity(candidates), days, strict=True
        )
    ]
    return sorted(found, key=lambda one: (one.score, one.candidate.segment.messages[-1].at), reverse=True)


def _places(terms: Sequence[QueryTerm]) -> Mapping[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = defaultdict(tuple)
    for place, term in enumerate(terms):
        for variant in term.variants:
            found[variant] += (place,)
    return found


def _matches(question: SearchQuestion, corpus: CorpusStatistics, words: Sequence[_Words]) -> list[int]:
    """Return how many segments contain each term. For terms that were not counted, the number is estimated from the
    candidates.
    """
    total = max(corpus.segments, len(words), 1)
    matches = []
    for place in range(len(question.terms)):
        share = sum(place in one.counts for one in words) / max(len(words), 1)
        counted = corpus.matches[place] if place < len(corpus.matches) else None
        matches.append(min(total, counted if counted is not None else round(share * total)))
    return matches


def _bm25(words: Sequence[_Words], rarity: Sequence[float]) -> list[float]:
    average = sum(one.length for one in words) / len(words)
    return [
        sum(rarity[place] * SEGMENTS.of(count, one.length, average) for place, count in one.counts.items())
        for one in words
    ]


def _of_conversations(words: Sequence[_Words], conversations: Sequence[str], rarity: Sequence[float]) -> list[float]:
    """Return the BM25 of each whole conversation, computed from its segments among the candidates."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    lengths: dict[str, int] = defaultdict(int)
    for one, conversation in zip(words, conversations, strict=True):
        counts[conversation].update(one.counts)
        lengths[conversation] = max(lengths[conversation], one.terms_before + one.length)
    average = sum(lengths.values()) / len(lengths)
    totals = {
        name: sum(rarity[p] * CONVERSATIONS.of(count, lengths[name], average) for p, count in found.items())
        for name, found in counts.items()
    }
    return [totals[conversation] for conversation in conversations]


def _of_messages(
    words: Sequence[_Words], question: SearchQuestion, rarity: Sequence[float], weights: Weights
) -> list[float]:
    """Return the BM25 of each segment's best message.

    If the question names some of the messages' authors, messages of the other authors count less.
    """
    asked = {variant for term in question.terms for variant in term.variants}
    lengths = [len(terms) for one in words for terms in one.messages]
    average = sum(lengths) / max(len(lengths), 1)
    named = {name for one in words for name in one.names if name & asked}
    is_telling = bool(named) and named != {name for one in words for name in one.names}
    return [
        max(
            (
                _of_message(terms, rarity, average) * (weights.of_another if is_telling and name not in named else 1.0)
                for terms, name in zip(one.messages, one.names, strict=True)
            ),
            default=0.0,
        )
        for one in words
    ]


def _of_message(terms: Sequence[tuple[int, ...]], rarity: Sequence[float], average: float) -> float:
    counts = Counter(place for hit in terms for place in hit)
    return sum(rarity[place] * SEGMENTS.of(count, len(terms), average) for place, count in counts.items())


def _of_phrases(words: Sequence[_Words], asked: int) -> list[float]:
    """Return a score for words that are side by side both in the question and in a message."""
    pairs = [{pair for terms in one.messages for pair in _pairs(terms)} for one in words]
    having = Counter(pair for found in pairs for pair in found)
    rarity = {pair: math.log(1 + (len(words) - n + 0.5) / (n + 0.5)) for pair, n in having.items()}
    return [sum(rarity[pair] for pair in found) for found in pairs]


def _pairs(terms: Sequence[tuple[int, ...]]) -> Iterable[int]:
    return (place for hit, following in pairwise(terms) if hit and following for place in hit if place + 1 in following)


def _of_vectors(
    candidates: Sequence[Candidate], corpus: CorpusStatistics, weights: Weights, kept: Sequence[float]
) -> Iterable[tuple[float, list[float]]]:
    known = [one.similarity for one in candidates if one.similarity is not None]
    if known:
        # a segment that is not among the nearest gets the least similarity; one that has no vector yet gets the median
        middle, least = median(known), min(known)
        own = [
            one.similarity if one.similarity is not None else least if one.segment.embedding_model else middle
            for one in candidates
        ]
        own = [least + share * (value - least) for share, value in zip(kept, own, strict=True)]
        yield weights.vector, _spread(own)
        best: dict[str, float] = {}
        for one, value in zip(candidates, own, strict=True):
            name = one.segment.conversation
            best[name] = max(best.get(name, value), value, corpus.abbreviations.get(name, value))
        yield weights.conversation_vector, _spread([best[one.segment.conversation] for one in candidates])


def _excess_similarity(candidates: Sequence[Candidate]) -> list[float]:
    """Return by how much each similarity exceeds the usual similarity of unrelated texts, scaled to 0..1."""
    known = [one.similarity for one in candidates if one.similarity is not None]
    usual = USUALLY_NEAR
    if len(known) >= FEWEST_KNOWN:
        # if only the nearest segments are known, even the least of their similarities exceeds the usual one
        usual = median(known) if len(known) == len(candidates) else min(known)
    return [min(1.0, max(0.0, (one.similarity or 0.0) - usual) / STANDS_OUT) for one in candidates]


def _normalise(values: list[float], kept: Sequence[float]) -> list[float]:
    """Multiply each value by its factor in `kept`, and scale the results to 0..1."""
    values = [value * share for value, share in zip(values, kept, strict=True)]
    most = max(values)
    return [value / most if most > 0 else 0.0 for value in values]


def _spread(values: list[float]) -> list[float]:
    least, most = min(values), max(values)
    return [(value - least) / (most - least) if most > least else 0.0 for value in values]
