"""What a batch is read in."""

from shared.deciding.circumstances import OwnIdentity
from shared.executing.promises import kept_promises, with_promises
from shared.turn.situation import Situation
from tests.shared.values import ANN, ME, NOW, SECOND, plan_of, send, wait

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))


def test_what_is_answered_by_a_plan_that_has_not_begun_is_unanswered() -> None:
    plan = plan_of(send()).model_copy(update={"answers": (7,)})
    assert Situation(me=SELF, standing=plan).unanswered == {7}
    assert Situation(me=SELF, standing=plan.model_copy(update={"tasks": ()})).unanswered == frozenset()
    assert Situation(me=SELF).unanswered == frozenset()


def test_a_task_that_bears_the_id_of_one_that_was_promised_by_an_earlier_plan_is_not_kept_with_it() -> None:
    """A plan names its tasks by their places, so the reminder `1, 2` of one plan and the answer `1` of the next do."""
    pause, text = plan_of(wait("1", 600), send("2", "Tea!", ("1",))).tasks
    begun = pause.model_copy(update={"not_before": NOW + 600 * SECOND})
    earlier = plan_of(plan_id="p1").model_copy(update={"tasks": (begun, text), "answers": (5,)})
    answer = plan_of(send("1", "Yes."), plan_id="p2").model_copy(update={"answers": (7,)})
    standing = with_promises(answer, kept_promises(earlier, {ANN.id}))
    assert [t.task.id for t in standing.tasks] == ["1", "k1", "k2"]
    assert Situation(me=SELF, standing=standing).unanswered_by({ANN.id}) == {7}
