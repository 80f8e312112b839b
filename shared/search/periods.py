"""Spans of days that a question names, and how near something is to them."""

from dataclasses import dataclass
from datetime import date
from typing import Final

#: by how many days after a named day something is half as near to it: people tell of what happened before
HALF_AFTER: Final = 5.0
#: and before it
HALF_BEFORE: Final = 3.0
#: a span of more than a day is blurred so much more
SPAN_BLUR: Final = 1.5


@dataclass(frozen=True, kw_only=True)
class Period:
    """A span of days that a question names, both ends within it."""

    first: date
    last: date
    #: what being within it counts, at most
    weight: float = 1.0

    def nearness(self, day: date) -> float:
        """How near a day is: `weight` within the span, half as much some days off, towards 0."""
        blur = 1.0 if self.first == self.last else SPAN_BLUR
        if day > self.last:
            return float(self.weight * 0.5 ** ((day - self.last).days / (HALF_AFTER * blur)))
        return float(self.weight * 0.5 ** (max(0, (self.first - day).days) / (HALF_BEFORE * blur)))


def nearness(periods: tuple[Period, ...], day: date) -> float:
    """How near a day is to the nearest of them, from 0 to 1; 0 without any."""
    return max((one.nearness(day) for one in periods), default=0.0)
