"""What the model wants done, as the plan of a chat. (`test_replier.py` tells what a plan keeps of it.)"""

from shared.planning.planner import PlanResult
from shared.turn.plans import plan_for
from tests.shared.turn.test_replier import batch
from tests.shared.values import NOW, send, wait


def test_tasks_are_of_whom_the_batch_is_and_of_what_was_seen() -> None:
    plan = plan_for(
        PlanResult(tasks=(send(), wait(after=("1",))), outside=("a forward",), was_shown=True), batch(), NOW
    )
    assert {planned.people for planned in plan.tasks} == {(batch().targets[0].author.id,)}
    assert [(planned.saw_outside, planned.is_typed) for planned in plan.tasks] == [(True, True), (True, False)]
    assert (plan.created_at, plan.outside) == (NOW, ("a forward",))
