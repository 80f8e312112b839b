"""`convert`: converts measures to other units: lengths, weights, temperatures, fuel, data, cooking.

Units are written as in pint (github.com/hgrecco/pint). Only names and small powers are passed to its parser, since the
parser also evaluates numbers in units: `9**9**9` would take too long.
"""

import asyncio
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from shared.base.errors import ToolFailed
from shared.tools.calculate import format_number
from shared.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from pint import UnitRegistry

#: the maximum characters of a number; and below, its largest power of ten
_LONGEST: Final = 40
_MOST_POWER: Final = 60
#: the maximum characters of a unit; the longest in use is `imperial fluid ounces per square foot`
LONGEST: Final = 40
#: people's spellings that pint does not know or reads differently: its C is the coulomb, its F the farad
_SPELLED: Final[Mapping[str, str]] = {
    "c": "degC", "°c": "degC", "º c": "degC", "ºc": "degC", "celsius": "degC", "centigrade": "degC",
    "degree celsius": "degC", "degrees celsius": "degC",
    "f": "degF", "°f": "degF", "ºf": "degF", "fahrenheit": "degF",
    "degree fahrenheit": "degF", "degrees fahrenheit": "degF", "k": "kelvin", "°k": "kelvin",
    "l/100km": "liter_per_100km", "l/100 km": "liter_per_100km", "liters/100km": "liter_per_100km",
    "litres/100km": "liter_per_100km", "liters per 100 km": "liter_per_100km", "litres per 100 km": "liter_per_100km",
    "mpg": "mile/gallon", "mpg us": "mile/gallon", "us mpg": "mile/gallon",
    "mpg uk": "mile/imperial_gallon", "uk mpg": "mile/imperial_gallon", "imperial mpg": "mile/imperial_gallon",
    "mpg imperial": "mile/imperial_gallon", "kmpl": "kilometer/liter", "kpl": "kilometer/liter",
    "kph": "kilometer/hour", "kmh": "kilometer/hour", "sqft": "square_foot", "sq ft": "square_foot",
    "sqm": "meter**2", "sq m": "meter**2", "sq km": "kilometer**2", "sq mi": "mile**2", "sq in": "inch**2",
    "fl oz": "fluid_ounce", "floz": "fluid_ounce", "fl. oz.": "fluid_ounce", "fluid ounces": "fluid_ounce",
    "us cup": "cup", "us gallon": "gallon", "us gal": "gallon", "gal": "gallon", "gals": "gallon",
    "uk gallon": "imperial_gallon", "imperial gallon": "imperial_gallon",
    "us pint": "pint", "uk pint": "imperial_pint", "imperial pint": "imperial_pint",
    "us quart": "quart", "uk fl oz": "imperial_fluid_ounce", "imperial fluid ounce": "imperial_fluid_ounce",
    "tbsp": "tablespoon", "tbs": "tablespoon", "tsp": "teaspoon", "metric cup": "metric_cup",
    "cc": "milliliter", "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte", "tb": "terabyte", "pb": "petabyte",
    "kib": "kibibyte", "mib": "mebibyte", "gib": "gibibyte", "tib": "tebibyte",
    "kbps": "kilobit/second", "mbps": "megabit/second", "gbps": "gigabit/second",
    "ps": "metric_horsepower", "metric hp": "metric_horsepower", "cal": "calorie", "kcal": "kilocalorie",
    "lb": "pound", "lbs": "pound", "st": "stone", "oz": "ounce", "t": "metric_ton", "tonnes": "metric_ton",
    "short ton": "short_ton", "us ton": "short_ton", "long ton": "long_ton", "uk ton": "long_ton",
    "'": "foot", '"': "inch", "ft": "foot", "in": "inch", "mi": "mile", "yd": "yard", "nmi": "nautical_mile",
    "nautical mile": "nautical_mile", "nautical miles": "nautical_mile", "knots": "knot", "kn": "knot", "kt": "knot",
    "light year": "light_year", "light years": "light_year", "min": "minute", "mins": "minute", "hr": "hour",
    "hrs": "hour", "h": "hour", "barrel": "oil_bbl", "barrels": "oil_bbl", "bbl": "oil_bbl", "troy ounce": "troy_ounce",
    "μg": "microgram", "mmhg": "mmHg", "gram": "gram", "g": "gram",
}  # fmt: skip
#: abbreviations of bits, which have a small b after the prefix: 8 Mb are 1 MB
_BITS: Final[Mapping[str, str]] = {"Kb": "kilobit", "Mb": "megabit", "Gb": "gigabit", "Tb": "terabit", "kb": "kilobit"}
#: the form of a unit: names joined by operators, with small powers as the only numbers. Patterns compile on first use
_WRITTEN: Final = r"[^\W\d]+(?:\^-?[1-4])?(?:(?:\*|/| per | )[^\W\d]+(?:\^-?[1-4])?){0,5}"
_POWER: Final = r"(?<=[^\W\d])\s?(?:\*\*|\^)?\s?(-?[1-4])(?!\d)"
#: notes on the meaning of unit names that are ambiguous
NOTES: Final[Mapping[str, str]] = {
    "gallon": "a US gallon of 3.785 l", "pint": "a US pint of 473 ml", "quart": "a US quart of 946 ml",
    "cup": "a US cup of 236.6 ml", "fluid_ounce": "a US fluid ounce of 29.57 ml",
    "tablespoon": "a US tablespoon of 14.79 ml", "teaspoon": "a US teaspoon of 4.93 ml",
    "ton": "a US ton of 2,000 pounds", "year": "a year of 365.25 days", "month": "a twelfth of such a year",
    "oil_bbl": "a barrel of oil of 159 l", "horsepower": "a mechanical horsepower of 745.7 W",
    "calorie": "a small calorie of 4.184 J",
}  # fmt: skip


