from typing import Any

import pytest

from local.cloud_tasks.creation import MAX_DELAY_SECONDS, new_task
from local.cloud_tasks.errors import CloudTasksError
from local.cloud_tasks.task import TaskMessage
from local.cloud_tasks.times import duration, timestamp
from tests.local.cloud_tasks.cloud import QUEUE

NOW = 1_800_000_000.25
URL = "https://worker.example/tick"


def wanted(http: dict[str, Any] | None = None, **fields: Any) -> Any:
    """Make a Task message as a client sends it."""
    return TaskMessage(http_request={"url": URL, **(http or {})}, **fields)


def test_the_defaults_are_filled_in() -> None:
    task = new_task(wanted({"headers": {"user-agent": "mine", "content-type": "text/plain"}}), QUEUE, NOW)
    message = task.message()
    assert message.http_request.http_method == 1  # POST
    assert dict(message.http_request.headers) == {"User-Agent": "Google-Cloud-Tasks", "content-type": "text/plain"}
    assert message.dispatch_deadline == duration(600)
    assert (message.create_time, message.schedule_time) == (timestamp(int(NOW)), timestamp(NOW))
    assert (task.schedule_at, task.progress.dispatch_count) == (NOW, 0)


def test_a_time_past_is_now_and_a_time_ahead_is_kept() -> None:
    assert new_task(wanted(schedule_time=timestamp(NOW - 60)), QUEUE, NOW).schedule_at == NOW
    ahead = NOW + MAX_DELAY_SECONDS
    assert new_task(wanted(schedule_time=timestamp(ahead)), QUEUE, NOW).schedule_at == ahead


@pytest.mark.parametrize(
    ("task", "sentence"),
    [
        (wanted({"url": ""}), "HttpRequest.url is required."),
        (wanted({"url": "worker.example"}), "HttpTarget.url must start with 'http://' or 'https://'."),
        (wanted({"url": "ftp://worker.example"}), "HttpTarget.url must start with 'http://' or 'https://'."),
        (wanted({"url": URL + "x" * 2083}), "HttpRequest.url must be at most 2083 characters."),
        (
            wanted({"http_method": "GET", "body": b"x"}),
            "HttpRequest.body is only allowed if HttpRequest.httpMethod is POST, PUT, or PATCH.",
        ),
        (wanted({"headers": {"a": "x" * 80 * 1024}}), "HttpRequest.headers must be less than 80KB."),
        (wanted(dispatch_deadline=duration(14.999)), "Task.dispatchDeadline must be between [15s, 30m]."),
        (wanted(dispatch_deadline=duration(1800.001)), "Task.dispatchDeadline must be between [15s, 30m]."),
        (
            wanted(schedule_time=timestamp(NOW + MAX_DELAY_SECONDS + 1)),
            "The Task.scheduleTime, 2027-02-14T08:00:01.250Z, is too far in the future. "
            "Schedule time must be no more than 720h in the future.",
        ),
        (wanted({"body": b"x" * (1 << 20)}), "Task size too large"),
        (wanted(retry_config={"max_attempts": -2}), "RetryConfig.maxAttempts must be greater or equal to -1."),
        (wanted(name="projects/p"), None),
        (TaskMessage(), "HttpRequest.url is required."),
        (TaskMessage(app_engine_http_request={}), None),
        (wanted({"oauth_token": {"service_account_email": "a@example.com"}}), None),
    ],
)
def test_what_cannot_be_is_refused(task: Any, sentence: str | None) -> None:
    with pytest.raises(CloudTasksError) as refused:
        new_task(task, QUEUE, NOW)
    assert sentence is None or refused.value.message == sentence


def test_the_size_limit_is_where_it_was_measured() -> None:
    """Compare the largest body that the real service took for this task with one byte more (tried on 2026-08-23)."""
    queue = "projects/cloudtasksemu/locations/us-central1/queues/cte-probe-1234567890-http"

    def sized(body_bytes: int) -> Any:
        task = TaskMessage(name=f"{queue}/tasks/cte-probe-1234567890-t000001", schedule_time=timestamp(1_771_000_060))
        task.http_request.url = "https://example.com/"
        task.http_request.body = b"a" * body_bytes
        return task

    new_task(sized(1_048_368), queue, 1_771_000_000)
    with pytest.raises(CloudTasksError, match="Task size too large"):
        new_task(sized(1_048_369), queue, 1_771_000_000)


@pytest.mark.parametrize("length", [15, 1800])
def test_deadlines_at_the_ends_of_the_range_are_kept(length: int) -> None:
    message = new_task(wanted(dispatch_deadline=duration(length)), QUEUE, NOW).message()
    assert message.dispatch_deadline == duration(length)
