"""Formulas and sums of money are distinguished, and held text comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.telegram.markdown.held import hold, pieces, put_back, release, set_aside, tex_in
from shared.telegram.markdown.render import convert
from tests.shared.telegram.markdown.samples import PROPERTY, entity_texts


@PROPERTY
@given(st.text(alphabet="a*_😀你\n$\ufffd"), st.text(alphabet="b<>"))
def test_what_is_held_or_set_aside_comes_back(text: str, other: str) -> None:
    assert release(f"{other}{hold(text)}{set_aside(text)}") == f"{other}{text}{text}"
    assert put_back(set_aside(text)) == text
    assert list(pieces(hold(text) + other)) == [(text, True), (other, False)][not text : 1 + bool(other)]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("so $f(x)$ and $n!$ and $x_i$ hold", "so f(x) and n! and xᵢ hold"),
        ("so \\(E = mc^2\\), and \\(a\\).", "so E = mc², and a."),
        ("\\[\nx = 1\n\\]", "x = 1"),
        ("it is \\[a^2 + b^2 = c^2\\] here", "it is a² + b² = c² here"),
        ("$$\n\\sum_{i=1}^n i\n$$", "∑ᵢ₌₁ⁿ i"),
        ("\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}", "a = b\nc = d"),
        ("> \\[\n> a = b\n> \\]", "a = b"),
        ("1. \\(a_1\\)\n   \\[\n   a_2 = 3\n   \\]", "1. a₁\na₂ = 3"),
        ("$3x + 2 = 5$, $20 + 30 = 50$, $5$ and $50\\%$", "3x + 2 = 5, 20 + 30 = 50, 5 and 50%"),
        (
            "$(a, b)$, $[0, 1]$, $|x|$, $AB$, $\\{1, 2\\}$, $O(n \\log n)$",
            "(a, b), [0, 1], |x|, AB, {1, 2}, O(n log n)",
        ),
        ("已知$x>0$，求$\\sqrt{x}$。", "已知x>0，求√x。"),
        ("**$a_1$** and *$b$*", "a₁ and b"),
        ("$a*b*c$ and $x_1 y_1$", "a*b*c and x₁ y₁"),
        ("solve $2x + 3 = 7$ for $7, or $4n+1$", "solve 2x + 3 = 7 for $7, or 4n+1"),
        ("5 $\\mu$m, the $n$th of $k$s", "5 μm, the nth of ks"),
        ("so $\\ce{CH4 + 2O2 -> CO2 + 2H2O}$", "so CH₄ + 2O₂ → CO₂ + 2H₂O"),
        ("$$\\begin{pmatrix} 1 & 2 \\\\[2pt] 3 & 4 \\end{pmatrix}$$", "(1 2; 3 4)"),
        ("it is $ x = 5 $ or $ \\alpha $", "it is x = 5 or α"),
        ("$v = \\text{way} / \\text{time}$", "v = way / time"),
        ("$f''(x) = 2$, $y'' + y' = 0$ and $ E = mc^2 $", "f′′(x) = 2, y′′ + y′ = 0 and E = mc²"),
        ("$\\begin{pmatrix} a \\\\ b \\end{pmatrix}$ costs $5", "(a; b) costs $5"),
    ],
)
def test_formulas_are_written_in_unicode(markdown: str, text: str) -> None:
    assert convert(markdown).text == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "$20 + $30 = 50$",
            "$20_000",
            "US$5-$10",
            "$1,000 and $2,000",
            "from 5$ to 10$",
            "it costs $5 or 5$",
            "R$ 5, A$6",
        ),
        *(
            "$HOME/bin:$PATH",
            "$A=$B",
            "echo $USER@$HOST",
            "${a}-${b}",
            "$('a')+$('b')",
            "$x = $y + $z;",
            "kill $$ and $$",
            "5 000 $, 10$ US; 5 $ (6 $), 10 $ = 9 €, 20 $ = 18 €",
            "$5k + 3$ more than $10m",
            "$USER$s",
            "x='' y=$a'' $b",
        ),
        *(
            "$cheap$",
            "$5 (or $6)",
            "between $5–$7",
            "$5k-$10k",
            "5$-10$",
            "a \\[1\\]"[:2],
            "$",
            "$$",
            "$ 5 $",
            "$5 and a_b, then $6",
        ),
        *("`$x$` and $5", "https://a.example/$x$", "price: $7/month, $70/year", "≈$3.50 vs $4"),
    ],
)
def test_money_and_variables_are_no_formulas(text: str) -> None:
    assert convert(text).text.replace("`", "") == text.replace("`", "")


@pytest.mark.parametrize(
    "markdown", ["\\(see below\\)", "\\[1\\] and \\[x\\]", "Done\\! \\(a\\) \\(5\\)", "\\[text\\](https://a.example)"]
)
def test_escaped_brackets_are_no_formulas(markdown: str) -> None:
    assert convert(markdown).text.startswith(markdown.replace("\\", "").partition("](")[0])


def test_a_formula_that_cannot_be_written_is_code() -> None:
    shown = convert("so $\\someday{x}$ it is")
    assert (shown.text, entity_texts(shown)) == ("so \\someday{x} it is", [("code", "\\someday{x}")])


def test_the_marks_around_a_formula_are_not_of_it() -> None:
    assert [tex_in(one) for one in ("$x$", "$$ x $$", "\\(x\\)", "\\[\nx\n\\]")] == ["x"] * 4
    assert tex_in("\\begin{align}a\\end{align}") == "\\begin{align}a\\end{align}"
