"""Lanes: function processes of their own, behind counting relays, of which one can be killed at any request.

All lanes share the servers of one local cloud; each has an agent, so a bot and its webhook, a queue, a database and a
bucket. So several plays can go on at the same time, and each lane's requests are counted for themselves.
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

#: what a lane needs of the cloud that it is in
SERVERS = ("telegram", "cloud_tasks", "firestore", "storage", "gemini")
#: nobody waits as long as real people do; a lease that a killed tick left is over soon
HURRIED = {
    "LULL_QUIET_PRIVATE_S": "0.5",
    "LULL_RETRY_S": "0.3",
    "LULL_LEASE_S": "2",
    "LULL_MODEL_TRIES": "3",
    "LULL_SWEEP_GRACE_S": "0.5",
    "LULL_MEDIA_WAIT_S": "3",
    "LULL_LATER_S": "0.5",
    # no conversation rests before its story says so
    "LULL_REST_S": "86400",
}
#: how soon a job that failed is called again; Cloud Scheduler waits ten seconds
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
#: a worker that was killed is replaced within milliseconds; a machine that is busy with other things takes longer
PATIENCE_S = 240.0
#: what stands behind a relay, by the function that calls it: over gRPC, and over HTTP
GRPC: Mapping[str, Naming] = {"firestore": naming.firestore, "cloud_tasks": naming.cloud_tasks}
CHANNELS: Mapping[str, Naming] = {"telegram": naming.telegram, "gemini": naming.gemini}
STORAGE: Mapping[str, Naming] = {"storage": naming.storage}
HTTP: Mapping[str, Mapping[str, Naming]] = {
    "webhook": CHANNELS,
    "tick": {**CHANNELS, **STORAGE, "reader": naming.reader},
    "describe_media": {**CHANNELS, **STORAGE, "reader": naming.reader},
    "summarize": {**STORAGE, "gemini": naming.gemini},
    "erase": STORAGE,
    "maintain": {"telegram": naming.telegram},
    "reader": {},
}


@dataclass(frozen=True)
class Lane:
    """One agent's own functions. `parts` are their processes by function, `tokens` has the agent's alone."""

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
        """The agent's bot."""
        return int(self.tokens[self.agent].partition(":")[0])

    async def kill(self, function: str) -> None:
        """SIGKILL what runs a function's code, between any two of its instructions; returns once it is gone.

        functions-framework serves with gunicorn: a master, which has imported the code and runs none of it, starts
        another worker at once, as Cloud Run starts another instance. The new one has no memory of the old.
        """
        workers = psutil.Process(self.cloud.pid(self.parts[function].name)).children()
        for worker in workers:
            worker.kill()
        await asyncio.to_thread(psutil.wait_procs, workers)

    async def refresh(self, functions: Iterable[str] = FUNCTIONS) -> None:
        """Begin with new processes, which have opened no connection and remember nobody: the longest way there is."""
        async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S) as http:
            for name in functions:
                await self.kill(name)
            for name in functions:
                await _until(partial(_serves, http, f"{self.parts[name].url}/healthz"))

    async def fire(self, job: str) -> None:
        """Have the scheduler run a job, and run it again until it succeeds."""
        urls = {name: part.url for name, part in self.parts.items()}
        jobs = {one.name: one for one in read_jobs(SCHEDULES, FUNCTIONS)}
        async with httpx.AsyncClient(timeout=None, trust_env=False) as http:
            caller = Caller(client=http, urls=urls, first_pause_s=AGAIN_S)
            while not any([attempt.is_success async for attempt in caller.run(jobs[job], datetime.now(UTC))]):
                pass

    async def is_delivered(self, telegram: httpx.AsyncClient) -> bool:
        """Whether the webhook has taken all updates."""
        return not (await telegram.get(f"/world/bots/{self.bot_id}/queue")).json()["pending"]

    async def quiets(self, telegram: httpx.AsyncClient) -> None:
        """Return once nothing goes on and nothing will: every update is delivered, and no task is left.

        In this order: an update that is delivered has made its task, and a task that is done has made the next one. A
        tick has files described, and these wake a tick; a tick and a job have others done in the background.
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
    """How lanes are to be: what their functions are set besides, and which run. What none serves is never asked for."""

    env: Mapping[str, str] = field(default_factory=dict)
    functions: Sequence[str] = FUNCTIONS


@asynccontextmanager
async def open_lanes(
    cloud: LocalCloud, names: Sequence[str], folder: Path, how: LaneSpec = LaneSpec()
) -> AsyncIterator[list[Lane]]:
    """Lanes of a running cloud, which end with the block; the agents, named so, are written into `folder`."""
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
    """A lane whose functions do not run yet: for them, everything is where its relay is."""
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
    """The routes with one queue's tasks put into another one."""
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
    """The ports of one function's relays, by the server behind each; `own`: the ports of the lane's functions."""
    ports: dict[str, int] = {}
    for name, named in GRPC.items():
        address = cloud.url(name).removeprefix("http://")
        ports[name] = await stack.enter_async_context(grpc_relay(address, line(named)))
    for name, named in HTTP[maker].items():
        url = f"http://{HOST}:{own[name]}" if name in own else cloud.url(name)
        ports[name] = await stack.enter_async_context(http_relay(url, line(named)))
    return ports
