"""A queue: its limits, retry rules and state, and the conversion from and to the API's Queue message."""

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

from google.cloud.tasks_v2.types import Queue as QueueType
from google.cloud.tasks_v2.types import RetryConfig as RetryConfigType
from google.protobuf.field_mask_pb2 import FieldMask

from local.cloud_tasks.errors import invalid, not_served
from local.cloud_tasks.names import checked_queue
from local.cloud_tasks.rate import RateLimits
from local.cloud_tasks.retry import RetryConfig
from local.cloud_tasks.times import duration, epoch_seconds, seconds, timestamp

QueueMessage = QueueType.pb()
RetryConfigMessage = RetryConfigType.pb()

MAX_DISPATCHES_PER_SECOND = 500
MAX_CONCURRENT_DISPATCHES = 5000
_OUTPUT_ONLY = frozenset({"name", "state", "purge_time"})


class QueueState(IntEnum):
    """The states that a client can set; the numbers are those of the API."""

    RUNNING = 1
    PAUSED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalQueue:
    """A queue with its current settings."""

    name: str
    rate_limits: RateLimits = field(default_factory=RateLimits)
    retry: RetryConfig = field(default_factory=RetryConfig)
    state: QueueState = QueueState.RUNNING
    purged_at: float | None = None
    log_sampling_ratio: float = 0.0

    @property
    def is_running(self) -> bool:
        """Return whether the queue's tasks may be dispatched."""
        return self.state is QueueState.RUNNING


def queue_from_message(message: Any) -> LocalQueue:
    """Return the queue that a Queue message describes. Unset fields get the defaults of a new queue. Raises
    INVALID_ARGUMENT.
    """
    if message.HasField("http_target") or message.HasField("app_engine_routing_override"):
        raise not_served("queues that override the target of their tasks")
    return LocalQueue(
        name=checked_queue(message.name),
        rate_limits=_rate_limits(message.rate_limits),
        retry=retry_from_message(message.retry_config),
        state=QueueState(message.state or QueueState.RUNNING),
        purged_at=epoch_seconds(message.purge_time) if message.HasField("purge_time") else None,
        log_sampling_ratio=message.stackdriver_logging_config.sampling_ratio,
    )


def queue_message(queue: LocalQueue) -> Any:
    """Return the Queue message for a response."""
    message = QueueMessage(name=queue.name, state=int(queue.state), retry_config=retry_message(queue.retry))
    message.rate_limits.max_dispatches_per_second = queue.rate_limits.max_dispatches_per_second
    message.rate_limits.max_burst_size = queue.rate_limits.max_burst_size
    message.rate_limits.max_concurrent_dispatches = queue.rate_limits.max_concurrent_dispatches
    if queue.purged_at is not None:
        message.purge_time.CopyFrom(timestamp(queue.purged_at))
    if queue.log_sampling_ratio:
        message.stackdriver_logging_config.sampling_ratio = queue.log_sampling_ratio
    return message


def updated_queue(queue: LocalQueue, wanted: Any, mask: FieldMask) -> LocalQueue:
    """Return the queue, changed by those fields of a Queue message that `mask` names. An empty mask means all fields.

    Output-only fields are never changed, even if the mask names them.
    """
    if not mask.paths:
        return replace(queue_from_message(wanted), state=queue.state, purged_at=queue.purged_at)
    if not mask.IsValidForDescriptor(QueueMessage.DESCRIPTOR):
        raise invalid(f"Invalid update mask: {', '.join(mask.paths)}")
    merged = queue_message(queue)
    paths = [path for path in mask.paths if path.partition(".")[0] not in _OUTPUT_ONLY]
    FieldMask(paths=paths).MergeMessage(wanted, merged, replace_message_field=True)
    return queue_from_message(merged)


def retry_from_message(message: Any) -> RetryConfig:
    """Return the retry rules in a RetryConfig message. Raises INVALID_ARGUMENT."""
    if message.max_attempts < -1:
        raise invalid("RetryConfig.maxAttempts must be greater or equal to -1.")
    if message.max_doublings < 0:
        raise invalid("RetryConfig.maxDoublings cannot be negative.")
    usual = RetryConfig()
    config = RetryConfig(
        max_attempts=message.max_attempts or usual.max_attempts,
        max_retry_duration=_length(message, "max_retry_duration", "maxRetryDuration", usual.max_retry_duration),
        min_backoff=_length(message, "min_backoff", "minBackoff", usual.min_backoff),
        max_backoff=_length(message, "max_backoff", "maxBackoff", usual.max_backoff),
        max_doublings=message.max_doublings or usual.max_doublings,
    )
    if config.min_backoff > config.max_backoff:
        raise invalid("RetryConfig.minBackoff must be less than or equal to RetryConfig.maxBackoff.")
    return config


def retry_message(config: RetryConfig) -> Any:
    """Return the RetryConfig message for these retry rules."""
    message = RetryConfigMessage(max_attempts=config.max_attempts, max_doublings=config.max_doublings)
    message.min_backoff.CopyFrom(duration(config.min_backoff))
    message.max_backoff.CopyFrom(duration(config.max_backoff))
    if config.max_retry_duration:
        message.max_retry_duration.CopyFrom(duration(config.max_retry_duration))
    return message


def _length(message: Any, name: str, shown_as: str, usual: float) -> float:
    if not message.HasField(name):
        return usual
    length = seconds(getattr(message, name))
    if length < 0:
        raise invalid(f"RetryConfig.{shown_as} cannot be negative.")
    return length


def _rate_limits(message: Any) -> RateLimits:
    usual = RateLimits()
    per_second: float = message.max_dispatches_per_second
    concurrent: int = message.max_concurrent_dispatches
    _check_range("maxDispatchesPerSecond", per_second, MAX_DISPATCHES_PER_SECOND)
    _check_range("maxConcurrentDispatches", concurrent, MAX_CONCURRENT_DISPATCHES)
    return RateLimits(
        max_dispatches_per_second=per_second or usual.max_dispatches_per_second,
        max_concurrent_dispatches=concurrent or usual.max_concurrent_dispatches,
    )


def _check_range(name: str, value: float, most: int) -> None:
    if value < 0:
        raise invalid(f"RateLimits.{name} cannot be negative.")
    if value > most:
        raise invalid(f"RateLimits.{name} must be less than or equal to {most}.")
