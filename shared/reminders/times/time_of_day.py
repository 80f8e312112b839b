"""Reads times of day in words: `17:00`, `5pm`, `half past eight`, `8 in the evening`, `tonight at 8`."""

import re
from dataclasses import dataclass
from datetime import time
from enum import StrEnum
from typing import Final

from shared.reminders.times.problem import UnusableTime

NO_CLOCK: Final = "A time of day goes from 00:00 to 23:59."
OTHER_PART: Final = "That time is not in that part of the day. Write it as HH:MM, from 00:00 to 23:59."
NO_HOUR: Final = "Say at what time of the day, as they said it: HH:MM. If they said none, ask them."
WHICH_NIGHT: Final = "A night belongs to two days. Write the day and the time: YYYY-MM-DDTHH:MM."
DAY_OR_TIME: Final = "That may be a day or a time of day. Write a time as HH:MM and a day as YYYY-MM-DD."

_NUMBERS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "quarter": 15, "twenty": 20, "twenty-five": 25, "half": 30,
}  # fmt: skip
_NAMED: Final = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_HOUR: Final = rf"(?:[0-9]{{1,2}}|{'|'.join(list(_NUMBERS)[:12])})"
_HALF: Final = r"(?:\s*(?P<half>[ap])\.?m\.?)?"
#: without `at` before it, a time needs minutes or am/pm
_TIME: Final = (
    r"(?P<name>(?:12\s+)?(?:noon|midday|midnight))"
    rf"|(?P<minutes>[0-9]{{1,2}}|{'|'.join(_NUMBERS)})(?:\s+minutes?)?\s+(?P<way>past|after|to|before)\s+(?P<near>{_HOUR})"
    r"(?:\s*(?P<half3>[ap])\.?m\.?)?"
    rf"|(?P<hour>[0-9]{{1,2}})(?P<sign>[:.h])(?P<minute>[0-9]{{2}})(?::[0-9]{{2}}(?:\.[0-9]+)?)?{_HALF}"
    rf"|(?P<whole>{_HOUR})\s*(?P<half2>[ap])\.?m\.?|(?P<alone>{_HOUR})\s*(?:h|o'?clock)"
)
_BEHIND: Final = re.compile(rf"(?:^|[\s,t])(?P<at>at\s+)?(?:a\s+)?(?:{_TIME})$")
_BEFORE: Final = re.compile(rf"^(?P<at>at\s+)?(?:a\s+)?(?:{_TIME})(?=[\s,])")
_BARE_BEHIND: Final = re.compile(rf"(?:^|\s)at\s+(?P<alone>{_HOUR})$")
#: hours of a list after one `at`: `at 8, 14 and 20`
_HOURS: Final = re.compile(rf"(?<=\bat ){_HOUR}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*){_HOUR})+$")
_BARE_BEFORE: Final = re.compile(rf"^at\s+(?P<alone>{_HOUR})(?=[\s,])")
#: next to a part of the day, a bare number is an hour
_NUMBER: Final = re.compile(rf"(?:^|\s)(?P<alone>{_HOUR})$|^(?P<first>{_HOUR})(?=\s)")
_PART: Final = re.compile(
    r"\b(?:(?P<this>this\s+)|(?:in|at|during|on)\s+(?:the\s+)?)?(?P<part>morning|afternoon|evening|night)s?\b"
    r"|\b(?P<tonight>tonight)\b"
)


class DayPart(StrEnum):
    """A part of the day, which decides in which half of the day an hour is."""

    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"

    def hour(self, hour: int) -> int:
        """Return the 24-hour value of an hour in this part of the day, given on a clock of 12 or 24 hours.

        Raises UnusableTime unless exactly one hour fits.
        """
        later = hour + 12
        match self:
            case DayPart.MORNING if hour < 12:
                return hour
            case DayPart.AFTERNOON if hour < 7 or 12 <= hour <= 18:
                return hour if hour >= 12 else later
            case DayPart.EVENING if 4 <= hour < 12 or hour >= 16:
                return hour if hour >= 16 else later
            case DayPart.NIGHT if hour < 4 or hour >= 17:
                return hour
            case DayPart.NIGHT if 6 <= hour <= 12:
                return later % 24
        raise UnusableTime(OTHER_PART)


