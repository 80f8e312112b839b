"""The control API: endpoints for tests, benchmarks and `make dev` that the real Cloud Tasks does not have.

    GET    /healthz                {"ready": true}
    GET    /tasks?queue=           every task with its state, schedule and attempts; `queue` is a
                                   queue's name or short id, and selects that queue's tasks
    GET    /dispatches?after=N     the ended attempts after number N; attempts are numbered from 1 in the order in which
                                   they end; with &wait=S the call waits up to S seconds for such an attempt
    GET    /faults                 the pending faults
    POST   /faults                 {kind, times, seconds?, name_prefix?}: cause this fault for the next tasks
    DELETE /faults                 remove all faults, and release the tasks that are held
    POST   /purge-all              delete all tasks and remembered names; the queues stay

Errors are `{"error": "sentence"}` with status 400.
"""

from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from local.cloud_tasks.faults import TaskFault
from local.cloud_tasks.journal import Journal
from local.cloud_tasks.names import short_id
from local.cloud_tasks.rest import rest_routes
from local.cloud_tasks.service import LocalCloudTasks
from local.cloud_tasks.task import QueuedTask

_FAULT = TypeAdapter(TaskFault)


@dataclass(frozen=True, slots=True)
class TasksControl:
    """The endpoints of the control API for one running `LocalCloudTasks`."""

    service: LocalCloudTasks
    journal: Journal

    async def health(self, _: Request) -> JSONResponse:
        """Return `{"ready": true}`; a server that is not ready does not answer."""
        return JSONResponse({"ready": True})

    async def tasks(self, request: Request) -> JSONResponse:
        """Return the tasks of the requested queue, or of all queues, in the order of queue and name."""
        wanted = request.query_params.get("queue", "")
        queues = [queue.name for queue in self.service.store.queues()]
        chosen = [name for name in queues if wanted in ("", name, short_id(name))]
        tasks = [self._as_json(task) for name in chosen for task in self.service.store.tasks(name)]
        return JSONResponse({"tasks": tasks})

    async def dispatches(self, request: Request) -> JSONResponse:
        """Return the attempts that are numbered above `after`. If no such attempt has ended yet, wait for one for at
        most `wait` seconds.
        """
        after, wait = (request.query_params.get(name, "0") for name in ("after", "wait"))
        if not (after.isdecimal() and wait.isdecimal()):
            return _refusal(
                "after must be the number of an attempt, and wait a whole number of seconds, such as after=12&wait=5"
            )
        await self.journal.wait_for_more(int(after), int(wait))
        return JSONResponse({"dispatches": self.journal.after(int(after))})

    async def list_faults(self, _: Request) -> JSONResponse:
        """Return the pending faults."""
        return JSONResponse({"faults": [asdict(fault) for fault in self.service.faults.pending()]})

    async def add_fault(self, request: Request) -> JSONResponse:
        """Queue the fault in the request's JSON (a `TaskFault`) for the next tasks that match it."""
        try:
            fault = _FAULT.validate_json(await request.body())
        except ValidationError as wrong:
            first = wrong.errors()[0]
            field = ".".join(str(part) for part in first["loc"]) or "the body"
            return _refusal(f"{field}: {first['msg']}")
        self.service.faults.add(fault)
        return JSONResponse({"added": asdict(fault)})

    async def clear_faults(self, _: Request) -> JSONResponse:
        """Remove all faults, and release the tasks that "reorder" faults hold."""
        self.service.faults.clear()
        self.service.dispatcher.release_held()
        return JSONResponse({"faults": []})

    async def purge_all(self, _: Request) -> JSONResponse:
        """Delete all tasks, as if they had never been created."""
        return JSONResponse({"lost": self.service.lose_tasks()})

    def app(self) -> Starlette:
        """Return the HTTP application, with the endpoints of this class and the service's JSON API."""
        return Starlette(
            routes=[
                Route("/healthz", self.health),
                Route("/tasks", self.tasks),
                Route("/dispatches", self.dispatches),
                Route("/faults", self.list_faults, methods=["GET"]),
                Route("/faults", self.add_fault, methods=["POST"]),
                Route("/faults", self.clear_faults, methods=["DELETE"]),
                Route("/purge-all", self.purge_all, methods=["POST"]),
                *rest_routes(self.service),
            ]
        )

    def _as_json(self, task: QueuedTask) -> dict[str, Any]:
        progress = task.progress
        return {
            "name": task.name,
            "queue": task.queue,
            "state": self._state(task.name),
            "schedule_at": task.schedule_at,
            "created_at": task.created_at,
            "attempts": progress.dispatch_count,
            "responses": progress.response_count,
            "last_outcome": progress.last_outcome.message if progress.last_outcome else None,
        }

    def _state(self, name: str) -> str:
        if self.service.dispatcher.is_under_way(name):
            return "running"
        return "held" if self.service.dispatcher.is_held(name) else "scheduled"


def _refusal(sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status_code=400)
