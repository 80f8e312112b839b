from dataclasses import replace

from grpc import StatusCode

from local.cloud_tasks.creation import new_task
from local.cloud_tasks.outcome import no_response, response
from local.cloud_tasks.task import (
    QueuedTask,
    TaskMessage,
    TaskProgress,
    View,
    progress_from_record,
    progress_record,
    task_message,
)
from local.cloud_tasks.times import timestamp
from tests.local.cloud_tasks.cloud import QUEUE

NOW = 1_800_000_000.0


def made() -> QueuedTask:
    """Make a task with a body."""
    wanted = TaskMessage(name=f"{QUEUE}/tasks/a", http_request={"url": "http://worker.example", "body": b"secret"})
    return new_task(wanted, QUEUE, NOW)


def test_only_the_full_view_has_the_body() -> None:
    basic, full = task_message(made(), View.BASIC), task_message(made(), View.FULL)
    assert (basic.http_request.body, basic.view) == (b"", View.BASIC)
    assert (full.http_request.body, full.view) == (b"secret", View.FULL)
    assert task_message(made(), View.UNSPECIFIED) == basic


def test_a_new_task_shows_no_attempt() -> None:
    message = task_message(made(), View.BASIC)
    assert (message.dispatch_count, message.HasField("first_attempt")) == (0, False)


def test_attempts_are_counted_and_5xx_are_no_executions() -> None:
    task = made().with_attempt(NOW).with_failure(response(404), NOW + 1, NOW + 2)
    task = task.with_attempt(NOW + 2).with_failure(response(503), NOW + 3, NOW + 5)
    task = task.with_attempt(NOW + 5).with_failure(
        no_response(StatusCode.DEADLINE_EXCEEDED, "silence"), NOW + 6, NOW + 9
    )
    progress = task.progress
    assert (progress.dispatch_count, progress.response_count, progress.execution_count) == (3, 2, 1)
    assert (progress.first_dispatch_at, task.schedule_at) == (NOW, NOW + 9)


def test_the_last_attempt_is_shown_with_its_status_once_it_ended() -> None:
    running = made().with_attempt(NOW + 1)
    assert not task_message(running, View.BASIC).last_attempt.HasField("response_time")
    ended = task_message(running.with_failure(response(500), NOW + 2, NOW + 3), View.BASIC)
    assert ended.first_attempt.dispatch_time == timestamp(NOW + 1)
    assert ended.last_attempt.schedule_time == timestamp(NOW)
    assert ended.last_attempt.response_time == timestamp(NOW + 2)
    assert ended.last_attempt.response_status.message == "INTERNAL(13): HTTP status code 500"
    assert ended.schedule_time == timestamp(NOW + 3)


def test_progress_survives_its_record() -> None:
    for progress in (TaskProgress(), made().with_attempt(NOW).with_failure(response(404, 7.0), NOW, NOW).progress):
        assert progress_from_record(progress_record(progress)) == progress


def test_a_task_knows_its_queue_and_when_it_was_created() -> None:
    assert (made().queue, made().created_at) == (QUEUE, NOW)
    assert replace(made(), uid=3).message() == made().message()
