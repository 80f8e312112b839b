"""Waits that servers ask for, in their headers or in the text of an error.

Headers: `retry-after` (RFC 9110), `retry-after-ms` (OpenAI and Azure), `x-ratelimit-reset-requests` and `-tokens`
(OpenAI and Groq), and `x-ratelimit-reset` (OpenRouter, a time in milliseconds).
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import Final

#: the longest wait in seconds
LONGEST_WAIT_S: Final = timedelta(days=1).total_seconds()
_NUMBER: Final = re.compile(r"\d{1,15}(?:\.\d{1,9})?", re.ASCII)
_SPAN: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?(ms|[dhms])", re.ASCII)
_UNITS: Final = MappingProxyType({"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0})
_TRY_AGAIN: Final = re.compile(
    r"(?:retry|try again) (?:in|after) ((?:\d{1,9}(?:\.\d{1,9})? ?(?:ms|[dhms])[a-z]* ?)+)", re.IGNORECASE | re.ASCII
)
#: numbers above these are times since 1970, in milliseconds and in seconds
_MILLISECONDS, _SECONDS = 1e12, 1e9


def requested_wait(headers: Mapping[str, str], text: str, now: datetime) -> timedelta | None:
    """Return the wait that an error asks for; None if it asks for none. `headers` have lower-case names."""
    found = next((seconds for seconds in _waits(headers, text, now) if seconds is not None), None)
    return None if found is None else timedelta(seconds=min(max(found, 0.0), LONGEST_WAIT_S))


def _waits(headers: Mapping[str, str], text: str, now: datetime) -> Iterator[float | None]:
    """Yield the waits in seconds, the most exact one first."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    yield None if milliseconds is None else milliseconds / 1000
    yield _seconds_until(headers.get("retry-after", ""), now)
    yield _longest_reset(headers, now)
    yield _seconds_until(headers.get("x-ratelimit-reset", ""), now)
    said = _TRY_AGAIN.search(text)
    yield _seconds_in(said[1]) if said else None


def _longest_reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the longest time in seconds until a used-up limit is reset; None if the headers give none."""
    used_up = (
        kind for kind in ("requests", "tokens") if headers.get(f"x-ratelimit-remaining-{kind}", "").strip() == "0"
    )
    waits = (_seconds_until(headers.get(f"x-ratelimit-reset-{kind}", ""), now) for kind in used_up)
    return max((wait for wait in waits if wait is not None), default=None)


def _seconds_until(head: str, now: datetime) -> float | None:
    """Return the seconds of a header: a number, a span such as `6m0s`, a time since 1970, or a date."""
    number = _number(head)
    if number is not None:
        if number >= _SECONDS:
            return (number / 1000 if number >= _MILLISECONDS else number) - now.timestamp()
        return number
    span = _seconds_in(head)
    if span is not None:
        return span
    try:
        until = parsedate_to_datetime(head)
    except ValueError:
        return None
    return (until.replace(tzinfo=until.tzinfo or UTC) - now).total_seconds()


def _seconds_in(span: str) -> float | None:
    """Return the seconds of a span: 20s, 6m0s, 1h2m3.4s, 500ms."""
    parts = _SPAN.findall(span) if re.match(r"\s*\d+(?:\.\d+)? ?[dhms]", span, re.ASCII) else []
    return sum(float(number) * _UNITS[unit] for number, unit in parts) if parts else None


def _number(head: str) -> float | None:
    return float(head) if _NUMBER.fullmatch(head.strip()) else None
