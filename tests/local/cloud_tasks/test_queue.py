from dataclasses import replace
from typing import Any

import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from local.cloud_tasks.errors import CloudTasksError
from local.cloud_tasks.queue import (
    LocalQueue,
    QueueMessage,
    QueueState,
    queue_from_message,
    queue_message,
    updated_queue,
)
from local.cloud_tasks.rate import RateLimits
from local.cloud_tasks.retry import RetryConfig
from local.cloud_tasks.times import duration
from tests.local.cloud_tasks.cloud import LOCATION, QUEUE


def test_a_new_queue_has_the_services_defaults() -> None:
    message = queue_message(queue_from_message(QueueMessage(name=QUEUE)))
    assert (message.rate_limits.max_dispatches_per_second, message.rate_limits.max_concurrent_dispatches) == (500, 1000)
    assert message.rate_limits.max_burst_size == 100
    retry = message.retry_config
    assert (retry.max_attempts, retry.max_doublings) == (100, 16)
    assert (retry.min_backoff, retry.max_backoff) == (duration(0.1), duration(3600))
    assert message.state == QueueState.RUNNING


def test_a_queue_survives_its_message() -> None:
    queue = LocalQueue(
        name=QUEUE,
        rate_limits=RateLimits(max_dispatches_per_second=2.5, max_concurrent_dispatches=7),
        retry=RetryConfig(max_attempts=-1, max_retry_duration=60, min_backoff=0.25, max_backoff=9, max_doublings=3),
        state=QueueState.PAUSED,
        purged_at=1_800_000_000.5,
        log_sampling_ratio=0.5,
    )
    assert queue_from_message(queue_message(queue)) == queue


@pytest.mark.parametrize(
    ("part", "fields", "sentence"),
    [
        ("rate_limits", {"max_dispatches_per_second": -1}, "RateLimits.maxDispatchesPerSecond cannot be negative."),
        (
            "rate_limits",
            {"max_dispatches_per_second": 501},
            "RateLimits.maxDispatchesPerSecond must be less than or equal to 500.",
        ),
        ("rate_limits", {"max_concurrent_dispatches": -1}, "RateLimits.maxConcurrentDispatches cannot be negative."),
        (
            "rate_limits",
            {"max_concurrent_dispatches": 5001},
            "RateLimits.maxConcurrentDispatches must be less than or equal to 5000.",
        ),
        ("retry_config", {"max_attempts": -2}, "RetryConfig.maxAttempts must be greater or equal to -1."),
        ("retry_config", {"max_doublings": -1}, "RetryConfig.maxDoublings cannot be negative."),
        ("retry_config", {"min_backoff": duration(-1)}, "RetryConfig.minBackoff cannot be negative."),
        (
            "retry_config",
            {"min_backoff": duration(10), "max_backoff": duration(9)},
            "RetryConfig.minBackoff must be less than or equal to RetryConfig.maxBackoff.",
        ),
    ],
)
def test_impossible_settings_are_refused_in_the_services_words(
    part: str, fields: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(CloudTasksError) as refused:
        queue_from_message(QueueMessage(name=QUEUE, **{part: fields}))
    assert refused.value.message == sentence


def test_a_queue_that_overrides_targets_is_not_served() -> None:
    with pytest.raises(CloudTasksError, match="override the target"):
        queue_from_message(QueueMessage(name=QUEUE, http_target={"http_method": "GET"}))


def test_an_update_takes_the_masked_fields_only() -> None:
    queue = LocalQueue(name=QUEUE, retry=RetryConfig(max_attempts=5, min_backoff=1.0), state=QueueState.PAUSED)
    wanted = QueueMessage(name=QUEUE, state=1, retry_config={"max_attempts": 9, "min_backoff": duration(2)})
    changed = updated_queue(queue, wanted, FieldMask(paths=["retry_config.min_backoff", "state"]))
    assert changed == replace(queue, retry=replace(queue.retry, min_backoff=2.0))


def test_an_update_without_a_mask_takes_everything_but_the_state() -> None:
    queue = LocalQueue(name=QUEUE, retry=RetryConfig(max_attempts=5), state=QueueState.PAUSED, purged_at=1.0)
    changed = updated_queue(queue, QueueMessage(name=QUEUE, rate_limits={"max_concurrent_dispatches": 3}), FieldMask())
    assert changed == LocalQueue(
        name=QUEUE, rate_limits=RateLimits(max_concurrent_dispatches=3), state=QueueState.PAUSED, purged_at=1.0
    )


def test_an_unknown_field_in_the_mask_is_refused() -> None:
    with pytest.raises(CloudTasksError, match="Invalid update mask: colour"):
        updated_queue(LocalQueue(name=QUEUE), QueueMessage(name=QUEUE), FieldMask(paths=["colour"]))


def test_a_queue_name_is_checked() -> None:
    with pytest.raises(CloudTasksError, match="Queue name must be formatted"):
        queue_from_message(QueueMessage(name=LOCATION))
