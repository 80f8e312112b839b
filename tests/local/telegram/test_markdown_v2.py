import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from telegram.helpers import escape_markdown

from local.telegram.entities import utf16_length, utf16_slice
from local.telegram.errors import ApiError
from local.telegram.markdown_v2 import parse_markdown_v2


@pytest.mark.parametrize(
    ("written", "plain", "marked"),
    [
        ("*a* _b_ __c__ ~d~ ||e||", "a b c d e", ["bold a", "italic b", "underline c", "strikethrough d", "spoiler e"]),
        ("*a _b_*", "a b", ["bold a b", "italic b"]),
        (r"1\. *x\!*", "1. x!", ["bold x!"]),
        ("`a.b` and\n```\nc.d\n```", "a.b and\nc.d\n", ["code a.b", "pre c.d\n"]),
        ("[here](http://x.example/a\\)b)", "here", ["text_link here"]),
        ("[nowhere](x)", "nowhere", []),
        (">quoted\n>lines\nplain", "quoted\nlines\nplain", ["blockquote quoted\nlines"]),
        ("**>one\n>two||\nplain", "one\ntwo\nplain", ["expandable_blockquote one\ntwo"]),
        ("___a_ b__", "a b", ["underline a b", "italic a"]),
        ("😀*😀*", "😀😀", ["bold 😀"]),
    ],
)
def test_marks_become_entities(written: str, plain: str, marked: list[str]) -> None:
    text, entities = parse_markdown_v2(written)
    assert text == plain
    assert [f"{one.type} {utf16_slice(text, one.offset, one.length)}" for one in entities] == marked


def test_what_hangs_on_an_entity() -> None:
    _, (pre, mention, emoji, link) = parse_markdown_v2(
        "```python\nx```[y](tg://user?id=42)![🙂](tg://emoji?id=77)[z](http://x.example/a\\)b)"
    )
    assert pre.language == "python"
    assert mention.user_id == 42
    assert emoji.custom_emoji_id == "77"
    assert link.url == "http://x.example/a)b"


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("1. x", "Character '.' is reserved and must be escaped with the preceding '\\'"),
        ("a > b", "Character '>' is reserved"),
        ("é*x", "Can't find end of Bold entity at byte offset 2"),
        ("[x](http://y.example", "Can't find end of a URL at byte offset 3"),
        ("![x](http://y.example)", "Custom emoji URL must have an emoji identifier"),
    ],
)
def test_what_cannot_be_read_is_refused_in_telegrams_words(written: str, reason: str) -> None:
    with pytest.raises(ApiError) as refused:
        parse_markdown_v2(written)
    assert refused.value.description.startswith("Bad Request: can't parse entities: ")
    assert reason in refused.value.description


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_escaped_text_comes_back_as_it_was(text: str) -> None:
    assert parse_markdown_v2(escape_markdown(text, version=2)) == (text, ())


@given(st.text("*_~|`>[]()!\\ab.\n 😀", max_size=60))
@example("\n>")
@example(">")
def test_any_text_is_read_or_refused(written: str) -> None:
    try:
        text, entities = parse_markdown_v2(written)
    except ApiError:
        return
    assert all(0 <= one.offset < one.end <= utf16_length(text) for one in entities)
