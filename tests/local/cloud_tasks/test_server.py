"""The process: its output, its stored tasks, its end."""

import asyncio
import json
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from google.api_core.exceptions import AlreadyExists

from local.cloud_tasks.errors import AddressTaken, DataInUse
from local.cloud_tasks.server import RunningServer, ServerSettings, serve
from tests.local.cloud_tasks.cloud import QUEUE, Cloud, local_cloud, reach
from tests.local.cloud_tasks.task_handler import Answer, TaskHandler

ROOT = Path(__file__).parents[3]
NOWHERE = "http://127.0.0.1:1/"


@asynccontextmanager
async def server_process(*arguments: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, Cloud]]:
    """Run `python -m local.cloud_tasks` on free ports, with a client; kill it at the end if it still runs."""
    command = [sys.executable, "-m", "local.cloud_tasks", "--port", "0", "--control-port", "0", "--queue", QUEUE]
    process = await asyncio.create_subprocess_exec(
        *command, *arguments, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), 30)
        async with reach(RunningServer(**json.loads(line))) as cloud:
            yield process, cloud
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_killed_in_the_middle_of_a_dispatch_it_dispatches_again(tmp_path: Path, handler: TaskHandler) -> None:
    never = asyncio.Event()
    handler.script = [Answer(), Answer(held=never)]
    async with server_process("--data", str(tmp_path)) as (process, cloud):
        await cloud.create(handler.url, "done")
        await cloud.dispatches(1)
        await cloud.create(handler.url, "running")
        await cloud.create(handler.url, "waiting", after=3600)
        await handler.wait_for(2)
        process.kill()
        await process.wait()
    async with server_process("--data", str(tmp_path)) as (_, cloud):
        third = (await handler.wait_for(3))[2]
        assert (third.task, third.headers["x-cloudtasks-taskretrycount"]) == ("running", "1")
        await cloud.dispatches(1)
        assert [task["name"] for task in await cloud.tasks()] == [f"{QUEUE}/tasks/waiting"]
        for task_id in ("done", "running", "waiting"):
            with pytest.raises(AlreadyExists):
                await cloud.create(handler.url, task_id)
    never.set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_it_stops_when_told_though_a_handler_never_answers(handler: TaskHandler, number: signal.Signals) -> None:
    never = asyncio.Event()
    handler.usual = Answer(held=never)
    async with server_process() as (process, cloud):
        await cloud.create(handler.url, "a")
        await handler.wait_for(1)
        process.send_signal(number)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    never.set()


async def test_a_second_process_on_the_same_directory_says_why_it_cannot_start(tmp_path: Path) -> None:
    async with server_process("--data", str(tmp_path)):
        second = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "local.cloud_tasks", "--data", str(tmp_path)),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(second.communicate(), 30)
    assert (second.returncode, out) == (1, b"")
    assert b"in use by another Cloud Tasks server" in err


async def test_the_queue_and_its_settings_are_kept_and_not_made_anew(tmp_path: Path) -> None:
    settings = ServerSettings(queues=(QUEUE,), data_dir=tmp_path)
    async with local_cloud(settings) as cloud:
        await cloud.configure(retry_config={"max_attempts": 7})
        await cloud.client.pause_queue(name=QUEUE)
        before = await cloud.client.get_queue(name=QUEUE)
    async with local_cloud(settings) as cloud:
        assert await cloud.client.get_queue(name=QUEUE) == before


async def test_an_attempt_aborted_by_the_stop_is_made_again(tmp_path: Path, handler: TaskHandler) -> None:
    settings = ServerSettings(queues=(QUEUE,), data_dir=tmp_path)
    never = asyncio.Event()
    handler.script = [Answer(held=never)]
    async with local_cloud(settings) as cloud:
        await cloud.create(handler.url, "a")
        await handler.wait_for(1)
    never.set()
    async with local_cloud(settings) as cloud:
        assert [one.task for one in await handler.wait_for(2)] == ["a", "a"]
        await cloud.drained()


async def test_without_a_directory_nothing_is_kept() -> None:
    async with local_cloud() as cloud:
        await cloud.create(NOWHERE, "a", after=60)
    async with local_cloud() as cloud:
        assert await cloud.tasks() == []


async def test_a_port_or_a_directory_in_use_is_refused(tmp_path: Path) -> None:
    async with serve(ServerSettings(data_dir=tmp_path)) as running:
        with pytest.raises(AddressTaken, match=str(running.port)):
            async with serve(ServerSettings(port=running.port)):
                pass
        with pytest.raises(OSError, match="in use"):
            async with serve(ServerSettings(control_port=running.control_port)):
                pass
        with pytest.raises(DataInUse):
            async with serve(ServerSettings(data_dir=tmp_path)):
                pass


async def test_it_holds_many_waiting_tasks_and_still_sends_at_once(cloud: Cloud, handler: TaskHandler) -> None:
    for _ in range(4):
        await asyncio.gather(*(cloud.create(NOWHERE, after=3600) for _ in range(250)))
    began = time.time()
    await cloud.create(handler.url, "now")
    [received] = await handler.wait_for(1)
    assert received.task == "now"
    assert received.at >= began
    assert len(await cloud.tasks()) == 1000
