"""Superscripts, subscripts and accents of formulas."""

import pytest

from shared.telegram.markdown.signs import cells, chemistry, in_brackets, in_style, subscript, superscript, with_accent


@pytest.mark.parametrize(
    ("text", "above", "below"),
    [("2", "²", "₂"), ("n+1", "ⁿ⁺¹", "ₙ₊₁"), ("Q", "^Q", "_Q"), ("a / b", "^(a/b)", "_(a/b)"), ("", "", "")],
)
def test_what_unicode_lacks_stands_behind_a_sign(text: str, above: str, below: str) -> None:
    assert (superscript(text), subscript(text)) == (above, below)


def test_an_accent_is_on_the_first_letter_and_a_line_over_all() -> None:
    assert with_accent("xy", "\u0302") == "x\u0302y"
    assert with_accent("y", "\u0302") == "ŷ"
    assert with_accent("ab", "\u0305") == "a\u0305b\u0305"
    assert with_accent("", "\u0302") == ""


def test_letters_have_styles_where_unicode_has_them() -> None:
    assert [in_style("R", "DOUBLE-STRUCK"), in_style("E", "BOLD"), in_style("L", "SCRIPT"), in_style("ж", "BOLD")] == [
        "ℝ",
        "𝐄",
        "ℒ",
        "ж",
    ]


def test_cells_of_inner_environments_are_theirs() -> None:
    assert cells("a & b \\\\ \\begin{x}c & d\\end{x} & e") == [["a ", " b "], [" \\begin{x}c & d\\end{x} ", " e"]]


def test_charges_stand_above_and_counts_below() -> None:
    assert chemistry("2H2O <=> SO4^{2-}") == "2H₂O ⇌ SO₄²⁻"


@pytest.mark.parametrize(("part", "shown"), [("2a", "2a"), ("f(x)", "f(x)"), ("a+b", "(a+b)"), ("(a+b)", "(a+b)")])
def test_a_part_of_a_fraction_is_in_brackets_where_it_would_be_read_otherwise(part: str, shown: str) -> None:
    assert in_brackets(part) == shown
