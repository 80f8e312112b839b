"""The ECB's reference rates against the euro (data.ecb.europa.eu/help/api/data).

They are published on working days at about 16:00 in Frankfurt; a rate of a past day never changes.
"""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from shared.errors import ToolFailed

_RATES: Final = "https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A"
FRANKFURT: Final = ZoneInfo("Europe/Berlin")
#: the rates of a day are out by the second hour, and may be from the first one on
_FIRST_HOUR, _LAST_HOUR = 16, 17
_SOON: Final = timedelta(minutes=10)
#: Easter closes the markets for four days, Christmas with a weekend for as many
_LONGEST_GAP: Final = timedelta(days=10)
#: the euro is older, the first rates are of this day
FIRST_DAY: Final = date(1999, 1, 4)
_SATURDAY: Final = 5
_RATE: Final = re.compile(r"\d{1,12}(?:\.\d{1,12})?(?:E-?\d{1,2})?", re.ASCII)
_CODE: Final = re.compile(r"[A-Z]{3}", re.ASCII)


@dataclass(frozen=True)
class Rate:
    """How much of a currency a euro was worth on a day."""

    per_euro: Decimal
    day: date


def rates_url(day: date | None) -> str:
    """Where the last rate of each currency is told: of all days, or up to a day in the past."""
    window = f"startPeriod={day - _LONGEST_GAP}&endPeriod={day}&" if day else ""
    return f"{_RATES}?{window}lastNObservations=1&detail=dataonly&format=csvdata"


def fresh_for(now: datetime) -> timedelta:
    """How old what the ECB said may be, so that no newer rates can be there."""
    here = now.astimezone(FRANKFURT)
    if here.weekday() < _SATURDAY and here.hour == _FIRST_HOUR:
        return _SOON
    last = here.replace(hour=_LAST_HOUR, minute=0, second=0, microsecond=0)
    while last > here or last.weekday() >= _SATURDAY:
        last -= timedelta(days=1)
    return here - last


def rates_in(text: str) -> Mapping[str, Rate]:
    """The rates by the currencies' codes, the euro among them as the newest. Raises ToolFailed."""
    found = {}
    for row in csv.DictReader(text.splitlines()):
        code, day, value = (row.get(name) or "" for name in ("CURRENCY", "TIME_PERIOD", "OBS_VALUE"))
        if _CODE.fullmatch(code) and _RATE.fullmatch(value) and Decimal(value) > 0:
            found[code] = Rate(Decimal(value), _day(day))
    if not found:
        raise ToolFailed("The ECB's rates cannot be read. Say that they cannot be looked up just now.")
    return {"EUR": Rate(Decimal(1), max(rate.day for rate in found.values())), **found}


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ToolFailed("The ECB's rates cannot be read. Say that they cannot be looked up just now.") from None
