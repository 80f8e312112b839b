"""Tests of how search results are filtered and shown."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from shared.base.language.terms import query_terms
from shared.memory.forgotten import ForgottenFilter
from shared.recall.matching.dates import periods_in
from shared.recall.matching.scoring import Candidate, ScoredCandidate, SearchQuestion
from shared.recall.search import build_finding, matches_filters, newest_first
from shared.values.evolve import evolve
from shared.values.recalled import FoundRange, RecallHit, RecallQuery, ShownEntries
from shared.values.segment import SegmentMessage, SegmentNote
from tests.shared.examples import ANN, BOB, KEY, NOW
from tests.shared.memory.test_forgotten import after_forgetting
from tests.shared.recall.searched import later, segment

#: the times of two messages, from before the facts were forgotten
EVENING = datetime(2026, 2, 26, 23, 58, tzinfo=UTC)
MORNING = datetime(2026, 2, 27, 0, 1, tzinfo=UTC)
ASKED = "What did we talk about on 27 February?"


def wanted(**more: object) -> RecallQuery:
    return RecallQuery(query="", now=later(9), zone=UTC, **more)  # type: ignore[arg-type]


def test_applies_the_filters() -> None:
    one = segment("lull.7", "a dog", number=3)
    assert matches_filters(one, wanted())
    assert matches_filters(one, wanted(conversation="conv-lull.7", person="7", since=NOW.date(), until=NOW.date()))
    assert not matches_filters(one, wanted(conversation="conv-other"))
    assert not matches_filters(one, wanted(person="8"))
    assert not matches_filters(one, wanted(since=later(1).date()))
    assert not matches_filters(one, wanted(until=later(-1).date()))
    assert not matches_filters(one, wanted(shown=ShownEntries(conversation="conv-lull.7", from_seq=3)))
    assert matches_filters(one, wanted(shown=ShownEntries(conversation="conv-lull.7", from_seq=4)))


def test_notes_that_hold_come_before_superseded_ones() -> None:
    old = SegmentNote(id="a", text="Ann lives in Kyiv", happened="2024", superseded_on=date(2026, 5, 8))
    older = SegmentNote(id="b", text="Ann lives in Odesa", happened="2020", superseded_on=date(2024, 1, 1))
    new = SegmentNote(id="c", text="Ann lives in Lviv", happened="2026-05-08")
    assert newest_first((old, older, new)) == (new, old, older)


def message(seq: int, at: datetime, author: int, text: str, outside: str = "") -> SegmentMessage:
    """Make a message. The author 0 is the agent."""
    name = {ANN.id: "Ann", BOB.id: "Bob"}.get(author, "lull")
    return SegmentMessage(
        seq=seq, message_id=seq, turn=seq, at=at, author=author, name=name, text=text, is_agent=not author,
        outside=outside,
    )  # fmt: skip


def found_for(question: str, *messages: SegmentMessage, notes: tuple[SegmentNote, ...] = ()) -> RecallHit:
    """Make the search result for a segment of these messages, for a question that names only days."""
    asked = replace(wanted(), query=question)
    one = evolve(segment("lull.7", ""), chat=KEY.id, messages=messages, notes=notes)
    days = frozenset(said.at.date() for said in messages)
    best = ScoredCandidate(candidate=Candidate(segment=one, days=days), score=1.0, found=frozenset())
    periods = periods_in(question, asked.now.date())
    return build_finding(
        best, SearchQuestion(terms=query_terms(question), periods=periods, is_of_days=True), asked, None
    )


@pytest.mark.parametrize(
    ("forgotten", "question", "answer", "left"),
    [
        ("Ann is scared of geese.", "What am I scared of?", "Geese! The ferry leaves at 9.", "The ferry leaves at 9."),
        ("Ann is scared of geese.", "What am I scared of?", "Geese, and it was a bad scare.", ""),
        ("Ann is allergic to celery.", "What am I allergic to?", "Celery, and badly so.", ""),
        ("Анна боится гусей.", "Чего я боюсь?", "Гусей, и очень.", ""),
        ("Anna hat Angst vor Gänsen.", "Wovor habe ich Angst?", "Gänse. Bis morgen!", "Bis morgen!"),
        ("Ann is scared of geese.", "I am scared of geese", "Good to know. You are scared of geese.", "Good to know."),
    ],
)
def test_hides_forgotten_facts_in_an_answer_after_midnight(
    forgotten: str, question: str, answer: str, left: str
) -> None:
    hidden, asked = after_forgetting(forgotten), message(1, EVENING, ANN.id, question)
    found = hidden.filter_hit(found_for(ASKED, asked, message(2, MORNING, 0, answer)))
    assert (found.text if found else "") == (f"lull: {left}" if left else "")
    later_on = message(3, MORNING, BOB.id, "The sea is calm.")
    found = hidden.filter_hit(found_for(ASKED, asked, message(2, MORNING, 0, answer), later_on))
    assert found is not None
    assert found.text.splitlines() == [*([f"lull: {left}"] if left else []), "Bob: The sea is calm."]
    assert "geese" not in found.snippet.casefold()


def test_hidden_words_of_another_day_do_not_change_the_asked_day() -> None:
    hidden = after_forgetting("Ann is scared of geese.")
    talk = (message(1, EVENING, ANN.id, "I am scared of geese"), message(2, MORNING, BOB.id, "The sea is calm."))
    left = hidden.filter_hit(found_for(ASKED, *talk))
    assert left is not None
    assert (left.text, left.snippet) == ("Bob: The sea is calm.", "Bob: The sea is calm.")
    only_hidden = (message(1, EVENING, BOB.id, "The sea is calm."), message(2, MORNING, ANN.id, "I am scared of geese"))
    assert hidden.filter_hit(found_for(ASKED, *only_hidden)) is None


@pytest.mark.parametrize(
    "question", [ASKED, "Was haben wir am 27. Februar besprochen?", "О чём мы говорили 27 февраля?"]
)
def test_names_all_authors_of_a_segment_even_if_one_day_is_shown(question: str) -> None:
    noted = (SegmentNote(id="n", text="Bob rows at six"),)
    talk = (
        message(4, EVENING, BOB.id, "I row at six", outside="a forwarded message"),
        message(5, MORNING, ANN.id, "The sea is calm."),
    )
    found = ForgottenFilter().filter_hit(found_for(question, *talk, notes=noted))
    assert found is not None
    assert (found.text, found.at, found.message_id) == ("Ann: The sea is calm.", MORNING, 5)
    assert (found.people, found.outside, found.notes) == ((BOB.id, ANN.id), ("a forwarded message",), noted)
    assert found.stretch == FoundRange(first_seq=4, last_seq=5, first_turn=4, last_turn=5)
    assert found.shown.said == ((BOB.id, "I row at six"), (ANN.id, "The sea is calm."), (0, "Bob rows at six"))
    assert (found.shown.where.people, found.shown.where.first_seq) == ((BOB.id, ANN.id), 4)


def test_shows_all_of_a_segment_without_messages_of_the_asked_day() -> None:
    talk = (message(1, EVENING, BOB.id, "I row at six"), message(2, MORNING, ANN.id, "The sea is calm."))
    found = found_for("What did we talk about on 1 February?", *talk)
    assert found.text.splitlines() == ["Thu 2026-02-26 Bob: I row at six", "Fri 2026-02-27 Ann: The sea is calm."]
