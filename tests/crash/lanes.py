"""Lanes: separate function processes behind counting relays, any of which can be killed at any request.

All lanes share the servers of one local cloud. Each lane has its own agent, bot, webhook, queue, database and bucket.
So several plays can run at the same time, and each lane's requests are counted separately.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import httpx
import psutil

from benchmarks.kept import Kept, kept_of
from benchmarks.relay import naming
from benchmarks.relay.grpc_relay import grpc_relay
from benchmarks.relay.http_relay import http_relay
from benchmarks.relay.ledger import Ledger
from benchmarks.relay.line import Line
from benchmarks.relay.naming import Naming
from infra.schedules import SCHEDULES, read_jobs
from local.bots import register_bots, set_webhooks
from local.cloud import LocalCloud
from local.credentials import kept_credentials
from local.parts import CONTROL, FUNCTIONS, PARTS, CloudPart, Places, function, function_env
from local.ports import HOST, reserve_port
from local.processes import ROOT
from local.scheduler.calls import Caller
from shared.planning.personas.load import load_agents
from shared.values.wake import Queue as LaterQueue
from tests.crash.queues import Queue, Queues, new_queue

#: the parts of the cloud that a lane needs
SERVERS = ("telegram", "cloud_tasks", "firestore", "storage", "model")
#: short quiet times, and leases that expire soon after a kill
HURRIED = {
    "LULL_QUIET_PRIVATE_S": "0.5",
    "LULL_RETRY_S": "0.3",
    "LULL_LEASE_S": "2",
    "LULL_MODEL_TRIES": "3",
    "LULL_SWEEP_GRACE_S": "0.5",
    "LULL_MEDIA_WAIT_S": "3",
    "LULL_LATER_S": "0.5",
    # conversations rest only when their story says so
    "LULL_REST_S": "86400",
}
#: seconds until a failed job is called again; Cloud Scheduler waits ten
AGAIN_S = 0.1
AGENT = """\
---
name: {name}
username: {name}_bot
prompts: [chat, waiting]
pace: instant
---
You answer.
"""
LOOK_S = 0.25
#: seconds until a killed worker is replaced: usually milliseconds, more on a busy machine
PATIENCE_S = 240.0
#: the servers behind relays by the calling function: over gRPC, and over HTTP
GRPC: Mapping[str, Naming] = {"firestore": naming.firestore, "cloud_tasks": naming.cloud_tasks}
CHANNELS: Mapping[str, Naming] = {"telegram": naming.telegram, "model": naming.gemini}
STORAGE: Mapping[str, Naming] = {"storage": naming.storage}
HTTP: Mapping[str, Mapping[str, Naming]] = {
    "webhook": CHANNELS,
    "tick": {**CHANNELS, **STORAGE, "reader": naming.reader},
    "describe_media": {**CHANNELS, **STORAGE, "reader": naming.reader},
    "summarize": {**STORAGE, "model": naming.gemini},
    "erase": STORAGE,
    "maintain": {"telegram": naming.telegram},
    "reader": {},
    "console": STORAGE,
}


@dataclass(frozen=True)
class Lane:
    """One agent's functions. `parts` are their processes by function; `tokens` has only this agent's token."""

    cloud: LocalCloud
    agent: str
    tokens: Mapping[str, str]
    queues: Queues
    kept: Kept
    #: the bucket of the files that people sent
    media_bucket: str
    parts: Mapping[str, CloudPart]
    ledger: Ledger

    @property
    def bot_id(self) -> int:
        """The id of the agent's bot."""
        return int(self.tokens[self.agent].partition(":")[0])

    async def kill(self, function: str) -> None:
        """Kill the process that runs a function's code with SIGKILL, and wait until it is gone.

        functions-framework serves with gunicorn. Its master, which has imported the code but runs none of it, starts
        another worker at once, as Cloud Run starts another instance. The new worker shares no state with the old one.
        """
        workers = psutil.Process(self.cloud.pid(self.parts[function].name)).children()
        for worker in workers:
            worker.kill()
        await asyncio.to_thread(psutil.wait_procs, workers)

    async def refresh(self, functions: Iterable[str] = FUNCTIONS) -> None:
        """Start new processes without connections and caches, so that each request is made."""
        async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S) as http:
            for name in functions:
                await self.kill(name)
            for name in functions:
                await _until(partial(_serves, http, f"{self.parts[name].url}/healthz"))

    async def fire(self, job: str) -> None:
        """Have the scheduler run a job repeatedly until it succeeds."""
        urls = {name: part.url for name, part in self.parts.items()}
        jobs = {one.name: one for one in read_jobs(SCHEDULES, FUNCTIONS)}
        async with httpx.AsyncClient(timeout=None, trust_env=False) as http:
            caller = Caller(client=http, urls=urls, first_pause_s=AGAIN_S)
            while not any([attempt.is_success async for attempt in caller.run(jobs[job], datetime.now(UTC))]):
                pass

    async def is_delivered(self, telegram: httpx.AsyncClient) -> bool:
        """Return whether the webhook has accepted all updates."""
        return not (await telegram.get(f"/world/bots/{self.bot_id}/queue")).json()["pending"]

    async def quiets(self, telegram: httpx.AsyncClient) -> None:
        """Wait until no work runs or is pending: every update is delivered, and no task is left.

        The order matters: a delivered update has created its task, and a finished task has created the next one. A tick
        starts descriptions of files, which wake a tick; ticks and jobs start background work.
        """
        await _until(partial(self.is_delivered, telegram))
        await _until(self.queues.are_empty)


