"""The job queues: Cloud Tasks through its official client."""

from datetime import UTC, datetime, timedelta

import grpc
from google.api_core import exceptions, retry_async
from google.cloud.tasks_v2.services.cloud_tasks import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport
from google.cloud.tasks_v2.types import HttpMethod, HttpRequest, OidcToken, Task
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from shared.base.errors import QueueRefused, QueueUnavailable
from shared.values.wake import Job, QueueAddress, Routes

#: seconds for one call: now and then a call hangs for minutes (googleapis/python-tasks#161)
TRY_SECONDS = 3.0
#: Cloud Tasks accepts tasks up to 30 days ahead (cloud.google.com/tasks/docs/quotas), by its own clock; a job that
#: runs early enqueues itself again
LONGEST_AHEAD = timedelta(days=30) - timedelta(hours=1)
#: creating a named task may be retried, since a name can be used only once; a task without a name would be created
#: twice
RETRY = retry_async.AsyncRetry(
    predicate=retry_async.if_exception_type(
        exceptions.ServiceUnavailable, exceptions.DeadlineExceeded, exceptions.InternalServerError
    ),
    initial=0.1,
    maximum=2.0,
    multiplier=2.0,
    timeout=10.0,
)


class CloudTasks:
    """Enqueues jobs as tasks of Cloud Tasks. Create it in the running event loop, to which its client belongs."""

    def __init__(self, routes: Routes, endpoint: str) -> None:
        """`routes` has the queues and the functions; `endpoint` is a local server's host and port, or empty."""
        self.routes = routes
        self.client = _client(endpoint)

    async def enqueue(self, job: Job) -> None:
        """Create the job's task.

        If a task with the job's name exists, or ran within the last hour, this counts as success. Raises
        QueueUnavailable or QueueRefused. QueueRefused is also raised if the routes lack the queue or the function.
        """
        queue, url = self._route(job)
        retry = RETRY if job.name else None
        try:
            await self.client.create_task(
                parent=queue.name, task=_task(job, queue, url), retry=retry, timeout=TRY_SECONDS
            )
        except exceptions.AlreadyExists:
            return
        except exceptions.InvalidArgument as cause:
            raise QueueRefused(f"Cloud Tasks will never take this task ({type(cause).__name__})") from cause
        except (exceptions.GoogleAPICallError, exceptions.RetryError) as cause:
            raise QueueUnavailable(f"Cloud Tasks did not take a task ({type(cause).__name__})") from cause

    def _route(self, job: Job) -> tuple[QueueAddress, str]:
        try:
            return self.routes.queues[job.queue], self.routes.functions[job.function]
        except KeyError as missing:
            raise QueueRefused(f"unknown queue or function {missing}; add it to LULL_ROUTES") from missing


def _task(job: Job, queue: QueueAddress, url: str) -> Task:
    headers = {"Content-Type": "application/json"}
    if job.traceparent:
        headers["traceparent"] = job.traceparent
    request = HttpRequest(url=url, http_method=HttpMethod.POST, headers=headers, body=job.body.encode())
    if queue.invoker:
        request.oidc_token = OidcToken(service_account_email=queue.invoker, audience=url)
    due = Timestamp()
    due.FromDatetime(min(job.at, datetime.now(UTC) + LONGEST_AHEAD))
    # just above the longest time-out of a function, so that the function ends first
    deadline = Duration(seconds=600)
    name = f"{queue.name}/tasks/{job.name}" if job.name else ""
    return Task(name=name, http_request=request, schedule_time=due, dispatch_deadline=deadline)


def _client(endpoint: str) -> CloudTasksAsyncClient:
    if not endpoint:
        return CloudTasksAsyncClient()
    return CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=grpc.aio.insecure_channel(endpoint)))
