"""Plays of one click in the console: its process is killed, or a server fails, at a call. Then the click is repeated.

What is stored afterwards is compared with what one undisturbed request stores.
"""

import asyncio
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from multiprocessing.context import ForkServerProcess
from typing import Any

import pytest
from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.relay import naming
from benchmarks.relay.grpc_relay import grpc_relay
from benchmarks.relay.ledger import Blow, Ledger, Moment, Request, Step
from benchmarks.relay.line import Line
from local.cloud import LocalCloud
from local.ports import HOST
from shared.privacy.deletion.rules import DELETION_RULES
from tests.crash.console_acts import Act, build_world
from tests.crash.console_life import Asked, answer
from tests.forking import begin_forked
from tests.shared.conftest import new_project
from tests.shared.console.harness import ConsoleHarness
from tests.shared.examples import NOW
from tests.shared.paused_queue import PausedQueue

#: how much later a request is repeated; no other time in the database has these seconds
LATER = timedelta(seconds=37)
#: calls that change something
WRITES = ("Commit", "CreateTask")
FIRESTORE, TASKS = "firestore", "tasks"
#: values that differ between two runs: random ids, and the server's times
_VOLATILE = re.compile(r'"(?:run|changed_at|claim)": ("[^"]*"|null)')
_GROUPS = sorted({one.collection.rpartition("/")[2] for one in DELETION_RULES})


class Outage(Ledger):
    """A ledger whose server fails: each request of `maker` from the `first` on is refused with a status of gRPC."""

    def __init__(self, maker: str, first: int, status: str) -> None:
        super().__init__()
        self.maker, self.first, self.status = maker, first, status

    async def falls(self, request: Request, moment: Moment) -> bool:
        return moment is Moment.BEFORE and request.step.maker == self.maker and request.number >= self.first


@dataclass(frozen=True, kw_only=True)
class Played:
    """What a request was answered, what is stored then, and the calls that were made."""

    status: int
    text: str
    #: a line for each document and task
    stored: Sequence[str]
    requests: tuple[Request, ...] = ()

    @property
    def writes(self) -> tuple[Request, ...]:
        """The calls that change something."""
        return tuple(one for one in self.requests if any(f" {name}" in one.step.what for name in WRITES))

    def unlike(self, other: "Played") -> Sequence[str]:
        """Return the status and the lines that only one of two plays has."""
        seen, others = (Counter([str(one.status), *one.stored]) for one in (self, other))
        return [
            *(f"- {one}" for one in (others - seen).elements()),
            *(f"+ {one}" for one in (seen - others).elements()),
        ]


@dataclass(frozen=True)
class Stage:
    """The local cloud's servers, and what makes a queue."""

    cloud: LocalCloud
    new_queue: Callable[[], Awaitable[PausedQueue]]

    async def undisturbed(self, act: Act) -> Played:
        """Play an act once."""
        async with self._world(act) as world, self._relays(ledger := Ledger()) as relays:
            status, text = await _live(world.asked(relays), ledger, None)
            return Played(status=status, text=text, stored=await world.stored(), requests=tuple(ledger.requests))

    async def killed(self, act: Act, step: Step, moment: Moment) -> Played:
        """Kill the console at a call, and repeat the request a little later."""
        async with self._world(act) as world, self._relays(ledger := Ledger()) as relays:
            first, _ = await _live(world.asked(relays), ledger, (step, moment))
            assert first == 0, "it was killed"
            ledger.start_over()
            status, text = await answer_within(world.asked(relays, LATER))
            return Played(status=status, text=text, stored=await world.stored())

    async def failing(self, act: Act, outage: Outage) -> tuple[Played, Played]:
        """Make the request while a server fails, then repeat it. Return both."""
        async with self._world(act) as world:
            async with self._relays(outage) as relays:
                status, text = await answer_within(world.asked(relays))
                failed = Played(status=status, text=text, stored=(), requests=tuple(outage.requests))
            async with self._relays(Ledger()) as relays:
                status, text = await answer_within(world.asked(relays, LATER))
            return failed, Played(status=status, text=text, stored=await world.stored())

    @asynccontextmanager
    async def _world(self, act: Act) -> AsyncIterator["World"]:
        client, queue = AsyncClient(project=new_project()), await self.new_queue()
        async with ConsoleHarness(client, client.project, queue) as console:
            await build_world(console, act)
        yield World(client=client, queue=queue, act=act)
        client.close()  # type: ignore[no-untyped-call]

    @asynccontextmanager
    async def _relays(self, ledger: Ledger) -> AsyncIterator["Relays"]:
        async with (
            grpc_relay(self.cloud.firestore_host, Line(ledger, FIRESTORE, naming.firestore)) as firestore,
            grpc_relay(self.cloud.tasks_address, Line(ledger, TASKS, naming.cloud_tasks)) as tasks,
        ):
            yield Relays(f"{HOST}:{firestore}", f"{HOST}:{tasks}")


