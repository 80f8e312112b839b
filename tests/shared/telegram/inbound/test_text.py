"""Text that can be stored."""

from hypothesis import given
from hypothesis import strategies as st

from shared.telegram.inbound.text import LONGEST_NAME, LONGEST_TEXT, MOST_ENTITIES, clean, entities_of, name_of, text_of
from tests.shared.examples import JSON_VALUES, PROPERTY


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


def test_the_entities_of_a_message_fit_into_a_document() -> None:
    link = {"type": "text_link", "offset": 0, "length": 1, "url": "https://a.example/" + "中" * 30_000}
    bold = {"type": "bold", "offset": 0, "length": 1}
    found = entities_of({"text": "a", "entities": [bold, *[link] * 9_000]})
    assert [one.type for one in found] == ["bold"]
    short = link | {"url": "https://a.example/"}
    assert len(entities_of({"text": "a", "entities": [short] * 10_000})) == MOST_ENTITIES


def test_a_name_is_as_long_as_telegram_s_longest() -> None:
    assert name_of({"first_name": "Ann", "last_name": "Lee"}) == "Ann Lee"
    assert len(name_of({"first_name": "中" * 9_000, "last_name": "中" * 9_000})) <= LONGEST_NAME + 1
    assert len(name_of({"title": "中" * 9_000})) == LONGEST_NAME
