"""The ends of words, in scripts with and without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.deciding.names import ends_at, fold, is_of_word, script_of, starts_at
from tests.shared.examples import PROPERTY

#: Telegram's text is UTF-8: whole characters only
TEXTS = st.text(max_size=30)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ｌｕｌｌ", "lull"),
        ("𝐋𝐮𝐥𝐥", "lull"),
        ("lu\u00adll\u200b", "lull"),
        ("\u200flull\u2069", "lull"),
        ("Zoe\u0308", "zoë"),
        ("ΣΩΚΡΆΤΗΣ", "σωκράτησ"),
        ("STRASSE", "strasse"),
        ("straße", "strasse"),
        ("  Aunt \n\t May ", "aunt may"),
        ("🤖️", "🤖"),
        ("لول\u200cجان", "لول\u200cجان"),
        ("لُولٌ", "لول"),
        ("لـــول", "لول"),
        ("ﻝُﻭﻝ", "لول"),
        ("לָאל", "לאל"),
        ("שָׁלוֹם", "שלום"),
        ("أحمد", "أحمد"),
        ("lull\u2011x", "lull\u2010x"),
    ],
)
def test_texts_that_read_the_same_are_the_same(text: str, expected: str) -> None:
    assert fold(text) == expected


@pytest.mark.parametrize(
    ("character", "script"),
    [("l", "LATIN"), ("л", "CYRILLIC"), ("龙", "CJK"), ("々", "CJK"), ("ー", "KATAKANA"), ("る", "HIRAGANA")],
)
def test_a_letter_has_a_script(character: str, script: str) -> None:
    assert script_of(character) == script


@pytest.mark.parametrize(("character", "expected"), [("a", True), ("_", True), ("ิ", True), ("٣", True), ("-", False)])
def test_letters_digits_and_marks_make_words(character: str, expected: bool) -> None:
    assert is_of_word(character) is expected
    assert not is_of_word("")


@PROPERTY
@given(TEXTS)
def test_folding_twice_changes_nothing_and_the_ends_of_a_text_end_words(text: str) -> None:
    found = fold(text)
    assert fold(found) == found
    if found:
        assert starts_at(found, 0)
        assert ends_at(found, len(found))


@PROPERTY
@given(TEXTS.map(fold).filter(bool), st.data())
def test_every_place_of_a_text_has_an_answer(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text) - 1))
    assert starts_at(text, place) in {True, False}
    assert ends_at(text, place + 1) in {True, False}
