"""The functions: exact where the result is a fraction, right where it is not."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shared.tools.calculate import FUNCTIONS, MOST_BITS, Number, TooLarge, check_size, power
from tests.shared.examples import PROPERTY

SMALL = st.fractions(min_value=-50, max_value=50, max_denominator=50)


def run(name: str, *numbers: float | Fraction) -> Number:
    return FUNCTIONS[name].run(*(Fraction(n) if isinstance(n, int) else n for n in numbers))


@PROPERTY
@given(SMALL, st.integers(-8, 8))
def test_whole_powers_are_exact(base: Fraction, exponent: int) -> None:
    assume(base or exponent >= 0)
    assert power(base, Fraction(exponent)) == base**exponent


@pytest.mark.parametrize("base", [-1, 0, 1])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 10**300, 10**300 + 1])
def test_the_powers_that_never_grow_need_not_be_small(base: int, count: int) -> None:
    assert power(Fraction(base), Fraction(count)) == (base ** (count % 2) if count and base else 0**count)


def test_powers_that_would_be_too_long_are_not_begun() -> None:
    for base, count in ((2, 10**30), (Fraction(3, 2), 10**9), (10**1000, 10), (2, -(10**30))):
        with pytest.raises(TooLarge):
            power(Fraction(base), Fraction(count))


@PROPERTY
@given(st.fractions(min_value=0, max_value=10**9, max_denominator=10**6))
def test_roots_of_squares_and_cubes_are_exact(root: Fraction) -> None:
    assert run("sqrt", root * root) == root
    assert power(root * root, Fraction(1, 2)) == root
    assert run("cbrt", Fraction(root.numerator % 10**5) ** 3) == root.numerator % 10**5


@PROPERTY
@given(st.integers(2, 1000), st.integers(-30, 30))
def test_logarithms_of_powers_are_whole(base: int, exponent: int) -> None:
    assert run("log", Fraction(base) ** exponent, base) == exponent


@PROPERTY
@given(st.decimals(min_value=-(10**6), max_value=10**6, places=5), st.integers(0, 4))
def test_halves_are_rounded_away_from_zero(number: Decimal, places: int) -> None:
    exact = Fraction(number)
    found = run("round", exact, places)
    assert isinstance(found, Fraction)
    step = Fraction(1, 10**places)
    assert found % step == 0
    assert abs(found - exact) <= step / 2
    if abs(found - exact) == step / 2:
        assert abs(found) > abs(exact)


@pytest.mark.parametrize(
    ("name", "numbers", "value"),
    [
        ("exp", (1,), math.e),
        ("ln", (10,), math.log(10)),
        ("ln", (Fraction(10) ** 500,), 500 * math.log(10)),
        ("ln", (1 + Fraction(1, 10**20),), 1e-20),
        ("ln", (0.5,), math.log(0.5)),
        ("log", (8, 0.5), -3),
        ("log10", (1000,), 3),
        ("log2", (10,), math.log2(10)),
        ("cos", (math.pi / 2,), 0),
        ("tan", (1,), math.tan(1)),
        ("asin", (1,), math.pi / 2),
        ("acos", (1,), 0),
        ("atan", (1,), math.pi / 4),
        ("degrees", (math.pi,), 180),
        ("sin", (math.radians(30),), 0.5),
        ("radians", (180,), math.pi),
        ("abs", (Fraction(-1, 2),), 0.5),
        ("floor", (-0.5,), -1),
        ("ceil", (Fraction(1, 3),), 1),
        ("round", (-2.5,), -3),
        ("round", (1250, -2), 1300),
        ("min", (3, 1, 2), 1),
        ("max", (3, 0.5), 3),
        ("sum", (1, Fraction(1, 2)), 1.5),
        ("mean", (1, 2), 1.5),
        ("factorial", (20,), math.factorial(20)),
        ("comb", (49, 6), 13_983_816),
        ("comb", (3, 5), 0),
        ("gcd", (12, 18), 6),
        ("lcm", (4, 6, 10), 60),
        ("cbrt", (2,), math.cbrt(2)),
    ],
)
def test_each_function(name: str, numbers: tuple[float, ...], value: float) -> None:
    assert run(name, *numbers) == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "numbers", "kind"),
    [
        ("factorial", (0.5,), ValueError),
        ("factorial", (-1,), ValueError),
        ("factorial", (10**6,), TooLarge),
        ("comb", (10**9, 10**8), TooLarge),
        ("comb", (10**10, 2), TooLarge),
        ("round", (1, 10**6), TooLarge),
        ("gcd", (Fraction(1, 2),), ValueError),
        ("ln", (0,), ValueError),
        ("log", (2, 1), ZeroDivisionError),
        ("exp", (10**6,), OverflowError),
    ],
)
def test_what_they_are_not_defined_for(name: str, numbers: tuple[float, ...], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        run(name, *numbers)


def test_numbers_are_bounded() -> None:
    assert check_size(Fraction(2**MOST_BITS - 1)) == 2**MOST_BITS - 1
    for number in (Fraction(2**MOST_BITS), Fraction(1, 2**MOST_BITS), math.inf, -math.inf):
        with pytest.raises(TooLarge):
            check_size(number)
    with pytest.raises(ValueError, match=r"^$"):
        check_size(math.nan)
