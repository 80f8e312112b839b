"""Conversion between civil times (what a clock on the wall shows in a time zone) and instants."""

from datetime import UTC, datetime, tzinfo
from typing import Final

#: the hour until which people count the night to the day before
NIGHT_ENDS: Final = 4


def instant_of(civil: datetime, zone: tzinfo) -> datetime:
    """Return the instant (UTC) of a naive civil time in a zone.

    A time that is skipped when clocks go forward moves forward by the same amount. If a time occurs twice, the first is
    meant. `fold=0` does both (PEP 495): it uses the offset from before the change.
    """
    return civil.replace(tzinfo=zone, fold=0).astimezone(UTC)


def civil_of(instant: datetime, zone: tzinfo) -> datetime:
    """Return the naive civil time at an instant."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)
