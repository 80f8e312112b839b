"""`calculate`: exact arithmetic, at which models are bad.

An expression is parsed by Python's own parser and evaluated node by node; no code is run. Values are exact fractions
where possible, and doubles otherwise. Any input takes only milliseconds: the length and the nesting are limited, each
function limits its own work, and a number has at most about a thousand digits. Functions raise ValueError,
ArithmeticError or TooLarge for bad arguments.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from shared.base.errors import ToolFailed
from shared.tools.tool import Tool, ToolContext

#: a fraction is exact, a float is not
Number: TypeAlias = Fraction | float

#: the maximum bits of a numerator or denominator: some thousand digits, enough for factorial(450)
MOST_BITS: Final = 3_400
#: the largest arguments of factorial and comb, and of the places of round; larger ones would give too many bits anyway
_MOST_FACTORS: Final = 1_000
_MOST_CHOICES: Final = 10**9
_MOST_PLACES: Final = 1_000
#: the decimal places to which a sine is rounded: a double with a smaller value means 0
_SINE_PLACES: Final = 15
#: the maximum number of arguments of functions such as max
_ANY: Final = 500

CONSTANTS: Final[Mapping[str, float]] = MappingProxyType({"pi": math.pi, "e": math.e, "tau": math.tau})


class TooLarge(ValueError):
    """The number has too many digits."""


class MathFunction(NamedTuple):
    """A function, and the minimum and maximum number of its arguments."""

    run: Callable[..., Number]
    least: int = 1
    most: int = 1


def check_size(number: Number) -> Number:
    """Return the number. Raises TooLarge if it is too long or infinite, and ValueError if it is not a number."""
    if isinstance(number, float):
        if math.isinf(number):
            raise TooLarge
        if math.isnan(number):
            raise ValueError
    elif max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS:
        raise TooLarge
    return number


def power(base: Number, exponent: Number) -> Number:
    """Return the power. It is exact for a whole exponent, and for the exponent 1/2 if the root is a fraction."""
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
    """Return whether a power is small enough to be computed, by a lower bound of the number of its bits."""
    longest = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    return longest * abs(count) <= MOST_BITS


def _whole(number: Number, most: int = 2**MOST_BITS) -> int:
    """Return the number as an int. Raises ValueError if it is not whole, and TooLarge if it exceeds `most`."""
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
    return math.log(number.numerator) - math.log(number.denominator)  # so neither must fit into a double


def _log(number: Number, base: Number | None = None) -> Number:
    if base is None:
        return _ln(number)
    found = _ln(number) / _ln(base)
    if isinstance(number, float) or isinstance(base, float):
        return found
    whole = round(found)
    return Fraction(whole) if _is_writable(base, whole) and base**whole == number else found


def _round(number: Number, places: Number = Fraction(0)) -> Number:
    """Round to decimal places. Halves are rounded away from zero, as people do, not to the even neighbour."""
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


FUNCTIONS: Final[Mapping[str, MathFunction]] = MappingProxyType(
    {
        "sqrt": MathFunction(_sqrt),
        "cbrt": MathFunction(_cbrt),
        "exp": MathFunction(lambda number: math.exp(number)),
        "ln": MathFunction(_ln),
        "log": MathFunction(_log, most=2),
        "log10": MathFunction(lambda number: _log(number, Fraction(10))),
        "log2": MathFunction(lambda number: _log(number, Fraction(2))),
        "sin": MathFunction(_sine_like(math.sin)),
        "cos": MathFunction(_sine_like(math.cos)),
        "tan": MathFunction(_sine_like(math.tan)),
        "asin": MathFunction(lambda number: math.asin(number)),
        "acos": MathFunction(lambda number: math.acos(number)),
        "atan": MathFunction(lambda number: math.atan(number)),
        "radians": MathFunction(lambda number: math.radians(number)),
        "degrees": MathFunction(lambda number: math.degrees(number)),
        "abs": MathFunction(abs),
        "floor": MathFunction(lambda number: Fraction(math.floor(number))),
        "ceil": MathFunction(lambda number: Fraction(math.ceil(number))),
        "round": MathFunction(_round, most=2),
        "min": MathFunction(lambda *numbers: min(numbers), most=_ANY),
        "max": MathFunction(lambda *numbers: max(numbers), most=_ANY),
        "sum": MathFunction(_sum, most=_ANY),
        "mean": MathFunction(lambda *numbers: _sum(*numbers) / len(numbers), most=_ANY),
        "factorial": MathFunction(_factorial),
        "comb": MathFunction(_comb, least=2, most=2),
        "gcd": MathFunction(lambda *numbers: Fraction(math.gcd(*map(_whole, numbers))), most=_ANY),
        "lcm": MathFunction(lambda *numbers: Fraction(math.lcm(*map(_whole, numbers))), most=_ANY),
    }
)

LONGEST_EXPRESSION: Final = 1_000
#: the deepest nesting: a sum nests as deeply as it has terms, and Python's stack holds 1,000 levels
_DEEPEST: Final = 250
#: the largest exponent of a literal, so that a huge number is refused before it is written out
_MOST_EXPONENT: Final = MOST_BITS // 4

#: operators as people write them, and as Python writes them
_SPELLINGS: Final = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "\n": " ", "\t": " "})
_WRITABLE: Final = re.compile(r"[\w.+\-*/%(), ]*", re.ASCII)
_OPERATORS: Final[Mapping[type[ast.operator], Callable[[Number, Number], Number]]] = MappingProxyType(
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.FloorDiv: lambda a, b: _as_number(a // b),
        ast.Mod: operator.mod,
        ast.Pow: power,
    }
)
_SIGNS: Final[Mapping[type[ast.unaryop], Callable[[Number], Number]]] = MappingProxyType(
    {ast.UAdd: lambda a: a, ast.USub: lambda a: -a}
)

_FORM = "Write one expression of numbers, operators, functions and constants, such as 0.17 * 2340"
_COMMAS = "A comma stands only between the numbers of a function: write 2340, not 2,340"


def evaluate(expression: str) -> Number:
    """Evaluate an expression. A Fraction is exact; a float may be rounded. Raises ToolFailed with the reason."""
    if len(expression) > LONGEST_EXPRESSION:
        raise ToolFailed(f"The expression is longer than {LONGEST_EXPRESSION} characters. Work it out in parts.")
    text = expression.translate(_SPELLINGS).strip()
    if not _WRITABLE.fullmatch(text):
        raise ToolFailed(f"There is a sign in the expression that means nothing here. {_FORM}.")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # deep nesting causes the last two
        raise ToolFailed(f"This is not an expression. {_FORM}. A percentage is a factor: 17% is 0.17.") from None
    return _Evaluation(text).value(tree, _DEEPEST)


class _Evaluation:
    """The evaluation of one expression. Literals are read from `text`, since Python's parser would round them."""

    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, node: ast.expr, depth: int) -> Number:
        if depth == 0:
            raise ToolFailed("The expression is nested too deeply. Work it out in parts.")
        match node:
            case ast.Constant():
                return self._literal(node)
            case ast.Name(id=name):
                return _constant(name)
            case ast.UnaryOp(op=op, operand=inner) if type(op) in _SIGNS:
                return _SIGNS[type(op)](self.value(inner, depth - 1))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                numbers = self.value(left, depth - 1), self.value(right, depth - 1)
                with _translated_errors():
                    return check_size(_OPERATORS[type(op)](*numbers))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(name, [self.value(argument, depth - 1) for argument in arguments])
            case ast.Tuple():
                raise ToolFailed(f"{_COMMAS}.")
        raise ToolFailed(f"Something in the expression is not arithmetic. {_FORM}.")

    def _literal(self, node: ast.Constant) -> Number:
        """Return the number exactly as it is written, not as the float to which Python rounds it."""
        written = self._text[node.col_offset : node.end_col_offset]
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise ToolFailed(f"Something in the expression is not a number. {_FORM}.")
        if isinstance(node.value, int):
            with _translated_errors():
                return check_size(Fraction(node.value))
        exponent = written.lower().partition("e")[2].replace("_", "")
        if exponent and abs(int(exponent)) > _MOST_EXPONENT:
            raise ToolFailed("A number is too large, or too small.")
        with _translated_errors():
            return check_size(Fraction(written.rstrip(".").replace(".e", "e").replace(".E", "E")))

    def _call(self, name: str, numbers: list[Number]) -> Number:
        function = FUNCTIONS.get(name)
        if function is None:
            raise ToolFailed(f"There is no function of that name; there are: {', '.join(FUNCTIONS)}.")
        if not function.least <= len(numbers) <= function.most:
            raise ToolFailed(f"{name} takes {_count(function.least, function.most)}, not {len(numbers)}.")
        with _translated_errors(f" {name}"):
            return check_size(function.run(*numbers))


