"""Civil times: what a clock on the wall shows in a time zone, and the instants that they are."""

from datetime import UTC, datetime, tzinfo
from typing import Final

#: the hour until which people count the night to the day before it
NIGHT_ENDS: Final = 4


def instant_of(civil: datetime, zone: tzinfo) -> datetime:
    """The instant (UTC) of a civil time (naive) in a zone.

    Where clocks are set forward, some civil times do not exist: they move forward by as much. Where clocks are set
    back, some exist twice: the first is meant. `fold=0` is both (PEP 495): the offset from before the change.
    """
    return civil.replace(tzinfo=zone, fold=0).astimezone(UTC)


def civil_of(instant: datetime, zone: tzinfo) -> datetime:
    """What the clock on the wall shows at an instant: a naive time."""
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)
