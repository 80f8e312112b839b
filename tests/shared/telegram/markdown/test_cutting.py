"""Parts: whole words, whole entities, nothing lost."""

from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import Entity, EntityType, FormattedText, is_blank, utf16_length
from shared.telegram.markdown.cutting import LONGEST_MESSAGE, MOST_ENTITIES, cut
from tests.shared.telegram.markdown.samples import PROPERTY, entity_texts, formatted_texts, seen


def texts(whole: str, longest: int) -> list[str]:
    return [part.text for part in cut(FormattedText(whole), longest)]


def styled(before: str, kind: EntityType, inside: str, after: str) -> FormattedText:
    return FormattedText(before + inside + after, (Entity(kind, utf16_length(before), utf16_length(inside)),))


@PROPERTY
@given(formatted_texts(), st.integers(8, 60))
def test_parts_are_small_visible_and_together_the_whole(whole: FormattedText, longest: int) -> None:
    parts = cut(whole, longest, most_entities=10)
    for part in parts:
        assert utf16_length(part.text) <= longest
        assert len(part.entities) <= 10
        assert not is_blank(part.text)
        assert all(0 <= e.offset < e.end <= utf16_length(part.text) for e in part.entities)
        assert list(part.entities) == sorted(part.entities, key=lambda e: (e.offset, -e.length))
    assert seen(parts) == seen([whole])


@PROPERTY
@given(formatted_texts(), st.integers(8, 60))
def test_an_entity_that_one_message_can_hold_stays_whole(whole: FormattedText, longest: int) -> None:
    short = [(kind, text.strip()) for kind, text in entity_texts(whole) if utf16_length(text) <= longest]
    parts = cut(whole, longest)
    kept = [(kind, text.strip()) for part in parts for kind, text in entity_texts(part)]
    for entity in short:
        assert entity in kept or is_blank(entity[1])


@PROPERTY
@given(st.text(max_size=200), st.integers(2, 30))
def test_any_text_at_all_can_be_cut(text: str, longest: int) -> None:
    parts = texts(text, longest)
    assert all(utf16_length(part) <= longest for part in parts)
    assert seen([FormattedText(part) for part in parts]) == seen([FormattedText(text)])


def test_a_text_that_fits_stays_one_part_without_the_space_around_it() -> None:
    assert texts("\n a  b\n\nc \n", 20) == ["a  b\n\nc"]
    assert texts("x" * LONGEST_MESSAGE, LONGEST_MESSAGE) == ["x" * LONGEST_MESSAGE]


def test_nothing_to_see_is_no_part() -> None:
    assert texts("", 10) == []
    assert texts(" \n\t\u200b\u2800\u00a0", 10) == []
    assert texts("a\u2060 \u3164" + "\u3164" * 9, 3) == ["a\u2060"]


def test_a_paragraph_is_a_better_end_than_a_line_and_a_line_than_a_word() -> None:
    assert texts("aa bb cc d\n\nee\nff gg hh ii", 18) == ["aa bb cc d", "ee\nff gg hh ii"]
    assert texts("aa bb cc d\nee ff gg hh ii", 18) == ["aa bb cc d", "ee ff gg hh ii"]
    assert texts("aa bb cc d ee ff gg hh", 18) == ["aa bb cc d ee ff", "gg hh"]


def test_a_paragraph_that_ends_early_does_not_make_a_tiny_part() -> None:
    assert texts("a\n\nbb cc dd ee ff gg hh", 18) == ["a\n\nbb cc dd ee ff", "gg hh"]


def test_a_word_that_fits_the_next_part_is_not_broken() -> None:
    assert texts("a " + "b" * 18, 18) == ["a", "b" * 18]


def test_a_word_longer_than_a_message_is_broken_at_the_limit() -> None:
    assert [len(part) for part in texts("x" * 10_000, LONGEST_MESSAGE)] == [4096, 4096, 1808]


def test_emoji_count_two_and_are_never_broken() -> None:
    assert texts("😀" * 5, 5) == ["😀😀", "😀😀", "😀"]
    family = "👩‍👩‍👧‍👦"
    assert texts(family * 3, 2 * utf16_length(family) + 3) == [family * 2, family]
    assert texts("🇩🇪🇫🇷🇮🇹", 10) == ["🇩🇪🇫🇷", "🇮🇹"]
    assert texts("xe\u0301" * 3, 5) == ["xe\u0301x", "e\u0301xe\u0301"]


