"""A queue's rate of dispatches: its `RateLimits`, and a token bucket. The current time is passed to the bucket's
methods as an argument.
"""

from dataclasses import dataclass, replace
from math import ceil

_ROUNDING = 1e-6  # tolerance for rounding errors, so that a token is available at exactly its time


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """A queue's limits; the defaults are those of a new queue."""

    max_dispatches_per_second: float = 500.0
    max_concurrent_dispatches: int = 1000

    @property
    def max_burst_size(self) -> int:
        """Return the number of dispatches that may start at once.

        The real service chooses this number and publishes no rule. Published examples are 100 for queues with 500
        dispatches a second, and 10 for queues with 1 a second. Between these two, this method returns the rate.
        """
        return max(10, min(100, ceil(self.max_dispatches_per_second)))


@dataclass(frozen=True, slots=True)
class TokenBucket:
    """The tokens that were available at the time `at` (epoch seconds). Each dispatch takes one token."""

    per_second: float
    size: int
    tokens: float
    at: float

    @classmethod
    def full(cls, limits: RateLimits, at: float) -> "TokenBucket":
        """Return a full bucket, for a queue that has been idle."""
        return cls(limits.max_dispatches_per_second, limits.max_burst_size, float(limits.max_burst_size), at)

    def refill(self, now: float) -> "TokenBucket":
        """Return the bucket with the tokens that have been added until `now`. If the clock was set back, no tokens are
        added.
        """
        gained = max(0.0, now - self.at) * self.per_second
        return replace(self, tokens=min(self.size, self.tokens + gained), at=now)

    def has_token(self) -> bool:
        """Return whether a dispatch may start now."""
        return self.tokens >= 1.0 - _ROUNDING

    def without(self, spent: float) -> "TokenBucket":
        """Return the bucket after removing `spent` tokens; the number of tokens does not fall below 0."""
        return replace(self, tokens=max(0.0, self.tokens - spent))

    def take(self) -> "TokenBucket":
        """Return the bucket after one dispatch."""
        return replace(self, tokens=self.tokens - 1.0)

    def next_token_at(self) -> float:
        """Return when a whole token is available, in epoch seconds."""
        return self.at + max(0.0, 1.0 - self.tokens) / self.per_second