async def _until(is_so: Callable[[], Awaitable[bool]]) -> None:
    while True:
        if await is_so():
            return
        await asyncio.sleep(LOOK_S)


async def _serves(http: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await http.get(url)).is_success
    except httpx.TransportError:
        return False


@dataclass(frozen=True)
class LaneSpec:
    """The configuration of lanes: further settings of their functions, and the functions that run. Others are never
    called.
    """

    env: Mapping[str, str] = field(default_factory=dict)
    functions: Sequence[str] = FUNCTIONS


@asynccontextmanager
async def open_lanes(
    cloud: LocalCloud, names: Sequence[str], folder: Path, how: LaneSpec = LaneSpec()
) -> AsyncIterator[list[Lane]]:
    """Open lanes of a running cloud while the block runs; the agents with these names are written into `folder`."""
    for name in names:
        (folder / name).mkdir()
        (folder / name / "agent.md").write_text(AGENT.format(name=name))
    async with AsyncExitStack() as stack:
        lanes = [await _lane(stack, cloud, name, folder, how) for name in names]
        parts = {part.name: part for lane in lanes for part in lane.parts.values()}
        cloud.parts |= parts
        stack.callback(_end, cloud, list(parts))
        await asyncio.to_thread(cloud.start, *parts)
        agents = load_agents((folder, ROOT / "agents"))
        for lane in lanes:
            register_bots(cloud.telegram_url, {lane.agent: agents[lane.agent]}, lane.tokens)
            place = (lane.parts["webhook"].url, cloud.webhook_secret)
            await asyncio.to_thread(set_webhooks, cloud.telegram_url, lane.tokens, *place, with_menus=False)
        yield lanes


def _end(cloud: LocalCloud, parts: Iterable[str]) -> None:
    for name in parts:
        cloud.kill(name)
        del cloud.parts[name]


async def _lane(stack: AsyncExitStack, cloud: LocalCloud, agent: str, folder: Path, how: LaneSpec) -> Lane:
    """Create a lane whose functions do not run yet; they reach every server through its relay."""
    ledger, parts, project = Ledger(), {}, f"{cloud.project}-{agent}"
    named = [f"{cloud.queue}-{agent}{suffix}" for suffix in ("", "-media", "-background")]
    queues = Queues(*[await stack.enter_async_context(new_queue(cloud.tasks_control_url, name)) for name in named])
    await _make_bucket(cloud, project)
    await _make_bucket(cloud, media_bucket := f"{project}-media")
    kept = await stack.enter_async_context(kept_of(cloud, project, bucket=project))
    own = {target: stack.enter_context(_port()) for target in FUNCTIONS}
    shared = {name: int(cloud.url(name).rpartition(":")[2]) for name in (*PARTS, CONTROL)}
    spec = replace(cloud.spec, agents=(folder, ROOT / "agents"), env={**HURRIED, **how.env})
    tokens = {agent: kept_credentials(folder, (agent,)).tokens[agent]}
    credentials = replace(cloud.credentials, tokens=tokens)
    apart = {
        "GOOGLE_CLOUD_PROJECT": project,
        "LULL_QUEUE": queues.ticks.name,
        "LULL_ARCHIVE_BUCKET": kept.archive.bucket,
        "LULL_MEDIA_BUCKET": media_bucket,
    }
    for target in how.functions:
        name = f"{agent}-{target}"
        relays = await _relays(stack, cloud, partial(Line, ledger, target), target, own)
        places = Places(folder=cloud.folder, ports={**shared, **own, **relays, name: own[target]})
        env = function_env(spec, places, credentials) | apart
        env["LULL_ROUTES"] = _with_queue(env["LULL_ROUTES"], LaterQueue.MEDIA, queues.media)
        env["LULL_ROUTES"] = _with_queue(env["LULL_ROUTES"], LaterQueue.BACKGROUND, queues.background)
        parts[target] = function(name, target, spec, places, env)
    return Lane(cloud, agent, tokens, queues, kept, media_bucket, parts, ledger)


def _with_queue(routes: str, queue: LaterQueue, instead: Queue) -> str:
    """Return the routes with another queue in place of one queue."""
    found = json.loads(routes)
    return json.dumps(found | {"queues": found["queues"] | {queue.value: {"name": instead.name}}})


async def _make_bucket(cloud: LocalCloud, name: str) -> None:
    async with httpx.AsyncClient(base_url=cloud.storage_url, timeout=60, trust_env=False) as storage:
        (await storage.post("/storage/v1/b", params={"project": name}, json={"name": name})).raise_for_status()


@contextmanager
def _port() -> Iterator[int]:
    port = reserve_port()
    yield port.number
    port.release()


async def _relays(
    stack: AsyncExitStack, cloud: LocalCloud, line: Callable[[Naming], Line], maker: str, own: Mapping[str, int]
) -> dict[str, int]:
    """Return the ports of one function's relays by server. `own`: the ports of the lane's functions."""
    ports: dict[str, int] = {}
    for name, named in GRPC.items():
        address = cloud.url(name).removeprefix("http://")
        ports[name] = await stack.enter_async_context(grpc_relay(address, line(named)))
    for name, named in HTTP[maker].items():
        url = f"http://{HOST}:{own[name]}" if name in own else cloud.url(name)
        ports[name] = await stack.enter_async_context(http_relay(url, line(named)))
    return ports
