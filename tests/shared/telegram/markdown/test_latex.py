"""Formulas as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.telegram.markdown.latex import formula_text
from tests.shared.telegram.markdown.samples import PROPERTY


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        ("x^2", "x²"),
        ("\\frac{1}{2}", "½"),
        ("a \\in \\mathbb{R}", "a ∈ ℝ"),
        ("E = mc^2", "E = mc²"),
        ("n", "n"),
        ("n!", "n!"),
        ("f'(x) = 2x", "f′(x) = 2x"),
        ("90^\\circ", "90°"),
        ("10^{-3}", "10⁻³"),
        ("e^{i\\pi} + 1 = 0", "e^(iπ) + 1 = 0"),
        ("x_{n+1}, y_{i,j}", "xₙ₊₁, y_(i,j)"),
        ("2\\pi r", "2πr"),
        ("3 \\times 4 \\le 5 \\neq 6", "3 × 4 ≤ 5 ≠ 6"),
        ("\\sin\\theta, \\log_2 8", "sin θ, log₂ 8"),
        ("\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}", "(-b ± √(b²-4ac))/2a"),
        ("\\frac{4}{3}\\pi r^3", "(4/3)πr³"),
        ("\\sqrt{x}, \\sqrt[3]{8}", "√x, ∛8"),
        ("\\sum_{i=1}^{n} i", "∑ᵢ₌₁ⁿ i"),
        ("\\lim_{x \\to 0} \\frac{\\sin x}{x}", "lim_(x→0) (sin x)/x"),
        ("\\left( \\frac{a}{b} \\right)^2", "(a/b)²"),
        ("\\vec{v} \\cdot \\hat{y}", "v⃗ · ŷ"),
        ("\\overrightarrow{AB} = \\frac{\\cancel{3}x}{\\cancel{3}}", "A\u20d7B\u20d7 = 3\u0336x/3\u0336"),
        ("\\text{speed in km} = 5", "speed in km = 5"),
        ("\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}", "(a b; c d)"),
        ("\\begin{cases} x & x > 0 \\\\ -x & \\text{else} \\end{cases}", "{ x, x > 0; -x, else"),
        ("\\begin{align*} a &= b \\\\ &= c \\end{align*}", "a = b\n= c"),
        ("\\ce{2H2 + O2 -> 2H2O}", "2H₂ + O₂ → 2H₂O"),
        ("a \\equiv b \\pmod{n}", "a ≡ b (mod n)"),
        ("50\\% \\, of \\$5", "50% of $5"),
        ("\\{1, 2\\}", "{1, 2}"),
    ],
)
def test_formulas_are_written_in_unicode(tex: str, text: str) -> None:
    assert formula_text(tex) == text


TOO_DEEP = "\\sqrt{" * 70 + "}" * 70


@pytest.mark.parametrize(
    "tex",
    [
        *("\\frac{" * 2000, "\\sqrt" * 2000, TOO_DEEP, "\\someday{x}", "{n \\choose k}", "a}", "{a", "a\\"),
        *("\\begin{align} a", "\\begin{x}\\begin{x}\\end{x}"),
    ],
)
def test_what_cannot_be_written_is_none(tex: str) -> None:
    assert formula_text(tex) == ""


@PROPERTY
@given(
    st.lists(
        st.sampled_from(["\\frac", "\\sqrt", "{", "}", "^", "_", "x", "2", " ", "\\\\", "&", "\\left", "[", "]", "ё"])
    )
)
def test_letters_of_any_formula_are_kept(pieces: list[str]) -> None:
    assert formula_text("".join(pieces)).count("ё") in (0, pieces.count("ё"))
