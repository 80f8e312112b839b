"""A queue's rate of dispatches: `RateLimits` and a token bucket that gets the time as an argument."""

from dataclasses import dataclass, replace
from math import ceil

_ROUNDING = 1e-6  # a token that took exactly its time must not be missed for the last bit of a float


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """A queue's limits; the defaults are those of a new queue."""

    max_dispatches_per_second: float = 500.0
    max_concurrent_dispatches: int = 1000

    @property
    def max_burst_size(self) -> int:
        """Dispatches that may go out at once.

        The service chooses it and publishes no rule. Queues described in public show 100 at 500 a second and 10 at
        1 a second; between these it follows the rate here.
        """
        return max(10, min(100, ceil(self.max_dispatches_per_second)))


@dataclass(frozen=True, slots=True)
class TokenBucket:
    """Tokens, one a dispatch, as they stood at `at` (epoch seconds)."""

    per_second: float
    size: int
    tokens: float
    at: float

    @classmethod
    def full(cls, limits: RateLimits, at: float) -> "TokenBucket":
        """The bucket of a queue that has been idle."""
        return cls(limits.max_dispatches_per_second, limits.max_burst_size, float(limits.max_burst_size), at)

    def refilled(self, now: float) -> "TokenBucket":
        """The same bucket at a later instant; a clock set back adds nothing."""
        gained = max(0.0, now - self.at) * self.per_second
        return replace(self, tokens=min(self.size, self.tokens + gained), at=now)

    def has_token(self) -> bool:
        """Return whether a dispatch may go out now."""
        return self.tokens >= 1.0 - _ROUNDING

    def without(self, spent: float) -> "TokenBucket":
        """The bucket with that many tokens fewer, at least none."""
        return replace(self, tokens=max(0.0, self.tokens - spent))

    def take(self) -> "TokenBucket":
        """The bucket after one dispatch."""
        return replace(self, tokens=self.tokens - 1.0)

    def next_token_at(self) -> float:
        """When there will be a whole token, in epoch seconds."""
        return self.at + max(0.0, 1.0 - self.tokens) / self.per_second
