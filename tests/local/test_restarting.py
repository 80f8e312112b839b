import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from local.cloud import CloudSpec, LocalCloud
from local.poller import EX_CONFIG
from local.restarting import FIRST_PAUSE_S, MOST_RESTARTS, Restart, Restarter, StayDown, decide_restart
from local.run_record import State
from tests.local.watching import wait_until

STAND_IN = Path(__file__).parent / "functions"


@pytest.fixture
def cloud() -> Iterator[LocalCloud]:
    with LocalCloud(CloudSpec(parts=("webhook",), functions=STAND_IN)).running() as running:
        yield running


@pytest.mark.parametrize(("deaths", "pause"), [(1, 1.0), (2, 2.0), (3, 4.0)])
def test_the_pauses_grow(deaths: int, pause: float) -> None:
    assert decide_restart(deaths, -9) == Restart(pause)


def test_after_the_last_one_it_stays_down() -> None:
    assert decide_restart(MOST_RESTARTS + 1, -9) == StayDown("failed 4 times in a row and is not restarted")


def test_what_is_set_up_wrongly_is_not_tried_again() -> None:
    assert isinstance(decide_restart(1, EX_CONFIG), StayDown)


def test_a_part_that_dies_is_said_and_runs_again(cloud: LocalCloud) -> None:
    said: list[str] = []
    now = time.time()
    restarter = Restarter(cloud, said.append, clock=lambda: now)
    assert not restarter.look()
    os.kill(cloud.pid("webhook"), signal.SIGKILL)
    wait_until(restarter.look)
    assert restarter.records()["webhook"].state is State.RESTARTING
    assert not restarter.look()
    now += FIRST_PAUSE_S
    assert restarter.look()
    assert restarter.records()["webhook"].state is State.RUNNING
    assert said == ["webhook ended with exit code -9; restarting in 1 s.", "webhook runs again."]
    assert httpx.get(cloud.webhook_url, timeout=30).is_success


def test_one_that_keeps_dying_is_given_up_until_somebody_asks(cloud: LocalCloud) -> None:
    said: list[str] = []
    restarter = Restarter(cloud, said.append, first_pause_s=0.01)
    broken = STAND_IN / "nowhere.py"
    whole = cloud.parts["webhook"]
    cloud.parts["webhook"] = type(whole)(**{**vars(whole), "argv": (whole.argv[0], str(broken))})
    cloud.kill("webhook")
    wait_until(lambda: restarter.look() and restarter.records()["webhook"].state is State.GIVEN_UP, 60)
    assert said[-1].startswith("webhook failed 4 times in a row and is not restarted: see `make logs PART=webhook`")
    assert not restarter.look()
    cloud.parts["webhook"] = whole
    restarter.restart(["webhook"])
    assert restarter.records()["webhook"].state is State.RUNNING
    assert httpx.get(cloud.webhook_url, timeout=30).is_success
