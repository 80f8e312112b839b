"""The scheduler as a process: its control API, its start and its end."""

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from local.processes import ROOT
from shared.values.caller import is_called_by
from tests.local.cloud_tasks.task_handler import Answer, TaskHandler


@asynccontextmanager
async def scheduler(function: TaskHandler, *more: str) -> AsyncIterator[httpx.AsyncClient]:
    """Run a scheduler with this function, and give a client of its control API."""
    called = ("maintain", "summarize")
    named = [word for name in called for word in ("--function", f"{name}={function.url}")]
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "local.scheduler", *named, *more, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert program.stdout is not None
    url = (await program.stdout.readline()).decode().strip()
    try:
        async with httpx.AsyncClient(base_url=url, timeout=30, trust_env=False) as client:
            yield client
    finally:
        program.terminate()
        await program.communicate()
    assert program.returncode == -signal.SIGTERM  # uvicorn ends everything, and then itself by the signal


async def test_a_job_is_run_paused_and_resumed(function: TaskHandler) -> None:
    async with scheduler(function, "--paused") as client:
        assert (await client.get("/healthz")).json() == {"ready": True}
        sweep, *_ = (await client.get("/jobs")).json()["jobs"]
        assert (sweep["name"], sweep["state"], sweep["next_run"], sweep["latest"]) == ("sweep", "PAUSED", None, None)
        resumed = (await client.post("/jobs/sweep:resume")).json()
        assert resumed["state"] == "ENABLED"
        assert resumed["next_run"] is not None
        assert (await client.post("/jobs/sweep:pause")).json()["state"] == "PAUSED"
        function.script = [Answer(503)]
        assert (await client.post("/jobs/sweep:run")).json() == {"attempts": [{"status": 503, "said": ""}]}
        assert (await client.get("/jobs")).json()["jobs"][0]["latest"] == {"status": 503, "said": ""}
        twice = (await client.post("/jobs/sweep:run", json={"deliveries": 2})).json()
        assert [attempt["status"] for attempt in twice["attempts"]] == [200, 200]
    assert len(function.received) == 3


async def test_what_cannot_be_done_is_said(function: TaskHandler) -> None:
    async with scheduler(function, "--paused") as client:
        unknown = await client.post("/jobs/swep:run")
        assert unknown.status_code == 404
        assert unknown.json()["error"].startswith("unknown job swep; expected one of: ")
        odd = await client.post("/jobs/sweep:stop")
        assert (odd.status_code, odd.json()) == (400, {"error": "POST /jobs/sweep:run, :pause or :resume"})
        for body in (b'{"deliveries": 0}', b'{"times": 2}', b"[", b'{"deliveries": 100}'):
            refused = await client.post("/jobs/sweep:run", content=body)
            assert refused.status_code == 400
            assert refused.json()["error"]
    assert function.received == []


def test_a_file_that_cannot_be_used_ends_it_with_a_sentence(tmp_path: Path) -> None:
    for arguments, said in (
        (["--schedules", str(tmp_path / "none.yaml")], "none.yaml cannot be read"),
        ([], "unknown function maintain, summarize"),
    ):
        command = [sys.executable, "-m", "local.scheduler", *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 1
        assert done.stderr.startswith("The scheduler cannot start: ")
        assert said in done.stderr
        assert "Traceback" not in done.stderr


async def test_jobs_call_in_the_name_that_it_is_given(function: TaskHandler) -> None:
    async with scheduler(function, "--paused", "--caller", "clock@x.iam.gserviceaccount.com") as client:
        assert (await client.post("/jobs/register:run")).json()["attempts"][0]["status"] == 200
        (received,) = function.received
        assert json.loads(received.body) == {"job": "register"}
        token = [("Authorization", received.headers["authorization"])]
    assert is_called_by("clock@x.iam.gserviceaccount.com", token)
