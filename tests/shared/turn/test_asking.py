"""A question of lull's has a button in the language of who is asked, and only a new one gets it."""

from shared.tasks.confirm import Confirm
from shared.tasks.plan import KeptFrom, PlannedTask
from shared.turn.asking import labelled
from shared.wording.words import words_in
from tests.shared.values import plan_of, send

ASKS = Confirm(id="1", text="Shall I?", act={"kind": "keep-zone", "zone": "Asia/Tokyo"})


def test_each_question_gets_its_button() -> None:
    plan = labelled(plan_of(ASKS, send("2")), words_in("uk"))
    assert [t.task.offered for t in plan.tasks] == [("Запам’ятати часовий пояс Asia/Tokyo",), ()]


def test_one_that_was_kept_stays_as_it_was() -> None:
    kept = PlannedTask(task=ASKS, kept_from=KeptFrom(plan="p0", task="1"))
    plan = plan_of().model_copy(update={"tasks": (kept,)})
    assert labelled(plan, words_in("uk")).tasks == (kept,)
