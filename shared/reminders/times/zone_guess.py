"""Guesses the zone of a person who has set none, by language and region, and offers buttons to correct it."""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Final

from shared.values.agent import parse_zone
from shared.values.button_data import button_data
from shared.values.channel import Button

#: the zones where most speakers of a language live
SPOKEN: Final = {
    "ar": ("Africa/Cairo", "Asia/Riyadh", "Asia/Baghdad", "Africa/Casablanca", "Africa/Algiers", "Asia/Dubai"),
    "de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"),
    "en": (
        "Europe/London", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
        "Asia/Kolkata", "Africa/Lagos", "Australia/Sydney",
    ),
    "es": (
        "Europe/Madrid", "America/Mexico_City", "America/Bogota", "America/Argentina/Buenos_Aires",
        "America/Santiago", "America/Lima", "America/Caracas",
    ),
    "fa": ("Asia/Tehran", "Asia/Kabul", "Asia/Dushanbe"),
    "fr": ("Europe/Paris", "Europe/Brussels", "America/Montreal", "Africa/Kinshasa", "Africa/Abidjan"),
    "hi": ("Asia/Kolkata",),
    "id": ("Asia/Jakarta", "Asia/Makassar", "Asia/Jayapura"),
    "it": ("Europe/Rome", "Europe/Zurich"),
    "ja": ("Asia/Tokyo",),
    "ko": ("Asia/Seoul",),
    "nl": ("Europe/Amsterdam", "Europe/Brussels", "America/Paramaribo"),
    "pl": ("Europe/Warsaw",),
    "pt": ("America/Sao_Paulo", "America/Manaus", "Europe/Lisbon", "Africa/Luanda"),
    "ru": ("Europe/Moscow", "Europe/Samara", "Asia/Yekaterinburg", "Asia/Novosibirsk", "Asia/Almaty", "Europe/Kyiv"),
    "tr": ("Europe/Istanbul",),
    "uk": ("Europe/Kyiv", "Europe/Warsaw", "Europe/Berlin"),
    "uz": ("Asia/Tashkent",),
    "zh": ("Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Singapore"),
}  # fmt: skip
#: the zone where nearly all speakers of a language live
_LIKELIEST: Final = {
    "az": "Asia/Baku", "be": "Europe/Minsk", "bg": "Europe/Sofia", "cs": "Europe/Prague", "da": "Europe/Copenhagen",
    "de": "Europe/Berlin", "el": "Europe/Athens", "et": "Europe/Tallinn", "fa": "Asia/Tehran", "fi": "Europe/Helsinki",
    "he": "Asia/Jerusalem", "hi": "Asia/Kolkata", "hu": "Europe/Budapest", "hy": "Asia/Yerevan", "id": "Asia/Jakarta",
    "it": "Europe/Rome", "ja": "Asia/Tokyo", "ka": "Asia/Tbilisi", "ko": "Asia/Seoul", "lt": "Europe/Vilnius",
    "lv": "Europe/Riga", "nb": "Europe/Oslo", "nl": "Europe/Amsterdam", "pl": "Europe/Warsaw", "ro": "Europe/Bucharest",
    "sk": "Europe/Bratislava", "sv": "Europe/Stockholm", "th": "Asia/Bangkok", "tr": "Europe/Istanbul",
    "uk": "Europe/Kyiv", "uz": "Asia/Tashkent", "vi": "Asia/Ho_Chi_Minh",
}  # fmt: skip
#: regions with only one zone, or nearly only one
_OF_REGION: Final = {
    "AE": "Asia/Dubai", "AR": "America/Argentina/Buenos_Aires", "AT": "Europe/Vienna", "BE": "Europe/Brussels",
    "BR": "America/Sao_Paulo", "CH": "Europe/Zurich", "CL": "America/Santiago", "CN": "Asia/Shanghai",
    "CO": "America/Bogota", "DE": "Europe/Berlin", "EG": "Africa/Cairo", "ES": "Europe/Madrid", "FR": "Europe/Paris",
    "GB": "Europe/London", "HK": "Asia/Hong_Kong", "IE": "Europe/Dublin", "IN": "Asia/Kolkata", "IT": "Europe/Rome",
    "NG": "Africa/Lagos", "NZ": "Pacific/Auckland", "PE": "America/Lima", "PL": "Europe/Warsaw", "PT": "Europe/Lisbon",
    "SA": "Asia/Riyadh", "SG": "Asia/Singapore", "TW": "Asia/Taipei", "UA": "Europe/Kyiv",
    "ZA": "Africa/Johannesburg",
}  # fmt: skip
#: the prefix of the zone's mark in a button that also moves the reminders to that zone
MOVE: Final = "m"
#: the most zones to offer
MOST_OFFERED: Final = 4


def guessed_zone(*tags: str) -> str:
    """Return the likeliest zone of a person with these IETF language tags (`uk`, `en-GB`), the surest tag first; "" if
    no tag indicates a zone.
    """
    for tag in tags:
        language, _, region = tag.replace("_", "-").partition("-")
        found = _OF_REGION.get(region.upper()) or _LIKELIEST.get(language.lower())
        if found:
            return found
    return ""


def offered_zones(guessed: str, language: str) -> tuple[str, ...]:
    """Return the zones to choose from, the guessed one first."""
    known = () if guessed == "UTC" else (guessed,)
    return tuple(dict.fromkeys((*known, *SPOKEN.get(language, ()))))[:MOST_OFFERED]


def clock_in(zone: str, now: datetime) -> str:
    """Return the current time in a zone, as HH:MM."""
    return f"{now.astimezone(parse_zone(zone)):%H:%M}"


def zone_choices(command: str, conversation: str, zones: Iterable[str], now: datetime) -> tuple[Button, ...]:
    """Return a button for each zone, with its current time, by which people recognize their zone."""
    data = partial(button_data, command, conversation)
    return tuple(Button(f"{zone} · {clock_in(zone, now)}", data(zone_mark(zone))) for zone in zones)


def zone_mark(zone: str) -> str:
    """Return the short mark that stands for a zone in a button, since a button's data has room for only 64 bytes."""
    return hashlib.sha256(zone.encode()).hexdigest()[:10]


def zone_move(conversation: str, zone: str) -> str:
    """Return the data of the button that moves a person's reminders in a chat to a zone."""
    return button_data("zone", conversation, f"{MOVE}{zone_mark(zone)}")
