"""Titles: at the fifth turn, again ten turns later, never over a person's; and what of an answer can be one."""

import pytest

from shared.models.notes import Notes
from shared.noting.titles import is_title_due, title_in, topics_in


@pytest.mark.parametrize(
    ("notes", "is_due"),
    [
        (Notes(turns=4), False),
        (Notes(turns=5), True),
        (Notes(turns=14, title="A b", titled_turn=5), False),
        (Notes(turns=15, title="A b", titled_turn=5), True),
        (Notes(turns=50, title="Mine", manually_named=True), False),
        (Notes(turns=50, manually_named=True), False),
    ],
)
def test_when_a_title_is_due(notes: Notes, is_due: bool) -> None:
    assert is_title_due(notes) is is_due


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ('"A trip to Lviv."', "A trip to Lviv"),
        ("**Moving\nhouse**", "Moving house"),
        ("one two three four five six seven", "one two three four five six"),
        ("Budget", ""),
        ("旅行の計画", "旅行の計画"),
        ("แผนการเดินทาง", "แผนการเดินทาง"),
        ("[meta] a title", "(meta] a title"),
        ("", ""),
        (7, ""),
        (None, ""),
    ],
)
def test_a_title_is_two_to_six_words(given: object, title: str) -> None:
    assert title_in(given) == title


def test_a_title_is_no_longer_than_eighty_characters() -> None:
    assert len(title_in(" ".join(["x" * 30] * 6))) <= 80


def test_topics_are_in_kebab_case() -> None:
    assert topics_in(["Weekend trip", "weekend-trip", "Київ & Lviv!", "", 7, "旅行", "#tag_name"]) == (
        "weekend-trip", "київ-lviv", "旅行", "tag-name",
    )  # fmt: skip
    assert topics_in("x") == topics_in(None) == ()
    assert len(topics_in([f"t{n}" for n in range(9)])) == 5
    assert all(len(topic) <= 40 for topic in topics_in(["word " * 40, "x" * 99]))
