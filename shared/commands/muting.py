"""Silence: /mute for a while or for good, and /unmute."""

import re
from datetime import UTC, datetime, timedelta

from shared.commands.place import Answer, Place
from shared.commands.verbatim import verbatim

#: until /unmute
FOR_GOOD = datetime(9999, 1, 1, tzinfo=UTC)
LONGEST = timedelta(days=366)

#: minutes, by how a unit begins
UNITS = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}
_UNIT = r"m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:(?:ee)?ks?)?"
#: a unit is a whole word, in any script, though the next number may follow close: 1h30m
_LENGTH = re.compile(rf"([0-9]{{1,6}})\s*({_UNIT})(?![^\W\d])", re.IGNORECASE)

USAGE = "Write /mute 30m, /mute 2h or /mute 1d, up to a year; /mute alone silences me until /unmute."
NOT_MUTED = "I am not muted here."
UNMUTED = "I answer again."


def mute(argument: str, place: Place) -> Answer:
    """Silence, for as long as is said."""
    if not argument:
        text = "I stay silent here until somebody writes /unmute. Commands still work."
        return Answer(text=text, changes={"muted_until": FOR_GOOD})
    length = length_of(argument)
    if length is None:
        return Answer(text=f"I don't understand “{verbatim(argument[:40])}” as a time. {USAGE}")
    until = place.now + length
    told = f"{until.astimezone(place.zone):%Y-%m-%d %H:%M} ({place.zone})"
    text = f"I stay silent here until {told}, or until somebody writes /unmute."
    return Answer(text=text, changes={"muted_until": until})


def unmute(argument: str, place: Place) -> Answer:
    """An end to the silence."""
    if not place.chat.is_muted(place.now):
        return Answer(text=NOT_MUTED)
    return Answer(text=UNMUTED, changes={"muted_until": None})


def length_of(written: str) -> timedelta | None:
    """How long `30m`, `2 hours` or `1d 12h` is; none for anything else, for nothing, and for more than a year."""
    found = _LENGTH.findall(written)
    if not found or _LENGTH.sub("", written).strip(" ,"):
        return None
    minutes = sum(int(count) * UNITS[unit[0].lower()] for count, unit in found)  # more of them than a timedelta holds
    return timedelta(minutes=minutes) if 0 < minutes <= LONGEST // timedelta(minutes=1) else None
