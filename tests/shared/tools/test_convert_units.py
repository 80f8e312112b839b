"""Units: there and back is the same, exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import ToolFailed
from shared.tools.convert import NOTES, convert_value, find_unit, unit_registry
from tests.shared.examples import PROPERTY

ALIKE = (
    ("degC", "degF", "kelvin"),
    ("inch", "mile", "kilometer", "nautical_mile", "light_year"),
    ("cup", "tablespoon", "milliliter", "imperial_pint", "oil_bbl"),
    ("pound", "stone", "ounce", "troy_ounce", "metric_ton", "short_ton"),
    ("bit", "byte", "mebibyte", "terabyte"),
    ("mile/gallon", "liter_per_100km", "kilometer/liter", "mile/imperial_gallon"),
)
PAIRS = st.sampled_from(ALIKE).flatmap(lambda alike: st.tuples(st.sampled_from(alike), st.sampled_from(alike)))


@PROPERTY
@given(PAIRS, st.fractions(1, 10**9, max_denominator=1000))
def test_there_and_back_is_the_same(pair: tuple[str, str], value: object) -> None:
    have, want = pair
    assert convert_value(convert_value(value, have, want), want, have) == value  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", [*NOTES, *(unit for alike in ALIKE for unit in alike)])
def test_every_unit_that_is_named_here_is_one(unit: str) -> None:
    assert unit_registry().Unit(unit)


@pytest.mark.parametrize(
    ("written", "unit"),
    [("  km ", "km"), ("m2", "m^2"), ("m**2", "m^2"), ("ft²", "ft^2"), ("Celsius", "degC"), ("s^-1", "s^-1")],
)
def test_units_are_written_in_many_ways(written: str, unit: str) -> None:
    assert find_unit(written) == unit


@pytest.mark.parametrize("written", ["", "2 m", "m)", "m+m", "m^12", "a*b*c*d*e*f*g", "ы" * 41])
def test_what_is_no_unit_never_reaches_the_parser(written: str) -> None:
    with pytest.raises(ToolFailed, match="not a unit"):
        find_unit(written)
