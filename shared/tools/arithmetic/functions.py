"""The functions and constants of arithmetic: exact where the result is a fraction, a double where it is not.

Each function bounds its own work, so nothing takes long, whatever the numbers are. They raise ValueError or
ArithmeticError for what they are not defined for, and TooLarge.
"""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

#: a fraction is exact
Number: TypeAlias = Fraction | float

#: bits of a numerator or denominator: some thousand digits, enough for factorial(450)
MOST_BITS: Final = 3_400
#: what a factorial may be of, how many may be chosen, and of how many: beyond it there are too many bits anyway
_MOST_FACTORS: Final = 1_000
_MOST_CHOICES: Final = 10**9
_MOST_PLACES: Final = 1_000
#: a sine of a double is no better than this: what is below it was meant to be 0
_SINE_PLACES: Final = 15
#: numbers that a function like max takes
_ANY: Final = 500

CONSTANTS: Final[Mapping[str, float]] = MappingProxyType({"pi": math.pi, "e": math.e, "tau": math.tau})


class TooLarge(ValueError):
    """A number that would have too many digits."""


class Function(NamedTuple):
    """A function and how many numbers it takes."""

    run: Callable[..., Number]
    least: int = 1
    most: int = 1


def bounded(number: Number) -> Number:
    """The number, if it is one and not too long. Raises TooLarge or ValueError."""
    if isinstance(number, float):
        if math.isinf(number):
            raise TooLarge
        if math.isnan(number):
            raise ValueError
    elif max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS:
        raise TooLarge
    return number


def power(base: Number, exponent: Number) -> Number:
    """The power: exact for a whole exponent, and for a half where the root is a fraction."""
    if isinstance(base, float) or isinstance(exponent, float):
        return math.pow(base, exponent)
    if exponent.denominator != 1:
        return _sqrt(base) if exponent == Fraction(1, 2) else math.pow(base, exponent)
    count = exponent.numerator
    if base in (-1, 0, 1):
        count = int(math.copysign(2 - count % 2, count)) if count else 0
    if not _is_writable(base, count):
        raise TooLarge
    return base**count


def _is_writable(base: Fraction, count: int) -> bool:
    """Whether a power is short enough to be worked out; the least number of bits that it may have says so."""
    longest = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    return longest * abs(count) <= MOST_BITS


def _whole(number: Number, most: int = 2**MOST_BITS) -> int:
    """The number as an int. Raises ValueError if it is none, and TooLarge."""
    if isinstance(number, float) or number.denominator != 1:
        raise ValueError
    if abs(number) > most:
        raise TooLarge
    return number.numerator


def _sqrt(number: Number) -> Number:
    if isinstance(number, float) or number < 0:
        return math.sqrt(number)
    root = Fraction(math.isqrt(number.numerator), math.isqrt(number.denominator))
    return root if root * root == number else math.sqrt(number)


def _cbrt(number: Number) -> Number:
    found = math.cbrt(number)
    root = Fraction(round(found))
    return root if not isinstance(number, float) and root**3 == number else found


def _ln(number: Number) -> float:
    if isinstance(number, float):
        return math.log(number)
    if abs(number - 1) < Fraction(1, 2):
        return math.log1p(number - 1)
    return math.log(number.numerator) - math.log(number.denominator)  # neither of which need fit a double


def _log(number: Number, base: Number | None = None) -> Number:
    if base is None:
        return _ln(number)
    found = _ln(number) / _ln(base)
    if isinstance(number, float) or isinstance(base, float):
        return found
    whole = round(found)
    return Fraction(whole) if _is_writable(base, whole) and base**whole == number else found


def _rounded(number: Number, places: Number = Fraction(0)) -> Number:
    """Halves go away from zero, as people learn it, and not to the even neighbour."""
    step = Fraction(10) ** -_whole(places, _MOST_PLACES)
    exact = Fraction(repr(number)) if isinstance(number, float) else number
    steps = math.floor(abs(exact) / step + Fraction(1, 2))
    found = (step if exact > 0 else -step) * steps
    return float(found) if isinstance(number, float) else found


def _sine_like(function: Callable[[float], float]) -> Callable[[Number], Number]:
    return lambda number: round(function(float(number)), _SINE_PLACES)


def _factorial(number: Number) -> Number:
    return Fraction(math.factorial(_whole(number, _MOST_FACTORS)))


def _comb(number: Number, chosen: Number) -> Number:
    all_of_them, some = _whole(number, _MOST_CHOICES), _whole(chosen, _MOST_CHOICES)
    if min(some, all_of_them - some) > _MOST_FACTORS:
        raise TooLarge
    return Fraction(math.comb(all_of_them, some))


def _sum(*numbers: Number) -> Number:
    return sum(numbers, start=Fraction(0))


FUNCTIONS: Final[Mapping[str, Function]] = MappingProxyType(
    {
        "sqrt": Function(_sqrt),
        "cbrt": Function(_cbrt),
        "exp": Function(lambda number: math.exp(number)),
        "ln": Function(_ln),
        "log": Function(_log, most=2),
        "log10": Function(lambda number: _log(number, Fraction(10))),
        "log2": Function(lambda number: _log(number, Fraction(2))),
        "sin": Function(_sine_like(math.sin)),
        "cos": Function(_sine_like(math.cos)),
        "tan": Function(_sine_like(math.tan)),
        "asin": Function(lambda number: math.asin(number)),
        "acos": Function(lambda number: math.acos(number)),
        "atan": Function(lambda number: math.atan(number)),
        "radians": Function(lambda number: math.radians(number)),
        "degrees": Function(lambda number: math.degrees(number)),
        "abs": Function(abs),
        "floor": Function(lambda number: Fraction(math.floor(number))),
        "ceil": Function(lambda number: Fraction(math.ceil(number))),
        "round": Function(_rounded, most=2),
        "min": Function(lambda *numbers: min(numbers), most=_ANY),
        "max": Function(lambda *numbers: max(numbers), most=_ANY),
        "sum": Function(_sum, most=_ANY),
        "mean": Function(lambda *numbers: _sum(*numbers) / len(numbers), most=_ANY),
        "factorial": Function(_factorial),
        "comb": Function(_comb, least=2, most=2),
        "gcd": Function(lambda *numbers: Fraction(math.gcd(*map(_whole, numbers))), most=_ANY),
        "lcm": Function(lambda *numbers: Fraction(math.lcm(*map(_whole, numbers))), most=_ANY),
    }
)
