"""`python -m local.cloud_tasks`: run the server until it is stopped."""

import argparse
import asyncio
import json
import logging
import signal
import sys
from dataclasses import asdict
from pathlib import Path

from local.cloud_tasks.dispatcher import DispatchTimes
from local.cloud_tasks.errors import TasksError
from local.cloud_tasks.server import ServerSettings, serve


def _settings(arguments: list[str]) -> ServerSettings:
    usual = DispatchTimes()
    parser = argparse.ArgumentParser(prog="local.cloud_tasks", description="A local server of the Cloud Tasks v2 API.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="port of the gRPC API; 0: a free port")
    parser.add_argument("--control-port", type=int, default=0, help="port of the control and JSON APIs; 0: a free port")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder that stores tasks between runs; default: in memory"
    )
    parser.add_argument("--queue", action="append", default=[], metavar="NAME", help="projects/P/locations/L/queues/Q")
    parser.add_argument("--tombstone-seconds", type=float, default=usual.tombstone_seconds)
    parser.add_argument("--deadline-scale", type=float, default=usual.deadline_scale)
    given = parser.parse_args(arguments)
    return ServerSettings(
        host=given.host,
        port=given.port,
        control_port=given.control_port,
        data_dir=given.data,
        queues=tuple(given.queue),
        pace=DispatchTimes(tombstone_seconds=given.tombstone_seconds, deadline_scale=given.deadline_scale),
    )


async def _run(settings: ServerSettings) -> None:
    told_to_stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told_to_stop.set)
    async with serve(settings) as running:
        print(json.dumps(asdict(running)), flush=True)
        await told_to_stop.wait()


def main() -> int:
    """Serve until SIGTERM or SIGINT. Return 1 if the server cannot start."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    for chatty in ("httpx", "uvicorn"):  # by default httpx logs every URL
        logging.getLogger(chatty).setLevel(logging.WARNING)
    settings = _settings(sys.argv[1:])
    try:
        asyncio.run(_run(settings))
    except (TasksError, OSError) as cause:
        print(f"The Cloud Tasks server cannot start: {cause}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
