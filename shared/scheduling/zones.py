"""Time zones by what people call them: a name, a city, a country, an abbreviation, or an offset from UTC."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Final

from shared.models.agent import zone_named

#: at least one of each offset that people live by, those first in which most live
COMMON: Final = (
    "Europe/London", "Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Europe/Rome", "Europe/Lisbon", "Europe/Dublin",
    "Europe/Kyiv", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow", "Africa/Cairo", "Africa/Lagos",
    "Africa/Johannesburg", "Africa/Nairobi", "Asia/Jerusalem", "Asia/Riyadh", "Asia/Tehran", "Asia/Dubai",
    "Asia/Kabul", "Asia/Tashkent", "Asia/Karachi", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Almaty", "Asia/Dhaka",
    "Asia/Yangon", "Asia/Jakarta", "Asia/Bangkok", "Asia/Ho_Chi_Minh", "Asia/Shanghai", "Asia/Singapore",
    "Asia/Manila", "Australia/Perth", "Asia/Tokyo", "Asia/Seoul", "Australia/Darwin", "Australia/Adelaide",
    "Australia/Brisbane", "Australia/Sydney", "Asia/Vladivostok", "Pacific/Noumea", "Pacific/Auckland",
    "Pacific/Chatham", "Pacific/Tongatapu", "Pacific/Kiritimati", "Atlantic/Azores", "Atlantic/South_Georgia",
    "America/Sao_Paulo", "America/Argentina/Buenos_Aires", "America/St_Johns", "America/Santiago", "America/Halifax",
    "America/Caracas", "America/New_York", "America/Bogota", "America/Lima", "America/Chicago",
    "America/Mexico_City", "America/Denver", "America/Phoenix", "America/Los_Angeles", "America/Anchorage",
    "Pacific/Honolulu", "Pacific/Pago_Pago", "Pacific/Marquesas",
)  # fmt: skip
#: as many as there is room for as buttons
MOST: Final = 8
LONGEST: Final = 60
_OFFSET: Final = re.compile(r"(?:utc|gmt)?\s*([+−-])\s*([0-9]{1,2})(?::?([0-9]{2}))?")


def zones_like(text: str, now: datetime) -> tuple[str, ...]:
    """The names of the zones that a text may mean, the likeliest first; one: it is that one; none: it is no zone.

    `now` tells which offsets are in force. At most eight are returned.
    """
    said = " ".join(text.strip().split())[:LONGEST].casefold()
    name = _names().get(said.replace(" ", "_"))
    if name is not None:
        return (name,)
    found = _of_offset(said, now) or _abbreviated(said, now) or _of_country(said) or _of_city(said.replace(" ", "_"))
    return tuple(found)[:MOST]


@cache
def _names() -> dict[str, str]:
    """Every name of the database by itself in small letters; of those without a place, only UTC and the like."""
    named = _listed("zones").split()
    places = {name.casefold(): name for name in named if "/" in name}
    return {**places, "utc": "UTC", "gmt": "UTC", "z": "UTC"}


@cache
def known_zones() -> tuple[str, ...]:
    """The names of all zones."""
    return tuple(dict.fromkeys(_names().values()))


def first_zone(*names: str) -> str:
    """The first of some names that is a zone's, else UTC: what somebody told once may be none in a later database."""
    return next(filter(_is_zone, names), "UTC")


def _is_zone(name: str) -> bool:
    try:
        return bool(name) and zone_named(name) is not None
    except ValueError:
        return False


@cache
def _cities() -> dict[str, str]:
    """The zones that stand for a place, without old names of the same ones, and the codes of their countries."""
    return {row[2]: row[0] for row in _rows("zoneinfo/zone.tab")}


@cache
def _countries() -> dict[str, str]:
    """The names of countries in English, in small letters, and their codes."""
    return {name.casefold(): code for code, name, *_ in _rows("zoneinfo/iso3166.tab")}


def _rows(file: str) -> list[list[str]]:
    """The lines of one of the database's tables."""
    return [line.split("\t") for line in _listed(file).splitlines() if line and not line.startswith("#")]


def _listed(file: str) -> str:
    """One of the database's lists."""
    from importlib.resources import files  # only who looks for a zone pays for it

    return files("tzdata").joinpath(file).read_text(encoding="utf-8")


def _of_offset(said: str, now: datetime) -> list[str]:
    found = _OFFSET.fullmatch(said)
    if not found:
        return []
    ahead = timedelta(hours=int(found[2]), minutes=int(found[3] or 0)) * (1 if found[1] == "+" else -1)
    if not ahead:
        return ["UTC"]
    return [name for name in COMMON if now.astimezone(zone_named(name)).utcoffset() == ahead]


def _abbreviated(said: str, now: datetime) -> list[str]:
    seasons = (datetime(now.year, 1, 1, tzinfo=UTC), datetime(now.year, 7, 1, tzinfo=UTC))
    return [n for n in COMMON if said in {(s.astimezone(zone_named(n)).tzname() or "").casefold() for s in seasons}]


def _of_country(said: str) -> list[str]:
    code = _countries().get(said)
    found = [name for name, country in _cities().items() if country == code]
    return sorted(found, key=lambda name: name not in COMMON)


def _of_city(said: str) -> Iterable[str]:
    """The zones whose city is called so; else those whose name has it in it."""
    if len(said) < 3:
        return ()
    cities = {name: name.casefold().rpartition("/")[2] for name in _cities()}
    old = [name for key, name in _names().items() if key.rpartition("/")[2] == said]
    exact = [name for name, city in cities.items() if city == said] or old[:1]
    return exact or sorted(name for name in cities if said in name.casefold())
