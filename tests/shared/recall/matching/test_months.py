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


@pytest.mark.parametrize(
    ("question", "month"),
    [("o czym mówiliśmy w październiku?", 10), ("w lutym", 2), ("styczeń", 1), ("we wrzesniu", 9), ("у березні", 3),
     ("у червні", 6), ("за квітень", 4), ("kasımda ne dedim", 11), ("şubatta", 2), ("oktabrda", 10),
     ("noyabr oyida", 11), ("十月", 10), ("十一月", 11), ("en fevrier", 2), ("im Jänner", 1)],
)  # fmt: skip
def test_knows_the_forms_of_months(question: str, month: int) -> None:
    found = periods_in(question, date(2026, 11, 26))
    assert found
    assert (found[0].first.month, found[0].last.month) == (month, month)


@pytest.mark.parametrize(
    "question",
    ["去年10月", "去年の10月", "去年十月", "2025年十月", "작년 10월에", "w październiku zeszłego roku",
     "geçen yıl ekimde", "у жовтні минулого року", "в минулому році у жовтні"],
)  # fmt: skip
def test_a_year_beside_a_month_belongs_to_it(question: str) -> None:
    found = [(one.first, one.last) for one in periods_in(question, date(2026, 11, 26))]
    assert found == [(date(2025, 10, 1), date(2025, 10, 31))]


@pytest.mark.parametrize("question", ["十月五日", "10月5日", "2026.10.5", "2026/10/05"])
def test_reads_days_in_numbers_and_characters(question: str) -> None:
    assert periods_in(question, date(2026, 11, 26))[0].first == date(2026, 10, 5)


@pytest.mark.parametrize("question", ["两三个月", "他用了三个月", "moja mayda gap", "Marta told me", "version 2026.11"])
def test_takes_no_number_of_months_and_no_other_word_for_a_month(question: str) -> None:
    assert not any(
        one.first.day == 1 and one.last.month == one.first.month for one in periods_in(question, date(2026, 11, 26))
    )
