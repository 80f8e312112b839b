"""`weather`: the current weather and forecasts, from Open-Meteo, for which no key is needed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final, TypeVar

from shared.base.errors import ToolFailed
from shared.tools.services.lookups import CachedLookups, LookupResult
from shared.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from shared.tools._open_meteo import Forecast, GazetteerPlace

T = TypeVar("T")

#: countries that use °F, miles and inches. The British use miles, but only on roads, so theirs is not among them
IMPERIAL: Final = frozenset({"BS", "BZ", "FM", "KY", "LR", "MH", "PW", "US"})
_COMPASS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
#: the WMO's weather codes (table 4677), as far as Open-Meteo uses them
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
#: the hours between two lines of the forecast
_STEP: Final = 3
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

#: the service updates the current weather every quarter of an hour, and forecasts every one to three hours
_FRESH: Final = timedelta(minutes=15)
#: if the service fails, an older forecast is better than none, provided that the answer says how old it is
_USABLE: Final = timedelta(hours=6)
#: places rarely change
_PLACES_FRESH: Final = timedelta(days=7)
_PLACES_USABLE: Final = timedelta(days=90)

_LONGEST_NAME: Final = 100
_USUAL_DAYS: Final = 3
_MOST_DAYS: Final = 16
#: the maximum number of other places of the same name that are listed
_OTHERS: Final = 4


@dataclass(frozen=True)
class Units:
    """Formats temperatures, speeds and amounts of rain. An unknown value becomes an empty text."""

    is_imperial: bool = False

    def degrees(self, celsius: float | None) -> str:
        if celsius is None:
            return ""
        return f"{_whole(celsius * 9 / 5 + 32)}°F" if self.is_imperial else f"{_whole(celsius)}°C"

    def speed(self, kmh: float | None) -> str:
        if kmh is None:
            return ""
        return f"{_whole(kmh / 1.609344)} mph" if self.is_imperial else f"{_whole(kmh)} km/h"

    def amount(self, mm: float | None) -> str:
        if mm is None:
            return ""
        return f"{mm / 25.4:.2f} in" if self.is_imperial else f"{mm:.1f} mm"


def weather_report(forecast: "Forecast", days: int, units: Units) -> str:
    """Return a line for the current weather, one for the next hours, and one for each day."""
    lines = [_now(forecast, units)]
    hours = list(_hours(forecast, units))
    if hours:
        lines += [f"Next hours: {'; '.join(hours)}."]
    lines += [_day(forecast, n, units) for n in range(min(days, len(forecast.daily.time)))]
    return "\n".join(lines)


def _now(forecast: "Forecast", units: Units) -> str:
    now = forecast.current
    felt = _with_label("feels like", units.degrees(now.apparent_temperature))
    humidity = "" if now.relative_humidity_2m is None else f"humidity {_whole(now.relative_humidity_2m)}%"
    wind = _wind(units.speed(now.wind_speed_10m), units.speed(now.wind_gusts_10m), now.wind_direction_10m)
    rain = f"{units.amount(now.precipitation)} fell in the last 15 minutes" if now.precipitation else ""
    zone = f" {forecast.zone}" if forecast.zone else " in the place's own time"
    said = (_sky(now.weather_code), units.degrees(now.temperature_2m), felt, humidity, wind, rain)
    return f"Now ({_day_of(now.time.date())} {now.time:%H:%M}{zone}): {_join(*said) or 'not known'}."


def _hours(forecast: "Forecast", units: Units) -> Iterator[str]:
    hourly = forecast.hourly
    for n in range(0, len(hourly.time), _STEP):
        several = slice(n, n + _STEP)
        chance = _most(hourly.precipitation_probability[several])
        fallen = [mm for mm in hourly.precipitation[several] if mm is not None]
        rain = _rain(units.amount(sum(fallen)) if any(fallen) else "", chance)
        said = (_sky(_at(hourly.weather_code, n)), units.degrees(_at(hourly.temperature_2m, n)), rain)
        yield f"{hourly.time[n]:%H:%M} {_join(*said)}"


def _day(forecast: "Forecast", n: int, units: Units) -> str:
    daily = forecast.daily
    low, high = units.degrees(_at(daily.temperature_2m_min, n)), units.degrees(_at(daily.temperature_2m_max, n))
    fallen = _at(daily.precipitation_sum, n)
    rain = _rain(units.amount(fallen) if fallen else "", _at(daily.precipitation_probability_max, n))
    wind = _wind(units.speed(_at(daily.wind_speed_10m_max, n)), units.speed(_at(daily.wind_gusts_10m_max, n)), None)
    sun = _sun(_at(daily.sunrise, n), _at(daily.sunset, n))
    uv = _at(daily.uv_index_max, n)
    said = (
        _sky(_at(daily.weather_code, n)),
        f"{low} to {high}" if low and high else low or high,
        rain,
        wind,
        "" if uv is None else f"UV index {_whole(uv)}",
        sun,
    )
    day = daily.time[n]
    return f"{_day_name(day, forecast.current.time.date())}: {_join(*said) or 'not known'}."


def _day_name(day: date, today: date) -> str:
    name = {today: "Today, ", today + timedelta(days=1): "Tomorrow, "}.get(day, "")
    return f"{name}{_day_of(day)} {day.isoformat()}"


def _day_of(day: date) -> str:
    return _DAYS[day.weekday()]


def _sky(code: int | None) -> str:
    return "" if code is None else WEATHER.get(code, "")


def _wind(speed: str, gusts: str, direction: float | None) -> str:
    if not speed:
        return ""
    origin = "" if direction is None else f" from {_COMPASS[round(direction / 45) % len(_COMPASS)]}"
    return f"wind {speed}{origin}" + (f", gusts {gusts}" if gusts else "")


def _rain(amount: str, chance: float | None) -> str:
    odds = "" if chance is None else f"{_whole(chance)}% chance of rain or snow"
    return _join(f"{amount} of rain or snow" if amount else "", odds)


def _sun(rise: datetime | None, down: datetime | None) -> str:
    return f"sun {rise:%H:%M} to {down:%H:%M}" if rise and down and rise.date() == down.date() else ""


def _most(numbers: Sequence[float | None]) -> float | None:
    return max((number for number in numbers if number is not None), default=None)


def _at(values: Sequence[T], n: int) -> T | None:
    return values[n] if n < len(values) else None


def _with_label(label: str, value: str) -> str:
    return f"{label} {value}" if value else ""


def _join(*said: str) -> str:
    return ", ".join(filter(None, said))


def _whole(number: float) -> int:
    """Return the number rounded to a whole one; never -0."""
    return round(number) + 0


async def _weather(arguments: Mapping[str, object], context: ToolContext) -> str:
    from shared.tools._open_meteo import forecast_url, parse_forecast

    name, days = _name(arguments), _days(arguments)
    places = await _places(arguments, name, context)
    if not places:
        raise ToolFailed("The gazetteer knows no such place. Say so, or try another spelling or a town nearby.")
    place = places[0]
    answer = await context.ports[CachedLookups].get(forecast_url(place), _FRESH, _USABLE)
    units = arguments.get("units")
    is_imperial = units == "imperial" if units in {"metric", "imperial"} else place.country_code in IMPERIAL
    where = _where(name.partition(",")[0].strip(), place, places[1:])
    return (
        f"{where}\n{weather_report(parse_forecast(answer.text), days, Units(is_imperial))}\n{_source(answer, context)}"
    )


async def _places(arguments: Mapping[str, object], name: str, context: ToolContext) -> "Sequence[GazetteerPlace]":
    from shared.tools._open_meteo import parse_places, search_url

    url = search_url(name, _text(arguments, "country"), _text(arguments, "language"))
    return parse_places((await context.ports[CachedLookups].get(url, _PLACES_FRESH, _PLACES_USABLE)).text)


def _where(asked: str, place: "GazetteerPlace", others: "Sequence[GazetteerPlace]") -> str:
    """Return words for the place, and for other places with its name. They contain no name but the requested one."""
    if not place.is_called(asked):
        return f"The nearest match has another name or spelling: {place.description}. Say so if that may not be meant."
    same = [other.description for other in others if other.is_called(asked)][:_OTHERS]
    also = f"\nOthers of this name: {'; '.join(same)}. Ask which is meant if it may be one of these." if same else ""
    return f"{asked} ({place.description}){also}"


def _source(answer: LookupResult, context: ToolContext) -> str:
    minutes = answer.age(context.now) // timedelta(minutes=1)
    old = timedelta(minutes=minutes) > _FRESH
    return f"Source: Open-Meteo{f', {minutes} minutes ago: it does not answer now; say so' if old else ''}."


def _name(arguments: Mapping[str, object]) -> str:
    name = _text(arguments, "place").strip()
    if not 1 < len(name) <= _LONGEST_NAME:
        raise ToolFailed('Give the place as a text: {"place": "Lviv"}.')
    return name


def _days(arguments: Mapping[str, object]) -> int:
    days = arguments.get("days", _USUAL_DAYS)
    if not isinstance(days, int | float) or not 1 <= days <= _MOST_DAYS:
        raise ToolFailed(f"`days` is a number from 1 to {_MOST_DAYS}: today and the days after it.")
    return int(days)


def _text(arguments: Mapping[str, object], name: str) -> str:
    text = arguments.get(name, "")
    return (
        text.encode(errors="ignore").decode() if isinstance(text, str) else ""
    )  # an address cannot contain lone surrogates


TOOL: Final = Tool(
    name="weather",
    description="The weather at a place now and on the next days, with sunrise and sunset; no past weather.",
    parameters={
        "type": "object",
        "properties": {
            "place": {
                "type": "string",
                "description": "A town. A region may follow after a comma: Springfield, Illinois.",
            },
            "country": {"type": "string", "description": "The country's two-letter code, if known: US."},
            "language": {"type": "string", "description": "The language code of `place` as written: uk."},
            "days": {"type": "integer", "description": f"The number of days including today; 1 to {_MOST_DAYS}."},
            "units": {"type": "string", "enum": ["metric", "imperial"], "description": "Else the place's own."},
        },
        "required": ["place"],
        "additionalProperties": False,
    },
    run=_weather,
    needs=(CachedLookups,),
    stays_in_chat=True,
)
