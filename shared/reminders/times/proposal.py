"""Converts the time that a model proposed into an instant, or returns a hint for the model if that is impossible."""

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta, tzinfo
from itertools import islice, takewhile
from typing import Final

from shared.reminders.times.civil import civil_of, instant_of
from shared.reminders.times.clock import HAS_OFFSET, PartialDateTime, read_date_time
from shared.reminders.times.every import Repetition, read_every
from shared.reminders.times.occurrences import LONGEST_GAP, occurrences
from shared.reminders.times.problem import ScheduleProblem, UnusableTime
from shared.reminders.times.recurrence import Frequency, Recurrence
from shared.reminders.times.rule import MOST_COUNT
from shared.reminders.times.spans import TimeSpan, read_span
from shared.reminders.times.time_of_day import TimeOfDay, split_times
from shared.reminders.times.zones import zones_like
from shared.values.agent import parse_zone

#: a time further ahead is regarded as a mistake
MOST_YEARS: Final = 10
#: the most times of a repetition within 24 hours, since each is a delivery; and how many times to check
MOST_IN_A_DAY: Final = 144
_LOOKED_AT: Final = 2_000
#: the longest field that a model may write, in characters
LONGEST_FIELD: Final = 600
#: what small models write into a field without a value
_NOTHING: Final = {"", "0", "null", "none", "no", "never", "n/a", "-", "false"}
#: plain hyphens and quotation marks for those of typography; marks of direction and width are removed
_PLAIN: Final = str.maketrans(
    {**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("‘’′", "'"), **dict.fromkeys("“”„«»", '"')}
    | dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff")
)
#: a span in a sentence: `in 2 hours`, `every 20 minutes`, `an hour later`
_COUNTED: Final = re.compile(r"(?:in|every) (?P<span>.+)|(?P<later>.+) (?:later|from now)")

NO_TIME: Final = "Say when: with `after`, a span from now, or with `at`, a day and time to come (YYYY-MM-DDTHH:MM)."
ZONE_OF_START: Final = "Write the zone of DTSTART in `zone`."
NO_TIME_OF_DAY: Final = "Say at what time of the day it is to come, as they said it: with `at`, as HH:MM."
NO_SPAN: Final = "`after` is a span of time with its unit, such as 10 minutes, 2 hours or 3 days."
NO_ZONE: Final = "`zone` is the name of a time zone such as Europe/Berlin. Leave it out if nobody named one."
NO_COUNT: Final = f"`count` is how many times in all, a whole number from 1 to {MOST_COUNT}."
NO_UNTIL: Final = "`until` is the last day of a repetition (YYYY-MM-DD)."
NEVER: Final = "What `every` says fits no day and time that is to come."
TOO_OFTEN: Final = (
    f"That is too often: a repetition comes {MOST_IN_A_DAY} times in 24 hours at most, such as every 10 minutes "
    "without an end. What comes more often needs an end before that, with `count` or `until`."
)
TOO_FAR: Final = f"That is more than {MOST_YEARS} years ahead."


@dataclass(frozen=True, kw_only=True)
class TimeProposal:
    """The time fields of a task, as a model wrote them: any JSON values."""

    at: object = None
    after: object = None
    every: object = None
    until: object = None
    count: object = None
    zone: object = None


@dataclass(frozen=True, kw_only=True)
class ResolvedTime:
    """The time at which something happens first, and the rule by which it repeats, if it does."""

    #: instant in UTC
    first: datetime
    #: IANA time zone of its civil times
    zone: str
    #: naive civil time of the first occurrence, from which the repetition counts
    start: datetime
    #: None if it happens once
    recurrence: Recurrence | None = None


@dataclass(frozen=True, kw_only=True)
class _ProposalContext:
    """The time at which a proposal is made, and the name of the time zone in which it is read."""

    now: datetime
    name: str

    @property
    def zone(self) -> tzinfo:
        return parse_zone(self.name)

    @property
    def civil(self) -> datetime:
        return civil_of(self.now, self.zone).replace(microsecond=0)


@dataclass(frozen=True, kw_only=True)
class _GivenTime:
    """The time given by `after` or `at`."""

    span: TimeSpan | None = None
    moment: PartialDateTime | None = None


