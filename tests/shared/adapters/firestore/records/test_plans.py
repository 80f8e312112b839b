"""How plans are written: the one that stands, and those that were replaced."""

from shared.adapters.firestore.layout import KEPT_PLANS
from shared.models.chat import Chat
from shared.records import CurrentPlan, ReplacedPlan
from tests.shared.adapters.changes import written_by
from tests.shared.values import KEY, plan_of, send

PLAN = plan_of(send())


def test_a_chat_has_one_plan() -> None:
    assert written_by(CurrentPlan(PLAN), Chat(key=KEY)) == [("set", f"plans/{KEY.id}", PLAN.model_dump())]


def test_a_replaced_plan_is_kept_for_a_while() -> None:
    kept = PLAN.model_dump() | {"expires_at": PLAN.created_at + KEPT_PLANS}
    assert written_by(ReplacedPlan(PLAN), Chat(key=KEY)) == [("set", f"plans/{KEY.id}/past/{PLAN.id}", kept)]
