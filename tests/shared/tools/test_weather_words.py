"""A forecast in words leaves out unknown values."""

import json
from typing import Any

import pytest

from shared.tools._open_meteo import parse_forecast
from shared.tools.weather import Units, weather_report
from tests.shared.tools.test_open_meteo_forecast import LEAST


def of(**parts: Any) -> str:
    return weather_report(parse_forecast(json.dumps(LEAST | parts)), 2, Units())


def test_of_what_is_not_known_nothing_is_said() -> None:
    assert of() == "Now (Mon 14:15 Europe/Kyiv): not known.\nToday, Mon 2026-11-23: not known."


def test_gusts_and_chances_stand_for_themselves() -> None:
    day = {"time": ["2026-11-23"], "precipitation_probability_max": [5], "temperature_2m_max": [-0.4]}
    assert of(daily=day).endswith("Today, Mon 2026-11-23: 0°C, 5% chance of rain or snow.")
    now = {"time": "2026-11-23T14:15", "wind_speed_10m": 3, "wind_direction_10m": 350, "weather_code": 4}
    assert of(current=now).startswith("Now (Mon 14:15 Europe/Kyiv): wind 3 km/h from N.")


@pytest.mark.parametrize(
    ("units", "said"),
    [(Units(), ("-40°C", "100 km/h", "25.4 mm")), (Units(True), ("-40°F", "62 mph", "1.00 in"))],
)
def test_either_way_of_measuring(units: Units, said: tuple[str, str, str]) -> None:
    assert (units.degrees(-40), units.speed(100), units.amount(25.4)) == said
    assert (units.degrees(None), units.speed(None), units.amount(None)) == ("", "", "")


def test_a_sun_that_does_not_set_is_not_told() -> None:
    day = {"time": ["2026-06-23"], "sunrise": ["2026-06-22T23:00"], "sunset": ["2026-06-24T01:00"], "weather_code": [0]}
    assert of(daily=day).endswith("Tue 2026-06-23: clear.")
