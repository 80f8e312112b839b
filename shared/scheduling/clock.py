"""Days and times of day as models write them: `2026-11-27T17:00`, `17:00`, `tomorrow 9am`, `friday at 17:00`."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from shared.scheduling.problem import Unusable

#: the time of a day of which only the day is said
MORNING: Final = time(9)
_NAMED: Final = {"noon": time(12), "midday": time(12), "midnight": time(0)}
#: without `at` before it, a time has minutes or a half of the day
_TIME: Final = (
    r"(?:(?P<hour>[0-9]{1,2})(?:[:.h](?P<minute>[0-9]{2}))(?::[0-9]{2}(?:\.[0-9]+)?)?(?:\s*(?P<half>[ap])\.?m\.?)?"
    r"|(?P<whole>[0-9]{1,2})\s*(?P<half2>[ap])\.?m\.?|(?P<alone>[0-9]{1,2})\s*(?:h|o'?clock)"
    r"|(?P<name>noon|midday|midnight))"
)
_BEHIND: Final = re.compile(rf"(?:^|[\s,t])(?:at\s+)?{_TIME}$")
_AT_HOUR: Final = re.compile(r"(?:^|\s)at\s+(?P<alone>[0-9]{1,2})$")
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_AROUND: Final = re.compile(r"\b(?:on|next|this|coming|the|at)\b|,")
_AHEAD: Final = {"": 0, "today": 0, "tonight": 0, "tomorrow": 1, "day after tomorrow": 2}

UNREADABLE: Final = "`at` is a civil day and time to come (YYYY-MM-DDTHH:MM), or a time of day (HH:MM)."
HAS_OFFSET: Final = "`at` is a civil time: write it without Z and without an offset."


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A day and a time of day, as far as they were said."""

    day: date | None = None
    #: 0: Monday
    weekday: int | None = None
    at: time | None = None
    #: by how much the clocks are ahead of UTC there, if that was said
    offset: timedelta | None = None

    def next_after(self, here: datetime) -> datetime:
        """The civil time that is meant, seen from another: of a time of day or a day of the week, the next one."""
        at = self.at or MORNING
        if self.day is not None:
            return datetime.combine(self.day, at)
        ahead = 0 if self.weekday is None else (self.weekday - here.weekday()) % 7
        found = datetime.combine(here.date() + timedelta(days=ahead), at)
        return found if found > here else found + timedelta(days=1 if self.weekday is None else 7)


def read_moment(text: str, here: datetime) -> Moment:
    """What a text says of a day and a time; `here` is the civil time now. Raises Unusable."""
    lowered = " ".join(text.strip().lower().split())
    found = _iso(text.strip())
    if found is not None:
        return found
    said, at = split_time(lowered)
    said = " ".join(_AROUND.sub(" ", said).split())
    weekday = weekday_of(said)
    if weekday is not None:
        return Moment(weekday=weekday, at=at)
    if said not in _AHEAD or (not said and at is None):
        raise Unusable(UNREADABLE)
    return Moment(day=here.date() + timedelta(days=_AHEAD[said]) if said else None, at=at)


def split_time(text: str) -> tuple[str, time | None]:
    """A text in small letters without the time of day at its end, and that time. Raises Unusable for hour 25."""
    found = _BEHIND.search(text) or _AT_HOUR.search(text)
    if found is None:
        return text, None
    return text[: found.start()].strip(), _time(found.groupdict())


def weekday_of(text: str) -> int | None:
    """The day of the week that a word names in English, in full or by three letters at least; 0: Monday."""
    word = text.removesuffix("s") if text.endswith("days") else text
    if len(word) < 3:
        return None
    return next((number for number, name in enumerate(_WEEKDAYS) if name.startswith(word)), None)


def _iso(text: str) -> Moment | None:
    """A day, or a day and a time, of ISO 8601. Not a time alone, of which there are other forms as well."""
    try:
        return Moment(day=date.fromisoformat(text))
    except ValueError:
        pass
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return Moment(day=found.date(), at=found.time().replace(microsecond=0), offset=found.utcoffset())


def _time(found: dict[str, str | None]) -> time:
    if found.get("name"):
        return _NAMED[str(found["name"])]
    hour = int(found.get("hour") or found.get("whole") or found.get("alone") or 0)
    half = found.get("half") or found.get("half2")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    minute = int(found.get("minute") or 0)
    if hour > 23 or minute > 59:
        raise Unusable("A time of day goes from 00:00 to 23:59.")
    return time(hour, minute)
