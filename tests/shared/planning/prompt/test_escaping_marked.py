"""Entities as markdown: offsets are in UTF-16, and odd entities do no harm."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import entities_from
from shared.planning.prompt.escaping import to_markdown
from shared.telegram.markdown.render import render
from tests.shared.examples import PROPERTY


def entity(kind: str, offset: int, length: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "offset": offset, "length": length, **more}


@pytest.mark.parametrize(
    ("text", "entities", "told"),
    [
        ("read this", [entity("text_link", 5, 4, url="https://a.b")], "read [this](https://a.b)"),
        ("🙂 x = 1", [entity("code", 3, 5)], "🙂 `x = 1`"),
        ("so:\nx\ny\nok", [entity("pre", 4, 3, language="py")], "so:\n```py\nx\ny\n```\nok"),
        ("so x", [entity("pre", 3, 1)], "so \n```\nx\n```"),
        ("one\ntwo\nmine", [entity("blockquote", 0, 7)], "> one\n> two\n\nmine"),
        ("mine\none", [entity("expandable_blockquote", 5, 3)], "mine\n> one"),
        ("a b", [entity("bold", 0, 3), entity("text_link", 0, 1, url="u:1")], "**[a](u:1) b**"),
        ("ab", [entity("bold", 0, 1), entity("code", 1, 1)], "**a**`b`"),
        ("10 5 EUR", [entity("strikethrough", 0, 2)], "~~10~~ 5 EUR"),
        ("the answer is 🙂", [entity("spoiler", 14, 2)], "the answer is ||🙂||"),
        ("@ann_a hi", [entity("mention", 0, 6), entity("underline", 7, 2)], "@ann_a hi"),
    ],
)
def test_entities_are_told_as_markdown(text: str, entities: list[dict[str, Any]], told: str) -> None:
    assert to_markdown(text, entities_from(entities)) == told


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"type": "bold"},
        entity("bold", -1, 2),
        entity("bold", 0, 0),
        entity("bold", 2, 9),
        {"type": 5, "offset": "0"},
    ],
)
def test_an_odd_entity_is_left_out(odd: dict[str, Any]) -> None:
    assert to_markdown("text", entities_from([odd, entity("code", 0, 4)])) == "`text`"


ENTITIES = st.builds(
    lambda kind, begin, length: entity(kind, begin, length, url="https://a.b"),
    st.sampled_from(["bold", "code", "pre", "text_link", "blockquote", "spoiler"]),
    st.integers(-1, 12),
    st.integers(-1, 12),
)


@PROPERTY
@given(st.text("ab🙂\n", max_size=10), st.lists(ENTITIES, max_size=4))
def test_no_word_is_lost(text: str, entities: list[dict[str, Any]]) -> None:
    left = iter(to_markdown(text, entities_from(entities)))
    assert all(c in left for c in text)


@pytest.mark.parametrize(
    "markdown", ["**so** it is `x`", "see [this](https://a.b/)", "```py\nx = 1\n```", "> so\n\nyes"]
)
def test_the_agents_own_words_come_back_as_it_wrote_them(markdown: str) -> None:
    (part,) = render(markdown)
    told = to_markdown(part.text, part.entities)
    assert render(told) == (part,)
