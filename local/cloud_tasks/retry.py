"""Computes when a failed task is retried: the arithmetic of `RetryConfig`, without clock or network."""

from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

RETENTION_SECONDS = 31 * 24 * 3600
"""A task is deleted at this age, whatever its queue says (the service's quotas page)."""

UNLIMITED_ATTEMPTS = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryConfig:
    """The retry rules of a queue or task, in seconds; the defaults are those of a new queue.

    The published documentation says that back-offs are rounded down to whole seconds, but the default back-off of the
    real service is 0.1 s. Here back-offs are precise to the millisecond.
    """

    max_attempts: int = 100
    max_retry_duration: float = 0.0
    min_backoff: float = 0.1
    max_backoff: float = 3600.0
    max_doublings: int = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptFailure:
    """A failed attempt; times in epoch seconds."""

    at: float
    attempts: int
    created_at: float
    first_dispatch_at: float
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class RetryAt:
    """The decision to retry a task at the time `at` (epoch seconds) or later."""

    at: float


@dataclass(frozen=True, slots=True)
class DropTask:
    """The decision to delete a task without another attempt."""

    reason: str


def backoff(config: RetryConfig, failures: int) -> float:
    """Return the seconds to wait after failure number `failures`, counted from 1.

    The interval starts at `min_backoff`, doubles `max_doublings` times, then grows linearly by the last interval, up to
    `max_backoff`. For example, `min_backoff` 10, `max_doublings` 3 and `max_backoff` 300 give 10, 20, 40, 80, 160, 240,
    300, 300, … (`RetryConfig.max_doublings` of the published messages).
    """
    doublings = min(failures - 1, config.max_doublings, 64)  # 2**64 s exceeds every max_backoff
    linear_steps = max(1, failures - config.max_doublings)
    return min(config.min_backoff * 2.0**doublings * linear_steps, config.max_backoff)


def decide_retry(config: RetryConfig, failure: AttemptFailure) -> RetryAt | DropTask:
    """Decide whether to retry a task after a failure.

    If both the number of attempts and the duration are limited, the task is dropped only when both limits are reached.
    """
    if failure.at - failure.created_at >= RETENTION_SECONDS:
        return DropTask("tasks are kept for at most 31 days")
    used_up = []
    if config.max_attempts != UNLIMITED_ATTEMPTS:
        used_up.append(failure.attempts >= config.max_attempts)
    if config.max_retry_duration > 0:
        used_up.append(failure.at - failure.first_dispatch_at >= config.max_retry_duration)
    if used_up and all(used_up):
        return DropTask(f"no retries are left after {failure.attempts} attempts")
    return RetryAt(failure.at + max(backoff(config, failure.attempts), failure.retry_after or 0.0))


def retry_after_seconds(header: str | None, now: float) -> float | None:
    """Return the seconds of a `Retry-After` header, which may be a number or a date; None if it is invalid."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(min(int(text), RETENTION_SECONDS))
    try:
        wanted = parsedate_to_datetime(text)
    except ValueError:
        return None
    at = wanted if wanted.tzinfo else wanted.replace(tzinfo=UTC)
    return min(max(at.timestamp() - now, 0.0), RETENTION_SECONDS)
