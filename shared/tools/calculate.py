"""`calculate`: arithmetic for people's questions, which models are bad at in their heads."""

from collections.abc import Mapping
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from typing import Final

from shared.errors import ToolFailed
from shared.tools.arithmetic.expressions import LONGEST_EXPRESSION, evaluate
from shared.tools.arithmetic.functions import CONSTANTS, FUNCTIONS, Number
from shared.tools.tool import Tool, ToolContext

#: digits of a decimal that is told exactly, and of one that is not: a double holds 15, and some go astray on the way
EXACT_DIGITS: Final = 40
ROUNDED_DIGITS: Final = 12
#: powers of ten beyond which a number is written as 1.5E+50
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
    return written(evaluate(expression))


def written(number: Number) -> str:
    """A number for the model to read: all its digits if they are few, else rounded, with ≈ before it."""
    if isinstance(number, float):
        return f"≈ {_plain(Context(prec=ROUNDED_DIGITS).create_decimal(repr(number)))}"
    if number.denominator == 1:
        return str(number.numerator)
    exact = Context(prec=EXACT_DIGITS, traps=[])
    quotient = exact.divide(Decimal(number.numerator), Decimal(number.denominator))
    return _plain(quotient) if not exact.flags[Inexact] else f"≈ {_plain(_rounded(number))}"


def _rounded(number: Fraction) -> Decimal:
    return Context(prec=ROUNDED_DIGITS, traps=[]).divide(Decimal(number.numerator), Decimal(number.denominator))


def _plain(number: Decimal) -> str:
    """Without an exponent where nobody needs one, and without zeros at the end."""
    short = number.normalize(Context(prec=EXACT_DIGITS)) if number else Decimal(0)  # and no -0
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
