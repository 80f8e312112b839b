"""Plans: the conditions under which they are open, and that they are the same after they are stored and read."""

import pytest
from pydantic import ValidationError

from shared.tasks.plan import DeliveryState, Plan, TaskState
from shared.tasks.wait import LONGEST_WAIT_SECONDS, Wait
from shared.values.evolve import evolve
from tests.shared.examples import begun, plan_of, react, send, wait


def test_a_plan_is_open_while_one_task_is() -> None:
    plan = plan_of(send(), wait(after=("1",)))
    assert plan.is_open
    assert not plan_of().is_open
    over = tuple(evolve(t, state=state) for t, state in zip(plan.tasks, _FINAL, strict=False))
    assert not evolve(plan, tasks=over).is_open


_FINAL = (TaskState.FAILED, TaskState.CANCELLED)


def test_a_plan_comes_back_from_its_document() -> None:
    plan = plan_of(send(reply_to=5), wait(after=("1",)), react())
    plan = evolve(plan, tasks=(*plan.tasks, begun(send("4"), DeliveryState.CONFIRMED)))
    assert Plan.model_validate(plan.model_dump()) == plan
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


def test_no_wait_is_longer_than_cloud_tasks_can_schedule() -> None:
    assert Wait(seconds=LONGEST_WAIT_SECONDS).seconds == 30 * 24 * 3600
    with pytest.raises(ValidationError):
        Wait(seconds=LONGEST_WAIT_SECONDS + 1)
