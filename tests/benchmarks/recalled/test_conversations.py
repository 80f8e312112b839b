"""The data of the recall measure are parsed."""

from datetime import UTC, datetime

from benchmarks.recalled.conversations import read
from tests.benchmarks.recalled.sample import SAMPLE


def test_sessions_have_their_dates_and_turns_and_questions_their_evidence() -> None:
    (talk,) = read(SAMPLE)
    assert [one.number for one in talk.sessions] == [1, 2, 3]
    first = talk.sessions[0].messages["D1:1"]
    assert (first.author.name, first.at) == ("Ida", datetime(2025, 5, 3, 9, 15, tzinfo=UTC))
    assert talk.ends_at > datetime(2025, 9, 2, tzinfo=UTC)
    assert talk.sessions[0].messages["D1:3"].media_refs[0].description is not None
    assert talk.sessions[1].observations == [("Tom is injured and does no work on ladders.", "D2:1")]


def test_untidy_evidence_is_read_and_a_question_without_any_is_left_out() -> None:
    (talk,) = read(SAMPLE)
    assert [one.evidence for one in talk.questions] == [("D1:3",), ("D2:2", "D2:3"), ("D3:1",), ("D2:1",), ("D1:3",)]
