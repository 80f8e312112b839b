"""Reads RRULEs of RFC 5545 (section 3.3.10) that a model wrote or lull stored."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, tzinfo
from typing import Any, Final

from shared.reminders.times.civil import civil_of
from shared.reminders.times.problem import UnusableTime
from shared.reminders.times.recurrence import LISTS, WEEKDAYS, Frequency, Recurrence, weekday_of
from shared.reminders.times.zones import first_zone
from shared.values.agent import parse_zone
from shared.values.reminder import Reminder

#: the most characters of a stored rule. This bounds the rule's lists, and so the time to compute its dates. A model's
#: rule may become somewhat longer when lull writes it
LONGEST_RULE: Final = 1_000
#: the most characters of a rule that a model writes; usual rules have about sixty
LONGEST_PROPOSED: Final = 500
MOST_INTERVAL: Final = 10_000
MOST_COUNT: Final = 10_000
#: the least and greatest value of each list, and whether negative values count from the end
_RANGES: Final[Mapping[str, tuple[int, int, bool]]] = {
    "BYMONTH": (1, 12, False),
    "BYWEEKNO": (1, 53, True),
    "BYYEARDAY": (1, 366, True),
    "BYMONTHDAY": (1, 31, True),
    "BYHOUR": (0, 23, False),
    "BYMINUTE": (0, 59, False),
    "BYSETPOS": (1, 366, True),
}
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,6}")
_WEEKDAY: Final = re.compile(r"([+-]?[0-9]{1,2})?([A-Z]{2,9})")
_UNTIL: Final = re.compile(r"([0-9]{4})-?([0-9]{2})-?([0-9]{2})(?:T([0-9]{2}):?([0-9]{2}):?([0-9]{2})?)?Z?")
#: the last second of a day
_END_OF_DAY: Final = time(23, 59, 59)
#: spaces that models write inside a rule
_SPACES: Final = re.compile(r"\s*([;,=])\s*")
_START: Final = re.compile(r"DTSTART(?:;TZID=(?P<zone>[^:;=\s]+)|;[A-Z]+=[^:;=\s]+)*[:=](?P<start>[0-9TZ:+-]+);?")
#: lines that add dates to a rule or remove dates from it; they are not supported
_EXCEPTIONS: Final = re.compile(r"\b(?:EXDATE|EXRULE|RDATE)\b")
NO_EXCEPTIONS: Final = (
    "A rule has no exceptions: write it without EXDATE, EXRULE and RDATE, and say that no day can be left out or added."
)
#: another line of an event, such as SUMMARY:Tea
_NAMED: Final = re.compile(r"\s*[A-Z-]+:")
ALONE: Final = "Write a rule by itself, such as FREQ=WEEKLY;BYDAY=MO,WE, and a time of day in `at`."
ONE_RULE: Final = "One rule for each `schedule`: write one task for each of them."


@dataclass(frozen=True)
class WrittenRule:
    """A rule as a model wrote it, with the first time (DTSTART) and its zone, if given."""

    rule: str
    start: str = ""
    zone: str = ""


def rule_in(value: str) -> WrittenRule:
    """Return the rule in a text that may contain DTSTART and other lines. Raises UnusableTime."""
    text = _SPACES.sub(r"\1", value.upper().replace("\\N", "\n"))
    if _EXCEPTIONS.search(text):
        raise UnusableTime(NO_EXCEPTIONS)
    begins = _START.search(text)
    lines = re.sub(r"RRULE\s*[:=]\s*", " ", _START.sub(" ", text)).splitlines()
    words = [word for line in lines if "FREQ" in line or not _NAMED.match(line) for word in line.split()]
    rules = [word for word in words if "=" in word and not _NAMED.match(word)]
    behind = words[words.index(rules[0]) :] if rules else []
    if sum("FREQ" in word for word in rules) > 1:
        raise UnusableTime(ONE_RULE)
    if any("=" not in word and not _NAMED.match(word) for word in behind):
        raise UnusableTime(ALONE)
    if sum(map(len, rules)) > LONGEST_PROPOSED:
        raise UnusableTime(f"A rule has at most {LONGEST_PROPOSED} characters.")
    start, zone = (begins["start"], begins["zone"] or "") if begins else ("", "")
    return WrittenRule(";".join(rules), start, zone)


def read_rule(text: str) -> Recurrence:
    """Return the recurrence of a rule such as `FREQ=WEEKLY;BYDAY=FR`. Raises UnusableTime.

    UNTIL is a civil time even with a Z, which models like to add; an UNTIL that is only a day lasts to the end of that
    day.
    """
    if len(text) > LONGEST_RULE:
        raise UnusableTime(f"A rule has at most {LONGEST_RULE} characters.")
    parts = _parts(text.strip().upper().removeprefix("RRULE:"))
    named = parts.pop("FREQ", "")
    if named == "SECONDLY" or parts.pop("BYSECOND", "0") not in {"0", "00"}:
        raise UnusableTime("A minute is the shortest distance from one time to the next.")
    if named not in set(Frequency):
        raise UnusableTime(f"A rule needs FREQ, one of {', '.join(Frequency)}.")
    fields = dict(_field(name, value) for name, value in parts.items())
    return _validate(Recurrence(frequency=Frequency(named), **fields))


def _parts(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in re.split(r"[;\s]+", text) if part]
    parts = {name: value for name, _, value in pairs}
    if len(parts) != len(pairs):
        raise UnusableTime("Each part of a rule may stand in it once.")
    return parts


def _field(name: str, value: str) -> tuple[str, Any]:
    """Return one part of a rule as the name and value of a field of `Recurrence`. Raises UnusableTime."""
    match name:
        case "BYDAY":
            return LISTS[name], tuple(dict.fromkeys(_weekday(one) for one in value.split(",")))
        case _ if name in LISTS:
            return LISTS[name], tuple(dict.fromkeys(_list_value(name, one) for one in value.split(",")))
        case "INTERVAL":
            return "interval", _between(name, value, 1, MOST_INTERVAL)
        case "COUNT":
            return "count", _between(name, value, 1, MOST_COUNT)
        case "UNTIL":
            return "until", _until(value)
        case "WKST" if value in WEEKDAYS:
            return "week_start", WEEKDAYS.index(value)
    raise UnusableTime(
        f"A rule has FREQ, INTERVAL, COUNT, UNTIL, WKST and {', '.join(LISTS)}, with values as RFC 5545 has."
    )


def _between(name: str, value: str, least: int, most: int) -> int:
    if not _WHOLE.fullmatch(value) or not least <= int(value) <= most:
        raise UnusableTime(f"{name} takes whole numbers from {least} to {most}.")
    return int(value)


def _list_value(name: str, value: str) -> int:
    least, most, may_be_negative = _RANGES[name]
    if may_be_negative and value.startswith("-"):
        return -_between(name, value[1:], least, most)
    return _between(name, value, least, most)


def _weekday(value: str) -> tuple[int, int]:
    found = _WEEKDAY.fullmatch(value)
    which, name = (int(found[1] or 0), found[2]) if found else (54, "")
    day = WEEKDAYS.index(name) if name in WEEKDAYS else weekday_of(name.lower())
    if day is None or abs(which) > 53:
        raise UnusableTime(f"BYDAY takes {', '.join(WEEKDAYS)}; with a number from 1 to 53 before it, or -1 to -53.")
    return day, which


def _until(value: str) -> datetime:
    found = _UNTIL.fullmatch(value)
    try:
        numbers = [int(number or 0) for number in found.groups()] if found else []
        until = datetime(*numbers)  # type: ignore[arg-type]
    except (TypeError, ValueError) as cause:
        raise UnusableTime("UNTIL takes a civil time such as 20261231T170000, or a day such as 20261231.") from cause
    return until if found and found[4] else datetime.combine(until, _END_OF_DAY)


def _validate(rule: Recurrence) -> Recurrence:
    """Return the rule if RFC 5545 allows it. Raises UnusableTime."""
    if any(which for _, which in rule.weekdays) and rule.frequency not in {Frequency.MONTHLY, Frequency.YEARLY}:
        raise UnusableTime("BYDAY has numbers only with FREQ=MONTHLY or FREQ=YEARLY.")
    if rule.weeks and rule.frequency is not Frequency.YEARLY:
        raise UnusableTime("BYWEEKNO goes only with FREQ=YEARLY.")
    if rule.positions and not rule.frequency.is_of_day:
        raise UnusableTime("BYSETPOS goes only with FREQ=DAILY or a longer unit.")
    return rule


def repetition_of(reminder: Reminder) -> tuple[Recurrence | None, datetime]:
    """Return a reminder's rule (None if it does not repeat) and the civil time of its first occurrence.

    An unreadable rule counts as no rule, so that it does not block anything else.
    """
    try:
        start = datetime.fromisoformat(reminder.start).replace(tzinfo=None)
        return read_rule(reminder.rule) if reminder.rule else None, start
    except ValueError:
        return None, civil_of(reminder.next_at or reminder.set_at, zone_of(reminder))


def zone_of(reminder: Reminder) -> tzinfo:
    """Return the zone of a reminder's civil times; UTC if the current time zone database lacks that zone."""
    return parse_zone(first_zone(reminder.zone))
