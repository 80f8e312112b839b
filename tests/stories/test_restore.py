"""The story of a lost database: the archive was made in the night, and everybody goes on where they were."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from local.cloud import LocalCloud
from local.parts import ARCHIVE_BUCKET
from local.processes import ROOT
from tests.conftest import HURRIED, SCHEDULED
from tests.forking import forked
from tests.stories.play import Sandbox, until

FROM = f"gs://{ARCHIVE_BUCKET}"


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """Run a local cloud whose database may be lost."""
    with LocalCloud(forked(env=HURRIED, parts=(*SCHEDULED, "storage"))).running() as running:
        yield running


async def archived(sandbox: Sandbox) -> dict[str, Any]:
    """Fire the nightly job through Cloud Scheduler, and return its result."""
    async with httpx.AsyncClient(timeout=100) as client:
        told = (await client.post(f"{sandbox.cloud.scheduler_url}/jobs/archive:run")).raise_for_status().json()
    (attempt,) = told["attempts"]
    assert attempt["status"] == 200
    return dict(httpx.Response(200, text=attempt["said"]).json())


async def lose_everything(sandbox: Sandbox) -> None:
    """Empty the database with the emulator's own call."""
    path = f"/emulator/v1/projects/{sandbox.cloud.project}/databases/(default)/documents"
    async with httpx.AsyncClient(timeout=60) as client:
        (await client.delete(f"http://{sandbox.cloud.firestore_host}{path}")).raise_for_status()


def operations(cloud: LocalCloud, *arguments: str) -> tuple[int, str]:
    """Run a command of docs/archive.md with only the project set; return the exit code and the output."""
    env = {
        "PATH": os.environ["PATH"],
        "GOOGLE_CLOUD_PROJECT": cloud.project,
        "FIRESTORE_EMULATOR_HOST": cloud.firestore_host,
        "STORAGE_EMULATOR_HOST": cloud.storage_url,
    }
    done = subprocess.run(
        [sys.executable, "-m", "operations", *arguments],
        env=env, cwd=ROOT, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


async def test_after_a_loss_ann_is_answered_by_somebody_who_remembers(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_say("Grüße, Ann! A violet bicycle, then.")
    await chat.writes(ann, "I want a violet bicycle")
    assert await chat.answers() == ["Grüße, Ann! A violet bicycle, then."]
    await chat.rests()
    before = await chat.transcript()

    assert await until(lambda: archived(sandbox), "an archived conversation") == {FROM: 1}
    await lose_everything(sandbox)
    assert await chat.document() == {}
    code, said = operations(sandbox.cloud, "restore", FROM)
    assert (code, "1 conversations restored." in said, "1 chats restored." in said) == (0, True, True)
    assert await chat.transcript() == before

    await sandbox.model.will_say("Still violet.")
    await chat.writes(ann, "Which colour was it?")
    assert await chat.answers() == ["Still violet."]
    (exchange,) = await sandbox.model.asked("Which colour was it?")
    assert "I want a violet bicycle" in str(exchange["request"]["contents"])
    assert "A violet bicycle, then." in str(exchange["request"]["contents"])
