"""People's text is shown unchanged and without markup."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.wording.verbatim import quoted, verbatim, visible
from shared.telegram.markdown.render import render
from tests.shared.examples import PROPERTY

MARKED = st.text(st.sampled_from(string.punctuation + "a1 \n\u2028"), min_size=1, max_size=30)


@PROPERTY
@given(MARKED)
def test_no_name_becomes_markup(name: str) -> None:
    (shown,) = render(f"Name: {verbatim(name)}.")
    assert shown.text == f"Name: {' '.join(name.split())}."
    assert shown.entities == ()


def test_nothing_is_shown_that_turns_the_line_around_or_is_not_seen() -> None:
    assert verbatim("a\u202e*b*\u200b") == r"a\*b\*"
    assert visible("می\u200cخواهم\u2066\u2069") == "می\u200cخواهم"
    assert visible("🏴\U000e0067\U000e0062\U000e007f ❤\ufe0f") == "🏴\U000e0067\U000e0062\U000e007f ❤\ufe0f"
    assert visible("\u200d \u0301\u2800") == ""


@pytest.mark.parametrize(
    "words", ["[x](https://evil.example) @all #tag", "`a` ``b``", "**b** \\` c", "\u202egnp.exe", "a\nb"]
)
def test_quoted_words_are_shown_as_code_and_nothing_in_them_is_a_link(words: str) -> None:
    (shown,) = render(f"Ann: {quoted(words)}.")
    assert [one.type for one in shown.entities] == ["code"]
    assert "\n" not in shown.text
    assert not {"\u202e", "`"} & set(shown.text)


def test_of_long_words_the_beginning_is_quoted_and_of_none_nothing() -> None:
    assert quoted("x" * 1_000, 20) == f"`{'x' * 19}…`"
    assert quoted("\u200b ") == ""
