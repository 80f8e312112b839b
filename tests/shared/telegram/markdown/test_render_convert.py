"""Markdown as text, and text that stays as written."""

import pytest

from shared.base.text import Entity, EntityType, FormattedText
from shared.telegram.markdown.render import convert


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "two\nlines",
        "far\n\n\n\napart",
        "  indented\n   like a poem",
        "snake_case_word and 2 * 3 * 4 and 2*3*4, a*b*c",
        "#hashtag @some_user_name /a_command",
        "it costs $5 or 5$, about ~5~ (5-6)",
        "$HOME/$PATH and $A:$B",
        "https://x.com/_foo_ https://a.b/c_d_e*f*g",
        "__init__.py has if __name__ == main",
        "if (a || b || c) { x = List<String>(); } <!-- no -->",
        "wrap it in <div> and </div>",
        "3. three\n7. seven",
        "2024) a year",
        "[Note]: important\n\n[1]: https://a.b/c",
        "C:\\path\\new 5 < 6 > 4 & so on",
        "שלום (עולם) 👩‍👩‍👧‍👦",
        "#",
        "```",
    ],
)
def test_what_is_not_meant_as_markup_is_left_as_it_is(text: str) -> None:
    assert convert(text) == FormattedText(text)


def test_entities_come_in_order_the_outer_one_first() -> None:
    assert convert("*a **b** `c`*").entities == (
        Entity(EntityType.ITALIC, 0, 4),
        Entity(EntityType.BOLD, 2, 1),
        Entity(EntityType.CODE, 4, 1),
    )


def test_offsets_are_in_utf16_units() -> None:
    assert convert("😀 **👍🏽**").entities == (Entity(EntityType.BOLD, 3, 4),)


def test_half_a_surrogate_pair_is_replaced_and_a_whole_one_joined() -> None:
    assert convert("a\ud83d b \ud83d\ude00").text == "a\ufffd b 😀"


def test_one_kind_of_line_end() -> None:
    assert convert("a\r\nb\rc").text == "a\nb\nc"
