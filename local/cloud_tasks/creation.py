"""Creates tasks: the checks and defaults of CreateTask.

The limits are from the published message definitions of the real service and from its quotas page. The size of a task
is that of its stored message including defaults, as measurements of the real service showed
(aertje/cloud-tasks-emulator, 2026).
"""

from typing import Any

from google.cloud.tasks_v2.types import HttpMethod

from local.cloud_tasks.errors import invalid, not_served
from local.cloud_tasks.names import name_for_new_task
from local.cloud_tasks.queue import retry_from_message, retry_message
from local.cloud_tasks.task import QueuedTask, TaskMessage
from local.cloud_tasks.times import duration, epoch_seconds, seconds, timestamp, whole_microseconds

MAX_DELAY_SECONDS = 30 * 24 * 3600
MAX_STORED_BYTES = (1 << 20) - 7
MAX_URL_CHARACTERS = 2083
MAX_HEADER_BYTES = 80 * 1024
USUAL_DEADLINE_SECONDS = 600
SHORTEST_DEADLINE_SECONDS = 15
LONGEST_DEADLINE_SECONDS = 30 * 60
USER_AGENT = "Google-Cloud-Tasks"

_WITH_BODY = frozenset({HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH})


def new_task(wanted: Any, queue: str, now: float) -> QueuedTask:
    """Return the new task that a Task message describes, in this queue. Raises INVALID_ARGUMENT."""
    asked = TaskMessage(name=name_for_new_task(wanted.name, queue))
    asked.http_request.CopyFrom(_http_request(wanted))
    asked.create_time.CopyFrom(timestamp(int(now)))
    asked.dispatch_deadline.CopyFrom(duration(_deadline(wanted)))
    if wanted.HasField("retry_config"):
        asked.retry_config.CopyFrom(retry_message(retry_from_message(wanted.retry_config)))
    schedule_at = _schedule_at(wanted, now)
    asked.schedule_time.CopyFrom(timestamp(schedule_at))
    if asked.ByteSize() > MAX_STORED_BYTES:
        raise invalid("Task size too large")
    return QueuedTask(name=asked.name, asked=asked.SerializeToString(), schedule_at=schedule_at)


def _http_request(wanted: Any) -> Any:
    if wanted.HasField("app_engine_http_request"):
        raise not_served("App Engine tasks")
    request = type(wanted.http_request)()
    request.CopyFrom(wanted.http_request)
    _check_url(request.url)
    request.http_method = request.http_method or HttpMethod.POST
    if request.body and request.http_method not in _WITH_BODY:
        # The text of this error was not recorded from the real service, and neither were the two texts about lengths
        # below.
        raise invalid("HttpRequest.body is only allowed if HttpRequest.httpMethod is POST, PUT, or PATCH.")
    if request.HasField("oauth_token"):
        raise not_served("OAuth tokens; use an OIDC token")
    _set_user_agent(request)
    if sum(len(name.encode()) + len(value.encode()) for name, value in request.headers.items()) >= MAX_HEADER_BYTES:
        raise invalid("HttpRequest.headers must be less than 80KB.")
    return request


def _check_url(url: str) -> None:
    if not url:
        raise invalid("HttpRequest.url is required.")
    if not url.startswith(("http://", "https://")):
        raise invalid("HttpTarget.url must start with 'http://' or 'https://'.")
    if len(url) > MAX_URL_CHARACTERS:
        raise invalid(f"HttpRequest.url must be at most {MAX_URL_CHARACTERS} characters.")


def _set_user_agent(request: Any) -> None:
    for name in [name for name in request.headers if name.lower() == "user-agent"]:
        del request.headers[name]
    request.headers["User-Agent"] = USER_AGENT


def _deadline(wanted: Any) -> float:
    if not wanted.HasField("dispatch_deadline"):
        return USUAL_DEADLINE_SECONDS
    length = seconds(wanted.dispatch_deadline)
    if not SHORTEST_DEADLINE_SECONDS <= length <= LONGEST_DEADLINE_SECONDS:
        raise invalid("Task.dispatchDeadline must be between [15s, 30m].")
    return length


def _schedule_at(wanted: Any, now: float) -> float:
    if not wanted.HasField("schedule_time"):
        return whole_microseconds(now)
    at = epoch_seconds(wanted.schedule_time)
    if at - now > MAX_DELAY_SECONDS:
        # The real service writes this time in its own zone, US Pacific; this server writes it in UTC.
        shown = wanted.schedule_time.ToJsonString()
        raise invalid(
            f"The Task.scheduleTime, {shown}, is too far in the future. "
            "Schedule time must be no more than 720h in the future."
        )
    return max(at, whole_microseconds(now))