@dataclass(frozen=True)
class TimeOfDay:
    """A time of day and a part of the day, each as far as it was given."""

    at: time | None = None
    part: DayPart | None = None

    def clock(self) -> time | None:
        """Return the time on a 24-hour clock; None if no time was given. Raises UnusableTime."""
        if self.at is None or self.part is None:
            return self.at
        return self.at.replace(hour=self.part.hour(self.at.hour))

    @property
    def is_of_two_days(self) -> bool:
        """Return whether the time is soon after midnight, so that people may think of it as part of the day before."""
        clock = self.clock()
        return self.part is DayPart.NIGHT and clock is not None and clock.hour < 6


#: no time and no part of the day
UNSAID: Final = TimeOfDay()


def split_time(text: str) -> tuple[str, TimeOfDay]:
    """Return a lower-case text without its time of day, and that time. Raises UnusableTime for impossible times."""
    said, part = _without_part(text)
    for pattern in (_BEHIND, _BARE_BEHIND, _BEFORE, _BARE_BEFORE, *((_NUMBER,) if part else ())):
        if found := pattern.search(said):
            rest = f"{said[: found.start()]} {said[found.end() :]}".strip()
            fields = found.groupdict()
            is_midnight = (fields.get("name") or "").endswith("midnight") or fields.get("hour") == "24"
            return rest, TimeOfDay(_time(fields), DayPart.NIGHT if is_midnight else part)
    return said, TimeOfDay(part=part)


def split_times(text: str) -> tuple[str, list[TimeOfDay]]:
    """Return a text without its times of day, and these times; `9:00, 12:00 and 18:00` are three.

    If the text names no time, the list has one `TimeOfDay` without a time.
    """
    said, last = split_time(_HOURS.sub(lambda found: re.sub(rf"(?<=[\s,&]){_HOUR}(?!\w)", r"at \g<0>", found[0]), text))
    times = [last]
    while last.at is not None and (found := re.search(r"(?:,|&|\band)$", said)) and found.start():
        rest, last = split_time(said[: found.start()].strip())
        if last.at is None:  # in `monday, wednesday and at 9`, the part before is not a time
            break
        said = rest
        times.append(TimeOfDay(last.at, last.part or times[0].part))
    return said, times


def _without_part(text: str) -> tuple[str, DayPart | None]:
    """Return a text without its part of the day, and that part; `this evening` leaves `today`. Raises UnusableTime."""
    named = list(_PART.finditer(text))
    parts = {DayPart(found["part"] or "night") for found in named}
    if len(parts) > 1:
        raise UnusableTime(OTHER_PART)
    rest = _PART.sub(lambda found: " today " if found["this"] or found["tonight"] else " ", text)
    return " ".join(rest.split()), next(iter(parts), None)


def _time(found: dict[str, str | None]) -> time:
    if name := found.get("name"):
        return _NAMED[name.removeprefix("12").strip()]
    if found.get("sign") == "." and not (found.get("half") or found.get("at")) and found["minute"] in _MONTHS:
        raise UnusableTime(DAY_OR_TIME)
    hour = _number(next(filter(None, map(found.get, ("hour", "whole", "alone", "first", "near"))), "0"))
    half = next(filter(None, map(found.get, ("half", "half2", "half3"))), None)
    if half:
        if hour > 12:
            raise UnusableTime(NO_CLOCK)
        hour = hour % 12 + (12 if half == "p" else 0)
    minutes = _number(found.get("minute") or found.get("minutes") or "0")
    if found.get("hour") == "24" and not minutes:
        hour = 0
    if hour > 23 or minutes > 59:
        raise UnusableTime(NO_CLOCK)
    is_before = found.get("way") in {"to", "before"}
    return time((hour - 1) % 24, 60 - minutes) if is_before and minutes else time(hour, minutes)


_MONTHS: Final = {f"{month:02}" for month in range(1, 13)}


def _number(word: str) -> int:
    return _NUMBERS.get(word) or int(word)
