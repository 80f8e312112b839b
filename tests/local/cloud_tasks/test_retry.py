from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.cloud_tasks.retry import (
    RETENTION_SECONDS,
    AttemptFailure,
    DropTask,
    RetryAt,
    RetryConfig,
    backoff,
    decide_retry,
    retry_after_seconds,
)

NOW = 1_800_000_000.0


def failure(attempts: int, *, after: float = 0.0, age: float = 0.0, retry_after: float | None = None) -> AttemptFailure:
    """Make the failure of a task that was created `age` seconds ago and first tried `after` seconds later."""
    first = NOW - after
    return AttemptFailure(
        at=NOW, attempts=attempts, created_at=first - age, first_dispatch_at=first, retry_after=retry_after
    )


def test_the_published_example() -> None:
    config = RetryConfig(min_backoff=10, max_backoff=300, max_doublings=3)
    assert [backoff(config, failures) for failures in range(1, 10)] == [10, 20, 40, 80, 160, 240, 300, 300, 300]


def test_a_new_queue_doubles_from_a_tenth_of_a_second_to_an_hour() -> None:
    waits = [backoff(RetryConfig(), failures) for failures in range(1, 101)]
    assert waits[:4] == [0.1, 0.2, 0.4, 0.8]
    assert waits[15] == 0.1 * 2**15 == 3276.8
    assert waits[16] == waits[99] == 3600


def test_without_doublings_it_grows_linearly() -> None:
    config = RetryConfig(min_backoff=10, max_backoff=35, max_doublings=0)
    assert [backoff(config, failures) for failures in range(1, 6)] == [10, 20, 30, 35, 35]


@given(st.floats(0, 3600), st.floats(0, 3600), st.integers(0, 2**31 - 1), st.integers(1, 10_000))
def test_waits_never_shrink_and_never_pass_the_longest(low: float, more: float, doublings: int, failures: int) -> None:
    config = RetryConfig(min_backoff=low, max_backoff=low + more, max_doublings=doublings)
    assert low <= backoff(config, failures) <= backoff(config, failures + 1) <= low + more


@pytest.mark.parametrize(
    ("max_attempts", "max_duration", "attempts", "after", "gives_up"),
    [
        (3, 0, 2, 9_999, False),
        (3, 0, 3, 0, True),
        (3, 60, 3, 59, False),  # both limits must be used up
        (3, 60, 2, 61, False),
        (3, 60, 3, 60, True),
        (-1, 60, 99_999, 59, False),
        (-1, 60, 1, 60, True),
        (-1, 0, 99_999, 999_999, False),
    ],
)
def test_when_a_task_is_given_up(
    max_attempts: int, max_duration: float, attempts: int, after: float, gives_up: bool
) -> None:
    config = RetryConfig(max_attempts=max_attempts, max_retry_duration=max_duration)
    assert isinstance(decide_retry(config, failure(attempts, after=after)), DropTask) is gives_up


def test_no_task_outlives_31_days() -> None:
    config = RetryConfig(max_attempts=-1)
    assert isinstance(decide_retry(config, failure(1, age=RETENTION_SECONDS)), DropTask)
    assert isinstance(decide_retry(config, failure(1, age=RETENTION_SECONDS - 1)), RetryAt)


def test_the_handler_may_ask_for_longer_and_not_for_shorter() -> None:
    config = RetryConfig(min_backoff=10, max_backoff=300)
    assert decide_retry(config, failure(1, retry_after=42)) == RetryAt(NOW + 42)
    assert decide_retry(config, failure(1, retry_after=2)) == RetryAt(NOW + 10)


@pytest.mark.parametrize(
    ("header", "asked"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("²", None),
        ("7", 7.0),
        (" 7 ", 7.0),
        ("99999999999999999999", float(RETENTION_SECONDS)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0),
        ("Wed, 21 Oct 9999 07:28:00 GMT", float(RETENTION_SECONDS)),
    ],
)
def test_what_a_retry_after_header_says(header: str | None, asked: float | None) -> None:
    assert retry_after_seconds(header, NOW) == asked


def test_a_retry_after_date_is_counted_from_now() -> None:
    in_a_minute = datetime.fromtimestamp(NOW + 60, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
    assert retry_after_seconds(in_a_minute, NOW) == 60
