"""Days in words, and lengths of time in their two greatest units."""

from datetime import date, timedelta

import pytest

from shared.base.wording.dates import date_in, day_in, listed_in, short_date_in, span_in, weekday_in
from shared.base.wording.words import languages, words_in


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Friday, 27 November 2026"),
        ("de", "Freitag, 27. November 2026"),
        ("uk", "пʼятниця, 27 листопада 2026\u202fр."),
        ("tr", "27 Kasım 2026 Cuma"),
        ("ar", "الجمعة، 27 نوفمبر 2026"),
    ],
)
def test_a_date_has_its_day_of_the_week(language: str, told: str) -> None:
    assert date_in(words_in(language), date(2026, 11, 27)) == told


@pytest.mark.parametrize(
    ("language", "this_year", "another"),
    [
        ("en", "27 November", "27 November 2026"),
        ("de", "27. November", "27. November 2026"),
        ("es", "27 de noviembre", "27 de noviembre de 2026"),
        ("tr", "27 Kasım", "27 Kasım 2026"),
        ("ar", "27 نوفمبر", "27 نوفمبر 2026"),
        ("fr", "27 novembre", "27 novembre 2026"),
    ],
)
def test_a_short_date_has_no_day_of_the_week_and_its_year_only_if_it_is_another(
    language: str, this_year: str, another: str
) -> None:
    words, day = words_in(language), date(2026, 11, 27)
    assert short_date_in(words, day, date(2026, 1, 1)) == this_year
    assert short_date_in(words, day, date(2027, 1, 1)) == another


@pytest.mark.parametrize("language", languages())
def test_no_short_date_names_a_day_of_the_week(language: str) -> None:
    words = words_in(language)
    told = short_date_in(words, date(2026, 11, 27), date(2027, 1, 1))
    assert weekday_in(words, 4) not in told
    assert not set("{}()（）") & set(told)
    assert (told, told[-1:].isspace(), "2026" in told) == (told.strip(",، "), False, True)


def test_a_day_of_any_year_and_of_a_week_are_told() -> None:
    assert day_in(words_in("es"), 12, 24) == "24 de diciembre"
    assert weekday_in(words_in("it"), 4) == "venerdì"


def test_several_are_told_in_one_line() -> None:
    assert listed_in(words_in("en"), ["a"]) == "a"
    assert listed_in(words_in("en"), ["a", "b", "c"]) == "a, b, c"
    assert listed_in(words_in("fa"), ["آ", "ب"]) == "\u200fآ، ب"


@pytest.mark.parametrize(
    ("span", "told"),
    [
        (timedelta(seconds=10), "1 min"),
        (timedelta(seconds=130), "2 min"),
        (timedelta(minutes=59, seconds=40), "1 h"),
        (timedelta(hours=3, minutes=5), "3 h 5 min"),
        (timedelta(days=2, minutes=4), "2 d"),
        (timedelta(days=2, hours=4, minutes=4), "2 d 4 h"),
    ],
)
def test_a_span_is_told(span: timedelta, told: str) -> None:
    assert span_in(words_in("en"), span) == told


@pytest.mark.parametrize("language", languages())
def test_every_language_tells_them_apart(language: str) -> None:
    words = words_in(language)
    spans = [timedelta(minutes=n) for n in (1, 60, 61, 1440, 1500)]
    assert len({span_in(words, span) for span in spans}) == len(spans)
