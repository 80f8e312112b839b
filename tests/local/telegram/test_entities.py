import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.telegram.entities import LocalEntity, parse_entities, sort_entities, trim, utf16_length, utf16_slice, without
from local.telegram.errors import BotApiError

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def test_an_emoji_counts_as_two_units() -> None:
    assert utf16_length("a😀b") == 4
    assert utf16_slice("a😀b", 1, 2) == "😀"


@given(TEXTS)
def test_the_length_is_that_of_the_utf16_encoding(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le")) // 2


def test_entities_of_a_call_are_read_and_ordered() -> None:
    raw = [
        {"type": "italic", "offset": 3, "length": 2},
        {"type": "text_link", "offset": 0, "length": 3, "url": "http://x.example/"},
        {"type": "bold", "offset": 0, "length": 5},
    ]
    found = parse_entities(raw, "a😀bcd")
    assert [(one.type, one.offset, one.length) for one in found] == [
        ("bold", 0, 5),
        ("text_link", 0, 3),
        ("italic", 3, 2),
    ]


def test_kinds_that_telegram_finds_itself_are_ignored() -> None:
    assert parse_entities([{"type": "mention", "offset": 0, "length": 4}], "abcd") == ()


@pytest.mark.parametrize(
    ("entity", "reason"),
    [
        (
            {"type": "bold", "offset": 0, "length": 6},
            "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 6",
        ),
        ({"type": "bold", "offset": 5, "length": 1}, "entity begins after the end of the text at UTF-16 offset 5"),
        ({"type": "bold", "offset": -1, "length": 2}, "receive an entity with incorrect offset -1"),
        ({"type": "bold", "offset": 2, "length": 1}, "entity begins in a middle of a UTF-16 symbol at byte offset 5"),
        (
            {"type": "bold", "offset": 0, "length": 2},
            "entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 5",
        ),
        ({"type": "shiny", "offset": 0, "length": 1}, "can't parse MessageEntity: Unsupported type specified"),
        ({"type": "text_link", "offset": 0, "length": 1}, "can't parse MessageEntity: Can't find field \"url\""),
        ({"type": "text_mention", "offset": 0, "length": 1}, "can't parse MessageEntity: Can't find field \"user\""),
        (
            {"type": "custom_emoji", "offset": 0, "length": 1, "custom_emoji_id": "x"},
            'can\'t parse MessageEntity: Field "custom_emoji_id" must be a valid Number',
        ),
        (
            {"type": "text_link", "offset": 0, "length": 1, "url": "not-a-url"},
            "entity URL 'not-a-url' is invalid: Wrong HTTP URL",
        ),
    ],
)
def test_a_span_that_does_not_fit_is_refused_in_telegrams_words(entity: dict[str, object], reason: str) -> None:
    with pytest.raises(BotApiError) as refused:
        parse_entities([entity], "a😀bc")
    assert refused.value.description == f"Bad Request: {reason}"


def test_an_entity_of_no_length_is_left_out() -> None:
    assert parse_entities([{"type": "bold", "offset": 5, "length": 0}], "a😀bc") == ()


def test_dropped_characters_move_entities_along() -> None:
    text, entities = without(
        "a\r\n😀b", [LocalEntity(type="bold", offset=1, length=4), LocalEntity(type="code", offset=5, length=1)], "\r"
    )
    assert text == "a\n😀b"
    assert [utf16_slice(text, one.offset, one.length) for one in entities] == ["\n😀", "b"]


def test_trimming_moves_entities_along() -> None:
    text, entities = trim(
        "  hi there \n", [LocalEntity(type="bold", offset=0, length=4), LocalEntity(type="code", offset=11, length=1)]
    )
    assert text == "hi there"
    assert entities == (LocalEntity(type="bold", offset=0, length=2),)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 40), st.integers(1, 40))))
def test_trimmed_entities_stay_inside_the_text(text: str, spans: list[tuple[int, int]]) -> None:
    total = utf16_length(text)
    inside = [LocalEntity(type="bold", offset=at, length=length) for at, length in spans if at + length <= total]
    kept, moved = trim(text, inside)
    assert kept == text.strip()
    assert all(0 <= one.offset < one.end <= utf16_length(kept) for one in moved)
    assert list(moved) == list(sort_entities(moved))