def resolve_time(proposal: TimeProposal, now: datetime, zone: str) -> ResolvedTime | ScheduleProblem:
    """Return the times that a proposal means in a zone; or a problem with it, as a sentence for the model.

    The first time is after `now`. If both `at` and `after` are given, `after` is used, since it needs no arithmetic.
    """
    try:
        named = _text(proposal.zone)
        return _resolve(proposal, _ProposalContext(now=now, name=_zone(named, now) if named else zone))
    except UnusableTime as problem:
        return ScheduleProblem(str(problem))
    except (ValueError, OverflowError):  # beyond the end of the calendar
        return ScheduleProblem(TOO_FAR)


def is_time_of_day(at: str) -> bool:
    """Return whether a text gives a time of day without a day."""
    try:
        return not read_date_time(_text(at), datetime(2000, 1, 1)).has_day
    except ValueError:
        return False


def is_exact(said: str) -> bool:
    """Return whether a text gives a clock time, a span from now or an interval, not only a day or a part of a day."""
    try:
        _, times = split_times(said.lower())
    except UnusableTime:
        return False
    counted = _COUNTED.fullmatch(said.lower())
    is_span = counted is not None and read_span(counted["span"] or counted["later"]) is not None
    return is_span or times[0].at is not None


def _resolve(proposal: TimeProposal, here: _ProposalContext) -> ResolvedTime:
    said, every = _read_time(proposal, here), _text(proposal.every)
    repetition = read_every(every) if every else None
    when = (
        _resolve_repetition(repetition, proposal, here, _with_rule_start(repetition, here, said))
        if repetition
        else _resolve_once(here, said)
    )
    if when.first <= here.now:
        now = here.civil
        raise UnusableTime(f"That is in the past: it is {now:%Y-%m-%dT%H:%M}, a {now:%A}, in {here.name} now.")
    if when.first > here.now + timedelta(days=MOST_YEARS * 366):
        raise UnusableTime(TOO_FAR)
    return when


def _read_time(proposal: TimeProposal, here: _ProposalContext) -> _GivenTime:
    after, at = _text(proposal.after), _text(proposal.at)
    span = read_span(after) if after else None
    if after and span is None:
        raise UnusableTime(NO_SPAN)
    return _GivenTime(span=span) if span is not None or not at else _said_at(at, here)


def _said_at(at: str, here: _ProposalContext) -> _GivenTime:
    """Return the meaning of `at`: a time, or a span that the model wrote into the wrong field."""
    try:
        moment = read_date_time(at, here.civil)
    except UnusableTime:
        span = _span_in(at)
        if span is None:
            raise
        return _GivenTime(span=span)
    if moment.offset is not None:
        civil = moment.next_after(here.civil)
        if instant_of(civil, here.zone) != (civil - moment.offset).replace(tzinfo=UTC):
            raise UnusableTime(HAS_OFFSET)
    return _GivenTime(moment=moment)


def _with_rule_start(repetition: Repetition, here: _ProposalContext, said: _GivenTime) -> _GivenTime:
    """Return the first time that was given, on the day of the rule's own start (DTSTART) if no day was given."""
    written = repetition.written
    if written is None or not written.start or _has_day(said):
        return said
    if written.zone and written.zone != here.name.upper():
        raise UnusableTime(ZONE_OF_START)
    begins = _said_at(written.start, here)
    if said.moment is None or begins.moment is None:
        return begins
    return _GivenTime(moment=begins.moment.at_time(said.moment.said))


def _span_in(text: str) -> TimeSpan | None:
    """Return the span in a field that should contain a day or time; None if the text is not a span with a unit."""
    return read_span(text) if re.search("[a-z]", text.lower()) else None


def _resolve_once(here: _ProposalContext, said: _GivenTime) -> ResolvedTime:
    if said.span is not None:
        first = said.span.after(here.now, here.zone)
        return ResolvedTime(first=first, zone=here.name, start=civil_of(first, here.zone))
    if said.moment is None:
        raise UnusableTime(NO_TIME)
    civil = said.moment.next_after(here.civil)
    return ResolvedTime(first=instant_of(civil, here.zone), zone=here.name, start=civil)


def _resolve_repetition(
    repetition: Repetition, proposal: TimeProposal, here: _ProposalContext, said: _GivenTime
) -> ResolvedTime:
    start = _start(repetition, here, said)
    rule = _with_end(repetition.recurrence, proposal, here.civil)
    start = _counted_from(rule, start, here, has_day=_has_day(said))
    # `count` counts from the first time that is still to come
    since = max(start, here.civil - LONGEST_GAP)
    coming = ((civil, instant_of(civil, here.zone)) for civil in occurrences(replace(rule, count=None), start, since))
    civil, first = next((one for one in coming if one[1] > here.now), (start, None))
    if first is None:
        raise UnusableTime(NEVER)
    if _is_too_often(rule, civil):
        raise UnusableTime(TOO_OFTEN)
    return ResolvedTime(first=first, zone=here.name, start=civil, recurrence=rule)


