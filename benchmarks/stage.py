"""What the measures share: updates as Telegram sends them, functions beside lull's, and percentiles."""

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
    """A private message's update."""
    person = {"id": person_id, "is_bot": False, "first_name": "Ann"}
    chat = {"id": person_id, "type": "private", "first_name": "Ann"}
    number = next(_update_ids)
    date = int(datetime.now(UTC).timestamp())
    message = {"message_id": number % 1_000_000, "from": person, "chat": chat, "date": date, "text": text}
    return {"update_id": number, "message": message}


def to_webhook(cloud: LocalCloud, url: str = "") -> httpx.AsyncClient:
    """A client that calls a webhook function as Telegram does."""
    secret = {"X-Telegram-Bot-Api-Secret-Token": cloud.webhook_secret}
    return httpx.AsyncClient(base_url=url or cloud.webhook_url, headers=secret, timeout=60)


def start_beside(cloud: LocalCloud, name: str) -> str:
    """The address of one of this folder's own functions, started with the settings of lull's webhook."""
    port = reserve_port()
    url = f"http://{HOST}:{port.number}"
    argv = (sys.executable, "-m", "functions_framework", "--source", str(HERE / name / "main.py"), "--target", name)
    env = {**cloud.parts["webhook"].env, "XDG_RUNTIME_DIR": str(cloud.folder / "run" / name)}
    serve = ("--host", HOST, "--port", str(port.number))
    cloud.add_part(CloudPart(name=name, argv=(*argv, *serve), env=surroundings(env), url=url, health=f"{url}/"))
    return url


def unwatched(cloud: LocalCloud, source: Path, name: str, env: Mapping[str, str]) -> CloudPart:
    """One more instance of a function, at a free port, with no health check: nothing asks it before the measure does.

    `name` tells instances apart; the function is the one that its folder is named for.
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
    """Seconds of a core that a part has used so far, its children too."""
    leader = psutil.Process(cloud.pid(part))
    times = [process.cpu_times() for process in (leader, *leader.children(recursive=True))]
    return sum(time.user + time.system for time in times)


def memory_mib(cloud: LocalCloud, part: str) -> float:
    """The proportional set size of a part's processes, in MiB: what is shared counts once."""
    leader = psutil.Process(cloud.pid(part))
    family = [leader, *leader.children(recursive=True)]
    return float(sum(process.memory_full_info().pss for process in family)) / MIB


@asynccontextmanager
async def sampled(take: Callable[[], Awaitable[float]], every_s: float) -> AsyncIterator[list[float]]:
    """What `take` says at first, and then again and again while the block lasts."""
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
    """What `memory_mib` says of a part, ten times a second while the block lasts."""
    return sampled(partial(asyncio.to_thread, memory_mib, cloud, part), 0.1)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of them lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
