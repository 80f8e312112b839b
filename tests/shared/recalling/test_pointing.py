"""Which questions point at what is not shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recalling.pointing import pointing_of


@pytest.mark.parametrize(
    "question",
    [
        "do you remember the name of that bakery",
        "What did we decide about the trip in May?",
        "Erinnerst du dich an das Hotel",
        "Що ми вирішили про поїздку в травні?",
        "ты помнишь, где мы были",
        "前回の会議で何を決めましたか",
        "上次我们去哪里了",
        "ماذا قلت عن الرحلة",
        "geçen hafta ne konuştuk",
    ],
)
def test_what_looks_back_or_asks_for_what_is_not_shown_points_outside(question: str) -> None:
    assert pointing_of(question, ["trip"], [], has_more=True).is_outside


@pytest.mark.parametrize(
    ("question", "terms", "shown", "has_more"),
    [
        ("What did we decide about the trip?", ["decid", "trip"], [], False),
        ("I bought a bicycle", ["bicycl"], [], True),
        ("and the tea?", ["tea"], ["tea", "cup"], True),
        ("really??", [], [], True),
        ("", [], [], True),
    ],
)
def test_whatever_else_is_said_does_not(question: str, terms: list[str], shown: list[str], has_more: bool) -> None:
    assert not pointing_of(question, terms, shown, has_more=has_more).is_outside


def test_a_word_within_another_looks_back_at_nothing() -> None:
    assert pointing_of("disremembering and learlier", ["x"], ["x"], has_more=True).why == "it asks nothing"


@given(st.text())
def test_any_text_is_told_why(question: str) -> None:
    assert pointing_of(question, ["a"], ["a"], has_more=True).why
