"""A task: its Task message, which never changes, and the progress of its attempts."""

from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum
from typing import Any

from google.cloud.tasks_v2.types import Attempt as AttemptType
from google.cloud.tasks_v2.types import Task as TaskType

from local.cloud_tasks.names import queue_of
from local.cloud_tasks.outcome import AttemptOutcome
from local.cloud_tasks.times import epoch_seconds, timestamp

TaskMessage = TaskType.pb()
AttemptMessage = AttemptType.pb()


class View(IntEnum):
    """The part of a task that a response contains. The numbers are those of the API."""

    UNSPECIFIED = 0
    BASIC = 1
    FULL = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskProgress:
    """The counts, times and last result of a task's attempts so far. Times are in epoch seconds.

    `execution_count` counts the responses that were not 5xx, as the header X-CloudTasks-TaskExecutionCount does.
    """

    dispatch_count: int = 0
    response_count: int = 0
    execution_count: int = 0
    first_dispatch_at: float = 0.0
    last_scheduled_at: float = 0.0
    last_dispatch_at: float = 0.0
    last_answer_at: float | None = None
    last_outcome: AttemptOutcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedTask:
    """A task that waits or is being dispatched.

    `asked` is the serialized Task message, with defaults and without progress. `uid` distinguishes the task from a
    later task with the same name, and is 0 until the task is stored.
    """

    name: str
    asked: bytes
    schedule_at: float
    progress: TaskProgress = field(default_factory=TaskProgress)
    uid: int = 0

    @property
    def queue(self) -> str:
        """Return the full name of the task's queue."""
        return queue_of(self.name)

    def message(self) -> Any:
        """Return the Task message as it was created."""
        return TaskMessage.FromString(self.asked)

    @property
    def created_at(self) -> float:
        """Return the creation time in epoch seconds."""
        return epoch_seconds(self.message().create_time)

    def with_attempt(self, now: float) -> "QueuedTask":
        """Return the task after the start of one more attempt at the time `now`."""
        before = self.progress
        after = replace(
            before,
            dispatch_count=before.dispatch_count + 1,
            first_dispatch_at=before.first_dispatch_at or now,
            last_scheduled_at=self.schedule_at,
            last_dispatch_at=now,
            last_answer_at=None,
        )
        return replace(self, progress=after)

    def with_failure(self, outcome: AttemptOutcome, at: float, retry_at: float) -> "QueuedTask":
        """Return the task after a failed attempt, to be retried at `retry_at`."""
        before, responded = self.progress, outcome.http_status is not None
        after = replace(
            before,
            response_count=before.response_count + responded,
            execution_count=before.execution_count + (responded and (outcome.http_status or 0) < 500),
            last_answer_at=at,
            last_outcome=outcome,
        )
        return replace(self, progress=after, schedule_at=retry_at)


def progress_record(progress: TaskProgress) -> dict[str, Any]:
    """Return the progress as a JSON object for the store."""
    return asdict(progress)


def progress_from_record(record: dict[str, Any]) -> TaskProgress:
    """Return the progress that a JSON object of `progress_record` describes."""
    outcome = record.pop("last_outcome")
    return TaskProgress(**record, last_outcome=AttemptOutcome(**outcome) if outcome else None)


def task_message(task: QueuedTask, view: int) -> Any:
    """Return the Task message for a response. It contains the body of the task's request only in the full view."""
    message = task.message()
    if view != View.FULL:
        message.http_request.ClearField("body")
    message.view = View.FULL if view == View.FULL else View.BASIC
    message.schedule_time.CopyFrom(timestamp(task.schedule_at))
    progress = task.progress
    message.dispatch_count, message.response_count = progress.dispatch_count, progress.response_count
    if progress.dispatch_count:
        message.first_attempt.dispatch_time.CopyFrom(timestamp(progress.first_dispatch_at))
        message.last_attempt.CopyFrom(_last_attempt(progress))
    return message


def _last_attempt(progress: TaskProgress) -> Any:
    attempt = AttemptMessage(
        schedule_time=timestamp(progress.last_scheduled_at), dispatch_time=timestamp(progress.last_dispatch_at)
    )
    if progress.last_answer_at is not None and progress.last_outcome is not None:
        attempt.response_time.CopyFrom(timestamp(progress.last_answer_at))
        attempt.response_status.code = progress.last_outcome.code
        attempt.response_status.message = progress.last_outcome.message
    return attempt
