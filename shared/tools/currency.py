"""`currency`: converts amounts to another currency, by the reference rates of the European Central Bank.

The rates are against the euro (data.ecb.europa.eu/help/api/data), and are published on working days at about 16:00 in
Frankfurt. A past rate never changes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Context, Decimal, InvalidOperation
from typing import Final
from zoneinfo import ZoneInfo

from shared.base.errors import ToolFailed
from shared.tools.services.lookups import CachedLookups
from shared.tools.tool import Tool, ToolContext

#: how long a past rate counts as fresh; past rates never change
_PAST_FRESH: Final = timedelta(days=30)
#: how long a cached rate may be used if the service fails; an old rate does no harm, since the answer names its day
_USABLE: Final = timedelta(days=7)
_EXACT: Final = Context(prec=40)
_RATE_DIGITS: Final = 6
#: the largest amount that is converted
_MOST: Final = Decimal(10) ** 18
#: currencies without a smaller unit
_WHOLE: Final = frozenset({"HUF", "IDR", "ISK", "JPY", "KRW"})
#: a currency whose last rate is this much older than the newest rate of any currency is no longer quoted
_GONE_AFTER: Final = timedelta(days=14)
_LONGEST: Final = 40
_RATES: Final = "https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A"
FRANKFURT: Final = "Europe/Berlin"
#: the hours between which the day's rates are published, in Frankfurt
_FIRST_HOUR, _LAST_HOUR = 16, 17
_SOON: Final = timedelta(minutes=10)
#: the longest time between two rates: over Easter, or over Christmas with a weekend
_LONGEST_GAP: Final = timedelta(days=10)
#: the day of the first rates
FIRST_DAY: Final = date(1999, 1, 4)
_SATURDAY: Final = 5
_RATE: Final = r"[0-9]{1,12}(?:\.[0-9]{1,12})?(?:E-?[0-9]{1,2})?"
_CODE: Final = r"[A-Z]{3}"


@dataclass(frozen=True)
class EuroRate:
    """The value of one euro in some currency on one day."""

    per_euro: Decimal
    day: date


def rates_url(day: date | None) -> str:
    """Return the URL of the rates of all currencies: the newest ones, or with `day`, the last ones up to that day."""
    window = f"startPeriod={day - _LONGEST_GAP}&endPeriod={day}&" if day else ""
    return f"{_RATES}?{window}lastNObservations=1&detail=dataonly&format=csvdata"


def max_age_of_rates(now: datetime) -> timedelta:
    """Return the age up to which cached rates are certainly still the newest."""
    here = now.astimezone(ZoneInfo(FRANKFURT))
    if here.weekday() < _SATURDAY and here.hour == _FIRST_HOUR:
        return _SOON
    last = here.replace(hour=_LAST_HOUR, minute=0, second=0, microsecond=0)
    while last > here or last.weekday() >= _SATURDAY:
        last -= timedelta(days=1)
    return here - last


def parse_rates(text: str) -> Mapping[str, EuroRate]:
    """Return the rates by currency code. The euro's rate is dated like the newest other rate. Raises ToolFailed."""
    import csv  # imported only by the calls that need it

    found = {}
    for row in csv.DictReader(text.splitlines()):
        code, day, value = (row.get(name) or "" for name in ("CURRENCY", "TIME_PERIOD", "OBS_VALUE"))
        if re.fullmatch(_CODE, code) and re.fullmatch(_RATE, value) and Decimal(value) > 0:
            found[code] = EuroRate(Decimal(value), _published_on(day))
    if not found:
        raise ToolFailed("The ECB's rates cannot be read. Say that they cannot be looked up just now.")
    return {"EUR": EuroRate(Decimal(1), max(rate.day for rate in found.values())), **found}


