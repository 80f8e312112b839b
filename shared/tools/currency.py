"""`currency`: what an amount is in another currency, by the reference rates of the European Central Bank."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Context, Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from shared.errors import ToolFailed
from shared.ports.lookups import Lookups
from shared.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from shared.tools.rates.ecb import Rate

#: a rate of the past stays what it was
_PAST_FRESH: Final = timedelta(days=30)
#: the day of a rate is told, so an older one does no harm
_USABLE: Final = timedelta(days=7)
_EXACT: Final = Context(prec=40)
_RATE_DIGITS: Final = 6
#: amounts of more digits are nobody's
_MOST: Final = Decimal(10) ** 18
#: currencies that are counted in whole ones
_WHOLE: Final = frozenset({"HUF", "IDR", "ISK", "JPY", "KRW"})
#: a currency whose last rate is so much older than the newest one is quoted no more
_GONE_AFTER: Final = timedelta(days=14)
_LONGEST: Final = 40


async def _currency(arguments: Mapping[str, object], context: ToolContext) -> str:
    from shared.tools.rates.ecb import FRANKFURT, fresh_for, rates_in, rates_url

    amount, (have, want) = _amount(arguments), _codes(arguments)
    day = _day(arguments, today=context.now.astimezone(FRANKFURT).date())
    fresh = _PAST_FRESH if day else fresh_for(context.now)
    rates = rates_in((await context.ports[Lookups].get(rates_url(day), fresh, max(fresh, _USABLE))).text)
    source, target = _rate(rates, have), _rate(rates, want)
    rate = _EXACT.divide(target.per_euro, source.per_euro)
    changed = _EXACT.multiply(amount, rate)
    of = max((one.day for one in (source, target) if one.per_euro != 1), default=rates["EUR"].day)
    return (
        f"{amount:,f} {have} = {_money(changed, want)} {want} (1 {have} = {_short(rate)} {want}: the ECB's reference "
        f"rate of {of:%A} {of}). Banks and cards charge rates of their own."
    )


def _rate(rates: "Mapping[str, Rate]", code: str) -> "Rate":
    rate = rates.get(code)
    if rate is None:
        raise ToolFailed(f"The ECB has no rate for one of the two then. It quotes: {', '.join(sorted(rates))}. Say so.")
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
    """The day in the past whose rates are wanted; none: the newest are."""
    from shared.tools.rates.ecb import FIRST_DAY

    given = arguments.get("date", "")
    try:
        day = date.fromisoformat(str(given)) if given else today
    except ValueError:
        raise ToolFailed("`date` is a day such as 2026-03-31.") from None
    if not FIRST_DAY <= day <= today:
        raise ToolFailed(f"There are rates from {FIRST_DAY} until today; nobody knows those of the future. Say so.")
    return day if day < today else None


def _money(amount: Decimal, code: str) -> str:
    """In whole cents; less than one has its first digits."""
    cent = Decimal(1) if code in _WHOLE else Decimal("0.01")
    rounded = amount.quantize(cent, context=_EXACT)
    return f"{rounded:,f}" if rounded or not amount else _short(amount)


def _short(number: Decimal) -> str:
    return f"{Context(prec=_RATE_DIGITS).plus(number).normalize():f}"


TOOL: Final = Tool(
    name="currency",
    description="What an amount of money is in another currency, by the ECB's rates of today or of a day since 1999.",
    parameters={
        "type": "object",
        "properties": {
            "amount": {"type": "number", "description": "1 for the rate itself."},
            "from": {"type": "string", "description": "The code of the currency that the amount is in: USD."},
            "to": {"type": "string", "description": "The code of the other one: EUR."},
            "date": {"type": "string", "description": "A day in the past: 2026-03-31. Without, the newest rates."},
        },
        "required": ["amount", "from", "to"],
        "additionalProperties": False,
    },
    run=_currency,
    needs=(Lookups,),
    stays_in_chat=True,
)
