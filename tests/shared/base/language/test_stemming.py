"""Stems in one language, and all possible stems of a word in a question."""

import pytest

from shared.base.language.stemming import ALGORITHMS, LONGEST, fold_marks, stem, variants


def test_every_language_has_its_stemmer() -> None:
    assert all(stem("straße" if language == "de" else "слово" if language in {"ru", "sr"} else "word", language)
               for language in ALGORITHMS)  # fmt: skip


@pytest.mark.parametrize(
    ("word", "bare"),
    [("café", "cafe"), ("ёлка", "елка"), ("поїздка", "поїздка"), ("мой", "мой"), ("İ", "I"), ("ışık", "isik"),
     ("שָׁלוֹם", "שלום"), ("كِتَاب", "كتاب"), ("किताब", "किताब"), ("が", "が"), ("Straße", "Strasse")],
)  # fmt: skip
def test_marks_are_left_out_where_writers_leave_them_out(word: str, bare: str) -> None:
    assert fold_marks(word) == bare


@pytest.mark.parametrize(
    ("said", "asked", "language"),
    [
        ("поездок", "поездка", "ru"),
        ("киеве", "киев", "ru"),
        ("häuser", "haus", "de"),
        ("perros", "perro", "es"),
        ("kitaplarımı", "kitap", "tr"),
        ("istanbul'da", "istanbul", "tr"),
        ("l’école", "école", "fr"),
        ("caroline's", "caroline", "en"),
        ("المدرسة", "مدرسة", "ar"),
        ("लड़कियों", "लड़की", "hi"),
        ("п’ять", "пять", "uk"),
    ],
)
def test_another_form_is_found(said: str, asked: str, language: str) -> None:
    assert stem(said, language) in variants(asked, (language,))


def test_russian_and_ukrainian_are_asked_for_together() -> None:
    assert stem("поїздку", "uk") in variants("поїздка", ("ru",))
    assert stem("поїздку", "ru") in variants("поїздка", ("uk",))


def test_a_term_is_never_long() -> None:
    assert len(stem("a" * 5000, "en")) <= LONGEST
