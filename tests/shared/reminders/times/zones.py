"""The time zones of the database, and when their clocks change."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import strategies

NAMES = sorted(available_timezones() - {"localtime", "Factory"})
every_zone = strategies.sampled_from(NAMES).map(ZoneInfo)

#: half an hour; a month of Ramadan; a whole day left out; a winter that is the exception; Sunday at midnight; none
ODD = ("Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "Europe/Dublin", "America/Havana", "Asia/Kolkata")


@cache
def transitions(zone: tzinfo, first_year: int, last_year: int) -> tuple[datetime, ...]:
    """List the instants at which a zone's offset changes, to the second."""
    return tuple(_transitions(zone, datetime(first_year, 1, 1, tzinfo=UTC), datetime(last_year + 1, 1, 1, tzinfo=UTC)))


def _transitions(zone: tzinfo, begin: datetime, end: datetime) -> Iterator[datetime]:
    while begin < end:
        after = begin + timedelta(days=5)
        if offset(begin, zone) != offset(after, zone):
            yield _between(begin, after, zone)
        begin = after


def _between(before: datetime, after: datetime, zone: tzinfo) -> datetime:
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        before, after = (middle, after) if offset(middle, zone) == offset(before, zone) else (before, middle)
    return after


def offset(instant: datetime, zone: tzinfo) -> timedelta:
    """Compute the offset of a zone from UTC."""
    found = instant.astimezone(zone).utcoffset()
    assert found is not None
    return found
