"""The API over gRPC, as the official clients speak it by default."""

from collections.abc import Callable
from typing import Any

import grpc
from google.cloud.tasks_v2.types import cloudtasks as requests

from local.cloud_tasks.errors import ApiError
from local.cloud_tasks.service import CloudTasks

SERVICE = "google.cloud.tasks.v2.CloudTasks"

Call = Callable[[CloudTasks, Any], Any]

CALLS: dict[str, tuple[Any, Call]] = {
    "CreateTask": (requests.CreateTaskRequest, CloudTasks.create_task),
    "GetTask": (requests.GetTaskRequest, CloudTasks.get_task),
    "ListTasks": (requests.ListTasksRequest, CloudTasks.list_tasks),
    "DeleteTask": (requests.DeleteTaskRequest, CloudTasks.delete_task),
    "RunTask": (requests.RunTaskRequest, CloudTasks.run_task),
    "CreateQueue": (requests.CreateQueueRequest, CloudTasks.create_queue),
    "UpdateQueue": (requests.UpdateQueueRequest, CloudTasks.update_queue),
    "GetQueue": (requests.GetQueueRequest, CloudTasks.get_queue),
    "ListQueues": (requests.ListQueuesRequest, CloudTasks.list_queues),
    "DeleteQueue": (requests.DeleteQueueRequest, CloudTasks.delete_queue),
    "PurgeQueue": (requests.PurgeQueueRequest, CloudTasks.purge_queue),
    "PauseQueue": (requests.PauseQueueRequest, CloudTasks.pause_queue),
    "ResumeQueue": (requests.ResumeQueueRequest, CloudTasks.resume_queue),
}
"""Each call's request type and what answers it; a call that is not here is answered UNIMPLEMENTED by gRPC."""


def rpc_handler(service: CloudTasks) -> grpc.GenericRpcHandler:
    """The handler that a `grpc.aio` server is given."""
    methods = {name: _unary(service, *call) for name, call in CALLS.items()}
    return grpc.method_handlers_generic_handler(SERVICE, methods)


def _unary(service: CloudTasks, request_type: Any, call: Call) -> grpc.RpcMethodHandler:
    async def answer(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        try:
            return call(service, request)
        except ApiError as refused:
            return await context.abort(refused.code, refused.message)

    return grpc.unary_unary_rpc_method_handler(
        answer,
        request_deserializer=request_type.pb().FromString,
        response_serializer=lambda message: message.SerializeToString(),
    )
