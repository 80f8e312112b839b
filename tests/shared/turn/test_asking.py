"""What waits for a tap is offered in one message to who asked for it; the rest of a plan goes on."""

from datetime import timedelta

import pytest

from shared.models.keyboard import MOST_EFFECTS, Keyboard
from shared.models.message import Event
from shared.session.session import Session
from shared.tasks.ask import Ask
from shared.tasks.block import Block
from shared.tasks.clear_conversation import ClearConversation
from shared.tasks.forget import Forget
from shared.tasks.keep_zone import KeepZone
from shared.tasks.plan import KeptFrom, Plan, PlannedTask, TaskState
from shared.tasks.remember import Remember
from shared.tasks.schedule import Schedule
from shared.tasks.task import Task
from shared.turn.asking import NOBODY_TO_ASK, OFFERED, note_refused, with_offers
from shared.wording.words import words_in
from tests.shared.executing.test_runner import claimed_session
from tests.shared.flows.room import Room
from tests.shared.values import ANN, BOB, NOW, plan_of, said, send

EN = words_in("en")
LIFT = "Don't ask again in this conversation"
NUTS = Remember(id="1", text="Ann is allergic to nuts.")


def marked(*tasks: Task, people: tuple[int, ...] = (ANN.id,), **fields: object) -> Plan:
    plan = plan_of(*tasks)
    of_all = {"people": people, "saw_outside": True, **fields}
    return plan.model_copy(update={"tasks": tuple(t.model_copy(update=of_all) for t in plan.tasks)})


def asks_in(plan: Plan) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    return [(t.people, t.task.labels) for t in plan.tasks if isinstance(t.task, Ask)]


async def test_all_of_a_plan_is_offered_in_one_message_behind_what_it_says(here: Room) -> None:
    hold = await claimed_session(here)
    plan = marked(NUTS, send("2", "Noted."), ClearConversation(id="3"))
    plan = with_offers(hold, plan, (said("x"),), EN)
    assert [(t.task.kind, t.state, t.why, t.is_own) for t in plan.tasks] == [
        ("remember", TaskState.DONE, OFFERED, False),
        ("send", TaskState.PLANNED, "", False),
        ("clear-conversation", TaskState.DONE, OFFERED, False),
        ("ask", TaskState.PLANNED, "", True),
    ]
    assert asks_in(plan) == [((ANN.id,), ("Remember: Ann is allergic to nuts.", "Begin another conversation", LIFT))]


@pytest.mark.parametrize(
    "task",
    [send("1"), Schedule(id="1", text="Tea!", after="10 minutes"), Block(id="1", person=ANN.id)],
)
async def test_what_stays_in_the_chat_and_what_the_owner_is_asked_goes_on(here: Room, task: Task) -> None:
    hold, plan = await claimed_session(here), marked(task)
    assert with_offers(hold, plan, (said("x"),), EN) == plan


async def test_without_text_from_outside_nothing_waits(here: Room) -> None:
    hold, plan = await claimed_session(here), marked(NUTS, ClearConversation(id="2"), saw_outside=False)
    assert with_offers(hold, plan, (said("x"),), EN) == plan
    kept = marked(NUTS, kept_from=KeptFrom(plan="p0", task="1"))
    assert with_offers(hold, kept, (said("x"),), EN) == kept


async def test_each_is_asked_who_told_it(here: Room) -> None:
    hold = await claimed_session(here)
    answered = (said("nuts!", ANN, 7), said("tea!", BOB, 8))
    plan = marked(NUTS.model_copy(update={"message_id": 7}), Forget(id="2", memory="m1"), people=(ANN.id, BOB.id))
    found = asks_in(with_offers(hold, plan, answered, EN))
    assert [(people, len(labels)) for people, labels in found] == [((ANN.id,), 2), ((BOB.id,), 2)]


async def test_whose_account_nobody_knows_is_not_asked_and_the_model_knows(here: Room) -> None:
    hold = await claimed_session(here)
    plan = with_offers(hold, marked(KeepZone(id="1", zone="Asia/Tokyo"), people=(-100_5,)), (), EN)
    assert [(t.state, t.why) for t in plan.tasks] == [(TaskState.FAILED, NOBODY_TO_ASK)]
    await note_refused(hold, plan, NOW)
    assert await notes(hold) == [f"your `keep-zone` was not done: {NOBODY_TO_ASK}"]


async def notes(hold: Session) -> list[str]:
    return [entry.note for entry in await hold.window() if isinstance(entry, Event)]


async def test_what_somebody_is_asked_already_is_not_asked_again(here: Room) -> None:
    hold = await claimed_session(here)
    board = Keyboard(
        id="x" * 16, choices=("x",), people=(ANN.id,), effects=({**NUTS.model_dump(mode="json"), "id": "9"},), at=NOW
    )
    hold.note_chat(keyboards=(board,))
    assert asks_in(with_offers(hold, marked(NUTS), (said("x"),), EN)) == []
    assert len(asks_in(with_offers(hold, marked(NUTS, people=(BOB.id,)), (), EN))) == 1
    many = [Remember(id=str(n), text=f"Ann knows {n}.") for n in range(MOST_EFFECTS + 3)]
    ((_, labels),) = asks_in(with_offers(hold, marked(*many), (said("x"),), EN))
    assert (len(labels), labels[-1]) == (MOST_EFFECTS + 1, LIFT)


async def test_what_could_not_be_remembered_is_told(here: Room) -> None:
    hold = await claimed_session(here)
    failed = PlannedTask(task=NUTS, state=TaskState.FAILED, why="nobody's", people=(ANN.id,))
    plan = plan_of().model_copy(update={"tasks": (failed,)})
    told = with_offers(hold, plan, (said("x"),), EN).tasks[-1]
    assert (told.task.words, told.is_own) == ("I could not keep or change that in my memory.", True)
    await note_refused(hold, plan, NOW + timedelta(seconds=1))
    assert await notes(hold) == ["your `remember` was not done: nobody's"]
