import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.telegram.entities import utf16_length, utf16_slice
from local.telegram.typed_markdown import read_typed


@pytest.mark.parametrize(
    ("typed", "plain", "marked"),
    [
        ("so **bold** it is", "so bold it is", [("bold", "bold")]),
        ("__a__ ~~b~~ ||c||", "a b c", [("italic", "a"), ("strikethrough", "b"), ("spoiler", "c")]),
        ("**a __b__ c**", "a b c", [("bold", "a b c"), ("italic", "b")]),
        ("`**no**`", "**no**", [("code", "**no**")]),
        ("```python\nx = 1\n```", "x = 1\n", [("pre", "x = 1\n")]),
        ("😀 **x**", "😀 x", [("bold", "x")]),
        ("2 ** 3 ** 4 and snake_case__name", "2 ** 3 ** 4 and snake_case__name", []),
    ],
)
def test_marks_become_entities(typed: str, plain: str, marked: list[tuple[str, str]]) -> None:
    text, entities = read_typed(typed)
    assert text == plain
    assert [(one.type, utf16_slice(text, one.offset, one.length)) for one in entities] == marked


def test_a_code_block_keeps_its_language() -> None:
    _, (block,) = read_typed("```python\nx```")
    assert block.language == "python"


@given(st.text("*_~|`ab \n😀", max_size=60))
def test_anything_can_be_typed(typed: str) -> None:
    text, entities = read_typed(typed)
    assert all(0 <= one.offset < one.end <= utf16_length(text) for one in entities)