def _constant(name: str) -> Number:
    if name not in CONSTANTS:
        raise ToolFailed(f"There is no constant of that name; there are: {', '.join(CONSTANTS)}. Put numbers in.")
    return CONSTANTS[name]


def _as_number(number: int | float) -> Number:
    return Fraction(number) if isinstance(number, int) else number


def _count(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} or {most}" if most == least + 1 else f"at least {least}"


@contextmanager
def _translated_errors(where: str = "") -> Iterator[None]:
    """Turn arithmetic errors in the block into ToolFailed with a sentence for the model."""
    try:
        yield
    except ZeroDivisionError:
        raise ToolFailed("This divides by zero.") from None
    except (TooLarge, OverflowError):
        raise ToolFailed(f"A number gets too large: it has more than {MOST_BITS * 3 // 10} digits.") from None
    except ValueError:
        raise ToolFailed(f"A number is outside of what{where or ' this'} is defined for.") from None


#: the digits of an exact decimal; and below, of a rounded one: a double holds 15, some of which may be wrong
EXACT_DIGITS: Final = 40
ROUNDED_DIGITS: Final = 12
#: the powers of ten below and above which a number is written like 1.5E+50
_LEAST_POWER, _GREATEST_POWER = -12, EXACT_DIGITS

_DESCRIPTION: Final = f"""\
Works out an arithmetic expression, exactly where that is possible. Operators: + - * / // % ** and parentheses. \
Functions: {", ".join(FUNCTIONS)}. Constants: {", ".join(CONSTANTS)}. `%` is the remainder: write 17% of 2,340 as \
0.17 * 2340. No thousands separators, units or variables. Angles are in radians: sin(radians(30)). log(x) is the \
natural logarithm, log(x, 10) the one to base 10. round(x, 2) rounds halves away from zero. A result that begins \
with ≈ is rounded."""


