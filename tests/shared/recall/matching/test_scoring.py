"""Tests of how well segments fit a question."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.base.language.terms import query_terms, terms_of
from shared.recall.matching.dates import periods_in
from shared.recall.matching.scoring import (
    Bm25Parameters,
    Candidate,
    CorpusStatistics,
    ScoredCandidate,
    SearchQuestion,
    score_candidates,
)
from shared.values.segment import Segment, SegmentMessage, SegmentNote
from tests.shared.examples import NOW

TODAY = date(2026, 11, 24)


def segment(number: int, *texts: str, conversation: str = "c", name: str = "Ann", note: str = "") -> Segment:
    messages = tuple(
        SegmentMessage(
            seq=n,
            message_id=n,
            at=NOW + timedelta(days=number),
            author=1,
            name=name,
            text=t,
            terms=" ".join(terms_of(t)),
        )
        for n, t in enumerate(texts, 1)
    )
    notes = (SegmentNote(id="n", text=note, terms=" ".join(terms_of(note))),) if note else ()
    return Segment(
        conversation=conversation, number=number, agent="a", place="a.1", chat="a.1.0", messages=messages, notes=notes
    )


def best(
    question: str, *segments: Segment, similarities: tuple[float | None, ...] = (), day: str = ""
) -> list[ScoredCandidate]:
    asked = SearchQuestion(terms=query_terms(question), periods=periods_in(question, TODAY))
    near = similarities or (None,) * len(segments)
    candidates = [
        Candidate(segment=one, similarity=value, days=frozenset({one.messages[0].at.date()}))
        for one, value in zip(segments, near, strict=True)
    ]
    return score_candidates(candidates, asked, CorpusStatistics(segments=len(segments), matches=()))


def numbers(found: list[ScoredCandidate]) -> list[int]:
    return [one.candidate.segment.number for one in found]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    found = best("the adoption", segment(1, "the the the dog"), segment(2, "an adoption"), segment(3, "the sea"))
    assert numbers(found)[0] == 2


def test_observations_count_as_words() -> None:
    assert (
        numbers(best("vegetarian", segment(1, "no meat for me", note="Ann is a vegetarian"), segment(2, "fish")))[0]
        == 1
    )


def test_similarity_decides_without_matching_words() -> None:
    found = best("animals", segment(1, "the dog"), segment(2, "the car"), similarities=(0.9, 0.1))
    assert numbers(found)[0] == 1


def test_named_days_count() -> None:
    one, other = segment(1, "we went camping"), segment(200, "we went camping")
    day = other.messages[0].at.date()
    assert numbers(best(f"camping on {day.isoformat()}", one, other))[0] == 200


def test_messages_of_the_named_person_count_more() -> None:
    found = best("what did Ann paint", segment(1, "I paint", name="Bob"), segment(2, "I paint", name="Ann"))
    assert numbers(found)[0] == 2


def test_equal_scores_are_ordered_newest_first() -> None:
    assert numbers(best("dog", segment(1, "dog"), segment(2, "dog"))) == [2, 1]


def test_accepts_no_candidates() -> None:
    assert score_candidates([], SearchQuestion(terms=()), CorpusStatistics(segments=0, matches=())) == []
    assert numbers(best("", segment(1, "dog"))) == [1]


def test_repetition_counts_less_and_less() -> None:
    curve = Bm25Parameters(0.9, 0.5)
    assert curve.of(2, 10, 10) - curve.of(1, 10, 10) > curve.of(3, 10, 10) - curve.of(2, 10, 10)
    assert curve.of(1, 5, 10) > curve.of(1, 20, 10)


@settings(deadline=None)
@given(st.lists(st.lists(st.text("abc "), min_size=1, max_size=3), min_size=1, max_size=5), st.text("abc "))
def test_scores_are_between_0_and_1(texts: list[list[str]], question: str) -> None:
    found = best(question, *(segment(n, *some) for n, some in enumerate(texts, 1)))
    assert len(found) == len(texts)
    assert all(0 <= one.score <= 1.000001 for one in found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
