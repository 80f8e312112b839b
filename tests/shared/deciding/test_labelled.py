"""The rules on labelled group chat, as `make bench NAME=decisions` measures them, on the sample that lull ships."""

import pytest

from benchmarks.decisions import SAMPLE, Outcome, decide, mentions_in, people_of, rows_of, score
from shared.values.message import Author


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    rows = rows_of(SAMPLE)
    people = people_of(rows)
    return [decide(row, people[row["file"]]) for row in rows]


def test_the_rules_are_right_more_often_than_mentions_and_replies(outcomes: list[Outcome]) -> None:
    alone = score((outcome.alone.respond, outcome.is_reply) for outcome in outcomes)
    within = score((outcome.within.respond, outcome.is_reply) for outcome in outcomes)
    assert within["f1"] > max(0.75, alone["f1"] + 0.1)
    assert within["precision"] > 0.75


def test_what_is_mentioned_is_answered_whatever_was_said_before(outcomes: list[Outcome]) -> None:
    assert all(outcome.within == outcome.alone for outcome in outcomes if outcome.alone.respond)


def test_a_score_is_what_it_says() -> None:
    pairs = [(True, True)] * 6 + [(True, False)] * 2 + [(False, True)] * 4 + [(False, False)] * 9
    assert score(pairs) == {"precision": 0.75, "recall": 0.6, "f1": 0.667}
    assert score([]) == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mira7: hi", [(1, 0, 5)]),
        ("mira7 hi", [(1, 0, 5)]),
        ("the: hi", [(2, 0, 3)]),
        ("so the answer", []),
        ("👍 thanks, Mira7!", [(1, 11, 5)]),
        ("<Mira7> hi", [(1, 1, 5)]),
        ("nobody: hi", []),
    ],
)
def test_a_nick_that_a_line_names_is_a_mention(text: str, found: list[tuple[int, int, int]]) -> None:
    people = {"mira7": Author(id=1, name="Mira7"), "the": Author(id=2, name="the")}
    entities = list(mentions_in(text, people))
    assert [(e.user_id, e.offset, e.length) for e in entities] == found
