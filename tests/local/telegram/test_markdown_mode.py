import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.telegram.entities import utf16_length, utf16_slice
from local.telegram.errors import ApiError
from local.telegram.markdown_mode import parse_markdown


@pytest.mark.parametrize(
    ("written", "plain", "marked"),
    [
        ("*a* _b_ `c`", "a b c", ["bold a", "italic b", "code c"]),
        ("```\nx\n```", "x\n", ["pre x\n"]),
        ("[x](http://y.example) [z]", "x z", ["text_link x"]),
        (r"\*a\* 1. b!", "*a* 1. b!", []),
        ("*a _b*", "a _b", ["bold a _b"]),
    ],
)
def test_marks_become_entities(written: str, plain: str, marked: list[str]) -> None:
    text, entities = parse_markdown(written)
    assert text == plain
    assert [f"{one.type} {utf16_slice(text, one.offset, one.length)}" for one in entities] == marked


def test_what_hangs_on_an_entity() -> None:
    _, (block, mention) = parse_markdown("```python\nx```[y](tg://user?id=42)")
    assert block.language == "python"
    assert mention.user_id == 42


def test_a_mark_without_an_end_is_refused() -> None:
    with pytest.raises(ApiError) as refused:
        parse_markdown("é*x")
    reason = "can't parse entities: Can't find end of the entity starting at byte offset 2"
    assert refused.value.description == f"Bad Request: {reason}"


@given(st.text("*_`[]()\\ab \n😀", max_size=60))
def test_any_text_is_read_or_refused(written: str) -> None:
    try:
        text, entities = parse_markdown(written)
    except ApiError:
        return
    assert all(0 <= one.offset < one.end <= utf16_length(text) for one in entities)
