"""What a batch is read in."""

from shared.deciding.circumstances import OwnIdentity
from shared.turn.situation import Situation
from tests.shared.values import ME, plan_of, send

SELF = OwnIdentity(ME.id, "lull_bot", ("lull",))


def test_what_is_answered_by_a_plan_that_has_not_begun_is_unanswered() -> None:
    plan = plan_of(send()).model_copy(update={"answers": (7,)})
    assert Situation(me=SELF, standing=plan).unanswered == {7}
    assert Situation(me=SELF, standing=plan.model_copy(update={"tasks": ()})).unanswered == frozenset()
    assert Situation(me=SELF).unanswered == frozenset()
