"""One local cloud for the stories of a test worker, with the scripted model and short quiet times."""

import asyncio
import fcntl
import gc
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import certifi
import httpx
import pytest
import pytest_asyncio
from google.cloud.firestore_v1.async_client import AsyncClient
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from local.cloud import LocalCloud
from local.gemini import scripted
from local.parts import QUEUES
from tests import timing
from tests.forking import forked
from tests.shared.reader.web.hostile import HostileServer, hostile_server
from tests.stories.play import LIMIT_S, Model, Sandbox

# an example takes as long as the other workers leave it: no property is one of time
settings.register_profile("lull", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lull")

#: people of a story don't wait as long as real ones
HURRIED = {
    "LULL_QUIET_PRIVATE_S": "0.4",
    "LULL_QUIET_GROUP_S": "0.4",
    "LULL_LATER_S": "1.5",
    "LULL_RETRY_S": "0.5",
    "LULL_MODEL_TRIES": "3",
    "LULL_LEASE_S": "5",
    # a title would take answers of a script: it is asked for where it is tested
    "LULL_EARLY_TITLES": "no",
    # stories of files have a cloud in which they are described; elsewhere that would take answers of a script
    "LULL_MEDIA_MODEL": "no",
    # what a sweep has noted of one test's conversations would take them, too
    "LULL_NOTES_MODEL": scripted.BACKGROUND,
}
#: what it takes to answer somebody, for clouds of a test's own: nothing scheduled, nothing archived
ANSWERING = ("telegram", "gemini", "firestore", "cloud_tasks", "webhook", "tick")
#: and what is done by the clock
SCHEDULED = (*ANSWERING, "scheduler", "summarize")
#: Telegram waits seconds before it repeats an update for the second time
SOON = ("--clock-scale", "0.05")


#: what is expensive to open (a browser, a deployment, lanes) is opened once: these folders are one worker's each
TOGETHER = ("tests/local/page/", "tests/operations/deployment/", "tests/crash/", "tests/infra/", "tests/growth/")
#: what takes longest begins first: else a worker is alone with it at the end
LONG = (*TOGETHER, "tests/local/test_foreground.py")
#: how a certificate ends in a bundle of them
END = "-----END CERTIFICATE-----\n"


def pytest_xdist_auto_num_workers() -> int:
    """Two workers for each core: half of the time a test waits for something to happen."""
    return 2 * len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2 * (os.cpu_count() or 1)


METER = timing.Meter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Each step of a test says how much of the processor it took; a worker's reports are sent with what they say."""
    report = yield
    report.processor_s = METER.since()  # type: ignore[attr-defined]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Each step of each test, on whatever worker it ran."""
    timing.note(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The end of a run says where its time went."""
    timing.tell(terminalreporter)


class Scheduling(LoadFileScheduling):  # type: ignore[misc]  # the library has no types
    """A file's tests go to one worker, and a folder's where they share something."""

    def _split_scope(self, nodeid: str) -> str:
        return next((folder for folder in TOGETHER if nodeid.startswith(folder)), super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """What hands the tests out."""
    return Scheduling(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the long ones first, and leave the rest in the order that chance gave it."""
    items.sort(key=lambda item: next((n for n, begin in enumerate(LONG) if item.nodeid.startswith(begin)), len(LONG)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while the tests are collected: they are thousands, and none of them is any."""
    gc.disable()
    with compiled_once():
        return (yield)


@contextmanager
def compiled_once() -> Iterator[None]:
    """Have the first worker compile the tests for all, where they are not compiled: that is half of collecting them."""
    tests = Path(__file__).parent
    compiled, sources = tests.rglob("test_*-pytest-*.pyc"), tests.rglob("test_*.py")
    if sys.dont_write_bytecode or sum(1 for _ in compiled) > sum(1 for _ in sources) // 2:
        yield
        return
    with Path(__file__).open() as this:
        try:
            fcntl.flock(this, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            fcntl.flock(this, fcntl.LOCK_SH)
        yield


def pytest_collection_finish() -> None:
    """Have the garbage collector pass over the thousands of tests: walking through them took a tenth of the time."""
    gc.freeze()
    gc.enable()
    METER.since()


@pytest.fixture(scope="session", autouse=True)
def one_authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One of the world's certificate authorities: every HTTP client of a test or of a function reads them all, in 30 ms
    of processor time, and nothing here speaks TLS.
    """
    file = tmp_path_factory.mktemp("authorities") / "one.pem"
    file.write_text(Path(certifi.where()).read_text().partition(END)[0] + END)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(file))
        yield


@pytest.fixture(scope="session")
def web() -> Iterator[HostileServer]:
    """A web site that the session's reader may read, though it is on this machine."""
    with hostile_server() as server:
        yield server


@pytest.fixture(scope="session")
def cloud(web: HostileServer) -> Iterator[LocalCloud]:
    env = HURRIED | {"LULL_READER_PRIVATE_HOSTS": web.host}
    with LocalCloud(forked(env=env, arguments={"telegram": SOON})).running() as running:
        yield running


@pytest.fixture(scope="session")
def model_url() -> Iterator[str]:
    """A scripted model that no function asks: nothing but a test itself takes its replies."""
    with LocalCloud(forked(parts=("gemini",))).running() as running:
        yield running.gemini_url


async def wait_for_rest(cloud: LocalCloud) -> Sequence[Any]:
    """Wait for what an earlier story left (updates, ticks, files to describe): it could take answers of this one's
    script. Return what did not come to rest in time.

    What is due much later stays. A sweep wakes the chats that all tests left in this cloud: they ask the model in vain
    for a quarter of a minute.
    """
    until = time.monotonic() + LIMIT_S
    left: Sequence[Any] = ()
    async with (
        httpx.AsyncClient(base_url=cloud.telegram_url, timeout=30) as telegram,
        httpx.AsyncClient(base_url=cloud.tasks_control_url, timeout=30) as control,
    ):
        while time.monotonic() < until:
            left = await pending_updates(cloud, telegram) or await due_tasks(control)
            if not left:
                break
            await asyncio.sleep(0.05)
    return left


async def pending_updates(cloud: LocalCloud, telegram: httpx.AsyncClient) -> Sequence[Any]:
    """Return the queues of bots with updates that no webhook has taken yet."""
    bots = [token.partition(":")[0] for token in cloud.tokens.values()]
    queues = await asyncio.gather(*(telegram.get(f"/world/bots/{bot}/queue") for bot in bots))
    # not every agent has a bot there
    return [queue.json() for queue in queues if queue.json().get("pending")]


async def due_tasks(control: httpx.AsyncClient) -> Sequence[Any]:
    """Return the tasks that run, or are due within four seconds."""
    tasks = (await control.get("/tasks")).json()["tasks"]
    ours = [task for task in tasks if task["queue"] in QUEUES.values()]  # others are paused, for good
    return [task for task in ours if task["state"] == "running" or task["schedule_at"] < time.time() + 4]


@pytest_asyncio.fixture
async def sandbox(
    cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> AsyncIterator[Sandbox]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)  # the official client's own setting
    async with (
        httpx.AsyncClient(base_url=cloud.telegram_url, timeout=30) as telegram,
        httpx.AsyncClient(base_url=cloud.gemini_url, timeout=30) as gemini,
    ):
        for one in await wait_for_rest(cloud):
            record_property(timing.RESTLESS, one)
        model = await Model.from_now(gemini)
        await model.clear()
        firestore = AsyncClient(project=cloud.project)
        yield Sandbox(cloud, telegram, model, firestore)
        await model.clear()
        firestore.close()  # type: ignore[no-untyped-call]
