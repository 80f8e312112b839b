"""When something happened: the civil date that the model gives, as far as it can be true."""

import re
from datetime import date
from typing import Final

#: a year, perhaps with a month, perhaps with a day
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)
#: people tell of their grandparents, and plan for their children
EARLIEST_YEAR: Final = 1850
LONGEST_AHEAD_YEARS: Final = 30


def happened_in(text: str, said_on: date) -> str:
    """The date in a reply: "2026-05-08", "2026-05" or "2026"; empty for what is none, or cannot be meant.

    `said_on` is the date of the newest message that tells of it.
    """
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return ""
    year, month, day = (int(part) if part else None for part in found.groups())
    if year is None or not EARLIEST_YEAR <= year <= said_on.year + LONGEST_AHEAD_YEARS:
        return ""
    try:
        date(year, month or 1, day or 1)
    except ValueError:
        return ""
    return found[0]


def day_of(happened: str, otherwise: date) -> date:
    """The first day of what such a date names; another day where it names none."""
    found = _DATE.fullmatch(happened)
    if found is None:
        return otherwise
    year, month, day = (int(part) if part else 1 for part in found.groups())
    return date(year, month, day)
