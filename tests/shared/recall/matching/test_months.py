"""Tests of named and abbreviated months."""

from datetime import date

import pytest

from shared.recall.matching.dates import NamedMonth, month_named, periods_in


@pytest.mark.parametrize(
    ("word", "told", "number"),
    [("november", "en", 11), ("ноября", "ru", 11), ("травні", "uk", 5), ("nov", "", 11), ("мар", "ru", 3),
     ("лип", "uk", 7), ("ağu", "tr", 8), ("ago", "es", 8), ("mrt", "nl", 3), ("paź", "pl", 10), ("sept", "fr", 9)],
)  # fmt: skip
def test_knows_months_in_each_language(word: str, told: str, number: int) -> None:
    found = month_named(word, told)
    assert found is not None
    assert (found.number, found.is_another) == (number, False)


def test_rejects_other_words_and_english_homographs() -> None:
    assert month_named("novel", "en") is None
    assert month_named("set", "en") == NamedMonth(9, is_short=True, is_another=True)


@pytest.mark.parametrize(
    "question",
    ["can you set 5 alarms", "5 out of 10 came", "what did I say 2 ago", "jan told me 5 things", "version 5 set it",
     "a message from Jan", "5 ara verdik", "May told me", "the mag 5 is out", "Feb 30", "Nov 99"],
)  # fmt: skip
def test_ignores_words_that_look_like_abbreviated_months(question: str) -> None:
    assert periods_in(question, date(2026, 11, 26)) == ()
