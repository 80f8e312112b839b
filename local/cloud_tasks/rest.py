"""The API over HTTP and JSON, under `/v2/`, as the official clients speak it with `transport="rest"`."""

import json
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local.cloud_tasks.errors import CloudTasksError, invalid
from local.cloud_tasks.rpc import CALLS
from local.cloud_tasks.service import LocalCloudTasks

_HTTP_STATUS = {
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.UNAVAILABLE: 503,
}
_RPC_PARAMETERS = frozenset({"$alt", "$prettyPrint", "$userProject", "key", "access_token"})


@dataclass(frozen=True, slots=True)
class Binding:
    """The HTTP form of a call: its method and path, the field of the request message that the path contains, and
    the field that the body contains (empty if the body is the whole message).
    """

    call: str
    method: str
    path: str
    name_field: str = "name"
    body_field: str = ""


_QUEUES = "/v2/{name:path}/queues"
_QUEUE = "/v2/{name:path}"
_TASKS = "/v2/{name:path}/tasks"

# The first match is used. So a path with a verb or a collection comes before the plain name, and the path of a task
# before that of a queue.
BINDINGS = (
    Binding("CreateTask", "POST", _TASKS, "parent"),
    Binding("ListTasks", "GET", _TASKS, "parent"),
    Binding("CreateQueue", "POST", _QUEUES, "parent", "queue"),
    Binding("ListQueues", "GET", _QUEUES, "parent"),
    Binding("RunTask", "POST", "/v2/{name:path}:run"),
    Binding("PurgeQueue", "POST", "/v2/{name:path}:purge"),
    Binding("PauseQueue", "POST", "/v2/{name:path}:pause"),
    Binding("ResumeQueue", "POST", "/v2/{name:path}:resume"),
    Binding("GetTask", "GET", "/v2/{queue:path}/tasks/{task}"),
    Binding("DeleteTask", "DELETE", "/v2/{queue:path}/tasks/{task}"),
    Binding("GetQueue", "GET", _QUEUE),
    Binding("DeleteQueue", "DELETE", _QUEUE),
    Binding("UpdateQueue", "PATCH", _QUEUE, body_field="queue"),
)


def rest_routes(service: LocalCloudTasks) -> list[Route]:
    """Return the routes of the JSON API."""
    return [_route(service, binding) for binding in BINDINGS]


def _route(service: LocalCloudTasks, binding: Binding) -> Route:
    request_type, call = CALLS[binding.call]

    async def answer(request: Request) -> Response:
        try:
            message = request_message(request_type, binding, request, await request.body())
            return JSONResponse(MessageToDict(call(service, message)))
        except CloudTasksError as refused:
            return _error(refused)

    return Route(binding.path, answer, methods=[binding.method])


def request_message(request_type: Any, binding: Binding, request: Request, body: bytes) -> Any:
    """Return the API's request message for an HTTP request. Raises INVALID_ARGUMENT."""
    content = _json(body) if body else {}
    fields: dict[str, Any] = {
        name: value for name, value in request.query_params.items() if name not in _RPC_PARAMETERS
    }
    fields |= {binding.body_field: content} if binding.body_field else content
    if binding.call == "UpdateQueue":
        content["name"] = request.path_params["name"]
    else:
        fields[binding.name_field] = _name(request)
    try:
        return ParseDict(fields, request_type.pb()())
    except ParseError as cause:
        raise invalid(f"Invalid JSON payload received. {cause}") from cause


def _name(request: Request) -> str:
    path = request.path_params
    return path["name"] if "name" in path else f"{path['queue']}/tasks/{path['task']}"


def _json(body: bytes) -> dict[str, Any]:
    try:
        content = json.loads(body)
    except ValueError as cause:
        raise invalid("Invalid JSON payload received.") from cause
    if not isinstance(content, dict):
        raise invalid("Invalid JSON payload received: it must be an object.")
    return content


def _error(refused: CloudTasksError) -> JSONResponse:
    status = _HTTP_STATUS.get(refused.code, 500)
    error = {"code": status, "message": refused.message, "status": refused.code.name}
    return JSONResponse({"error": error}, status_code=status)
