"""Rendered messages of a model's markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.text import FormattedText, is_blank, utf16_length
from shared.telegram.markdown.cutting import LONGEST_MESSAGE, MOST_ENTITIES
from shared.telegram.markdown.render import convert, label, render
from tests.shared.telegram.markdown.documents import documents
from tests.shared.telegram.markdown.samples import PROPERTY, broken_rules, entity_texts, nasty_markdown, seen


@PROPERTY
@given(nasty_markdown, st.sampled_from([1, 1, 200]))
def test_whatever_the_markdown_the_parts_can_be_sent(markdown: str, times: int) -> None:
    parts = render(markdown * times)
    for part in parts:
        part.text.encode()
        assert utf16_length(part.text) <= LONGEST_MESSAGE
        assert not is_blank(part.text)
        assert len(part.entities) <= MOST_ENTITIES
        assert all(text.strip() for _, text in entity_texts(part))
        assert broken_rules(part) == []
    assert seen(parts) == seen([convert(markdown * times)])
    assert render(markdown * times) == parts


@PROPERTY
@given(documents())
def test_every_word_of_a_document_is_seen_in_its_order(document: tuple[str, list[str]]) -> None:
    markdown, words = document
    shown = " ".join(part.text for part in render(markdown))
    assert [broken_rules(part) for part in render(markdown)] == [[] for _ in render(markdown)]
    places = [shown.index(word) for word in words]
    assert places == sorted(places)
    assert len(set(shown.split()).intersection(words)) == len(words), "words stand alone, not glued to their neighbours"


@PROPERTY
@given(st.lists(st.text(alphabet="aZ0 ,.!?;'\"éüßшы你😀@/%", max_size=60), max_size=6))
def test_text_without_markup_comes_out_as_it_is(lines: list[str]) -> None:
    text = "\n".join(f"x{line}" for line in lines)  # a line that begins with a number or much space is markup
    assert render(text) == ((FormattedText(text.rstrip()),) if text else ())


def test_nothing_is_no_message() -> None:
    assert render("") == ()
    assert render(" \n\t\u200b") == ()


def test_a_long_answer_keeps_its_code_in_one_piece() -> None:
    code = "\n".join(f"print({i})" for i in range(250))
    parts = render(f"{'Some words. ' * 200}\n\n```py\n{code}\n```\n\nThat is **all**.")
    assert [entity_texts(part) for part in parts] == [[], [("pre", code), ("bold", "all")]]


def test_one_letter_a_line() -> None:
    parts = render("x\n" * 5000)
    assert [len(part.text) for part in parts] == [4095, 4095, 1807]


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("**Yes**, please", "Yes, please"),
        ("`No` _thanks_", "No thanks"),
        ("<b>Ja</b>", "Ja"),
        ("[more](https://a.example)", "more"),
        ("**はい。**です", "はい。です"),
        ("~~old~~ new", "old new"),
        ("> 5 years", "> 5 years"),
        ("- no", "- no"),
        ("1. first", "1. first"),
        ("# 7", "# 7"),
        ("$5 or $x$", "$5 or x"),
        ("a\nb", "a b"),
        ("snake_case 2*3*4", "snake_case 2*3*4"),
        ("**", "**"),
        ("```", "```"),
        ("", ""),
    ],
)
def test_a_label_is_a_line_without_marks(markdown: str, words: str) -> None:
    assert label(markdown) == words
