"""The whole server: the API over gRPC on one port, the control API and the JSON API on another."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
from starlette.applications import Starlette

from local.cloud_tasks.control import TasksControl
from local.cloud_tasks.dispatcher import DispatchTimes, TaskDispatcher
from local.cloud_tasks.errors import AddressTaken
from local.cloud_tasks.faults import TaskFaults
from local.cloud_tasks.journal import Journal
from local.cloud_tasks.names import checked_queue
from local.cloud_tasks.queue import LocalQueue
from local.cloud_tasks.rpc import rpc_handler
from local.cloud_tasks.service import LocalCloudTasks
from local.cloud_tasks.store import TaskStore
from local.guest_server import GuestServer, serving
from local.ports import listen
from local.server_config import server_config

_DISPATCH_GRACE_SECONDS = 1.0
_CALL_GRACE_SECONDS = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Address and storage of a server. `host` is a name or an IPv4 address; port 0 means any free one.

    Without `data_dir` everything is in memory only. `queues` are full names of queues that are created at the start if
    they are missing.
    """

    host: str = "127.0.0.1"
    port: int = 0
    control_port: int = 0
    data_dir: Path | None = None
    queues: tuple[str, ...] = ()
    pace: DispatchTimes = field(default_factory=DispatchTimes)


@dataclass(frozen=True, slots=True)
class RunningServer:
    """The addresses of a running server: `address` is host:port, for gRPC; `control_url` is http://host:port."""

    port: int
    control_port: int
    address: str
    control_url: str


@asynccontextmanager
async def serve(settings: ServerSettings | None = None) -> AsyncIterator[RunningServer]:
    """Run a server in the running event loop during the block.

    When the block is left, running attempts get a second to end. Attempts that take longer are aborted; their tasks
    stay stored, and the attempts are repeated at the next start. After at most two seconds the server has ended.
    """
    settings = settings or ServerSettings()
    store = TaskStore(settings.data_dir)
    try:
        for name in settings.queues:
            if store.queue(checked_queue(name)) is None:
                store.save_queue(LocalQueue(name=name))
        async with _service(store, settings.pace) as (service, journal):
            control = TasksControl(service, journal).app()
            async with _grpc(service, settings) as port, _http(control, settings) as control_port:
                await service.dispatcher.warm_up(f"http://{settings.host}:{control_port}/healthz")
                address, control_url = f"{settings.host}:{port}", f"http://{settings.host}:{control_port}"
                yield RunningServer(port, control_port, address, control_url)
    finally:
        store.close()


@asynccontextmanager
async def _service(store: TaskStore, pace: DispatchTimes) -> AsyncIterator[tuple[LocalCloudTasks, Journal]]:
    faults, journal = TaskFaults(), Journal()
    dispatcher = TaskDispatcher(store, faults, journal, pace)
    try:
        yield LocalCloudTasks(store, dispatcher, faults, pace), journal
    finally:
        await dispatcher.close(_DISPATCH_GRACE_SECONDS)


@asynccontextmanager
async def _grpc(service: LocalCloudTasks, settings: ServerSettings) -> AsyncIterator[int]:
    # The port must not be shared: a second server on the same port then fails here, instead of receiving half of the
    # calls.
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((rpc_handler(service),))
    try:
        port = server.add_insecure_port(f"{settings.host}:{settings.port}")
    except RuntimeError as cause:
        raise AddressTaken(f"{settings.host}:{settings.port}") from cause
    await server.start()
    try:
        yield port
    finally:
        await server.stop(_CALL_GRACE_SECONDS)


@asynccontextmanager
async def _http(app: Starlette, settings: ServerSettings) -> AsyncIterator[int]:
    with listen(settings.host, settings.control_port) as listener:
        config = server_config(app, lifespan="off", log_config=None, log_level=None, access_log=False)
        async with serving(GuestServer(config), listener):
            yield listener.getsockname()[1]
