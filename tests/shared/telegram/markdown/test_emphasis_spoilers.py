"""Spoilers between bars, and bars that hide nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import EntityType, utf16_length
from shared.telegram.markdown.render import convert, render
from tests.shared.telegram.markdown.samples import PROPERTY


def hidden(markdown: str) -> list[str]:
    shown = convert(markdown)
    units = shown.text.encode("utf-16-le")
    return [units[2 * e.offset : 2 * e.end].decode("utf-16-le") for e in shown.entities if e.type is EntityType.SPOILER]


@pytest.mark.parametrize(
    ("markdown", "text", "spoilers"),
    [
        ("It was ||the gardener||.", "It was the gardener.", ["the gardener"]),
        ("||a|| and ||b||", "a and b", ["a", "b"]),
        ("||two\nlines||", "two\nlines", ["two\nlines"]),
        ("||with **bold** and `code`||", "with bold and code", ["with bold and code"]),
        ("**||both||**", "both", ["both"]),
        ("- ||one||\n- two", "• one\n• two", ["one"]),
        ("> ||said||", "said", ["said"]),
        ("# ||Title||", "Title", ["Title"]),
        ("犯人は||庭師||です", "犯人は庭師です", ["庭師"]),
        ("the ||😀 end||!", "the 😀 end!", ["😀 end"]),
        ("||x||\n\n||y||", "x\n\ny", ["x", "y"]),
        ("word||hidden||", "wordhidden", ["hidden"]),
        ("[||shown||](https://a.b)", "shown", ["shown"]),
    ],
)
def test_what_stands_between_bars_is_hidden(markdown: str, text: str, spoilers: list[str]) -> None:
    assert convert(markdown).text == text
    assert hidden(markdown) == spoilers


@pytest.mark.parametrize(
    "markdown",
    [
        *("if (a || b || c)", "x||y", "x||y||z", "a||b, c||d", "(x||y) and (z||w)", "make || exit 1", "||", "||||"),
        *("|| a ||", "||a ||", "|||a|||", "`||a||`", "||open", "open||", "||a\n\nb||", "a || b||"),
        *("```\n||a||\n```", "if (!a||!b) return", "test -f x||touch x"),
    ],
)
def test_other_bars_stay(markdown: str) -> None:
    assert hidden(markdown) == []
    assert convert(markdown).text.count("|") == markdown.count("|")


def test_escaped_bars_stay() -> None:
    assert convert("\\||a||").text == "||a||"
    assert hidden("**a ||b** c||") == []


def test_bars_of_tables_are_cells() -> None:
    assert convert("|a||b|\n|-|-|-|\n|x||y|").text.splitlines()[0] == "a |  | b"


@PROPERTY
@given(st.lists(st.sampled_from(["||", "|", "a", " ", "\n", "**", "`", "😀", "\\", "- ", "> ", "["]), max_size=14))
def test_any_bars_make_valid_entities(pieces: list[str]) -> None:
    for part in render("".join(pieces)):
        for entity in part.entities:
            assert 0 <= entity.offset < entity.end <= utf16_length(part.text)
        spans = [(e.offset, e.end) for e in part.entities]
        assert not any(a < c < b < d for a, b in spans for c, d in spans), "entities are nested or apart"
