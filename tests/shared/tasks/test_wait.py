"""A wait: no longer than Cloud Tasks can schedule."""

from datetime import timedelta

import pytest
from pydantic import ValidationError

from shared.tasks.task import TaskNote
from shared.tasks.wait import LONGEST_WAIT_SECONDS, Wait


@pytest.mark.parametrize("seconds", [-1, LONGEST_WAIT_SECONDS + 1])
def test_refuses_an_impossible_wait(seconds: int) -> None:
    with pytest.raises(ValidationError):
        Wait(seconds=seconds)


def test_nothing_is_delivered() -> None:
    assert Wait.traits.elapses
    assert Wait(seconds=5).pause() == timedelta(seconds=5)


def test_reports_the_remaining_wait() -> None:
    assert Wait(seconds=60).pending(0, None) == TaskNote("wait 60 seconds")
    assert Wait(seconds=60).pending(0, timedelta(seconds=29.6)) == TaskNote("wait 30 seconds")
    assert Wait(seconds=60).pending(0, timedelta(seconds=-1)) == TaskNote("wait 0 seconds")