def _is_too_often(rule: Recurrence, start: datetime) -> bool:
    """Return whether a rule occurs too often within 24 hours. A rule by days with one time a day never does."""
    if rule.frequency.is_of_day and not rule.hours and not rule.minutes:
        return False
    end = start + timedelta(days=400)
    times = list(islice(takewhile(lambda one: one < end, occurrences(rule, start, start)), _LOOKED_AT))
    return any(later - one < timedelta(days=1) for one, later in zip(times, times[MOST_IN_A_DAY:], strict=False))


def _start(repetition: Repetition, here: _ProposalContext, said: _GivenTime) -> datetime:
    """Return the civil time from which a repetition counts."""
    if said.span is not None:
        return civil_of(said.span.after(here.now, here.zone), here.zone).replace(microsecond=0)
    rule, moment = repetition.recurrence, said.moment or PartialDateTime()
    at = repetition.time_with(moment.said) or (time(0) if rule.hours else None)
    if moment.has_day:
        return moment.at_time(TimeOfDay(at)).next_after(here.civil)
    if at is not None:
        # today's time, even if it has passed: the rule continues from it
        return datetime.combine(here.civil.date(), at)
    if rule.frequency.is_of_day:
        raise UnusableTime(NO_TIME_OF_DAY)
    return here.civil


def _has_day(said: _GivenTime) -> bool:
    return said.span is not None or (said.moment is not None and said.moment.has_day)


def _counted_from(rule: Recurrence, start: datetime, here: _ProposalContext, *, has_day: bool) -> datetime:
    """Return the civil time from which the rule's intervals count: its first occurrence.

    If no day is given, that occurrence must be in the future. A rule that takes its day from `start` counts from
    `start`. A rule for every fourth 29 February counts from a leap year.
    """
    takes_day = rule.frequency is not Frequency.DAILY and not rule.names_days
    if rule.interval == 1 or not rule.frequency.is_of_day or takes_day:
        return start
    each = replace(rule, interval=1, count=None, until=None)
    coming = (one for one in occurrences(each, start, start) if has_day or instant_of(one, here.zone) > here.now)
    is_of_leap_years = rule.frequency is Frequency.YEARLY and rule.interval % 4 == 0 and rule.month_days == (29,)
    return next((one for one in coming if one.day == 29 or not is_of_leap_years), start)


def _with_end(rule: Recurrence, proposal: TimeProposal, here: datetime) -> Recurrence:
    """Return the rule with the end that the proposal gives separately (`count`, `until`)."""
    count, until = _text(proposal.count), _text(proposal.until)
    if count:
        number = re.match(r"[0-9]{1,9}(?![0-9])", count)
        if number is None or not 1 <= int(number[0]) <= MOST_COUNT:
            raise UnusableTime(NO_COUNT)
        rule = replace(rule, count=int(number[0]))
    if until:
        rule = replace(rule, until=_until(until, here))
    return rule


def _until(text: str, here: datetime) -> datetime:
    try:
        moment = read_date_time(text.removesuffix("Z"), here)
    except UnusableTime as cause:
        span = _span_in(text)
        if span is None:
            raise UnusableTime(NO_UNTIL) from cause
        return span.after(here.replace(tzinfo=UTC), UTC).replace(tzinfo=None)
    return moment.at_time(TimeOfDay(moment.said.clock() or time(23, 59, 59))).next_after(here)


def _zone(said: str, now: datetime) -> str:
    found = zones_like(said, now)
    if len(found) != 1:
        raise UnusableTime(NO_ZONE)
    return found[0]


def _text(value: object) -> str:
    """Return a field as text; "" if it has no value. Raises UnusableTime for types other than text and numbers."""
    if not value or isinstance(value, bool):
        return ""
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str | int | float):
        raise UnusableTime("Each field with a time is a text.")
    text = unicodedata.normalize("NFKC", str(value)).translate(_PLAIN).strip(" \t\r\n\"'`")
    if len(text) > LONGEST_FIELD:
        raise UnusableTime(f"A field with a time has at most {LONGEST_FIELD} characters.")
    return "" if text.lower() in _NOTHING else text
