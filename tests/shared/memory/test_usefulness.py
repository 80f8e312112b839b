"""Tests of which memories count as used by an answer."""

from datetime import timedelta

import pytest

from shared.memory.loaded import AGAIN, is_use_worth_saving, used_memories
from shared.values.evolve import evolve
from tests.shared.examples import NOW
from tests.shared.memory.facts import fact

LATER = NOW + timedelta(days=3)
TEA = fact("Ann drinks jasmine tea.", id="mtea")


@pytest.mark.parametrize(
    ("answer", "asked", "is_used"),
    [
        ("Some jasmine to drink?", "what shall I have?", True),
        ("Jasmine it is.", "what shall I have?", False),
        ("Jasmine drinks are fine.", "is jasmine a drink?", False),
        ("", "", False),
    ],
)
def test_needs_two_words_that_the_question_did_not_contain(answer: str, asked: str, is_used: bool) -> None:
    assert used_memories([TEA], answer, asked, LATER) == ({"mtea"} if is_used else frozenset())


def test_one_word_is_enough_for_a_memory_of_one_word() -> None:
    assert used_memories([fact("Vegan.", id="m1")], "Something vegan then.", "a cake?", LATER) == {"m1"}
    assert used_memories([fact("我", id="m1")], "我", "", LATER) == frozenset(), "what has no long word is never sure"


def test_use_is_written_once_a_day() -> None:
    assert not is_use_worth_saving(TEA, NOW + AGAIN - timedelta(seconds=1))
    assert is_use_worth_saving(TEA, NOW + AGAIN)
    assert not is_use_worth_saving(evolve(TEA, used_at=LATER), LATER)
