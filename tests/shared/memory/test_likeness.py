"""Whether two facts say the same, in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.memory.likeness import says_all_of, says_the_same, words_of
from tests.shared.values import PROPERTY


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann likes tea.", "ann LIKES tea"),
        ("Ａｎｎ likes tea", "Ann likes tea!"),
        ("Енн любить чай.", "енн любить чай"),
        ("安喜欢茶。", "安喜欢茶"),
    ],
)
def test_marks_and_case_do_not_matter(one: str, other: str) -> None:
    assert says_the_same(one, other)


def test_the_order_of_words_does() -> None:
    assert not says_the_same("Ann loves Bob", "Bob loves Ann")


@pytest.mark.parametrize(
    ("newer", "older", "is_contained"),
    [
        ("Ann likes green tea", "Ann likes tea", True),
        ("Ann does not eat any meat", "Ann eat meat", False),
        ("I do not eat meat", "I eat meat", True),
        ("Ann likes tea", "Ann likes green tea", False),
        ("Ann lives in Lviv", "Ann lives in Kyiv", False),
        ("Her sister Eva was born on 3 May 1990", "Her sister Ann was born on 3 May 1990", False),
        ("Ann likes tea, and works at night in the old port of Odesa", "Ann likes tea", False),
        ("Ann and Bob", "Ann Bob", False),
        ("安非常喜欢绿茶", "安喜欢绿茶", True),
    ],
)
def test_what_says_more_holds_all_words_of_the_older_one(newer: str, older: str, is_contained: bool) -> None:
    assert says_all_of(newer, older) is is_contained


@PROPERTY
@given(st.text(), st.text())
def test_any_text_has_words(one: str, other: str) -> None:
    assert says_the_same(one, one)
    assert all(words_of(one)) or not words_of(one)
    if says_all_of(one, other):
        assert len(words_of(one)) >= len(words_of(other))
