import asyncio
import ssl
import time
from typing import Any

import httpx
import pytest
from grpc import StatusCode

from local.cloud_tasks.creation import new_task
from local.cloud_tasks.handler import call_handler, handler_request
from local.cloud_tasks.outcome import no_response, response
from local.cloud_tasks.task import QueuedTask, TaskMessage
from local.cloud_tasks.times import duration
from tests.local.cloud_tasks.cloud import QUEUE
from tests.local.cloud_tasks.task_handler import Answer, TaskHandler, jwt_part

TLS = ssl.create_default_context()
NOW = 1_800_000_000.123456


def begun(**http: Any) -> QueuedTask:
    """Make a task at its first attempt."""
    wanted = TaskMessage(name=f"{QUEUE}/tasks/a-1", http_request={"url": "http://x.example/tick", **http})
    wanted.dispatch_deadline.CopyFrom(duration(15))
    return new_task(wanted, QUEUE, NOW).with_attempt(NOW)


def request_of(task: QueuedTask) -> httpx.Request:
    """Build the request of that attempt."""
    return handler_request(task, task.message().http_request, NOW)


def test_the_first_attempt_carries_the_services_headers() -> None:
    request = request_of(begun(body=b"{}", headers={"Content-Type": "application/json"}))
    assert (request.method, str(request.url), request.content) == ("POST", "http://x.example/tick", b"{}")
    assert dict(request.headers) == {
        "host": "x.example",
        "content-length": "2",
        "content-type": "application/json",
        "user-agent": "Google-Cloud-Tasks",
        "x-cloudtasks-queuename": "ticks",
        "x-cloudtasks-taskname": "a-1",
        "x-cloudtasks-taskretrycount": "0",
        "x-cloudtasks-taskexecutioncount": "0",
        "x-cloudtasks-tasketa": "1800000000.123456",
    }


@pytest.mark.parametrize(
    ("outcome", "executions", "previous"),
    [
        (response(404), "1", "404"),
        (response(503), "0", "503"),
        (response(302), "1", "302"),
        (no_response(StatusCode.DEADLINE_EXCEEDED, "silence"), "0", "504"),
    ],
)
def test_a_retry_says_what_came_before(outcome: Any, executions: str, previous: str) -> None:
    headers = request_of(begun().with_failure(outcome, NOW, NOW + 1).with_attempt(NOW + 1)).headers
    assert headers["x-cloudtasks-taskretrycount"] == "1"
    assert headers["x-cloudtasks-taskexecutioncount"] == executions
    assert headers["x-cloudtasks-taskpreviousresponse"] == previous
    assert headers["x-cloudtasks-taskretryreason"] == ""


def test_a_task_cannot_set_the_services_own_headers() -> None:
    given = {
        "Host": "evil.example",
        "content-length": "999",
        "X-CloudTasks-TaskName": "other",
        "X-Google-Thing": "1",
        "X-AppEngine-QueueName": "q",
        "X-Mine": "grüße",
    }
    headers = request_of(begun(headers=given)).headers
    assert (headers["host"], headers["content-length"], headers["x-cloudtasks-taskname"]) == ("x.example", "0", "a-1")
    assert not [name for name in headers if name.startswith(("x-google", "x-appengine"))]
    assert dict(headers.raw)[b"X-Mine"] == "grüße".encode()


def test_an_oidc_token_names_the_account_and_the_audience() -> None:
    token = {"service_account_email": "tick@example.com"}
    by_default = request_of(begun(oidc_token=token, headers={"authorization": "Bearer mine"})).headers
    named = request_of(begun(oidc_token=token | {"audience": "https://tick.example"})).headers
    assert jwt_part(by_default["authorization"], 1)["aud"] == "http://x.example/tick"
    assert jwt_part(named["authorization"], 1)["aud"] == "https://tick.example"
    assert jwt_part(named["authorization"], 1)["email"] == "tick@example.com"


async def test_every_way_of_ending_is_an_outcome(handler: TaskHandler) -> None:
    handler.script = [Answer(204), Answer(503, {"retry-after": "7"}), Answer(302, {"location": handler.url})]
    good, busy, moved = [await call_handler(begun(url=handler.url), TLS, 1.0) for _ in range(3)]
    nobody = await call_handler(begun(url="http://127.0.0.1:1/"), TLS, 1.0)
    no_url = await call_handler(begun(url="http://[::1"), TLS, 1.0)
    no_header = await call_handler(begun(url=handler.url, headers={"a": "b\nc"}), TLS, 1.0)
    assert good.is_success
    assert (busy.http_status, busy.retry_after) == (503, 7.0)
    assert (moved.is_success, moved.http_status) == (False, 302)
    assert (nobody.http_status, nobody.message) == (None, "UNAVAILABLE(14): no response: ConnectError")
    assert no_url.message == "UNAVAILABLE(14): no response: InvalidURL"
    assert no_header.message == "UNAVAILABLE(14): no response: LocalProtocolError"


async def test_a_handler_that_is_silent_past_the_deadline_has_not_answered(handler: TaskHandler) -> None:
    never = asyncio.Event()
    handler.usual = Answer(held=never)
    before = time.time()
    outcome = await call_handler(begun(url=handler.url), TLS, 0.01)  # 15 s, scaled
    never.set()
    assert outcome.message == "DEADLINE_EXCEEDED(4): no response within 0.15 s"
    assert time.time() - before >= 0.15
