"""The plan of a chat, made from the model's reply. (`test_replier.py` tests the parts that a plan keeps.)"""

from shared.chat.store.plans import encode_plan
from shared.chat.store.writes import value_bytes
from shared.planning.format.json_text import MAX_REPLY_BYTES
from shared.planning.format.reply import MAX_TASKS
from shared.planning.planner import MOST_USES, PlanResult
from shared.reminders.tasks.schedule import Schedule
from shared.tasks.plan import PlannedTask
from shared.turn.promises import MOST_KEPT_BYTES, with_promises
from shared.turn.replier import plan_for
from shared.values.origin import MOST_ELSEWHERE, ConversationSpan
from shared.values.prompt import ToolAnswer, ToolCall
from shared.values.tool_use import tool_use_of
from tests.shared.examples import NOW, send, wait
from tests.shared.firestore_limits import LONGEST_DOCUMENT
from tests.shared.turn.test_replier import batch


def test_tasks_are_of_whom_the_batch_is_and_of_what_was_seen() -> None:
    plan = plan_for(
        PlanResult(tasks=(send(), wait(after=("1",))), outside=("a forward",), was_shown=True), batch(), NOW
    )
    assert {planned.people for planned in plan.tasks} == {(batch().targets[0].author.id,)}
    assert [(planned.saw_outside, planned.is_typed) for planned in plan.tasks] == [(True, True), (True, False)]
    assert (plan.created_at, plan.outside) == (NOW, ("a forward",))


def test_a_task_has_those_known_addresses_that_stand_in_it() -> None:
    tasks = (send(text="see https://a.example/1"), send(text="and https://b.example/2"), wait())
    plan = plan_for(PlanResult(tasks=tasks, known_links=("https://a.example/1", "https://b.example/2")), batch(), NOW)
    assert [one.known_links for one in plan.tasks] == [("https://a.example/1",), ("https://b.example/2",), ()]


def test_the_longest_plan_with_all_that_may_stand_beside_it_is_a_document() -> None:
    each = MAX_REPLY_BYTES // MAX_TASKS
    asked = ToolAnswer(call=ToolCall(name="retrieve", arguments={"q": "\U0001f98a" * 9_000}), text="中" * 50_000)
    shown = tuple(
        ConversationSpan(conversation=f"conv-{n:026}", chat_id=-(10**12) - n, first_seq=1, last_seq=9, people=(1, 2, 3))
        for n in range(MOST_ELSEWHERE)
    )
    texts = [send(text="\U0001f98a" * (each // 4)) for _ in range(MAX_TASKS)]
    links = [send(text="".join(f"https://a.example/{n}/{m} " for m in range(each // 25))) for n in range(MAX_TASKS)]
    later = [Schedule(text="中" * 1_500, after="1 hour").at_instants(NOW, "UTC") for _ in range(MAX_TASKS)]
    kept = PlannedTask(task=send(text="x" * MOST_KEPT_BYTES))
    for tasks in (texts, links, later):
        planned = [one for one in tasks if not isinstance(one, str)]
        known = tuple(link for one in planned for link in one.words.split() if "//" in link)
        result = PlanResult(
            tasks=tuple(planned), known_links=known, uses=(tool_use_of(asked),) * MOST_USES, elsewhere=shown,
            derived=(shown,) * len(planned), notes=("Task 7 (send) lost its `reply_to`: it is no number.",) * MAX_TASKS,
        )  # fmt: skip
        plan = with_promises(plan_for(result, batch(), NOW), [kept])
        assert value_bytes(encode_plan(plan)) < LONGEST_DOCUMENT
