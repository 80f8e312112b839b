from dataclasses import replace
from datetime import UTC, datetime

import pytest

from local.gemini import hashed
from shared.recall.store.summaries import ChatSummary, EntryRange, SummarySpan
from shared.values.evolve import evolve
from shared.values.notes import Notes, Observation
from shared.values.segment import Segment, SegmentMessage, SegmentNote
from tests.crash.judging import KeptFaults
from tests.crash.noting import Found, unlike
from tests.crash.stories import Noted

AT = datetime(2026, 5, 9, 12, 0, tzinfo=UTC)
SEEN = Observation(
    id="o", conversation="conv-1", agent="lull", place="lull.7", text="Ann has a tree.", entries=(1,), made_at=AT
)
SEGMENT = Segment(
    conversation="conv-1",
    number=1,
    agent="lull",
    place="lull.7",
    chat="lull.7",
    messages=(SegmentMessage(seq=1, message_id=1, turn=1, at=AT, author=5, name="Ann", text="my tree", terms="tree"),),
    notes=(SegmentNote(id="o", text="Ann has a tree.", terms="ann tree"),),
    embedding_model=hashed.NAME,
)
NOTES = Notes(
    entries=2, noted_seq=2, abbreviation="A tree.", title="The tree", topics=("tree",), embedding_model=hashed.NAME
)
NEW = ChatSummary(
    text="Ann has a tree.", made_at=AT, ranges=(EntryRange(conversation="conv-1", first_seq=1, last_seq=2),)
)
OLD = ChatSummary(text="Old.", made_at=AT)
WANTED = Noted("A tree.", "The tree", ("tree",), ("Ann has a tree.",), summary="Ann has a tree.", calls=3)
SPANS = [NEW for _ in SummarySpan]
GOOD = Found(
    notes=NOTES,
    observations=[SEEN],
    segments=[SEGMENT],
    embedded=frozenset({1}),
    kept=SPANS,
    shown=[evolve(one, ranges=()) for one in SPANS],
    calls=3,
)


def test_nothing_is_wrong_when_everything_is_noted_once() -> None:
    assert unlike(WANTED, GOOD, was_struck=False) == KeptFaults()
    assert unlike(WANTED, replace(GOOD, calls=4), was_struck=True) == KeptFaults()


def noted(**fields: object) -> Found:
    return replace(GOOD, notes=NOTES.model_copy(update=fields))


def ranging(*ends: tuple[int, int]) -> Found:
    ranges = tuple(EntryRange(conversation="conv-1", first_seq=first, last_seq=last) for first, last in ends)
    return replace(GOOD, kept=[NEW, evolve(NEW, ranges=ranges)])


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (noted(abbreviation=""), "the abbreviation is ''"),
        (noted(title="Another"), "the title is 'Another'"),
        (noted(topics=()), "the topics are ()"),
        (noted(noted_seq=1), "1 entries are not noted"),
        (noted(needs_abbreviation=True), "an abbreviation is still needed"),
        (noted(due_at=AT), "something is still due"),
        (noted(embedding_model=""), "the abbreviation has no vector"),
        (replace(GOOD, has_vector=False), "the abbreviation has no vector"),
        (replace(GOOD, segments=[]), "there is no segment"),
        (replace(GOOD, embedded=frozenset()), "segment 1 has no vector"),
        (replace(GOOD, segments=[evolve(SEGMENT, embedding_model="")]), "segment 1 has no vector"),
        (replace(GOOD, segments=[evolve(SEGMENT, notes=())]), "segment 1 has 0 notes of 1"),
        (
            replace(GOOD, kept=[NEW, evolve(NEW, text="Old.")]),
            "the summaries that are kept are ['Ann has a tree.', 'Old.']",
        ),
        (replace(GOOD, shown=[NEW, OLD]), "the summaries that are shown are ['Ann has a tree.', 'Old.']"),
        (ranging((1, 1)), "a summary was made of the entries [1], of 2"),
        (ranging((1, 2), (2, 2)), "a summary was made of the entries [1, 2, 2], of 2"),
    ],
)
def test_what_is_missing_is_lost(found: Found, word: str) -> None:
    assert unlike(WANTED, found, was_struck=False) == KeptFaults(lost=(word,))


def test_an_observation_that_is_not_there_is_lost() -> None:
    faults = unlike(replace(WANTED, observations=("Ann has a tree.", "It bears.")), GOOD, was_struck=False)
    assert faults.lost == ("it was not observed that It bears.",)


@pytest.mark.parametrize(
    ("found", "word"),
    [
        (
            replace(GOOD, observations=[SEEN, evolve(SEEN, entries=(2,))]),
            "it was observed 2 times that Ann has a tree.",
        ),
        (
            replace(GOOD, observations=[SEEN, evolve(SEEN, text="It bears.", entries=(2,))]),
            "it was observed that It bears., which nobody said",
        ),
        (replace(GOOD, calls=4), "4 notes and summaries were asked for"),
    ],
)
def test_what_is_there_too_often_is_doubled(found: Found, word: str) -> None:
    assert unlike(WANTED, found, was_struck=False) == KeptFaults(doubled=(word,))


def test_summaries_count_only_where_they_were_due() -> None:
    quiet = replace(GOOD, kept=[OLD], shown=[])
    assert unlike(replace(WANTED, summary=""), quiet, was_struck=False) == KeptFaults()
