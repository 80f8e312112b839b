"""Helpers of the measures: updates as Telegram sends them, additional functions, and percentiles."""

import asyncio
import itertools
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import psutil

from local.cloud import LocalCloud
from local.parts import CloudPart
from local.ports import HOST, reserve_port
from operations.environment import surroundings

HERE = Path(__file__).resolve().parent
MIB = 1024 * 1024
Json = dict[str, Any]
_update_ids = itertools.count(500_000_000)


def private_update(person_id: int, text: str) -> Json:
    """Return the update of a private message."""
    person = {"id": person_id, "is_bot": False, "first_name": "Ann"}
    chat = {"id": person_id, "type": "private", "first_name": "Ann"}
    number = next(_update_ids)
    date = int(datetime.now(UTC).timestamp())
    message = {"message_id": number % 1_000_000, "from": person, "chat": chat, "date": date, "text": text}
    return {"update_id": number, "message": message}


def to_webhook(cloud: LocalCloud, url: str = "") -> httpx.AsyncClient:
    """Return a client that calls a webhook function as Telegram does."""
    secret = {"X-Telegram-Bot-Api-Secret-Token": cloud.webhook_secret}
    return httpx.AsyncClient(base_url=url or cloud.webhook_url, headers=secret, timeout=60)


def start_beside(cloud: LocalCloud, name: str) -> str:
    """Start the function in the subfolder `name` with the settings of lull's webhook, and return the function's
    address.
    """
    port = reserve_port()
    url = f"http://{HOST}:{port.number}"
    argv = (sys.executable, "-m", "functions_framework", "--source", str(HERE / name / "main.py"), "--target", name)
    env = {**cloud.parts["webhook"].env, "XDG_RUNTIME_DIR": str(cloud.folder / "run" / name)}
    serve = ("--host", HOST, "--port", str(port.number))
    cloud.add_part(CloudPart(name=name, argv=(*argv, *serve), env=surroundings(env), url=url, health=f"{url}/"))
    return url


def unchecked_part(cloud: LocalCloud, source: Path, name: str, env: Mapping[str, str]) -> CloudPart:
    """Return one more instance of a function, at a free port. The part has no health check, so the measure itself has
    to make the first request.

    `name` identifies the instance. The name of the function is that of the folder of `source`.
    """
    port = reserve_port()
    serve = ("--source", str(source), "--target", source.parent.name, "--host", HOST, "--port", str(port.number))
    return CloudPart(
        name=name,
        argv=(sys.executable, "-m", "functions_framework", *serve),
        env=surroundings({**env, "XDG_RUNTIME_DIR": str(cloud.folder / "run" / name)}),
        url=f"http://{HOST}:{port.number}",
    )


def cpu_seconds(cloud: LocalCloud, part: str) -> float:
    """Return the core seconds that a part and its children have used so far."""
    leader = psutil.Process(cloud.pid(part))
    times = [process.cpu_times() for process in (leader, *leader.children(recursive=True))]
    return sum(time.user + time.system for time in times)


def memory_mib(cloud: LocalCloud, part: str) -> float:
    """Return the proportional set size of a part's processes in MiB. In this size, memory pages that processes share
    count only once.
    """
    leader = psutil.Process(cloud.pid(part))
    family = [leader, *leader.children(recursive=True)]
    return float(sum(process.memory_full_info().pss for process in family)) / MIB


@asynccontextmanager
async def take_samples(take: Callable[[], Awaitable[float]], every_s: float) -> AsyncIterator[list[float]]:
    """Collect values of `take` while the block runs: one at the beginning, and then one every `every_s` seconds."""
    found = [await take()]

    async def watch() -> None:
        while True:
            found.append(await take())
            await asyncio.sleep(every_s)

    watching = asyncio.create_task(watch())
    try:
        yield found
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


def watched_memory(cloud: LocalCloud, part: str) -> AbstractAsyncContextManager[list[float]]:
    """Collect values of `memory_mib` for a part, ten times a second while the block runs."""
    return take_samples(partial(asyncio.to_thread, memory_mib, cloud, part), 0.1)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which the given share (0 to 1) of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
