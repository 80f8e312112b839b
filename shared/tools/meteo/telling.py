"""A forecast in words and numbers, for a model that answers somebody."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, TypeVar

from shared.tools.meteo.forecast import WEATHER, Forecast

T = TypeVar("T")

#: who measures in °F, miles and inches; the British do so for roads alone
IMPERIAL: Final = frozenset({"BS", "BZ", "FM", "KY", "LR", "MH", "PW", "US"})
_COMPASS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
#: every third hour is enough to say when it will rain
_STEP: Final = 3
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True)
class Units:
    """How temperatures, speeds and amounts of rain are written; what is not known is empty."""

    is_imperial: bool = False

    def degrees(self, celsius: float | None) -> str:
        """A temperature, in whole degrees."""
        if celsius is None:
            return ""
        return f"{_whole(celsius * 9 / 5 + 32)}°F" if self.is_imperial else f"{_whole(celsius)}°C"

    def speed(self, kmh: float | None) -> str:
        """A speed of the wind."""
        if kmh is None:
            return ""
        return f"{_whole(kmh / 1.609344)} mph" if self.is_imperial else f"{_whole(kmh)} km/h"

    def amount(self, mm: float | None) -> str:
        """An amount of rain, or of melted snow."""
        if mm is None:
            return ""
        return f"{mm / 25.4:.2f} in" if self.is_imperial else f"{mm:.1f} mm"


def told(forecast: Forecast, days: int, units: Units) -> str:
    """Now, the next hours, and so many days, a line each."""
    lines = [_now(forecast, units)]
    hours = list(_hours(forecast, units))
    if hours:
        lines += [f"Next hours: {'; '.join(hours)}."]
    lines += [_day(forecast, n, units) for n in range(min(days, len(forecast.daily.time)))]
    return "\n".join(lines)


def _now(forecast: Forecast, units: Units) -> str:
    now = forecast.current
    felt = _labelled("feels like", units.degrees(now.apparent_temperature))
    humidity = "" if now.relative_humidity_2m is None else f"humidity {_whole(now.relative_humidity_2m)}%"
    wind = _wind(units.speed(now.wind_speed_10m), units.speed(now.wind_gusts_10m), now.wind_direction_10m)
    rain = f"{units.amount(now.precipitation)} fell in the last 15 minutes" if now.precipitation else ""
    zone = f" {forecast.zone}" if forecast.zone else " in the place's own time"
    said = (_weather(now.weather_code), units.degrees(now.temperature_2m), felt, humidity, wind, rain)
    return f"Now ({_day_of(now.time.date())} {now.time:%H:%M}{zone}): {_joined(*said) or 'not known'}."


def _hours(forecast: Forecast, units: Units) -> Iterator[str]:
    hourly = forecast.hourly
    for n in range(0, len(hourly.time), _STEP):
        several = slice(n, n + _STEP)
        chance = _most(hourly.precipitation_probability[several])
        fallen = [mm for mm in hourly.precipitation[several] if mm is not None]
        rain = _rain(units.amount(sum(fallen)) if any(fallen) else "", chance)
        said = (_weather(_at(hourly.weather_code, n)), units.degrees(_at(hourly.temperature_2m, n)), rain)
        yield f"{hourly.time[n]:%H:%M} {_joined(*said)}"


def _day(forecast: Forecast, n: int, units: Units) -> str:
    daily = forecast.daily
    low, high = units.degrees(_at(daily.temperature_2m_min, n)), units.degrees(_at(daily.temperature_2m_max, n))
    fallen = _at(daily.precipitation_sum, n)
    rain = _rain(units.amount(fallen) if fallen else "", _at(daily.precipitation_probability_max, n))
    wind = _wind(units.speed(_at(daily.wind_speed_10m_max, n)), units.speed(_at(daily.wind_gusts_10m_max, n)), None)
    sun = _sun(_at(daily.sunrise, n), _at(daily.sunset, n))
    uv = _at(daily.uv_index_max, n)
    said = (
        _weather(_at(daily.weather_code, n)),
        f"{low} to {high}" if low and high else low or high,
        rain,
        wind,
        "" if uv is None else f"UV index {_whole(uv)}",
        sun,
    )
    day = daily.time[n]
    return f"{_called(day, forecast.current.time.date())}: {_joined(*said) or 'not known'}."


def _called(day: date, today: date) -> str:
    name = {today: "Today, ", today + timedelta(days=1): "Tomorrow, "}.get(day, "")
    return f"{name}{_day_of(day)} {day.isoformat()}"


def _day_of(day: date) -> str:
    return _DAYS[day.weekday()]


def _weather(code: int | None) -> str:
    return "" if code is None else WEATHER.get(code, "")


def _wind(speed: str, gusts: str, direction: float | None) -> str:
    if not speed:
        return ""
    origin = "" if direction is None else f" from {_COMPASS[round(direction / 45) % len(_COMPASS)]}"
    return f"wind {speed}{origin}" + (f", gusts {gusts}" if gusts else "")


def _rain(amount: str, chance: float | None) -> str:
    odds = "" if chance is None else f"{_whole(chance)}% chance of rain or snow"
    return _joined(f"{amount} of rain or snow" if amount else "", odds)


def _sun(rise: datetime | None, down: datetime | None) -> str:
    return f"sun {rise:%H:%M} to {down:%H:%M}" if rise and down and rise.date() == down.date() else ""


def _most(numbers: Sequence[float | None]) -> float | None:
    return max((number for number in numbers if number is not None), default=None)


def _at(values: Sequence[T], n: int) -> T | None:
    return values[n] if n < len(values) else None


def _labelled(label: str, value: str) -> str:
    return f"{label} {value}" if value else ""


def _joined(*said: str) -> str:
    return ", ".join(filter(None, said))


def _whole(number: float) -> int:
    """Rounded, and without a -0."""
    return round(number) + 0
