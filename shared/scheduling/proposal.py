"""What a model proposed as a time, and what code makes of it: an instant, or what to tell the model."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, tzinfo
from typing import Final

from shared.models.agent import zone_named
from shared.scheduling.civil import civil_of, instant_of
from shared.scheduling.clock import HAS_OFFSET, Moment, read_moment
from shared.scheduling.every import Repetition, read_every
from shared.scheduling.occurrences import LONGEST_GAP, occurrences
from shared.scheduling.problem import Problem, Unusable
from shared.scheduling.recurrence import Recurrence
from shared.scheduling.rule import MOST_COUNT
from shared.scheduling.spans import Span, read_span
from shared.scheduling.zones import zones_like

#: what is further ahead is a mistake
MOST_YEARS: Final = 10
#: of one field that a model wrote
LONGEST_FIELD: Final = 600
#: what small models write where a field has no value
_NOTHING: Final = {"", "0", "null", "none", "no", "never", "n/a", "-", "false"}

NO_TIME: Final = "Say when: with `after`, such as 10 minutes, or with `at`, such as 2026-11-27T17:00."
NO_TIME_OF_DAY: Final = "Say with `at` at what time of the day, such as 08:00."
NO_SPAN: Final = "`after` is a span of time such as 10 minutes, 2 hours or 3 days."
NO_ZONE: Final = "`zone` is the name of a time zone such as Europe/Berlin. Leave it out if nobody named one."
NO_COUNT: Final = f"`count` is how many times in all, a whole number from 1 to {MOST_COUNT}."
NO_UNTIL: Final = "`until` is the last day of a repetition, such as 2026-12-31."
NEVER: Final = "What `every` says fits no day and time that is to come."
TOO_FAR: Final = f"That is more than {MOST_YEARS} years ahead."


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """The fields that say when, as a model wrote them: anything that JSON can be."""

    at: object = None
    after: object = None
    every: object = None
    until: object = None
    count: object = None
    zone: object = None


@dataclass(frozen=True, kw_only=True)
class When:
    """When something happens first, and how it repeats."""

    #: in UTC
    first: datetime
    #: the name of the zone in which its civil times are meant
    zone: str
    #: the civil time (naive) of the first time, from which the repetition counts
    start: datetime
    #: none: it happens once
    recurrence: Recurrence | None = None


def resolved(proposal: Proposal, now: datetime, zone: str) -> When | Problem:
    """What a proposal means to somebody who says times in a zone; or what is wrong with it, for the model.

    The first time is after `now`. With both `at` and `after`, the span counts: it needs no arithmetic of a model.
    """
    try:
        said = _text(proposal.zone)
        name = _zone(said, now) if said else zone
        return _resolved(proposal, now, name, zone_named(name))
    except Unusable as problem:
        return Problem(str(problem))
    except (ValueError, OverflowError):  # behind the end of the calendar
        return Problem(TOO_FAR)


def _resolved(proposal: Proposal, now: datetime, name: str, zone: tzinfo) -> When:
    span, moment = _said(proposal, now, zone)
    every = _text(proposal.every)
    if every:
        when = _repeated(read_every(every), proposal, (now, name, zone), (span, moment))
    else:
        when = _once(now, name, zone, (span, moment))
    if when.first <= now:
        here = civil_of(now, zone)
        raise Unusable(f"That is in the past: it is {here:%Y-%m-%dT%H:%M}, a {here:%A}, in {name} now.")
    if when.first > now + timedelta(days=MOST_YEARS * 366):
        raise Unusable(TOO_FAR)
    return when


def _said(proposal: Proposal, now: datetime, zone: tzinfo) -> tuple[Span | None, Moment | None]:
    """What `after` and `at` say. A span may stand in `at` too."""
    after, at = _text(proposal.after), _text(proposal.at)
    span = read_span(after) if after else None
    if after and span is None:
        raise Unusable(NO_SPAN)
    if span is not None or not at:
        return span, None
    here = civil_of(now, zone)
    try:
        moment = read_moment(at, here)
    except Unusable:
        span = None if at.isdecimal() else read_span(at)
        if span is None:
            raise
        return span, None
    if moment.offset is not None:
        civil = moment.next_after(here)
        if instant_of(civil, zone) != (civil - moment.offset).replace(tzinfo=instant_of(civil, zone).tzinfo):
            raise Unusable(HAS_OFFSET)
    return None, moment


def _once(now: datetime, name: str, zone: tzinfo, said: tuple[Span | None, Moment | None]) -> When:
    span, moment = said
    if span is not None:
        first = span.after(now, zone)
        return When(first=first, zone=name, start=civil_of(first, zone))
    if moment is None:
        raise Unusable(NO_TIME)
    civil = moment.next_after(civil_of(now, zone))
    return When(first=instant_of(civil, zone), zone=name, start=civil)


def _repeated(
    repetition: Repetition,
    proposal: Proposal,
    place: tuple[datetime, str, tzinfo],
    said: tuple[Span | None, Moment | None],
) -> When:
    now, name, zone = place
    start = _start(repetition, now, zone, said)
    rule = _bounded(repetition.from_day(start), proposal, civil_of(now, zone))
    endless = replace(rule, count=None)
    since = max(start, civil_of(now, zone) - LONGEST_GAP)
    coming = ((civil, instant_of(civil, zone)) for civil in occurrences(endless, start, since))
    first = next((one for one in coming if one[1] > now), None)
    if first is None:
        raise Unusable(NEVER)
    return When(first=first[1], zone=name, start=first[0], recurrence=rule)


def _start(repetition: Repetition, now: datetime, zone: tzinfo, said: tuple[Span | None, Moment | None]) -> datetime:
    """The civil time from which a repetition counts."""
    (span, moment), rule, here = said, repetition.recurrence, civil_of(now, zone).replace(microsecond=0)
    if span is not None:
        return civil_of(span.after(now, zone), zone).replace(microsecond=0)
    at = (moment.at if moment else None) or repetition.at
    if at is None and rule.hours:
        at = time(minute=0)
    if moment is not None:
        return _from_moment(replace(moment, at=at), here)
    if at is not None:
        return datetime.combine(here.date(), at)
    if rule.frequency.is_of_day:
        raise Unusable(NO_TIME_OF_DAY)
    return here


def _from_moment(moment: Moment, here: datetime) -> datetime:
    """The day and time that are said; of a time of day alone, today's, even if it is over: the rule goes on from it."""
    if moment.day is None and moment.weekday is None and moment.at is not None:
        return datetime.combine(here.date(), moment.at)
    return moment.next_after(here)


