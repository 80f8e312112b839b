"""Open-Meteo: its gazetteer (a list of places), and its weather forecasts.

Interface: open-meteo.com/en/docs and open-meteo.com/en/docs/geocoding-api. The gazetteer is GeoNames, which anybody may
edit. So the model is shown no text of the gazetteer: a place's name is used only if it is the requested name, and the
names of countries are lull's own. This module is imported only by calls for the weather.
"""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field, ValidationError

from shared.base.errors import ToolFailed
from shared.values.evolve import FrozenModel

_SEARCH: Final = "https://geocoding-api.open-meteo.com/v1/search"
#: the maximum number of places that are looked at; the best known places come first
_MOST: Final = 10
#: GeoNames' feature codes for kinds of places (geonames.org/export/codes.html)
_KINDS: Final[Mapping[str, str]] = {
    "PPLC": "a capital",
    "PPLA": "a regional capital",
    "PCLI": "a country",
    "ADM1": "a region",
    "MT": "a mountain",
    "ISL": "an island",
    "AIRP": "an airport",
    "LK": "a lake",
}


class GazetteerPlace(FrozenModel):
    """A place of the gazetteer. `name` is text from outside, so it is only compared, never shown."""

    name: str
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    country_code: str = ""
    feature_code: str = ""
    population: int = 0

    @property
    def country(self) -> str:
        """The name of the place's country in lull's own list; empty if the list does not contain the country."""
        return country_names().get(self.country_code.upper(), "")

    @property
    def description(self) -> str:
        """A description of the place without its name, made of numbers and lull's own words."""
        north = f"{abs(self.latitude):.2f}° {'N' if self.latitude >= 0 else 'S'}"
        east = f"{abs(self.longitude):.2f}° {'E' if self.longitude >= 0 else 'W'}"
        people = f"{self.population:,} people" if self.population > 0 else ""
        kind = _KINDS.get(self.feature_code, "")
        return ", ".join(filter(None, (self.country, f"{north} {east}", kind, people)))

    def is_called(self, name: str) -> bool:
        """Return whether the place has this name, ignoring case and accents: `Sao Paulo` matches São Paulo."""
        return bool(_bare(name)) and _bare(self.name) == _bare(name)


class _Answer(BaseModel):
    results: tuple[dict[str, Any], ...] = ()


def search_url(name: str, country: str, language: str) -> str:
    """Return the URL that searches the gazetteer for a name. Raises ToolFailed for a wrong country or language."""
    asked = {"name": name, "count": str(_MOST), "format": "json", "language": language.lower() or "en"}
    if not re.fullmatch(r"[a-z]{2,3}", asked["language"], re.ASCII):
        raise ToolFailed("`language` is the code of the language in which the place is written, such as uk or de.")
    if country:
        if country.upper() not in country_names():
            raise ToolFailed("`country` is the code of two letters, such as UA or US.")
        asked["countryCode"] = country.upper()
    return f"{_SEARCH}?{urlencode(asked)}"


def parse_places(text: str) -> tuple[GazetteerPlace, ...]:
    """Return the places in an answer, the best known first. Invalid places are skipped. Raises ToolFailed."""
    try:
        answer = _Answer.model_validate_json(text)
    except ValidationError:
        raise ToolFailed("The gazetteer's answer cannot be read. Say that the place cannot be found now.") from None
    found = []
    for result in answer.results:
        try:
            found.append(GazetteerPlace.model_validate(result))
        except ValidationError:
            continue
    return tuple(found)


@cache
def country_names() -> Mapping[str, str]:
    """Return the names of the countries by their codes, from the tz database (iso3166.tab)."""
    table = files("tzdata").joinpath("zoneinfo", "iso3166.tab").read_text()
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return {code: name for code, name in rows}


def _bare(name: str) -> str:
    """Return a name without case, accents, spaces and punctuation, for comparison."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(character for character in plain if character.isalnum())


_FORECAST: Final = "https://api.open-meteo.com/v1/forecast"
#: the number of hours from now that are forecast
_HOURS: Final = 24
#: the number of days that are forecast, including today
_DAYS: Final = 16

#: a number for each hour or day; None for times that the weather model does not reach
Numbers = tuple[float | None, ...]


class CurrentWeather(FrozenModel):
    """The current weather, in °C, km/h, mm and degrees of the compass."""

    time: datetime
    temperature_2m: float | None = None
    apparent_temperature: float | None = None
    relative_humidity_2m: float | None = None
    precipitation: float | None = None
    weather_code: int | None = None
    wind_speed_10m: float | None = None
    wind_gusts_10m: float | None = None
    wind_direction_10m: float | None = None


class HourlyForecast(FrozenModel):
    """The forecast by hour. All tuples are in the order of `time`; unknown values are None."""

    time: tuple[datetime, ...]
    temperature_2m: Numbers = ()
    precipitation_probability: Numbers = ()
    precipitation: Numbers = ()
    weather_code: tuple[int | None, ...] = ()


class DailyForecast(FrozenModel):
    """The forecast by day, in the order of `time`; unknown values are None. Sunrise and sunset are in local time."""

    time: tuple[date, ...]
    weather_code: tuple[int | None, ...] = ()
    temperature_2m_max: Numbers = ()
    temperature_2m_min: Numbers = ()
    precipitation_sum: Numbers = ()
    precipitation_probability_max: Numbers = ()
    wind_speed_10m_max: Numbers = ()
    wind_gusts_10m_max: Numbers = ()
    uv_index_max: Numbers = ()
    sunrise: tuple[datetime | None, ...] = ()
    sunset: tuple[datetime | None, ...] = ()


class Forecast(FrozenModel):
    """A whole forecast. All times are local times of the zone `timezone`."""

    timezone: str
    current: CurrentWeather
    hourly: HourlyForecast
    daily: DailyForecast

    @property
    def zone(self) -> str:
        """The name of the forecast's time zone; empty if the tz database does not contain the zone."""
        try:
            return ZoneInfo(self.timezone).key
        except (ValueError, KeyError, OSError):
            return ""


def forecast_url(place: GazetteerPlace) -> str:
    """Return the URL of a place's forecast. Places within about a kilometre share one URL, and so one cached answer."""
    asked = {
        "latitude": f"{place.latitude:.2f}",
        "longitude": f"{place.longitude:.2f}",
        "current": _names(CurrentWeather),
        "hourly": _names(HourlyForecast),
        "daily": _names(DailyForecast),
        "timezone": "auto",
        "forecast_days": str(_DAYS),
        "forecast_hours": str(_HOURS),
    }
    return f"{_FORECAST}?{urlencode(asked, safe=',')}"


def parse_forecast(text: str) -> Forecast:
    """Parse an answer of the service. Raises ToolFailed."""
    try:
        return Forecast.model_validate_json(text)
    except ValidationError:
        raise ToolFailed("The weather service's answer cannot be read. Say that it cannot be looked up now.") from None


def _names(part: type[FrozenModel]) -> str:
    return ",".join(name for name in part.model_fields if name != "time")
