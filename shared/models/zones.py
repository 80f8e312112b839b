"""Time zones by their names in the IANA database."""

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def zone_named(name: str) -> tzinfo:
    """The time zone, such as `Europe/Kyiv`. Raises ValueError for a name that is not in the database.

    UTC needs no database: a slim machine may have none.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as cause:  # a folder's name, or one that leads out of it
        raise ValueError(f"there is no time zone {name!r}; names are like Europe/Kyiv or UTC") from cause