def _published_on(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ToolFailed("The ECB's rates cannot be read. Say that they cannot be looked up just now.") from None


async def _currency(arguments: Mapping[str, object], context: ToolContext) -> str:
    amount, (have, want) = _amount(arguments), _codes(arguments)
    day = _day(arguments, today=context.now.astimezone(ZoneInfo(FRANKFURT)).date())
    fresh = _PAST_FRESH if day else max_age_of_rates(context.now)
    rates = parse_rates((await context.ports[CachedLookups].get(rates_url(day), fresh, max(fresh, _USABLE))).text)
    source, target = _rate(rates, have), _rate(rates, want)
    rate = _EXACT.divide(target.per_euro, source.per_euro)
    changed = _EXACT.multiply(amount, rate)
    of = max((one.day for one in (source, target) if one.per_euro != 1), default=rates["EUR"].day)
    return (
        f"{amount:,f} {have} = {_money(changed, want)} {want} (1 {have} = {_short(rate)} {want}: the ECB's reference "
        f"rate of {of:%A} {of}). Banks and cards charge rates of their own."
    )


def _rate(rates: Mapping[str, EuroRate], code: str) -> EuroRate:
    rate = rates.get(code)
    if rate is None:
        raise ToolFailed(
            f"The ECB had no rate for one of the two currencies then. It quotes: {', '.join(sorted(rates))}. Say so."
        )
    if rates["EUR"].day - rate.day > _GONE_AFTER:
        raise ToolFailed(f"The ECB has published no rate for {code} since {rate.day}. Say so, and guess no other.")
    return rate


def _amount(arguments: Mapping[str, object]) -> Decimal:
    given = arguments.get("amount", 1)
    try:
        amount = Decimal(str(given)[:_LONGEST]) if isinstance(given, str | int | float) else Decimal("NaN")
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or abs(amount) > _MOST or amount.adjusted() < -_LONGEST:
        raise ToolFailed('Give the amount as a plain number: {"amount": 19.99, "from": "USD", "to": "EUR"}.')
    return amount


def _codes(arguments: Mapping[str, object]) -> tuple[str, str]:
    have, want = (str(arguments.get(name, "")).strip().upper() for name in ("from", "to"))
    if not all(len(code) == 3 and code.isascii() and code.isalpha() for code in (have, want)):
        raise ToolFailed("`from` and `to` are currencies by their codes of three letters (ISO 4217), such as USD.")
    return have, want


def _day(arguments: Mapping[str, object], today: date) -> date | None:
    """Return the past day whose rates are requested; None for the newest rates. Raises ToolFailed."""
    given = arguments.get("date", "")
    try:
        day = date.fromisoformat(str(given)) if given else today
    except ValueError:
        raise ToolFailed("`date` is a day such as 2026-03-31.") from None
    if not FIRST_DAY <= day <= today:
        raise ToolFailed(f"There are rates from {FIRST_DAY} until today; nobody knows those of the future. Say so.")
    return day if day < today else None


def _money(amount: Decimal, code: str) -> str:
    """Return an amount rounded to cents; an amount below a cent is shown with its first digits instead."""
    cent = Decimal(1) if code in _WHOLE else Decimal("0.01")
    rounded = amount.quantize(cent, context=_EXACT)
    return f"{rounded:,f}" if rounded or not amount else _short(amount)


def _short(number: Decimal) -> str:
    return f"{Context(prec=_RATE_DIGITS).plus(number).normalize():f}"


TOOL: Final = Tool(
    name="currency",
    description="Converts money into another currency, at the ECB's rates of today or of a day since 1999.",
    parameters={
        "type": "object",
        "properties": {
            "amount": {"type": "number", "description": "1 for the rate itself."},
            "from": {"type": "string", "description": "The currency code of the amount: USD."},
            "to": {"type": "string", "description": "The code of the other currency: EUR."},
            "date": {"type": "string", "description": "A day in the past: 2026-03-31; omit for the newest rates."},
        },
        "required": ["amount", "from", "to"],
        "additionalProperties": False,
    },
    run=_currency,
    needs=(CachedLookups,),
    stays_in_chat=True,
)