def _bounded(rule: Recurrence, proposal: Proposal, here: datetime) -> Recurrence:
    """The rule with the end that stands beside it."""
    count, until = _text(proposal.count), _text(proposal.until)
    if count:
        number = re.match(r"[0-9]{1,9}(?![0-9])", count)
        if number is None or not 1 <= int(number[0]) <= MOST_COUNT:
            raise Unusable(NO_COUNT)
        rule = replace(rule, count=int(number[0]))
    if until:
        rule = replace(rule, until=_until(until, here))
    return rule


def _until(text: str, here: datetime) -> datetime:
    try:
        moment = read_moment(text.removesuffix("Z"), here)
    except Unusable as cause:
        raise Unusable(NO_UNTIL) from cause
    return replace(moment, at=moment.at or time(23, 59, 59)).next_after(here)


def _zone(said: str, now: datetime) -> str:
    found = zones_like(said, now)
    if len(found) != 1:
        raise Unusable(NO_ZONE)
    return found[0]


def _text(value: object) -> str:
    """What a field says, as a text; empty: nothing. Raises Unusable for what is neither a text nor a number."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if not isinstance(value, str | int | float):
        raise Unusable("Each field that says when is a text.")
    text = str(value).strip(" \t\n\"'")
    if len(text) > LONGEST_FIELD:
        raise Unusable("A field that says when is a few words.")
    return "" if text.lower() in _NOTHING else text
