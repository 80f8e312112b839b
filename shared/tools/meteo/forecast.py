"""What Open-Meteo says of the weather at a place (open-meteo.com/en/docs): numbers, and codes that have words here."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, ValidationError

from shared.errors import ToolFailed
from shared.tools.meteo.places import Place

_FORECAST: Final = "https://api.open-meteo.com/v1/forecast"
#: days that it tells, today among them
MOST_DAYS: Final = 16
#: hours from now that are told one by one
_HOURS: Final = 24

#: WMO's codes of the weather (table 4677) as far as Open-Meteo has them
WEATHER: Final[Mapping[int, str]] = {
    0: "clear", 1: "mostly clear", 2: "partly cloudy", 3: "overcast",
    45: "fog", 48: "freezing fog",
    51: "light drizzle", 53: "drizzle", 55: "heavy drizzle",
    56: "light freezing drizzle", 57: "heavy freezing drizzle",
    61: "light rain", 63: "rain", 65: "heavy rain", 66: "light freezing rain", 67: "heavy freezing rain",
    71: "light snow", 73: "snow", 75: "heavy snow", 77: "snow grains",
    80: "light showers", 81: "showers", 82: "violent showers", 85: "light snow showers", 86: "heavy snow showers",
    95: "thunderstorm", 96: "thunderstorm with some hail", 99: "thunderstorm with heavy hail",
}  # fmt: skip

#: one number an hour or a day; none where the model of the weather does not reach
Numbers = tuple[float | None, ...]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Now(_Part):
    """The weather at a moment, in °C, km/h, mm and degrees of the compass."""

    time: datetime
    temperature_2m: float | None = None
    apparent_temperature: float | None = None
    relative_humidity_2m: float | None = None
    precipitation: float | None = None
    weather_code: int | None = None
    wind_speed_10m: float | None = None
    wind_gusts_10m: float | None = None
    wind_direction_10m: float | None = None


class Hourly(_Part):
    """Hours, one after the other."""

    time: tuple[datetime, ...]
    temperature_2m: Numbers = ()
    precipitation_probability: Numbers = ()
    precipitation: Numbers = ()
    weather_code: tuple[int | None, ...] = ()


class Daily(_Part):
    """Days, one after the other; sunrise and sunset are times of the place."""

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


class Forecast(_Part):
    """All of it; times are civil ones of the zone `timezone`."""

    timezone: str
    current: Now
    hourly: Hourly
    daily: Daily

    @property
    def zone(self) -> str:
        """The name of its zone, checked: one that the tz database does not have is empty."""
        try:
            return ZoneInfo(self.timezone).key
        except (ValueError, KeyError, OSError):
            return ""


def forecast_url(place: Place) -> str:
    """Where the weather of a place is told: places a kilometre apart have one answer, which is kept."""
    asked = {
        "latitude": f"{place.latitude:.2f}",
        "longitude": f"{place.longitude:.2f}",
        "current": _names(Now),
        "hourly": _names(Hourly),
        "daily": _names(Daily),
        "timezone": "auto",
        "forecast_days": str(MOST_DAYS),
        "forecast_hours": str(_HOURS),
    }
    return f"{_FORECAST}?{urlencode(asked, safe=',')}"


def forecast_in(text: str) -> Forecast:
    """An answer of the service's. Raises ToolFailed."""
    try:
        return Forecast.model_validate_json(text)
    except ValidationError:
        raise ToolFailed("The weather service's answer cannot be read. Say that it cannot be looked up now.") from None


def _names(part: type[_Part]) -> str:
    return ",".join(name for name in part.model_fields if name != "time")
