"""Months by their names and in short, told from other words."""

from datetime import date

import pytest

from shared.recall.matching.dates import NamedMonth, month_named, periods_in


@pytest.mark.parametrize(
    ("word", "told", "number"),
    [("november", "en", 11), ("ноября", "ru", 11), ("травні", "uk", 5), ("nov", "", 11), ("мар", "ru", 3),
     ("лип", "uk", 7), ("ağu", "tr", 8), ("ago", "es", 8), ("mrt", "nl", 3), ("paź", "pl", 10), ("sept", "fr", 9)],
)  # fmt: skip
def test_a_month_is_known_in_each_language(word: str, told: str, number: int) -> None:
    found = month_named(word, told)
    assert found is not None
    assert (found.number, found.is_another) == (number, False)


def test_what_is_no_month_is_none_and_what_english_has_as_a_word_is_another() -> None:
    assert month_named("novel", "en") is None
    assert month_named("set", "en") == NamedMonth(9, is_short=True, is_another=True)


@pytest.mark.parametrize(
    "question",
    ["can you set 5 alarms", "5 out of 10 came", "what did I say 2 ago", "jan told me 5 things", "version 5 set it",
     "a message from Jan", "5 ara verdik", "May told me", "the mag 5 is out", "Feb 30", "Nov 99"],
)  # fmt: skip
def test_words_that_only_look_like_months_in_short_are_none(question: str) -> None:
    assert periods_in(question, date(2026, 11, 26)) == ()
