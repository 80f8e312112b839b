"""Makes the HTTP request of an attempt to a task's handler, and evaluates the response."""

import asyncio
import ssl
import time
from typing import Any

import httpx
from google.cloud.tasks_v2.types import HttpMethod
from grpc import StatusCode

from local.cloud_tasks.creation import USER_AGENT
from local.cloud_tasks.names import short_id
from local.cloud_tasks.oidc import bearer
from local.cloud_tasks.outcome import AttemptOutcome, no_response, response
from local.cloud_tasks.retry import retry_after_seconds
from local.cloud_tasks.task import QueuedTask
from local.cloud_tasks.times import seconds

_REPLACED = frozenset({"host", "content-length", "user-agent", "transfer-encoding", "connection"})
_RESERVED = ("x-cloudtasks-", "x-google-", "x-appengine-")


async def call_handler(task: QueuedTask, tls: ssl.SSLContext, deadline_scale: float) -> AttemptOutcome:
    """Make the HTTP request of an attempt that has just begun (`task` already counts it), and return the result. A
    timeout or a refused connection is a result, too, and raises no error.

    `deadline_scale` multiplies the task's dispatch deadline, so that a test need not wait for 15 seconds.
    """
    asked = task.message()
    deadline = seconds(asked.dispatch_deadline) * deadline_scale
    try:
        request = handler_request(task, asked.http_request, time.time())
        async with asyncio.timeout(deadline):
            answer = await _answer(request, tls)
    except TimeoutError:
        return no_response(StatusCode.DEADLINE_EXCEEDED, f"no response within {deadline:g} s")
    except (httpx.HTTPError, httpx.InvalidURL) as cause:
        return no_response(StatusCode.UNAVAILABLE, f"no response: {type(cause).__name__}")
    return response(answer.status_code, retry_after_seconds(answer.headers.get("retry-after"), time.time()))


async def _answer(request: httpx.Request, tls: ssl.SSLContext) -> httpx.Response:
    """Send the request over a new connection, and return the handler's response. Redirects are not followed.

    Connections are not reused, because the handler might close a connection at the moment of its reuse. Besides,
    httpx's pool checks all its connections for each request, so the time for many concurrent requests would grow with
    the square of their number.
    """
    async with httpx.AsyncHTTPTransport(verify=tls, trust_env=False) as transport:
        answer = await transport.handle_async_request(request)
        await answer.aread()
        return answer


def handler_request(task: QueuedTask, asked: Any, now: float) -> httpx.Request:
    """Return the HTTP request of an attempt that has just begun (`task` already counts it). `asked` is the task's
    HttpRequest message.
    """
    kept = {name: value for name, value in asked.headers.items() if not _is_ours(name.lower())}
    headers = kept | _service_headers(task)
    if asked.HasField("oidc_token"):
        headers = {name: value for name, value in headers.items() if name.lower() != "authorization"}
        token = asked.oidc_token
        headers["Authorization"] = bearer(token.service_account_email, token.audience or asked.url, now)
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    return httpx.Request(HttpMethod(asked.http_method).name, asked.url, headers=encoded, content=asked.body or None)


def _is_ours(name: str) -> bool:
    return name in _REPLACED or name.startswith(_RESERVED)


def _service_headers(task: QueuedTask) -> dict[str, str]:
    """Return the headers that Cloud Tasks adds to requests, as recorded from the real service
    (aertje/cloud-tasks-emulator, 2026).
    """
    progress = task.progress
    headers = {
        "User-Agent": USER_AGENT,
        "X-CloudTasks-QueueName": short_id(task.queue),
        "X-CloudTasks-TaskName": short_id(task.name),
        "X-CloudTasks-TaskRetryCount": str(progress.dispatch_count - 1),
        "X-CloudTasks-TaskExecutionCount": str(progress.execution_count),
        "X-CloudTasks-TaskETA": f"{task.schedule_at:.6f}",
    }
    if progress.last_outcome is not None:
        headers["X-CloudTasks-TaskPreviousResponse"] = str(progress.last_outcome.seen_as)
        headers["X-CloudTasks-TaskRetryReason"] = ""
    return headers
