"""Finds time zones by a name, a city, a country, an abbreviation, or an offset from UTC.

`places.json` has usual names of places and the codes of states, maintained by hand, and the CLDR's names of zone cities
and countries.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

from shared.values.agent import parse_zone

#: at least one zone for each offset in use, those with most people first
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
#: the most zones to return; a message has room for as many buttons
MOST: Final = 8
LONGEST: Final = 60
#: the least letters of a text that is looked for in the names of zones
_LEAST_PART: Final = 3
#: winter and summer: zones with the same clocks on both dates count as one zone
_SEASONS: Final = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 7, 1, tzinfo=UTC))
_FILE: Final = Path(__file__).with_name("places.json")
#: more names of a country with many zones
_COUNTRIES: Final = {"US": ("usa", "us", "the us", "america", "united states of america", "the states", "сша")}
#: words around a place, as in `Kyiv time` and `北京时间`, in each language
_AROUND: Final = re.compile(
    r"^(?:in|im|the|near|bei|en|au?|em|n[oa]|we?|во?|у|по|за|город|г|місто|м|di|kota|ciudad de|ville de|citta di|"
    r"cidade de|hora de|heure de|ora di|horario de|czas|время|час|waktu|مدينه|توقيت|بتوقيت|به وقت|وقت)\s"
    r"|\s(?:time|time zone|timezone|city|zeit|zeitzone|tijd|saati|vaqti|время|час|समय)$|\s?(?:時間|时间|시간|市|都|시)$"
)
#: an offset beside a place, as in `Kyiv (UTC+2)`
_ASIDE: Final = re.compile(r"\([^()]*\)")
#: letters that Unicode does not decompose, and Arabic letters that are often written as another one
_ALIKE: Final = str.maketrans(
    {"ł": "l", "đ": "d", "ø": "o", "ı": "i", "ß": "ss", "æ": "ae", "ə": "a", "أ": "ا", "إ": "ا", "آ": "ا", "ة": "ه",
     "ى": "ي", "ی": "ي", "ک": "ك"}
)  # fmt: skip
#: the least similarity (0 to 1) of a possible misspelling
LEAST_LIKENESS: Final = 0.75
MOST_NEAR: Final = 4
_OFFSET: Final = re.compile(r"(?:utc|gmt)?\s*([+−-])\s*([0-9]{1,2})(?::?([0-9]{2}))?")


def zones_like(text: str, now: datetime) -> tuple[str, ...]:
    """Return the zones that a text may mean, likeliest first, at most eight; () if the text names none.

    If only one zone is returned, the text means exactly that zone. `now` decides which offsets are in force.
    """
    said = " ".join((_ASIDE.sub(" ", text).strip() or text).split())[:LONGEST].casefold()
    name = _names().get(said.replace(" ", "_"))
    if name is not None:
        return (name,)
    found = (
        _of_offset(said, now) or _of_place(said) or _zones_abbreviated(said, now) or _of_city(said.replace(" ", "_"))
    )
    return tuple(found)[:MOST]


def zones_near(text: str) -> tuple[str, ...]:
    """Return the zones of places whose names are similar to the text. Perhaps none of them is meant."""
    said = " ".join(text.strip().split())[:LONGEST].casefold()
    near = get_close_matches(_AROUND.sub("", key_of(said)), _index(), n=MOST_NEAR, cutoff=LEAST_LIKENESS)
    found = _expand(place for name in near for place in _index()[name])
    named = _with_name(said.replace(" ", "_")) if len(said) >= _LEAST_PART else []
    return tuple(dict.fromkeys((*found, *named)))[:MOST]


@cache
def _names() -> dict[str, str]:
    """Return the zones of the time zone database by their names in lower case. Names that contain no place are left
    out, except for UTC and its usual names.
    """
    named = _read_database("zones").split()
    places = {name.casefold(): name for name in named if "/" in name}
    return {**places, "utc": "UTC", "gmt": "UTC", "z": "UTC"}


@cache
def known_zones() -> tuple[str, ...]:
    return tuple(dict.fromkeys(_names().values()))


def first_zone(*names: str) -> str:
    """Return the first of the names that is a known zone, or else UTC.

    A time zone that was stored earlier may be missing from a newer database.
    """
    return next(filter(_is_zone, names), "UTC")


def _is_zone(name: str) -> bool:
    try:
        return bool(name) and parse_zone(name) is not None
    except ValueError:
        return False


@cache
def _cities() -> dict[str, str]:
    """Return the zones that are named after a place, without old aliases, with their country codes."""
    return {row[2]: row[0] for row in _rows("zoneinfo/zone.tab")}


def _rows(file: str) -> list[list[str]]:
    """Return the rows of one table of the time zone database."""
    return [line.split("\t") for line in _read_database(file).splitlines() if line and not line.startswith("#")]


def _read_database(file: str) -> str:
    from importlib.resources import files  # loaded only when needed

    return files("tzdata").joinpath(file).read_text(encoding="utf-8")


def _of_offset(said: str, now: datetime) -> list[str]:
    found = _OFFSET.fullmatch(said)
    if not found:
        return []
    ahead = timedelta(hours=int(found[2]), minutes=int(found[3] or 0)) * (1 if found[1] == "+" else -1)
    if not ahead:
        return ["UTC"]
    return [name for name in COMMON if now.astimezone(parse_zone(name)).utcoffset() == ahead]


def _zones_abbreviated(said: str, now: datetime) -> list[str]:
    seasons = [season.replace(year=now.year) for season in _SEASONS]
    return [n for n in COMMON if said in {(s.astimezone(parse_zone(n)).tzname() or "").casefold() for s in seasons}]


def _of_place(said: str) -> tuple[str, ...]:
    """Return the zones of a place by its name; its country or state may follow after a comma."""
    found = _expand(_places(said))
    place, _, around = said.rpartition(",")
    if found or not place:
        return found
    code = key_of(around)  # of a state or a country: CA is California and Canada. Elsewhere codes are usual words
    inside = _expand(_places(place))
    within = _expand(_places(around) or (*_states().get(code, ()), f":{code.upper()}"))
    if within and not {_clock_of(zone) for zone in inside} & {_clock_of(zone) for zone in within}:
        return (*within, *inside)  # such as `Paris, Texas`
    return tuple(zone for zone in inside if zone in within) or inside or within


def _expand(places: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(zone for place in places for zone in _zones_of(place)))


def _zones_of(place: str) -> tuple[str, ...]:
    """Return the zone itself or, for a country (`:US`), its zones, the most populous first. Of zones whose clocks
    always agree, only one is returned.
    """
    if not place.startswith(":"):
        return (place,)
    zones = sorted((name for name, code in _cities().items() if code == place[1:]), key=lambda name: name not in COMMON)
    by_clock = {_clock_of(name): name for name in zones[::-1]}
    return tuple(name for name in zones if name in by_clock.values())


def _clock_of(zone: str) -> tuple[timedelta | None, ...]:
    """Return the offsets of a zone from UTC in winter and in summer."""
    return tuple(day.astimezone(parse_zone(zone)).utcoffset() for day in _SEASONS)


def _of_city(said: str) -> Sequence[str]:
    """Return the zones of this city, also by an old name. If there are none, return the zones whose names contain the
    text, but only if there are at least two.
    """
    if len(said) < _LEAST_PART:
        return ()
    exact = [name for name in _cities() if name.casefold().rpartition("/")[2] == said]
    old = [name for key, name in _names().items() if key.rpartition("/")[2] == said]
    within = _with_name(said)
    return exact or old[:1] or (within if len(within) > 1 else ())


def _with_name(said: str) -> list[str]:
    """Return the zones whose name contains a text."""
    return sorted(name for name in _cities() if said in name.casefold())


def key_of(name: str) -> str:
    """Return a name in the form in which names are compared: lower case, without accents and punctuation."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(letter for letter in letters if not "\u0300" <= letter <= "\u036f")
    composed = unicodedata.normalize("NFC", bare).translate(_ALIKE)
    words = " ".join(re.sub(r"[\s.,_'’ʼʻ`‘()!?\"“”„«»…-]+", " ", composed).split())
    return re.sub(r"(?<!\S)(\S) (?=\S(?!\S))", r"\1", words)  # `U.S.A.` as `USA`


def _places(name: str) -> tuple[str, ...]:
    """Return the zones of the places with this name; for a country, its code after a colon (`:US`)."""
    key = key_of(name)
    return _index().get(key) or _index().get(_AROUND.sub("", key).strip(), ())


@cache
def _index() -> Mapping[str, tuple[str, ...]]:
    """Return the zones by the names of their places. A usual name takes precedence over other places of that name."""
    found = json.loads(_FILE.read_text(encoding="utf-8"))
    cities = _by_name(found["cities"].items())
    countries = {f":{code}": (*names, *_COUNTRIES.get(code, ())) for code, names in found["countries"].items()}
    return {**cities, **_by_name(countries.items()), **_by_name(found["usual"].items())}


@cache
def _states() -> Mapping[str, tuple[str, ...]]:
    """Return the zones of states and provinces by their codes."""
    return _by_name(json.loads(_FILE.read_text(encoding="utf-8"))["states"].items())


def _by_name(rows: Iterable[tuple[str, Iterable[str]]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for zone, names in rows:
        for name in names:
            key = key_of(name)
            found[key] = tuple(dict.fromkeys((*found.get(key, ()), zone)))
    return found