@dataclass(frozen=True)
class Relays:
    """The addresses at which the console finds Firestore and Cloud Tasks."""

    firestore: str
    tasks: str


@dataclass(frozen=True, kw_only=True)
class World:
    """The database and the queue of one play."""

    client: AsyncClient
    queue: PausedQueue
    act: Act

    def asked(self, relays: Relays, later: timedelta = timedelta()) -> Asked:
        return Asked(
            project=self.client.project,
            at=(NOW + later).isoformat(),
            path=self.act.path,
            body=self.act.posted,
            firestore=relays.firestore,
            tasks=relays.tasks,
            queue=self.queue.name,
            is_signed_in=self.act.is_signed_in,
            method=self.act.method,
        )

    async def stored(self) -> Sequence[str]:
        """Return all documents and tasks as lines of text, without what differs between two runs that do the same.

        A chat may be woken twice, as a tick that finds nothing does nothing. No other task may be there twice.
        """
        documents = {
            one.reference.path: one.to_dict()
            for group in _GROUPS
            async for one in self.client.collection_group(group).stream()
        }
        bodies = [json.loads(task.http_request.body) for task in await self.queue.tasks()]
        lines = [f"{path} {_json(one)}" for path, one in sorted(documents.items())]
        lines += sorted({f"wake {one['key']} {one['reason']}" for one in bodies if "reason" in one})
        lines += sorted(f"job {_json(one)}" for one in bodies if "reason" not in one)
        return [_as_if_at_once(_VOLATILE.sub("", line)) for line in lines]


async def _live(asked: Asked, ledger: Ledger, point: tuple[Step, Moment] | None) -> tuple[int, str]:
    """Run the process that answers a request; return status and body, or (0, "") if it was killed at the point."""
    process: asyncio.Future[ForkServerProcess] = asyncio.get_running_loop().create_future()

    async def strike(_: Request) -> None:
        (await process).kill()
        await asyncio.to_thread((await process).join)

    ledger.start_over(Blow(*point, strike) if point is not None else None)
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as out:
        given.write(json.dumps(asdict(asked)))
        given.seek(0)
        env = {**os.environ, "FIRESTORE_EMULATOR_HOST": asked.firestore}
        files = (given.fileno(), out.fileno(), 2)
        process.set_result(await asyncio.to_thread(begin_forked, ["tests.crash.console_life"], env, files))
        await asyncio.to_thread(process.result().join)
        out.seek(0)
        answered = out.read()
    if not answered:
        assert await ledger.struck() is not None, f"{asked.path} was not answered"
        return 0, ""
    status, text = json.loads(answered)
    return status, text


async def answer_within(asked: Asked) -> tuple[int, str]:
    """Answer a request in this process, as another instance that shares nothing with the first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIRESTORE_EMULATOR_HOST", asked.firestore)
        return await answer(asked)


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=lambda one: one.isoformat() if isinstance(one, datetime) else "")


def _as_if_at_once(line: str) -> str:
    """Replace times of the repeated request by those of the first."""
    line = re.sub(rf"(T\d\d:\d\d):{NOW + LATER:%S}", rf"\g<1>:{NOW:%S}", line)
    return line.replace(str(int((NOW + LATER).timestamp())), str(int(NOW.timestamp())))
