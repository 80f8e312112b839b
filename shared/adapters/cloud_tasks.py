"""The queue of ticks: Cloud Tasks through its official client."""

from datetime import UTC, datetime, timedelta

import grpc
from google.api_core import exceptions, retry_async
from google.cloud.tasks_v2.services.cloud_tasks import CloudTasksAsyncClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcAsyncIOTransport
from google.cloud.tasks_v2.types import HttpMethod, HttpRequest, OidcToken, Task
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from shared.errors import QueueRefused, QueueUnavailable
from shared.models.wake import Wake

#: seconds for one call: rare calls are known to stall for minutes (googleapis/python-tasks#161)
TRY_SECONDS = 3.0
#: Cloud Tasks takes nothing for more than 30 days ahead (cloud.google.com/tasks/docs/quotas), by its own clock; a tick
#: that comes early asks for itself again
LONGEST_AHEAD = timedelta(days=30) - timedelta(hours=1)
#: a named task may be asked for again: the second wish is the first one's
RETRY = retry_async.AsyncRetry(
    predicate=retry_async.if_exception_type(
        exceptions.ServiceUnavailable, exceptions.DeadlineExceeded, exceptions.InternalServerError
    ),
    initial=0.1,
    maximum=2.0,
    multiplier=2.0,
    timeout=10.0,
)


class CloudTasksQueue:
    """The queue of ticks. One client per instance, made inside the running loop."""

    def __init__(self, queue: str, tick_url: str, invoker: str, endpoint: str) -> None:
        """`invoker`: whose identity the tick function checks (empty: none); `endpoint`: a local server, or empty."""
        self.queue, self.tick_url, self.invoker = queue, tick_url, invoker
        self.client = _client(endpoint)

    async def enqueue(self, wake: Wake) -> None:
        """Create the named task; that it exists, or ran within the hour, is success."""
        try:
            await self.client.create_task(parent=self.queue, task=self._task(wake), retry=RETRY, timeout=TRY_SECONDS)
        except exceptions.AlreadyExists:
            return
        except exceptions.InvalidArgument as cause:
            raise QueueRefused(f"Cloud Tasks will never take this task ({type(cause).__name__})") from cause
        except (exceptions.GoogleAPICallError, exceptions.RetryError) as cause:
            raise QueueUnavailable(f"Cloud Tasks did not take a task ({type(cause).__name__})") from cause

    def _task(self, wake: Wake) -> Task:
        headers = {"Content-Type": "application/json"}
        if wake.traceparent:
            headers["traceparent"] = wake.traceparent
        request = HttpRequest(
            url=self.tick_url, http_method=HttpMethod.POST, headers=headers, body=wake.model_dump_json().encode()
        )
        if self.invoker:
            request.oidc_token = OidcToken(service_account_email=self.invoker, audience=self.tick_url)
        due = Timestamp()
        due.FromDatetime(min(wake.at, datetime.now(UTC) + LONGEST_AHEAD))
        # a little above the tick function's own time-out, so that the function ends first
        deadline = Duration(seconds=600)
        return Task(
            name=f"{self.queue}/tasks/{wake.name}", http_request=request, schedule_time=due, dispatch_deadline=deadline
        )


def _client(endpoint: str) -> CloudTasksAsyncClient:
    if not endpoint:
        return CloudTasksAsyncClient()
    return CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=grpc.aio.insecure_channel(endpoint)))
