"""A task: what it asks for, which never changes, and how far it has come, which does."""

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
    """The part of a task to show; numbers as in the API."""

    UNSPECIFIED = 0
    BASIC = 1
    FULL = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskProgress:
    """The attempts made so far; instants in epoch seconds.

    `execution_count` is `response_count` less the 5xx, as X-CloudTasks-TaskExecutionCount counts.
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

    `asked` is its serialized Task message, complete with defaults and without progress; `uid` tells it from a later
    task of the same name, and is 0 until it is stored.
    """

    name: str
    asked: bytes
    schedule_at: float
    progress: TaskProgress = field(default_factory=TaskProgress)
    uid: int = 0

    @property
    def queue(self) -> str:
        """The full name of its queue."""
        return queue_of(self.name)

    def message(self) -> Any:
        """Its Task message as created, to be read."""
        return TaskMessage.FromString(self.asked)

    @property
    def created_at(self) -> float:
        """When it was created, in epoch seconds."""
        return epoch_seconds(self.message().create_time)

    def dispatched(self, now: float) -> "QueuedTask":
        """The same task with one more attempt under way."""
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

    def failed(self, outcome: AttemptOutcome, at: float, retry_at: float) -> "QueuedTask":
        """The same task after an attempt that did not succeed, to be tried again at `retry_at`."""
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
    """The JSON object that the store keeps."""
    return asdict(progress)


def progress_from_record(record: dict[str, Any]) -> TaskProgress:
    """Return the progress that `progress_record` wrote."""
    outcome = record.pop("last_outcome")
    return TaskProgress(**record, last_outcome=AttemptOutcome(**outcome) if outcome else None)


def task_message(task: QueuedTask, view: int) -> Any:
    """The Task message that the API answers with; only the full view has the body."""
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
