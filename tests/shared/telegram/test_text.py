"""Text that can be stored."""

from hypothesis import given
from hypothesis import strategies as st

from shared.telegram.text import LONGEST_TEXT, clean, text_of
from tests.shared.values import JSON_VALUES, PROPERTY


def test_whole_text_stays_and_halves_of_pairs_are_replaced() -> None:
    assert clean("Zoë 👩‍👩‍👧 \u202e") == "Zoë 👩‍👩‍👧 \u202e"
    assert clean("a\ud83db") == "a\ufffdb"
    assert clean("\ud83d\ude00") == "😀"


def test_a_text_longer_than_any_of_telegrams_is_cut() -> None:
    assert len(clean("x" * (LONGEST_TEXT + 1))) == LONGEST_TEXT


@PROPERTY
@given(JSON_VALUES | st.text(st.characters()))
def test_whatever_comes_becomes_text_that_utf_8_can_spell(value: object) -> None:
    cleaned = clean(value)
    assert cleaned.encode("utf-8").decode() == cleaned
    assert isinstance(value, str) or cleaned == ""


def test_a_message_says_its_text_or_its_caption() -> None:
    assert text_of({"text": "hi"}) == text_of({"caption": "hi"}) == "hi"
    assert text_of({"rich_message": {"blocks": [{"type": "paragraph", "text": "hi"}]}}) == "hi"
    assert text_of({"photo": []}) == text_of({"text": 5}) == ""
