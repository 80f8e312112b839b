"""Which questions point at what is not shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recalling.pointing import pointing_of
from shared.search.terms import asked_terms


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
    assert pointing_of(question, asked_terms(question), list).is_outside


@pytest.mark.parametrize(
    ("question", "shown", "why"),
    [
        ("I bought a bicycle", [], "it asks nothing"),
        ("and the tea?", ["tea", "cup"], "what it names is shown"),
        ("the??", [], "it names nothing"),
        ("", [], "it asks nothing"),
    ],
)
def test_whatever_else_is_said_does_not(question: str, shown: list[str], why: str) -> None:
    found = pointing_of(question, asked_terms(question), lambda: shown)
    assert (found.is_outside, found.why) == (False, why)


def test_a_word_within_another_looks_back_at_nothing() -> None:
    assert pointing_of("disremembering and learlier", asked_terms("x"), list).why == "it asks nothing"


@given(st.text())
def test_any_text_is_told_why(question: str) -> None:
    assert pointing_of(question, asked_terms(question), list).why
