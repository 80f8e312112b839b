"""Lanes: function processes of their own, behind counting relays, of which one can be killed at any request.

All lanes share one Firestore, Cloud Tasks, Telegram and Gemini; each has an agent, so a bot and its webhook, and a
queue. So several plays can go on at the same time, and each lane's requests are counted for themselves.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import psutil

from benchmarks.relay import naming
from benchmarks.relay.grpc_relay import grpc_relay
from benchmarks.relay.http_relay import http_relay
from benchmarks.relay.ledger import Ledger
from benchmarks.relay.line import Line
from benchmarks.relay.naming import Naming
from local.bots import register_bots, set_webhooks
from local.cloud import CloudSpec, LocalCloud
from local.parts import CONTROL, PARTS, QUEUE, Part, Places, function, function_env
from local.ports import reserve_port
from local.processes import ROOT

#: whose requests are counted, and who is killed
FUNCTIONS = ("webhook", "tick")
#: nobody waits as long as real people do; a lease that a killed tick left is over soon
HURRIED = {
    "LULL_QUIET_PRIVATE_S": "0.5",
    "LULL_RETRY_S": "0.3",
    "LULL_LEASE_S": "2",
    "LULL_MODEL_TRIES": "3",
}
AGENT = """\
---
name: {name}
username: {name}_bot
prompts: [chat, waiting]
pace: instant
---
You answer.
"""
LOOK_S = 0.1
#: a worker that was killed is replaced within milliseconds; a machine that is busy with other things takes longer
PATIENCE_S = 240.0


@dataclass(frozen=True)
class Lane:
    """One agent's own functions. `parts` are the names of their processes by function."""

    cloud: LocalCloud
    agent: str
    queue: str
    parts: Mapping[str, Part]
    ledger: Ledger

    @property
    def bot_id(self) -> int:
        """The agent's bot."""
        return int(self.cloud.tokens[self.agent].partition(":")[0])

    async def kill(self, function: str) -> None:
        """SIGKILL what runs a function's code, between any two of its instructions; returns once it is gone.

        functions-framework serves with gunicorn: a master, which has imported the code and runs none of it, starts
        another worker at once, as Cloud Run starts another instance. The new one has no memory of the old.
        """
        workers = psutil.Process(self.cloud.pid(self.parts[function].name)).children()
        for worker in workers:
            worker.kill()
        await asyncio.to_thread(psutil.wait_procs, workers)

    async def refresh(self) -> None:
        """Begin with new processes, which have opened no connection and remember nobody: the longest way there is."""
        async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S) as http:
            for name in self.parts:
                await self.kill(name)
            for part in self.parts.values():
                await _until(partial(_serves, http, f"{part.url}/healthz"))

    async def quiets(self, telegram: httpx.AsyncClient, tasks: httpx.AsyncClient) -> None:
        """Return once nothing goes on and nothing will: every update is delivered, and no task is left.

        In this order: an update that is delivered has made its task, and a task that is done has made the next one.
        """

        async def is_delivered() -> bool:
            return not (await telegram.get(f"/world/bots/{self.bot_id}/queue")).json()["pending"]

        async def is_done() -> bool:
            return not (await tasks.get("/tasks", params={"queue": self.queue})).json()["tasks"]

        await _until(is_delivered)
        await _until(is_done)


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


@asynccontextmanager
async def open_lanes(count: int, folder: Path) -> AsyncIterator[list[Lane]]:
    """A local cloud with so many lanes; the agents are written into `folder`."""
    names = [f"lane{number}" for number in range(count)]
    for name in names:
        (folder / name).mkdir()
        (folder / name / "agent.md").write_text(AGENT.format(name=name))
    queues = {name: f"{QUEUE}-{name}" for name in names}
    async with AsyncExitStack() as stack:
        cloud = stack.enter_context(LocalCloud(_spec(folder, list(queues.values()))).running())
        lanes = [await _lane(stack, cloud, name, queue) for name, queue in queues.items()]
        parts = {part.name: part for lane in lanes for part in lane.parts.values()}
        cloud.parts |= parts
        cloud.start(*parts)
        register_bots(cloud.telegram_url, {name: cloud.agents[name] for name in names}, cloud.tokens)
        for lane in lanes:
            token = {lane.agent: cloud.tokens[lane.agent]}
            place = (lane.parts["webhook"].url, cloud.webhook_secret)
            await asyncio.to_thread(set_webhooks, cloud.telegram_url, token, *place)
        yield lanes


def _spec(folder: Path, queues: Sequence[str]) -> CloudSpec:
    return CloudSpec(
        agents=(folder, ROOT / "agents"),
        parts=tuple(part for part in PARTS if part not in FUNCTIONS),
        env=HURRIED,
        arguments={
            # Telegram waits seconds before it repeats an update for the second time
            "telegram": ("--clock-scale", "0.05"),
            "cloud_tasks": tuple(word for queue in queues for word in ("--queue", queue)),
        },
    )


async def _lane(stack: AsyncExitStack, cloud: LocalCloud, agent: str, queue: str) -> Lane:
    """A lane whose functions do not run yet: for them, everything is where its relay is."""
    ledger, parts = Ledger(), {}
    own = {target: stack.enter_context(_port()) for target in FUNCTIONS}
    shared = {name: int(cloud.url(name).rpartition(":")[2]) for name in (*PARTS, CONTROL)}
    for target in FUNCTIONS:
        name = f"{agent}-{target}"
        relays = await _relays(stack, cloud, ledger, target)
        places = Places(folder=cloud.folder, ports={**shared, **relays, **own, name: own[target]})
        env = function_env(cloud.spec, places, cloud.credentials) | {"LULL_QUEUE": queue}
        parts[target] = function(name, target, cloud.spec, places, env)
    return Lane(cloud, agent, queue, parts, ledger)


@contextmanager
def _port() -> Iterator[int]:
    port = reserve_port()
    yield port.number
    port.release()


async def _relays(stack: AsyncExitStack, cloud: LocalCloud, ledger: Ledger, maker: str) -> dict[str, int]:
    """The ports of one function's relays, by the server behind each."""
    grpc_servers: dict[str, Naming] = {"firestore": naming.firestore, "cloud_tasks": naming.cloud_tasks}
    http_servers: dict[str, Naming] = {"telegram": naming.telegram, "gemini": naming.gemini}
    ports: dict[str, int] = {}
    for name, named in grpc_servers.items():
        address = cloud.url(name).removeprefix("http://")
        ports[name] = await stack.enter_async_context(grpc_relay(address, Line(ledger, maker, named)))
    for name, named in http_servers.items():
        ports[name] = await stack.enter_async_context(http_relay(cloud.url(name), Line(ledger, maker, named)))
    return ports