def test_a_cluster_longer_than_a_message_is_broken_all_the_same() -> None:
    assert texts("a" + "\u0301" * 8 + "b", 5) == ["a" + "\u0301" * 4, "\u0301" * 4 + "b"]


def test_scripts_without_spaces_are_cut_after_a_clause() -> None:
    assert texts("今日は晴れです。明日は雨かもしれません", 12) == ["今日は晴れです。", "明日は雨かもしれません"]


def test_a_space_that_does_not_break_does_not() -> None:
    assert texts("aaa bbb 10\u00a0km", 10) == ["aaa bbb", "10\u00a0km"]


def test_a_link_that_fits_the_next_part_goes_there_whole() -> None:
    parts = cut(styled("aaaa bbbb cc ", EntityType.TEXT_LINK, "one two three", " dd"), 20)
    assert [part.text for part in parts] == ["aaaa bbbb cc", "one two three dd"]
    assert entity_texts(parts[1]) == [("text_link", "one two three")]


def test_bold_longer_than_a_message_goes_on_in_the_next() -> None:
    parts = cut(styled("", EntityType.BOLD, "aaa bbb ccc ddd eee", ""), 12)
    assert [entity_texts(part) for part in parts] == [[("bold", "aaa bbb ccc")], [("bold", "ddd eee")]]


def test_a_long_quote_keeps_being_a_quote() -> None:
    parts = cut(styled("", EntityType.BLOCKQUOTE, "aaa\nbbb\nccc\nddd", "\nend"), 12)
    assert [(part.text, entity_texts(part)) for part in parts] == [
        ("aaa\nbbb\nccc", [("blockquote", "aaa\nbbb\nccc")]),
        ("ddd\nend", [("blockquote", "ddd")]),
    ]


def test_long_code_goes_on_as_code_of_its_language_at_a_line() -> None:
    code = "def f():\n    return 1\n\ndef g():\n    return 2\n\n\ndef h():\n    return 3"
    whole = FormattedText(code, (Entity(EntityType.PRE, 0, len(code), language="py"),))
    parts = cut(whole, 50)
    assert [part.text for part in parts] == [
        "def f():\n    return 1\n\ndef g():\n    return 2\n\n",
        "def h():\n    return 3",
    ]
    assert all(part.entities == (Entity(EntityType.PRE, 0, len(part.text), language="py"),) for part in parts)


def test_white_space_in_code_is_never_changed() -> None:
    code = "  a  =  1\n\n\tb\n    c   \n  d"
    for longest in range(10, 40):
        parts = cut(styled("", EntityType.PRE, code, ""), longest)
        assert "\n".join(part.text for part in parts) == code
    assert cut(styled("x\n\n", EntityType.PRE, "  y\n", "\n\n"), 40)[0].text == "x\n\n  y\n"


def test_code_that_fits_a_message_is_not_cut() -> None:
    parts = cut(styled("Look:\n\n", EntityType.PRE, "aaa\nbbb\nccc\nddd", "\n\nend"), 16)
    assert [part.text for part in parts] == ["Look:", "aaa\nbbb\nccc\nddd", "end"]


def test_a_line_of_code_longer_than_a_message_is_cut_between_words_that_keep_their_space() -> None:
    parts = cut(styled("", EntityType.PRE, "aaa, bbb,  ccc, ddd", ""), 12)
    assert [part.text for part in parts] == ["aaa, bbb,  ", "ccc, ddd"]


def test_a_message_has_at_most_a_hundred_entities() -> None:
    words = [Entity(EntityType.BOLD, 2 * i, 1) for i in range(250)]
    parts = cut(FormattedText("a " * 250, tuple(words)))
    assert [len(part.entities) for part in parts] == [MOST_ENTITIES, MOST_ENTITIES, 50]
    quote = Entity(EntityType.BLOCKQUOTE, 0, 499)
    assert [len(part.entities) for part in cut(FormattedText("a " * 250, (quote, *words)))] == [100, 100, 53]
