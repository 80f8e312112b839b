"""Arithmetic: the value of an expression, read with Python's own parser and worked out node by node. Nothing is run.

Whatever is written, it takes milliseconds: the expression is short, it nests little, and no number grows beyond some
thousand digits.
"""

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from shared.errors import ToolFailed
from shared.tools.arithmetic.functions import CONSTANTS, FUNCTIONS, MOST_BITS, Number, TooLarge, bounded, power

LONGEST_EXPRESSION: Final = 1_000
#: a sum nests as deep as it has terms; Python's own stack holds 1,000
_DEEPEST: Final = 250
#: what a number with an exponent may have, so that it is not written out before it is known to be too long
_MOST_EXPONENT: Final = MOST_BITS // 4

#: how people write operators, and Python
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
    """The value: a fraction where it is exact. Raises ToolFailed, with what is wrong in a sentence for the model."""
    if len(expression) > LONGEST_EXPRESSION:
        raise ToolFailed(f"The expression is longer than {LONGEST_EXPRESSION} characters. Work it out in parts.")
    text = expression.translate(_SPELLINGS).strip()
    if not _WRITABLE.fullmatch(text):
        raise ToolFailed(f"There is a sign in the expression that means nothing here. {_FORM}.")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the last two of a parser that nests too deep
        raise ToolFailed(f"This is not an expression. {_FORM}. A percentage is a factor: 17% is 0.17.") from None
    return _Reading(text).value(tree, _DEEPEST)


class _Reading:
    """One expression being worked out; the text is needed for what Python's parser would round."""

    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, node: ast.expr, depth: int) -> Number:
        if depth == 0:
            raise ToolFailed("The expression nests too deep. Work it out in parts.")
        match node:
            case ast.Constant():
                return self._literal(node)
            case ast.Name(id=name):
                return _constant(name)
            case ast.UnaryOp(op=op, operand=inner) if type(op) in _SIGNS:
                return _SIGNS[type(op)](self.value(inner, depth - 1))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                numbers = self.value(left, depth - 1), self.value(right, depth - 1)
                with _told():
                    return bounded(_OPERATORS[type(op)](*numbers))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._called(name, [self.value(argument, depth - 1) for argument in arguments])
            case ast.Tuple():
                raise ToolFailed(f"{_COMMAS}.")
        raise ToolFailed(f"Something in the expression is no arithmetic. {_FORM}.")

    def _literal(self, node: ast.Constant) -> Number:
        """The number exactly as it is written; a float of Python's would be a little off."""
        written = self._text[node.col_offset : node.end_col_offset]
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise ToolFailed(f"Something in the expression is no number. {_FORM}.")
        if isinstance(node.value, int):
            with _told():
                return bounded(Fraction(node.value))
        exponent = written.lower().partition("e")[2].replace("_", "")
        if exponent and abs(int(exponent)) > _MOST_EXPONENT:
            raise ToolFailed("A number is too large, or too small.")
        with _told():
            return bounded(Fraction(written.rstrip(".").replace(".e", "e").replace(".E", "E")))

    def _called(self, name: str, numbers: list[Number]) -> Number:
        function = FUNCTIONS.get(name)
        if function is None:
            raise ToolFailed(f"There is no function of that name; there are: {', '.join(FUNCTIONS)}.")
        if not function.least <= len(numbers) <= function.most:
            raise ToolFailed(f"{name} takes {_count(function.least, function.most)}, not {len(numbers)}.")
        with _told(f" {name}"):
            return bounded(function.run(*numbers))


def _constant(name: str) -> Number:
    if name not in CONSTANTS:
        raise ToolFailed(f"There is no constant of that name; there are: {', '.join(CONSTANTS)}. Put numbers in.")
    return CONSTANTS[name]


def _as_number(number: int | float) -> Number:
    return Fraction(number) if isinstance(number, int) else number


def _count(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} or {most}" if most == least + 1 else f"at least {least}"


@contextmanager
def _told(where: str = "") -> Iterator[None]:
    """What is wrong with a number, in a sentence."""
    try:
        yield
    except ZeroDivisionError:
        raise ToolFailed("This divides by zero.") from None
    except (TooLarge, OverflowError):
        raise ToolFailed(f"A number gets too large: it has more than {MOST_BITS * 3 // 10} digits.") from None
    except ValueError:
        raise ToolFailed(f"A number is outside of what{where or ' this'} is defined for.") from None
