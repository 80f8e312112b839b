"""Follow-ups: they depend on who wrote when, and to whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.deciding.talk import (
    LONGEST_SHORT,
    DialogueState,
    TalkLine,
    asks,
    dialogue_state,
    is_follow_up,
    is_small_question,
    is_unclear,
)
from tests.shared.examples import PROPERTY

ME, ANN, BOB, CEM, DOT = 1, 2, 3, 4, 5


def talk(*lines: tuple[int, int] | int) -> list[TalkLine]:
    """Return talk lines. Each is given as an author, or as an author and the addressee."""
    pairs = [line if isinstance(line, tuple) else (line, 0) for line in lines]
    return [TalkLine(author, frozenset({to} - {0})) for author, to in pairs]


def after(*lines: tuple[int, int] | int, author: int = ANN) -> DialogueState:
    found = dialogue_state(talk(*lines), author, ME)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "lines",
    [
        ((ANN, ME), ME),
        ((ME, ANN),),
        ((ME, ANN), BOB, (CEM, BOB)),
        ((BOB, ANN), (ANN, ME), (ME, ANN)),
        (ANN, ME, ANN, ME),
        (ANN, ME, ME, ME, ANN, ME),
    ],
)
def test_it_is_a_follow_up_while_it_is_the_authors_turn(lines: tuple[tuple[int, int] | int, ...]) -> None:
    assert is_follow_up(after(*lines))


@pytest.mark.parametrize(
    "lines",
    [
        (ME,),
        (BOB, ME),
        (ANN, ME),
        ((BOB, ME), (ME, BOB)),
        ((ANN, ME), (ME, ANN), ANN),
        ((ANN, ME), (ME, ANN), (BOB, ANN)),
        ((ANN, ME), (ME, BOB), (BOB, ANN), BOB),
        (ANN, ME, ANN, BOB, ME),
    ],
)
def test_it_is_none_if_they_did_not_speak_or_the_author_went_on_or_was_drawn_away(
    lines: tuple[tuple[int, int] | int, ...],
) -> None:
    assert not is_follow_up(after(*lines))


def test_among_few_what_comes_after_somebody_elses_question_may_be_its_answer() -> None:
    answered, crowd = talk((ANN, ME), (ME, ANN)), talk(CEM, DOT, (ANN, ME), (ME, ANN))
    question, remark = TalkLine(BOB, frozenset(), "coming to lunch?"), TalkLine(BOB, frozenset(), "lunch is ready")
    to_cem = TalkLine(BOB, frozenset({CEM}), "coming to lunch?")
    said = [[*answered, line] for line in (question, remark, to_cem)] + [[*crowd, question]]
    found = [dialogue_state(lines, ANN, ME) for lines in said]
    assert [one is not None and is_follow_up(one) for one in found] == [False, True, True, True]
    assert all(one is not None and is_unclear(one) for one in found)


def test_two_who_are_alone_talk_to_each_other() -> None:
    assert is_follow_up(after(BOB, ANN, ANN, ANN, ME, ME, ME))
    assert not is_follow_up(after(ANN, ANN, ANN, BOB, ME, ME, ME))


def test_without_the_agent_there_is_no_standing() -> None:
    assert dialogue_state(talk(ANN, (BOB, ANN)), ANN, ME) is None
    assert dialogue_state([], ANN, ME) is None


@pytest.mark.parametrize(
    ("found", "words", "expected"),
    [
        (after((ANN, ME), (ME, ANN), author=BOB), "and tomorrow?", True),
        (after((ANN, ME), (ME, ANN), author=BOB), "明日は？", True),
        (after((ANN, ME), (ME, ANN), author=BOB), "and tomorrow", False),
        (after((ANN, ME), (ME, ANN), author=BOB), f"{'well ' * (LONGEST_SHORT // 5)}?", False),
        (after((ANN, ME), (ME, ANN), CEM, author=BOB), "and tomorrow?", False),
        (after(CEM, (ANN, ME), (ME, ANN), author=BOB), "and tomorrow?", True),
        (after(CEM, DOT, (ANN, ME), (ME, ANN), author=BOB), "and tomorrow?", False),
        (after((CEM, BOB), (ANN, ME), (ME, ANN), author=BOB), "and tomorrow?", False),
    ],
)
def test_among_few_a_question_right_after_the_agent_is_one_to_it(
    found: DialogueState, words: str, expected: bool
) -> None:
    assert is_small_question(found, words) is expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (after(ME), True),
        (after(ME, BOB), False),
        (after((ANN, ME), (ME, ANN), ANN), True),
        (after((ANN, ME), (ME, ANN), (BOB, ANN)), False),
    ],
)
def test_what_may_be_a_follow_up_is_unclear(found: DialogueState, expected: bool) -> None:
    assert is_unclear(found) is expected


@pytest.mark.parametrize("mark", ["?", "？", "؟", "՞", "፧", "⁇", "❓", "¿", "⸮", "⁉"])
def test_a_question_mark_of_any_script_asks(mark: str) -> None:
    assert asks(f"x {mark}")
    assert not asks("x !")


@PROPERTY
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 5)), max_size=15), st.integers(2, 5))
def test_any_talk_has_a_standing_in_which_a_follow_up_would_be_unclear_too(
    lines: list[tuple[int, int]], author: int
) -> None:
    found = dialogue_state(talk(*lines), author, ME)
    assert (found is None) == all(speaker != ME for speaker, _ in lines)
    if found is not None:
        assert is_unclear(found) or not is_follow_up(found)
        assert found.is_their_turn or not found.is_right_after
        assert 2 <= found.speakers <= 5
