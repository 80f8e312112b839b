"""`python -m local.scheduler --function NAME=URL…`: run the scheduled jobs until stopped."""

import argparse
import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import uvicorn

from infra.schedules import SCHEDULES, InvalidSchedules, read_jobs
from local.ports import HOST, listen
from local.scheduler.calls import Caller
from local.scheduler.control import SchedulerControl
from local.scheduler.timetable import Timetable
from local.server_config import server_config


def main(arguments: Sequence[str]) -> int:
    """Serve until SIGTERM or SIGINT. Return 1 and print a message if the scheduler cannot start."""
    parser = argparse.ArgumentParser(prog="python -m local.scheduler", description="Runs scheduled jobs.")
    parser.add_argument("--host", default=HOST)
    parser.add_argument("--port", type=int, default=0, help="port of the control API; 0: a free port, which is printed")
    parser.add_argument("--schedules", type=Path, default=SCHEDULES, metavar="FILE")
    parser.add_argument("--function", action="append", default=[], metavar="NAME=URL", help="the URL of a function")
    parser.add_argument(
        "--without", action="append", default=[], metavar="NAME", help="a function that is not to be called"
    )
    parser.add_argument(
        "--caller", default="", metavar="EMAIL", help="the service account that the scheduler's identity tokens name"
    )
    parser.add_argument("--paused", action="store_true", help="start with all jobs paused; they run only on request")
    asked = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    urls = dict(pair.split("=", 1) for pair in asked.function)
    # `trust_env=False`: servers on this machine must not be called through a proxy
    caller = Caller(client=httpx.AsyncClient(timeout=None, trust_env=False), urls=urls, email=asked.caller)
    try:
        jobs = [job for job in read_jobs(asked.schedules, list(urls)) if job.function not in asked.without]
        timetable = Timetable(jobs, caller)
        listener = listen(asked.host, asked.port)
    except (InvalidSchedules, OSError) as cause:
        print(f"The scheduler cannot start: {cause}", file=sys.stderr)
        return 1
    if asked.paused:
        timetable.paused.update(timetable.jobs)
    print(f"http://{asked.host}:{listener.getsockname()[1]}", flush=True)
    app = SchedulerControl(timetable).app(lambda _: _keep_timetable(timetable, caller))
    uvicorn.Server(server_config(app, access_log=False)).run(sockets=[listener])
    return 0


@asynccontextmanager
async def _keep_timetable(timetable: Timetable, caller: Caller) -> AsyncIterator[None]:
    """Run the timetable while the block runs, that is, as long as the server runs."""
    keeping = asyncio.create_task(timetable.keep())
    yield
    keeping.cancel()
    await caller.client.aclose()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
