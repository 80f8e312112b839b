"""Which memories an answer made use of."""

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
def test_two_of_its_words_that_nobody_asked_with(answer: str, asked: str, is_used: bool) -> None:
    assert used_memories([TEA], answer, asked, LATER) == ({"mtea"} if is_used else frozenset())


def test_one_of_one_word_needs_no_second() -> None:
    assert used_memories([fact("Vegan.", id="m1")], "Something vegan then.", "a cake?", LATER) == {"m1"}
    assert used_memories([fact("我", id="m1")], "我", "", LATER) == frozenset(), "what has no long word is never sure"


def test_it_is_worth_a_write_once_a_day() -> None:
    assert not is_use_worth_saving(TEA, NOW + AGAIN - timedelta(seconds=1))
    assert is_use_worth_saving(TEA, NOW + AGAIN)
    assert not is_use_worth_saving(evolve(TEA, used_at=LATER), LATER)
