"""Stems of Ukrainian words."""

import pytest

from shared.base.language.stemming import alternatives, ukrainian_stem


@pytest.mark.parametrize(
    "forms",
    [
        "львів львова львові львовом",
        "поїздка поїздки поїздку поїздкою поїздок поїздках",
        "ніч ночі",
        "київ києва києві києвом",
        "будинок будинку будинки",
        "хлопець хлопця хлопці",
        "новий нового новому нова нову",
        "книга книги книгу книгою книгам",
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({ukrainian_stem(form) for form in forms.split()}) == 1


def test_where_a_consonant_softens_there_is_another_stem() -> None:
    assert ukrainian_stem("дорозі") in (ukrainian_stem("дорога"), *alternatives(ukrainian_stem("дорога")))
    assert ukrainian_stem("руці") in (ukrainian_stem("рука"), *alternatives(ukrainian_stem("рука")))
    assert alternatives("дім") == ()


@pytest.mark.parametrize("word", ["я", "їх", "", "ся", "ййй"])
def test_a_short_word_keeps_something(word: str) -> None:
    assert bool(ukrainian_stem(word)) == bool(word)
