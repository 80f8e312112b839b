"""Arithmetic is exact like fractions, has a result for any text, and is bounded."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import ToolFailed
from shared.tools.calculate import LONGEST_EXPRESSION, MOST_BITS, evaluate
from tests.shared.examples import PROPERTY
from tests.shared.tools.expressions import EXPRESSIONS, HOSTILE


@PROPERTY
@given(EXPRESSIONS)
def test_it_is_a_bounded_number_or_a_reason(expression: str) -> None:
    try:
        found = evaluate(expression)
    except ToolFailed:
        return
    assert isinstance(found, Fraction | float)
    if isinstance(found, Fraction):
        assert max(found.numerator.bit_length(), found.denominator.bit_length()) <= MOST_BITS
    else:
        assert abs(found) < float("inf")


@pytest.mark.parametrize("expression", HOSTILE)
def test_what_is_meant_to_break_it_does_not(expression: str) -> None:
    with suppress(ToolFailed):
        assert isinstance(evaluate(expression), Fraction | float)


@PROPERTY
@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_fractions_are_exact(a: Fraction, b: Fraction) -> None:
    assert evaluate(f"({a}) + ({b}) * ({a})") == a + b * a
    assert evaluate(f"({a}) - ({b})") == a - b
    if b:
        assert evaluate(f"({a}) / ({b})") == a / b
        assert evaluate(f"({a}) // ({b})") == a // b
        assert evaluate(f"({a}) % ({b})") == a % b


@PROPERTY
@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_a_number_is_what_is_written(number: object) -> None:
    assert evaluate(str(number)) == Fraction(str(number))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1+2*3", 7),
        ("2**3**2", 512),
        ("-2**2", -4),
        ("-7//2", -4),
        ("-7%3", 2),
        (" 1_000.5 ", Fraction(2001, 2)),
        ("5.", 5),
        (".5", Fraction(1, 2)),
        ("5.e3", 5000),
        ("1e-5", Fraction(1, 10**5)),
        ("0x10", 16),
        ("+".join(["1"] * 250), 250),
        ("max(1, 2,\n3)", 3),
    ],
)
def test_operators_bind_as_they_do_everywhere(expression: str, value: Fraction) -> None:
    assert evaluate(expression) == value


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        ("1/0", "divides by zero"),
        ("0**-1", "divides by zero"),
        ("9**9**9", "too large"),
        ("e**1000", "too large"),
        ("1e9999", "too large, or too small"),
        ("sqrt(-1)", "outside of what sqrt is defined for"),
        ("(-8)**0.3", "outside of what this is defined for"),
        ("2,340", "write 2340, not 2,340"),
        ("17% of 2340", "17% is 0.17"),
        ("x + 1", "There is no constant of that name; there are: pi, e, tau."),
        ("weight(3)", "There is no function of that name; there are: sqrt, "),
        ("sqrt(1, 2)", "sqrt takes 1, not 2"),
        ("round(1, 2, 3)", "round takes 1 or 2, not 3"),
        ("min()", "min takes at least 1, not 0"),
        ("'a'", "means nothing here"),
        ("pi.real", "not arithmetic"),
        ("sqrt", "no constant"),
        ("True", "not a number"),
        ("1" * (LONGEST_EXPRESSION + 1), "longer than 1000 characters"),
        ("-" * 300 + "1", "is nested too deeply"),
        ("", "not an expression"),
    ],
)
def test_the_model_is_told_what_is_wrong(expression: str, why: str) -> None:
    with pytest.raises(ToolFailed) as caught:
        evaluate(expression)
    assert why in str(caught.value)
