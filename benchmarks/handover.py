"""How long the largest part of an `/export` takes on its way from the bucket to Telegram, at several rates of the line,
and what memory it takes: a call may last 25 s, since nothing extends the lease of a chat meanwhile.

The bucket and Telegram are the local ones, through lull's own adapters; a relay before Telegram lets so many bytes
through in a second.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import httpx
import psutil

from benchmarks.stage import MIB, sampled
from local.bots import register_bots
from local.cloud import CloudSpec, LocalCloud
from local.parts import PROJECT, TAKEOUT_BUCKET
from local.ports import HOST
from shared.adapters.takeout_bucket import StorageTakeouts
from shared.adapters.telegram.bot import TelegramChannel
from shared.adapters.telegram.client import WHOLE_SECONDS
from shared.errors import ChannelError
from shared.models.channel import Recipient
from shared.models.outgoing import OutgoingFile, OutgoingKind
from shared.takeout.gathering import LARGEST_PART

#: megabytes a second; 0: as many as go
RATES = (0, 8, 4, 2)
PATH = "bench/0001.zip"
#: bytes that the relay lets through at once
SLICE = 65_536
#: of a call, as far as it is lull's to bear: beyond it the largest part would be too large
AIM_S = WHOLE_SECONDS / 2


async def measure() -> dict[str, object]:
    """Seconds by rate, none where it was not sent in time; MiB that this process took more while it sent."""
    with LocalCloud(CloudSpec(parts=("telegram", "storage"))).running() as cloud:
        os.environ["STORAGE_EMULATOR_HOST"] = cloud.storage_url
        bucket = StorageTakeouts(PROJECT, TAKEOUT_BUCKET)
        async with bucket.writing(PATH) as writer:
            for start in range(0, LARGEST_PART, MIB):
                await writer.write(os.urandom(min(MIB, LARGEST_PART - start)))
        token, person = cloud.tokens["lull"], await _person(cloud)
        seconds, memory = dict[str, float | None](), 0.0
        for rate in RATES:
            async with _line(cloud.telegram_url, rate) as url, _memory() as found:
                channel = TelegramChannel(token, url)
                channel.stored = lambda: bucket
                seconds[f"at_{rate}_mb_s"] = await _sent(channel, person)
                await channel.aclose()
            memory = max(memory, *found)
        at_8 = seconds["at_8_mb_s"]
        unmet = [] if at_8 is not None and at_8 <= AIM_S else [f"at 8 MB/s it takes at most {AIM_S:g} s"]
        return {"bytes": LARGEST_PART, **seconds, "memory_mib": round(memory, 1), "unmet": unmet}


async def _person(cloud: LocalCloud) -> int:
    register_bots(cloud.telegram_url, cloud.agents, cloud.tokens)
    async with httpx.AsyncClient(base_url=cloud.telegram_url, timeout=60) as telegram:
        person = int((await telegram.post("/world/people", json={"first_name": "Ann"})).json()["id"])
        bot = int(cloud.tokens["lull"].split(":")[0])
        body = {"type": "private", "person_id": person, "bot_id": bot}
        (await telegram.post("/world/chats", json=body)).raise_for_status()
    return person


async def _sent(channel: TelegramChannel, person: int) -> float | None:
    """Seconds until Telegram has taken it; none: it did not in the time that a call has."""
    file = OutgoingFile(kind=OutgoingKind.DOCUMENT, stored=PATH, file_name="lull.zip")
    began = time.perf_counter()
    with suppress(ChannelError):
        await channel.send_file(Recipient(chat_id=person), file, None, None)
        return round(time.perf_counter() - began, 1)
    return None


@asynccontextmanager
async def _line(url: str, rate: int) -> AsyncIterator[str]:
    """The address of a relay to a server, through which so many megabytes go up in a second."""
    host, _, port = url.removeprefix("http://").partition(":")
    serving = set[asyncio.Task[None] | None]()

    async def serve(down: asyncio.StreamReader, up: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())
        behind, before = await asyncio.open_connection(host, int(port))
        await asyncio.gather(_pass(down, before, rate), _pass(behind, up, 0), return_exceptions=True)

    server = await asyncio.start_server(serve, HOST, 0)
    try:
        yield f"http://{HOST}:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await asyncio.gather(*filter(None, serving))


async def _pass(source: asyncio.StreamReader, target: asyncio.StreamWriter, rate: int) -> None:
    began, passed = time.perf_counter(), 0
    try:
        while piece := await source.read(SLICE):
            target.write(piece)
            await target.drain()
            passed += len(piece)
            if rate:
                await asyncio.sleep(max(0.0, passed / (rate * 1e6) - (time.perf_counter() - began)))
    finally:
        target.close()


def _memory() -> AbstractAsyncContextManager[list[float]]:
    """By how many MiB this process is larger than before, twenty times a second while the block lasts."""
    me = psutil.Process()
    before = me.memory_info().rss

    async def grown() -> float:
        return (me.memory_info().rss - before) / MIB

    return sampled(grown, 0.05)