@cache
def unit_registry() -> "UnitRegistry[Any]":
    """Return the registry of all units. Building it takes a few tenths of a second, once for each instance.

    The registry computes with fractions, so that exact values stay exact: an inch is 2.54 cm.
    """
    from pint import UnitRegistry

    units: UnitRegistry[Any] = UnitRegistry(non_int_type=Fraction)
    units.define("liter_per_100km = liter / (100 * kilometer)")
    return units


def find_unit(written: str) -> str:
    """Return a unit as pint writes it. Raises ToolFailed if the text cannot be the name of a unit."""
    text = " ".join(written.replace("²", "^2").replace("³", "^3").replace("·", "*").split())
    if not text or len(text) > LONGEST:
        raise ToolFailed("That is not a unit. Write it as people do: km, lb, °F, L/100km, m^2, mile/hour.")
    for spelled in (_BITS.get(text), _SPELLED.get(text.lower())):
        if spelled:
            return spelled
    powered = re.sub(_POWER, r"^\1", text)
    if not re.fullmatch(_WRITTEN, powered):
        raise ToolFailed("That is not a unit. Write it as people do: km, lb, °F, L/100km, m^2, mile/hour.")
    return powered


def convert_value(value: Fraction, have: str, want: str) -> Fraction:
    """Convert a value to a unit of the same dimension, or of the inverse one (L/100km to mpg). Raises ToolFailed."""
    import pint

    units = unit_registry()
    source, target = _unit(units, have), _unit(units, want)
    quantity = units.Quantity(value, source)
    try:
        if source.dimensionality == target.dimensionality:
            return Fraction(quantity.to(target).magnitude)
        if source.dimensionality == (1 / target).dimensionality and value:
            return Fraction((1 / quantity).to(target).magnitude)
    except (pint.PintError, ValueError, TypeError, ArithmeticError):
        raise ToolFailed("These two units cannot be converted into each other. Say so.") from None
    raise ToolFailed(_why_not(source, target))


def _unit(units: "UnitRegistry[Any]", name: str) -> Any:
    """Return the unit with this name; if there is none, the one with the name in lower case. Raises ToolFailed."""
    import pint

    for spelled in (name, name.lower()):
        try:
            return units.Unit(spelled)
        except (pint.PintError, ValueError, TypeError, AttributeError, AssertionError):
            continue
    raise ToolFailed("There is no such unit here. Try its English name: mile, ounce, fluid_ounce, hectare, kilopascal.")


def _why_not(source: Any, target: Any) -> str:
    if {one.is_compatible_with("gram") for one in (source, target)} == {True, False} and any(
        one.is_compatible_with("liter") for one in (source, target)
    ):
        return "One is a weight, the other a volume: that depends on what is weighed. Say so, or work with its density."
    return "The two units do not measure the same thing. Say so."


async def _convert(arguments: Mapping[str, object], _: ToolContext) -> str:
    value = _value(arguments.get("value"))
    have, want = (find_unit(_text(arguments, name)) for name in ("from", "to"))
    # in a thread, since the first call reads the definitions of all units, which takes up to a second
    found = format_number(await asyncio.to_thread(convert_value, value, have, want))
    words = re.findall(r"\w+", f"{have} {want}")
    notes = "; ".join(f"{name} is {note}" for name, note in NOTES.items() if name in words)
    return f"{format_number(value)} {have} = {found} {want}" + (f" ({notes})" if notes else "")


def _value(given: object) -> Fraction:
    text = str(given).strip().replace(",", "") if isinstance(given, str | int | float) else ""
    try:
        if len(text) > _LONGEST:
            raise ValueError
        number = Fraction(text) if "/" in text else Fraction(_check_range(Decimal(text)))
    except (ValueError, ArithmeticError):
        raise ToolFailed('Give the value as a plain number: {"value": 5, "from": "mile", "to": "km"}.') from None
    return number


def _check_range(number: Decimal) -> Decimal:
    """Return the number. Raises ValueError if it is too large or too small for any measure."""
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
        "Converts a measure into other units: length, weight, volume, temperature, speed, area, energy, pressure, "
        "data, fuel economy, cooking; no currencies. A result that begins with ≈ is rounded."
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
