"""The API over gRPC, as the official clients speak it by default."""

from collections.abc import Callable
from typing import Any

import grpc
from google.cloud.tasks_v2.types import cloudtasks as requests

from local.cloud_tasks.errors import CloudTasksError
from local.cloud_tasks.service import LocalCloudTasks

SERVICE = "google.cloud.tasks.v2.CloudTasks"

Call = Callable[[LocalCloudTasks, Any], Any]

CALLS: dict[str, tuple[Any, Call]] = {
    "CreateTask": (requests.CreateTaskRequest, LocalCloudTasks.create_task),
    "GetTask": (requests.GetTaskRequest, LocalCloudTasks.get_task),
    "ListTasks": (requests.ListTasksRequest, LocalCloudTasks.list_tasks),
    "DeleteTask": (requests.DeleteTaskRequest, LocalCloudTasks.delete_task),
    "RunTask": (requests.RunTaskRequest, LocalCloudTasks.run_task),
    "CreateQueue": (requests.CreateQueueRequest, LocalCloudTasks.create_queue),
    "UpdateQueue": (requests.UpdateQueueRequest, LocalCloudTasks.update_queue),
    "GetQueue": (requests.GetQueueRequest, LocalCloudTasks.get_queue),
    "ListQueues": (requests.ListQueuesRequest, LocalCloudTasks.list_queues),
    "DeleteQueue": (requests.DeleteQueueRequest, LocalCloudTasks.delete_queue),
    "PurgeQueue": (requests.PurgeQueueRequest, LocalCloudTasks.purge_queue),
    "PauseQueue": (requests.PauseQueueRequest, LocalCloudTasks.pause_queue),
    "ResumeQueue": (requests.ResumeQueueRequest, LocalCloudTasks.resume_queue),
}
"""Each call's request type and the method that answers it. gRPC answers other calls with UNIMPLEMENTED."""


def rpc_handler(service: LocalCloudTasks) -> grpc.GenericRpcHandler:
    """Return the handler for a `grpc.aio` server."""
    methods = {name: _unary(service, *call) for name, call in CALLS.items()}
    return grpc.method_handlers_generic_handler(SERVICE, methods)


def _unary(service: LocalCloudTasks, request_type: Any, call: Call) -> grpc.RpcMethodHandler:
    async def answer(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        try:
            return call(service, request)
        except CloudTasksError as refused:
            return await context.abort(refused.code, refused.message)

    return grpc.unary_unary_rpc_method_handler(
        answer,
        request_deserializer=request_type.pb().FromString,
        response_serializer=lambda message: message.SerializeToString(),
    )
