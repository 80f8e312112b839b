"""`convert`: measures as people write them, exact where possible, and an immediate answer to anything else."""

from contextlib import suppress

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.base.errors import ToolFailed
from shared.tools.convert import TOOL
from tests.shared.examples import JSON_VALUES, PROPERTY
from tests.shared.tools.toolboxes import CONTEXT


@pytest.mark.parametrize(
    ("value", "have", "want", "answer"),
    [
        (20, "°C", "°F", "20 degC = 68 degF"),
        (98.6, "F", "celsius", "98.6 degF = 37 degC"),
        (300, "K", "C", "300 kelvin = 26.85 degC"),
        (1, "inch", "cm", "1 inch = 2.54 cm"),
        (5, "miles", "km", "5 miles = 8.04672 km"),
        ("1,000", "KM", "miles", "1000 KM = ≈ 621.371192237 miles"),
        (30, "mpg", "L/100km", "30 mile/gallon = ≈ 7.84048611111 liter_per_100km (gallon is a US gallon of 3.785 l)"),
        (6.5, "l/100 km", "mpg uk", "6.5 liter_per_100km = ≈ 43.4586055895 mile/imperial_gallon"),
        (1, "GB", "MiB", "1 gigabyte = 953.67431640625 mebibyte"),
        (8, "Mb", "MB", "8 megabit = 1 megabyte"),
        ("1/2", "cup", "ml", "0.5 cup = 118.29411825 ml (cup is a US cup of 236.6 ml)"),
        (10, "m²", "sq ft", "10 m^2 = ≈ 107.639104167 square_foot"),
        (60, "mph", "km/h", "60 mph = 96.56064 km/h"),
        (9, "m per s", "km/h", "9 m per s = 32.4 km/h"),
        (500, "kcal", "kJ", "500 kilocalorie = 2092 kJ"),
    ],
)
async def test_what_people_ask(value: object, have: str, want: str, answer: str) -> None:
    assert await TOOL.run({"value": value, "from": have, "to": want}, CONTEXT) == answer


@pytest.mark.parametrize(
    ("value", "have", "want", "why"),
    [
        (1, "cup", "g", "depends on what is weighed"),
        (1, "m", "kg", "do not measure the same"),
        (0, "mpg", "L/100km", "do not measure the same"),
        (1, "9**9**9**9", "m", "not a unit"),
        (1, "m" * 41, "m", "not a unit"),
        (1, "m^99", "m", "not a unit"),
        (1, "__import__('os')", "m", "not a unit"),
        (1, "smoot!", "m", "not a unit"),
        (1, "blorg", "m", "no such unit"),
        ("nan", "m", "km", "plain number"),
        ("1e99", "m", "km", "plain number"),
        ("1/0", "m", "km", "plain number"),
        (True, "m", "km", "plain number"),
        (None, "m", "km", "plain number"),
        (1, None, "km", "both units"),
    ],
)
async def test_what_cannot_be_converted_is_told(value: object, have: object, want: object, why: str) -> None:
    with pytest.raises(ToolFailed, match=why):
        await TOOL.run({"value": value, "from": have, "to": want}, CONTEXT)


def test_it_is_declared_in_few_words() -> None:
    jsonschema.Draft202012Validator.check_schema(dict(TOOL.parameters))
    assert TOOL.declaration.characters < 700
    assert (TOOL.stays_in_chat, TOOL.reads_outside) == (True, False)


@PROPERTY
@given(st.dictionaries(st.sampled_from(["value", "from", "to"]), JSON_VALUES))
async def test_anything_is_an_answer_or_a_sentence(arguments: dict[str, object]) -> None:
    with suppress(ToolFailed):
        assert await TOOL.run(arguments, CONTEXT)


@PROPERTY
@given(st.text("mkglbftinchou°C*/^² per0123456789-()", max_size=30))
async def test_any_unit_is_an_answer_or_a_sentence(unit: str) -> None:
    with suppress(ToolFailed):
        assert await TOOL.run({"value": 2, "from": unit, "to": unit}, CONTEXT)
