"""Terms of any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.base.language.terms import (
    MOST_ASKED,
    author_term,
    name_terms,
    parts_of,
    query_terms,
    spans_of,
    terms_of,
    words_in,
)

#: any text from a person or a faulty program, including lone surrogates
ANY = st.text(st.characters(exclude_categories=())) | st.text("aя水ก한😂'’-.@_1 \u0301\ud800\ufdfa")


def is_found(said: str, asked: str, language: str = "") -> bool:
    """Return whether a text has every significant word of a question."""
    terms = set(terms_of(said, language))
    return all(terms & set(one.variants) for one in query_terms(asked, language) if not one.is_small)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("They were researching agencies", "research agency"),
        ("ми були у Львові", "Львів"),
        ("їду зі Львова", "Львів"),
        ("поїздку планували", "поїздка"),
        ("поехали в поездку", "поездка"),
        ("die Häuser in München", "wo ist das Haus in München"),
        ("los perros corren", "el perro"),
        ("İstanbul'da yaşıyorum", "istanbul"),
        ("東京に行きました", "東京"),
        ("水を飲む", "水"),
        ("ฉันไปเชียงใหม่เมื่อวาน", "เชียงใหม่"),
        ("한국에서 김치를 먹었다", "김치"),
        ("ຂ້ອຍຢູ່ວຽງຈັນ", "ວຽງຈັນ"),
        ("see https://www.example.com/path?q=1", "example.com"),
        ("ask @anna_k about it", "@anna_k"),
        ("ask @anna_k about it", "anna"),
        ("it cost 10,000 €", "10000"),
        ("on 2026-05-08", "2026"),
        ("on 2026-05-08", "8"),
        ("سنة ٢٠٢٦", "2026"),
        ("great 😂🏽!", "😂"),
        ("ＦＵＬＬ width", "full"),
        ("l’école est belle", "école"),
    ],
)
def test_finds_text_in_every_script(said: str, asked: str) -> None:
    assert query_terms(asked)
    assert is_found(said, asked)


def test_a_short_text_is_in_the_language_of_its_chat() -> None:
    assert is_found("Häuser", "Haus", "de-AT")
    assert is_found("perros", "perro", "es")


@settings(deadline=None)
@given(ANY)
def test_any_string_has_terms_that_a_document_may_hold(text: str) -> None:
    terms = terms_of(text)
    assert all(term.encode() and not any(map(str.isspace, term)) and len(term) <= 100 for term in terms)
    assert not any(term.startswith("@") for term in terms)  # no text can contain the term of an author


@settings(deadline=None)
@given(ANY)
def test_any_string_is_a_question(text: str) -> None:
    asked = query_terms(text)
    assert len(asked) == len(set(asked)) <= MOST_ASKED
    assert all(one.variants and all(one.variants) for one in asked)


@settings(deadline=None)
@given(ANY)
def test_finds_text_by_its_own_words(text: str) -> None:
    terms = set(terms_of(text))
    assert all(terms & set(one.variants) for one in query_terms(text))


@pytest.mark.parametrize(
    "piece", ["\ud800", "a", "\u0301", "😀", "'", "ﷺ", "a.", "a-", "1,000", "一", "ก\u0e31", "_", "@a"]
)
def test_a_long_text_is_no_trouble(piece: str) -> None:
    text = (piece * 65_536)[:65_536]
    assert len(terms_of(text)) <= 3 * 100_000
    assert len(query_terms(text)) <= MOST_ASKED
    assert words_in(text) <= 65_536


def test_of_a_long_question_the_words_that_tell_something_are_asked_for() -> None:
    asked = query_terms("what did you do about " + " ".join(f"thing{n}" for n in range(40)))
    assert asked[0].variants == ("thing0",)


def test_two_letters_without_spaces_count_as_a_word() -> None:
    assert words_in("one two, three!") == 3
    assert words_in("東京に行き") == 3
    assert words_in("") == words_in("…") == 0


@settings(deadline=None)
@given(ANY, st.integers(1, 9))
def test_parts_hold_all_the_words_and_no_more_than_they_may(text: str, most: int) -> None:
    parts = parts_of(text, most)
    assert all(words_in(part) <= most for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_names_and_authors_have_terms() -> None:
    assert name_terms("Caroline O’Neil") == {"carolin", "oneil"}
    assert author_term(7) == "@7"


def test_each_word_has_its_place() -> None:
    assert [text[0:2] for text in spans_of("a dog")] == [(0, 1), (2, 5)]
    assert {"dog"} <= list(spans_of("a dogs", "en"))[1][2]
    assert [(a, b) for a, b, terms in spans_of("前に東京") if "東京" in terms] == [(2, 4)]
