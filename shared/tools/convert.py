"""`convert`: a measure in other units: lengths, weights, temperatures, fuel, data, kitchens."""

import asyncio
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Final

from shared.errors import ToolFailed
from shared.tools.tool import Tool, ToolContext

#: characters of a number, and the greatest power of ten: what is larger is no measure
_LONGEST: Final = 40
_MOST_POWER: Final = 60


async def _convert(arguments: Mapping[str, object], _: ToolContext) -> str:
    from shared.tools.calculate import written
    from shared.tools.measures.units import NOTES, converted, unit_called

    value = _value(arguments.get("value"))
    have, want = (unit_called(_text(arguments, name)) for name in ("from", "to"))
    # in a thread: the first one reads the definitions of all units, for a second where processors are small
    found = written(await asyncio.to_thread(converted, value, have, want))
    words = re.findall(r"\w+", f"{have} {want}")
    notes = "; ".join(f"{name} is {note}" for name, note in NOTES.items() if name in words)
    return f"{written(value)} {have} = {found} {want}" + (f" ({notes})" if notes else "")


def _value(given: object) -> Fraction:
    text = str(given).strip().replace(",", "") if isinstance(given, str | int | float) else ""
    try:
        if len(text) > _LONGEST:
            raise ValueError
        number = Fraction(text) if "/" in text else Fraction(_bounded(Decimal(text)))
    except (ValueError, ArithmeticError):
        raise ToolFailed('Give the value as a plain number: {"value": 5, "from": "mile", "to": "km"}.') from None
    return number


def _bounded(number: Decimal) -> Decimal:
    """Raises ValueError for what is no number that anybody measures."""
    if not number.is_finite() or abs(number.adjusted()) > _MOST_POWER:
        raise ValueError
    return number


def _text(arguments: Mapping[str, object], name: str) -> str:
    text = arguments.get(name)
    if not isinstance(text, str):
        raise ToolFailed("Give both units as texts, such as km, lb, °F, cup, L/100km.")
    return text


TOOL: Final = Tool(
    name="convert",
    description=(
        "A measure in other units: length, weight, volume, temperature, speed, area, energy, pressure, data, fuel "
        "economy, cooking. Not currencies. A result that begins with ≈ is rounded."
    ),
    parameters={
        "type": "object",
        "properties": {
            "value": {"type": "number"},
            "from": {"type": "string", "description": "A unit: km, lb, °F, cup, MB, L/100km, m^2."},
            "to": {"type": "string", "description": "Another one for the same thing."},
        },
        "required": ["value", "from", "to"],
        "additionalProperties": False,
    },
    run=_convert,
    stays_in_chat=True,
)
