"""Confirmations after tasks that change stored data."""

from shared.base.model_call import ModelCall
from shared.base.wording.words import words_in
from shared.chat.confirming import as_lulls_own, confirmed_task, with_confirmation
from shared.tasks.plan import TaskState
from shared.values.channel import Button
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.tool_use import ToolUse
from tests.shared.examples import ME, plan_of, said, send, wait
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session

TOLD = words_in("en").say("stop.stopped")


async def test_it_stands_right_behind_the_task(harness: ChatHarness) -> None:
    plan = plan_of(wait("1"), send("2", "Noted.", ("1",)))
    button = Button("No", "x")
    done = with_confirmation(await claimed_session(harness), plan, plan.tasks[0], TOLD, (button,))
    first, own, last = done.tasks
    assert (first.state, last.state) == (TaskState.DONE, TaskState.PLANNED)
    assert (own.task.words, own.buttons, own.is_own) == (TOLD, (button,), True)


async def test_in_a_group_it_replies_to_who_asked(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    plan = evolve(plan_of(wait("1")), answers=(4, 7))
    replies = []
    for kind in (ChatKind.PRIVATE, ChatKind.GROUP):
        hold.note_chat(evolve(hold.chat, kind=kind))
        replies.append(getattr(with_confirmation(hold, plan, plan.tasks[0], TOLD).tasks[1].task, "reply_to", 0))
    assert replies == [None, 7]


async def test_it_is_named_for_one_task_of_one_plan(harness: ChatHarness) -> None:
    """A task that is sent late continues in the next plan, whose tasks may have the same ids."""
    hold = await claimed_session(harness)
    plan = plan_of(wait("1"))
    first = with_confirmation(hold, plan, plan.tasks[0], TOLD).tasks[1]
    later = evolve(plan, id="later", tasks=(first, *plan.tasks))
    both = with_confirmation(hold, later, plan.tasks[0], TOLD)
    assert len({t.task.id for t in both.tasks}) == 3
    assert [bool(confirmed_task(both, t.task.id)) for t in both.tasks] == [False, False, True]


def test_a_plans_first_message_tells_what_was_looked_up_for_it() -> None:
    call = ModelCall(model="m", ms=1)
    use = ToolUse(name="calculate", arguments='{"expression": "2 + 2"}', answer="4")
    plan = evolve(plan_of(send("1", "4")), calls=(call,), uses=(use,))
    entries = [said("4", ME, 2, calls=(call,)), said("so", ME, 3)]
    told = as_lulls_own(plan, plan.tasks[0], entries)
    assert [getattr(one, "looked_up", None) for one in told] == [('calculate {"expression": "2 + 2"} → 4',), ()]
