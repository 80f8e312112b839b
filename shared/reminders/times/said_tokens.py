"""Reads the tokens of a time that somebody said. The tokens are the same for all languages (see `said_words.json`)."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from shared.reminders.times.civil import NIGHT_ENDS
from shared.reminders.times.problem import UnusableTime
from shared.reminders.times.recurrence import WEEKDAYS
from shared.reminders.times.spans import read_span
from shared.reminders.times.time_of_day import DayPart

#: tokens that may stand in a text that has another time: `the`, `two`
_INCIDENTAL: Final = re.compile(r"|the|at|and|in|this|half|quarter|less|\d+(?:\.\d)?")
_AMOUNT: Final = re.compile(rf"(?:{_INCIDENTAL.pattern})|(?:min|hour|day|week|month|year)s?|later")
#: tokens that change the meaning of a time wherever they are in the text
MISLEADING: Final = frozenset({"every", "next", "odd", "or"})
_PARTS: Final = "am|pm|morning|afternoon|evening|night"
_CLOCK: Final = re.compile(
    r"(?<!\S)(?:"
    r"(?:at )?(?P<way>half past|half_to|quarter past|quarter to|quarter_of) (?:at )?"
    r"(?P<near>\d{1,2})(?: clock| hours?)?"
    r"|(?:at )?(?P<named>noon|midnight)"
    r"|(?:at )?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?: clock| hours?)?"
    r"|at (?P<hour2>\d{1,2})\.(?P<minute2>\d\d)(?: clock| hours?)?|(?P<hour3>\d{1,2})\.(?P<minute3>\d\d) clock"
    r"|at (?P<whole>\d{1,2})(?: clock| hours?)?(?P<more> and half| and quarter| less quarter)?"
    r"|(?P<told>\d{1,2}) clock"
    rf"|(?P<beside>\d{{1,2}})(?= (?:{_PARTS})(?!\S))"
    r")(?!\S)"
)
_PART: Final = re.compile(rf"(?<!\S)(?:at )?(?P<part>{_PARTS})(?!\S)")
_COUNT: Final = r"(?:\d+(?:\.\d+)?)"
_AMOUNT_OF_TIME: Final = (
    rf"(?:{_COUNT} (?:and half )?(?:mins|hours|days|weeks|months|min|hour|day|week|month)(?: and half)?"
    r"|min|hour|day|week|month)"
)
_SPAN: Final = re.compile(
    rf"in (?P<in>{_AMOUNT_OF_TIME}(?: (?:and )?{_AMOUNT_OF_TIME})?)"
    rf"|(?P<later>{_AMOUNT_OF_TIME}(?: (?:and )?{_AMOUNT_OF_TIME})?) later"
)
_DAYS_AHEAD: Final = re.compile(
    r"in (?P<in>(?:\d+ )?(?:day|week|month)s?)|(?P<later>(?:\d+ )?(?:day|week|month)s?) later"
)
_RELATIVE: Final = re.compile(r"(?:at )?d(\d)")
_WEEKDAY: Final = re.compile(r"(?:at )?(?P<next>next )?(?:this )?w(?P<day>\d)(?P<next2> next)?")
_DATE: Final = re.compile(
    r"(?:at )?(?:w(?P<weekday>\d) )?(?:at )?(?:the )?(?:"
    r"#?(?P<day>\d{1,2}) m(?P<month>\d{1,2})(?: (?P<year>\d{4}))?"
    r"|m(?P<month2>\d{1,2}) #?(?P<day2>\d{1,2})(?: (?P<year2>\d{4}))?"
    r"|#(?P<day3>\d{1,2})|(?P<iso>\d{4}-\d\d-\d\d))"
)
_EVERY_SHORT: Final = re.compile(r"every (?:(?P<many>\d+(?:\.\d+)?) )?(?P<unit>min|hour)s?")
_EVERY: Final = re.compile(
    r"(?P<daily>every|every day)|(?P<work>every work)|(?:every )?(?P<days>[ew]\d(?:(?: and| every)? [ew]\d)*)"
    r"|every (?P<weeks>\d+) weeks? (?:at )?w(?P<on>\d)"
)
#: a date that is given without its year is in doubt if it is more days ahead than this
_FARTHEST: Final = 330
#: on a day that was named, hours from this one to 12 are read as they are; an earlier hour without a part of the day
#: may also be one of the evening
_MORNING: Final = 7


@dataclass(frozen=True, kw_only=True)
class SaidTime:
    """A time that somebody said, as the time fields of a `schedule` task."""

    at: str | None = None
    after: str | None = None
    every: str | None = None


def is_incidental(means: str) -> bool:
    """Return whether tokens, such as `the` or `two`, name no time on their own."""
    words = means.split(" ")
    return (all(map(_INCIDENTAL.fullmatch, words)) and not has_clock(means)) or set(words) <= MISLEADING


def is_amount(means: str) -> bool:
    """Return whether tokens say how long or how often something is, but not when: `for 2 hours`."""
    is_time = has_clock(means) or _EVERY_SHORT.fullmatch(means)
    return not is_incidental(means) and not is_time and all(map(_AMOUNT.fullmatch, means.split(" ")))


def has_clock(means: str) -> bool:
    """Return whether tokens say a time of day or a span."""
    return bool(_CLOCK.search(_normalize(means)) or _SPAN.fullmatch(_normalize(means)))


def read_tokens(means: str, here: datetime) -> SaidTime | None:
    """Return the time that tokens mean if they are said at the civil time `here`; None if there is any doubt."""
    try:
        return _read(_normalize(means), here)
    except (UnusableTime, ValueError, OverflowError):
        return None


def _normalize(means: str) -> str:
    """Return tokens with `at` before the number of a time, and without tokens that repeat another token's meaning."""
    means = re.sub(r"\b(in|every) at (\d+)(?!\S)", r"\1 \2 hours", means)
    means = re.sub(r"(?<!\S)(?:hours?|clock) at (?=\d)", "at ", means)
    means = re.sub(r"(?<!\S)(?:at )+(?=at )", "", means)
    return re.sub(r"(?<!\S)at (?:hours?|clock) (?=\d)", "at ", means)


