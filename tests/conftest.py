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

# no deadline: the time of an example depends on the other workers
settings.register_profile("lull", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lull")

#: short quiet times, so that stories are fast
HURRIED = {
    "LULL_QUIET_PRIVATE_S": "0.4",
    "LULL_QUIET_GROUP_S": "0.4",
    "LULL_LATER_S": "1.5",
    "LULL_RETRY_S": "0.5",
    "LULL_MODEL_TRIES": "3",
    "LULL_LEASE_S": "5",
    # a call for a title would use up scripted answers, so titles are only on where they are tested
    "LULL_EARLY_TITLES": "no",
    # files are described only in the cloud of stories about files; elsewhere that would use up scripted answers
    "LULL_MEDIA_MODEL": "no",
    # notes that a sweep starts for one test's conversations would use them up too
    "LULL_NOTES_MODEL": scripted.BACKGROUND,
}
#: the parts that are needed to answer, for a test's own cloud: without schedules and archives
ANSWERING = ("telegram", "model", "firestore", "cloud_tasks", "webhook", "tick")
#: the same with scheduled work
SCHEDULED = (*ANSWERING, "scheduler", "summarize")
#: Telegram waits seconds before it repeats an update for the second time
SOON = ("--clock-scale", "0.05")


#: folders whose tests go to one worker each, since they share something expensive (a browser, a deployment, lanes)
TOGETHER = (
    "tests/local/page/",
    "tests/web/",
    "tests/operations/deployment/",
    "tests/crash/",
    "tests/infra/",
    "tests/growth/",
)
#: the slowest tests, which begin first; otherwise one worker would run them alone at the end
LONG = (*TOGETHER, "tests/local/test_foreground.py")
#: the end of a certificate in a bundle
END = "-----END CERTIFICATE-----\n"


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers for each core, since tests wait for half of their time."""
    return 2 * len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2 * (os.cpu_count() or 1)


METER = timing.Meter()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the processor time of a test's step to its report, which a worker sends on."""
    report = yield
    report.processor_s = METER.since()  # type: ignore[attr-defined]
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count the time of each step of each test, on all workers."""
    timing.note(report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which tests took the time of a run."""
    timing.tell(terminalreporter)


class Scheduling(LoadFileScheduling):  # type: ignore[misc]  # the library has no types
    """Sends a file's tests to one worker, and a folder's tests if they share something."""

    def _split_scope(self, nodeid: str) -> str:
        return next((folder for folder in TOGETHER if nodeid.startswith(folder)), super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    """Return the scheduler of the tests."""
    return Scheduling(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put slow tests first, and leave the others in their random order."""
    items.sort(key=lambda item: next((n for n, begin in enumerate(LONG) if item.nodeid.startswith(begin)), len(LONG)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Disable garbage collection while thousands of tests are collected."""
    gc.disable()
    with compiled_once():
        return (yield)


@contextmanager
def compiled_once() -> Iterator[None]:
    """Have the first worker compile the tests for all workers, which is half of the time of collecting them."""
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
    """Exempt the collected tests from garbage collection, which took a tenth of the time."""
    gc.freeze()
    gc.enable()
    METER.since()


@pytest.fixture(scope="session", autouse=True)
def one_authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep only one certificate authority: every HTTP client of a test or a function reads all of them, which takes 30
    ms of processor time, and nothing here speaks TLS.
    """
    file = tmp_path_factory.mktemp("authorities") / "one.pem"
    file.write_text(Path(certifi.where()).read_text().partition(END)[0] + END)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(file))
        yield


@pytest.fixture(scope="session")
def web() -> Iterator[HostileServer]:
    """Yield a web site on this machine that the session's reader may read."""
    with hostile_server() as server:
        yield server


@pytest.fixture(scope="session")
def cloud(web: HostileServer) -> Iterator[LocalCloud]:
    env = HURRIED | {"LULL_READER_PRIVATE_HOSTS": web.host}
    with LocalCloud(forked(env=env, arguments={"telegram": SOON})).running() as running:
        yield running


@pytest.fixture(scope="session")
def model_url() -> Iterator[str]:
    """Yield the address of a scripted model that no function calls, so that only the test takes its replies."""
    with LocalCloud(forked(parts=("model",))).running() as running:
        yield running.model_url


async def wait_for_rest(cloud: LocalCloud) -> Sequence[Any]:
    """Wait until the work of earlier stories is done (updates, ticks, files), since it could use up scripted answers of
    this one. Return the work that was not done in time.

    Work that is due much later stays. A sweep wakes the chats that all tests left in this cloud, which then ask the
    model in vain for 15 seconds.
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
    ours = [task for task in tasks if task["queue"] in QUEUES.values()]  # other queues are paused permanently
    return [task for task in ours if task["state"] == "running" or task["schedule_at"] < time.time() + 4]


@pytest_asyncio.fixture
async def sandbox(
    cloud: LocalCloud, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> AsyncIterator[Sandbox]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", cloud.firestore_host)  # the official client's own setting
    async with (
        httpx.AsyncClient(base_url=cloud.telegram_url, timeout=30) as telegram,
        httpx.AsyncClient(base_url=cloud.model_url, timeout=30) as gemini,
    ):
        for one in await wait_for_rest(cloud):
            record_property(timing.RESTLESS, one)
        model = await Model.from_now(gemini)
        await model.clear()
        firestore = AsyncClient(project=cloud.project)
        yield Sandbox(cloud, telegram, model, firestore)
        await model.clear()
        firestore.close()  # type: ignore[no-untyped-call]
