"""The words of a rich message."""

from hypothesis import given
from hypothesis import strategies as st

from shared.telegram.text import PARTS, rich_text
from tests.shared.values import JSON_VALUES, PROPERTY

BOLD = {"type": "bold", "text": ["wor", {"type": "italic", "text": "ld"}]}
MESSAGE = {
    "blocks": [
        {"type": "heading", "text": "Plan", "size": 1},
        {"type": "paragraph", "text": ["Hello ", BOLD, "!"]},
        {"type": "divider"},
        {
            "type": "list",
            "items": [
                {"label": "1.", "blocks": [{"type": "paragraph", "text": "milk"}]},
                {"label": "2.", "blocks": []},
            ],
        },
        {"type": "table", "cells": [[{"text": "a"}, {"text": "b"}], [{"text": "c"}]], "caption": "sums"},
        {"type": "photo", "photo": [], "caption": {"text": "a cat", "credit": "Ann"}},
        {"type": "details", "summary": "more", "blocks": [{"type": "math", "expression": "x^2"}]},
    ],
}


def test_each_block_is_told_on_lines_of_its_own() -> None:
    assert rich_text(MESSAGE).split("\n") == [
        "Plan", "Hello world!", "1.", "milk", "2.", "a | b", "c", "sums", "a cat", "Ann", "more", "x^2",
    ]  # fmt: skip


def test_where_there_are_no_words_there_is_nothing() -> None:
    assert rich_text({"blocks": [{"type": "photo", "photo": []}]}) == rich_text(None) == ""


def test_however_deep_it_is_nested_it_ends() -> None:
    deep: object = "words"
    for _ in range(5_000):
        deep = {"text": deep}
    assert rich_text(deep) == ""


@PROPERTY
@given(st.dictionaries(st.sampled_from(PARTS), JSON_VALUES))
def test_whatever_comes_becomes_text(found: object) -> None:
    assert isinstance(rich_text(found), str)