def _read(means: str, here: datetime) -> SaidTime | None:
    if found := _SPAN.fullmatch(means):
        return _span(found["in"] or found["later"])
    if found := _EVERY_SHORT.fullmatch(means):
        return _short_rule(float(found["many"] or 1), found["unit"])
    clocks = list(_CLOCK.finditer(means))
    if len(clocks) > 1:
        return None
    rest = _CLOCK.sub(" ", means)
    parts = [found["part"] for found in _PART.finditer(rest)]
    rest = " ".join(_PART.sub(" ", rest).split())
    if len(parts) > 1 or (parts and not clocks):
        return None
    said = _SaidClock(clocks[0], parts[0] if parts else "") if clocks else None
    if rest and (found := _EVERY.fullmatch(rest)) and not re.fullmatch(r"w\d", rest):
        return SaidTime(every=_rule(found), at=f"{clock:%H:%M}") if said and (clock := said.on_a_day()) else None
    return _once(rest, said, here)


def _once(rest: str, said: "_SaidClock | None", here: datetime) -> SaidTime | None:
    """Return a time that does not repeat: on the day that `rest` names, or the next such time; None if in doubt."""
    day = _day(rest, here, said)
    if said is None:
        return SaidTime(at=day.isoformat()) if day is not None and day > here.date() else None
    if not rest or day == here.date():
        found = said.today(here, is_told=bool(rest))
    else:
        clock = said.on_a_day()
        found = datetime.combine(day, clock) if day is not None and clock is not None else None
    return SaidTime(at=f"{found:%Y-%m-%dT%H:%M}") if found is not None and found > here else None


def _day(rest: str, here: datetime, said: "_SaidClock | None") -> date | None:
    """Return the day that tokens name; None if there is any doubt. Raises ValueError for 31 April."""
    today = here.date()
    is_night = here.hour < NIGHT_ENDS
    if found := _RELATIVE.fullmatch(rest):
        return None if is_night and found[1] != "0" else today + timedelta(days=int(found[1]))
    if found := _WEEKDAY.fullmatch(rest):
        ahead, is_next = (int(found["day"]) - 1 - here.weekday()) % 7, bool(found["next"] or found["next2"])
        if (is_next and ahead and int(found["day"]) - 1 > here.weekday()) or (not ahead and not is_next):
            return None
        return None if is_night and ahead == 1 else today + timedelta(days=ahead or 7)
    if (found := _DAYS_AHEAD.fullmatch(rest)) and not is_night and said is not None:
        span = read_span(_with_count(found["in"] or found["later"]))
        return span.day_after(today) if span is not None else None
    found = _DATE.fullmatch(rest)
    return _date(found, today) if found else None


def _date(found: re.Match[str], today: date) -> date | None:
    if found["iso"]:
        return date.fromisoformat(found["iso"])
    day = int(found["day"] or found["day2"] or found["day3"])
    month, year = found["month"] or found["month2"], found["year"] or found["year2"]
    if month is None:
        of_month = (today.month - 1 + (day < today.day)) % 12 + 1
        coming = date(today.year + (of_month < today.month), of_month, day)
    elif year is None:
        coming = date(today.year, int(month), day)
        coming = coming if coming >= today else date(today.year + 1, int(month), day)
        if (coming - today).days > _FARTHEST:
            return None
    else:
        coming = date(int(year), int(month), day)
    if found["weekday"] and coming.weekday() != int(found["weekday"]) - 1:
        return None
    return coming


