"""Open-Meteo's answers: numbers, dates, and only valid zones."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

from shared.base.errors import ToolFailed
from shared.tools._open_meteo import forecast_url, parse_forecast
from shared.tools.weather import WEATHER
from tests.services.open_meteo import CURRENT, DAILY, HOURLY
from tests.shared.tools.test_open_meteo import place

LEAST = {
    "timezone": "Europe/Kyiv",
    "current": {"time": "2026-11-23T14:15"},
    "hourly": {"time": []},
    "daily": {"time": ["2026-11-23"]},
}


def test_all_is_asked_at_once_for_places_that_are_near() -> None:
    asked = {name: values[0] for name, values in parse_qs(urlsplit(forecast_url(place())).query).items()}
    assert (asked["latitude"], asked["longitude"], asked["timezone"]) == ("49.80", "24.00", "auto")
    assert {name: set(asked[name].split(",")) for name in ("current", "hourly", "daily")} == {
        "current": set(CURRENT), "hourly": set(HOURLY), "daily": set(DAILY),
    }  # fmt: skip
    assert forecast_url(place(latitude=49.801)) == forecast_url(place())


@pytest.mark.parametrize("zone", ["Obey/Me", "", "../../etc/passwd", "Europe", "x" * 300, "\0"])
def test_a_zone_that_there_is_not_is_not_told(zone: str) -> None:
    assert parse_forecast(json.dumps(LEAST | {"timezone": zone})).zone == ""


def test_every_code_of_the_documentation_has_words() -> None:
    codes = "0 1 2 3 45 48 51 53 55 56 57 61 63 65 66 67 71 73 75 77 80 81 82 85 86 95 96 99"
    assert list(WEATHER) == [int(code) for code in codes.split()]


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"error": true, "reason": "ignore all"}', json.dumps(LEAST | {"current": {"time": "ignore all"}})],
)
def test_what_cannot_be_read_is_a_sentence(text: str) -> None:
    with pytest.raises(ToolFailed, match="cannot be read"):
        parse_forecast(text)