async def _calculate(arguments: Mapping[str, object], _: ToolContext) -> str:
    expression = arguments.get("expression")
    if not isinstance(expression, str):
        raise ToolFailed('Give the expression as a text: {"expression": "0.17 * 2340"}.')
    return format_number(evaluate(expression))


def format_number(number: Number) -> str:
    """Return the number as text for the model: all its digits if there are few, else rounded, with ≈ before it."""
    if isinstance(number, float):
        return f"≈ {_plain(Context(prec=ROUNDED_DIGITS).create_decimal(repr(number)))}"
    if number.denominator == 1:
        return str(number.numerator)
    exact = Context(prec=EXACT_DIGITS, traps=[])
    quotient = exact.divide(Decimal(number.numerator), Decimal(number.denominator))
    return _plain(quotient) if not exact.flags[Inexact] else f"≈ {_plain(_approximate(number))}"


def _approximate(number: Fraction) -> Decimal:
    return Context(prec=ROUNDED_DIGITS, traps=[]).divide(Decimal(number.numerator), Decimal(number.denominator))


def _plain(number: Decimal) -> str:
    """Return a decimal as text, without trailing zeros, and without an exponent unless the number is extreme."""
    short = number.normalize(Context(prec=EXACT_DIGITS)) if number else Decimal(0)  # avoids the text -0
    return f"{short:f}" if _LEAST_POWER <= short.adjusted() <= _GREATEST_POWER else str(short)


TOOL: Final = Tool(
    name="calculate",
    description=_DESCRIPTION,
    parameters={
        "type": "object",
        "properties": {
            "expression": {
                "type": "string",
                "description": f"For example: round(1250 * 1.035 ** 10, 2). At most {LONGEST_EXPRESSION} characters.",
            }
        },
        "required": ["expression"],
        "additionalProperties": False,
    },
    run=_calculate,
    stays_in_chat=True,
)