class _SaidClock:
    """A time of day as it was said: on a 24-hour clock, with a part of the day, or open to both halves of the day."""

    def __init__(self, found: re.Match[str], part: str) -> None:
        """Read a match of `_CLOCK` and a part of the day. Raises UnusableTime or ValueError for impossible times."""
        hour = found["hour"] or found["hour2"] or found["hour3"]
        minute = found["minute"] or found["minute2"] or found["minute3"] or "0"
        self.is_midnight = found["named"] == "midnight"
        if found["named"]:
            self.is_open, self.at = False, time(12) if found["named"] == "noon" else time(0)
            self._set_part(part if part not in {"night"} else "")
            return
        near = hour or found["near"] or found["whole"] or found["told"] or found["beside"]
        number, minutes = _minutes(int(near), int(minute), found["way"], found["more"])
        is_long = hour is not None and (near.startswith("0") or number > 12)
        self.is_open = not part and not is_long and number <= 12
        self.at = time(number % 24 if number == 24 and not part else number, minutes)
        self._set_part(part)

    def _set_part(self, part: str) -> None:
        """Apply a part of the day. Raises UnusableTime if the hour is not in it."""
        hour = self.at.hour
        if part in {"am", "pm"}:
            if not 1 <= hour <= 12:
                raise UnusableTime("no hour of that half")
            self.at = self.at.replace(hour=hour % 12 + (12 if part == "pm" else 0))
        elif part:
            is_noon = part == "afternoon" and hour == 12
            self.at = self.at if is_noon else self.at.replace(hour=DayPart(part).hour(hour))
        self.is_of_night = self.is_midnight or (part == "night" and self.at.hour < 6) or self.at.hour == 0

    def on_a_day(self) -> time | None:
        """Return the time for a day that was named; None if the half of the day, or the night, is unclear."""
        if self.is_of_night or (self.is_open and not _MORNING <= self.at.hour <= 12):
            return None
        return self.at

    def today(self, here: datetime, *, is_told: bool) -> datetime | None:
        """Return the time today, or tomorrow if it has passed and `today` was not said (`is_told`). None if unclear."""
        first = datetime.combine(here.date(), self.at)
        if self.is_open:
            return self._of_today(first, here)
        if is_told:
            return None if self.is_of_night else first
        return first if first > here else first + timedelta(days=1)

    def _of_today(self, first: datetime, here: datetime) -> datetime | None:
        """Return the time today that an hour on a 12-hour clock means: the next such hour at which people are awake.

        None if the other half of the day may be meant.
        """
        if _MORNING <= first.hour <= 12:
            is_night = here.hour < NIGHT_ENDS and first.hour == 12
            return first if first > here and not is_night else None
        later = first + timedelta(hours=12)
        return later if first <= here < later and here.hour >= NIGHT_ENDS and first.hour else None


def _minutes(hour: int, minute: int, way: str | None, more: str | None) -> tuple[int, int]:
    """Return the hour and minute of a time such as `half past 8`.

    `way` are the tokens before the hour (`half past`), `more` those after it (` and half`). Raises ValueError.
    """
    told = {"half past": 30, "half_to": -30, "quarter past": 15, "quarter to": -15, "quarter_of": -45}
    added = {" and half": 30, " and quarter": 15, " less quarter": -15}
    shift = told[way] if way else added[more] if more else 0
    if shift and not 1 <= hour <= 23:
        raise ValueError("no such hour")
    total = hour * 60 + minute + shift
    return (total // 60, total % 60) if total >= 60 or not shift else (12, total % 60)


def _with_count(text: str) -> str:
    return text if text[0].isdigit() else f"1 {text}"


def _span(text: str) -> SaidTime | None:
    """Return a span, such as `2 hour`, `1 hour and half`, `1 and half hour`."""
    text = re.sub(r"(\d+) and half hours?|(\d+) hours? and half", lambda one: f"{one[1] or one[2]}.5 hours", text)
    if "half" in text or re.search(r"\.\d+ (?!hour)", text):
        return None
    span = _with_count(text)
    return SaidTime(after=span) if read_span(span) is not None else None


def _short_rule(many: float, unit: str) -> SaidTime | None:
    minutes = many * (60 if unit == "hour" else 1)
    if minutes != int(minutes) or minutes < 1:
        return None
    hours, rest = divmod(int(minutes), 60)
    rule = f"FREQ=HOURLY;INTERVAL={hours}" if hours and not rest else f"FREQ=MINUTELY;INTERVAL={int(minutes)}"
    return SaidTime(every=rule, after=f"{int(minutes)} minutes")


def _rule(found: re.Match[str]) -> str:
    """Return the rule of RFC 5545 for a repetition by days."""
    if found["daily"]:
        return "FREQ=DAILY"
    if found["work"]:
        return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    if found["days"]:
        days = [WEEKDAYS[int(day) - 1] for day in re.findall(r"\d", found["days"])]
        return f"FREQ=WEEKLY;BYDAY={','.join(dict.fromkeys(days))}"
    return f"FREQ=WEEKLY;INTERVAL={found['weeks']};BYDAY={WEEKDAYS[int(found['on']) - 1]}"
