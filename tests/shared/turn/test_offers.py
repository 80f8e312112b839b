"""Tasks that wait for a button press are offered in one message to the person who asked; the rest of a plan goes on."""

import pytest

from shared.access.tasks.block import BlockPerson
from shared.access.tasks.clear_conversation import ClearConversation
from shared.base.wording.words import words_in
from shared.memory.tasks.forget import Forget
from shared.memory.tasks.remember import Remember
from shared.planning.format.reply import NOT_DONE
from shared.reminders.tasks.keep_zone import KeepZone
from shared.reminders.tasks.schedule import Schedule
from shared.tasks.ask import Ask
from shared.tasks.plan import Plan, PlannedTask, TaskOrigin, TaskState
from shared.tasks.task import Task
from shared.turn.choosing import ButtonChoice
from shared.turn.offers import NOBODY_TO_ASK, OFFERED, TOO_MANY, effects_of, refused_events, with_offers
from shared.values.evolve import evolve
from shared.values.keyboard import KEPT, MOST_EFFECTS, Keyboard
from shared.values.message import ButtonPress
from tests.shared.examples import ANN, BOB, NOW, plan_of, said, send
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session

EN = words_in("en")
LIFT = "Don't ask again in this conversation"
NUTS = Remember(id="1", text="Ann is allergic to nuts.")


def marked(*tasks: Task, people: tuple[int, ...] = (ANN.id,), **fields: object) -> Plan:
    plan = plan_of(*tasks)
    of_all = {"people": people, "saw_outside": True, **fields}
    return evolve(plan, tasks=tuple(t.model_copy(update=of_all) for t in plan.tasks))


def asks_in(plan: Plan) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    return [(t.people, t.task.labels) for t in plan.tasks if isinstance(t.task, Ask)]


async def test_all_of_a_plan_is_offered_in_one_message_behind_what_it_says(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    plan = marked(NUTS, send("2", "Noted."), ClearConversation(id="3"))
    plan = with_offers(hold, plan, (said("x"),), EN)
    assert [(t.task.kind, t.state, t.why, t.is_own) for t in plan.tasks] == [
        ("remember", TaskState.DONE, OFFERED, False),
        ("send", TaskState.PLANNED, "", False),
        ("clear-conversation", TaskState.DONE, OFFERED, False),
        ("ask", TaskState.PLANNED, "", True),
    ]
    assert asks_in(plan) == [((ANN.id,), ("Remember: Ann is allergic to nuts.", "Start a new conversation", LIFT))]


@pytest.mark.parametrize(
    "task",
    [send("1"), Schedule(id="1", text="Tea!", after="10 minutes"), BlockPerson(id="1", person=ANN.id)],
)
async def test_what_stays_in_the_chat_and_what_the_owner_is_asked_goes_on(harness: ChatHarness, task: Task) -> None:
    hold, plan = await claimed_session(harness), marked(task)
    assert with_offers(hold, plan, (said("x"),), EN) == plan


async def test_without_text_from_outside_nothing_waits(harness: ChatHarness) -> None:
    hold, plan = await claimed_session(harness), marked(NUTS, ClearConversation(id="2"), saw_outside=False)
    assert with_offers(hold, plan, (said("x"),), EN) == plan
    kept = marked(NUTS, kept_from=TaskOrigin(plan="p0", task="1"))
    assert with_offers(hold, kept, (said("x"),), EN) == kept


async def test_each_is_asked_who_told_it(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    answered = (said("nuts!", ANN, 7), said("tea!", BOB, 8))
    plan = marked(evolve(NUTS, message_id=7), Forget(id="2", memory="m1"), people=(ANN.id, BOB.id))
    found = asks_in(with_offers(hold, plan, answered, EN))
    assert [(people, len(labels)) for people, labels in found] == [((ANN.id,), 2), ((BOB.id,), 2)]


async def test_whose_account_nobody_knows_is_not_asked_and_the_model_knows(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    plan = with_offers(hold, marked(KeepZone(id="1", zone="Asia/Tokyo"), people=(-100_5,)), (), EN)
    refused, told = plan.tasks
    assert (refused.state, refused.why) == (TaskState.FAILED, NOBODY_TO_ASK)
    assert (told.task.words, told.is_own) == ("I couldn't do that.", True), "the plan may say that it was"
    assert [one.note for one in refused_events(plan, NOW)] == [f"your `keep-zone` was not done: {NOBODY_TO_ASK}"]


async def test_what_somebody_is_asked_already_is_not_asked_again(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    board = Keyboard(
        id="x" * 16,
        choices=("x", LIFT),
        people=(ANN.id,),
        effects=({**NUTS.model_dump(mode="json"), "id": "9"},),
        seq=3,
        at=NOW,
    )
    hold.note_part(evolve(hold.chat.talk, keyboards=(board,)))
    assert asks_in(with_offers(hold, marked(NUTS), (said("x"),), EN)) == []
    for gone in (board.without([0]), evolve(board, seq=0), evolve(board, at=NOW - KEPT)):
        hold.note_part(evolve(hold.chat.talk, keyboards=(gone,)))
        assert len(asks_in(with_offers(hold, marked(NUTS), (said("x"),), EN))) == 1, "nobody has its button any more"
    hold.note_part(evolve(hold.chat.talk, keyboards=(board,)))
    assert len(asks_in(with_offers(hold, marked(NUTS, people=(BOB.id,)), (), EN))) == 1
    many = [Remember(id=str(n), text=f"Ann knows {n}.") for n in range(MOST_EFFECTS + 3)]
    plan = with_offers(hold, marked(*many), (said("x"),), EN)
    ((_, labels),) = asks_in(plan)
    assert (len(labels), labels[-1]) == (MOST_EFFECTS + 1, LIFT)
    assert [t.why for t in plan.tasks if t.state is TaskState.FAILED] == [TOO_MANY] * 3, "what has no button is told"


async def test_an_offer_marks_what_follows_no_longer_than_what_its_plan_says(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    for fields in ({"is_derived": True}, {"unseen": ("AQAD",)}, {}):
        plan = with_offers(hold, marked(ClearConversation(id="1"), send("2"), **fields), (said("x"),), EN)
        _, talk, ask = plan.tasks
        assert (ask.is_marked, ask.unseen) == (talk.is_marked, talk.unseen)


async def test_an_offer_with_words_in_it_is_marked_whatever_its_plan_says(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    plan = with_offers(hold, marked(NUTS, is_derived=True), (said("x"),), EN)
    assert plan.tasks[-1].is_marked, "they may be those of a page"


@pytest.mark.parametrize("is_marked", [True, False])
def test_what_is_scheduled_by_a_tap_marks_no_more_than_the_offer(is_marked: bool) -> None:
    board = Keyboard(
        id="x" * 16,
        choices=("x", LIFT),
        people=(ANN.id,),
        effects=(Schedule(text="Tea!", every="FREQ=DAILY").model_dump(mode="json"),),
        holds_outside=is_marked,
        at=NOW,
    )
    (done,) = effects_of([pressed(board, 0)])
    assert (done.saw_outside, done.is_marked) == (True, is_marked)


def pressed(board: Keyboard, place: int) -> ButtonChoice:
    data = board.buttons[place].data
    press = ButtonPress(at=NOW, updates=(5 + place,), message_id=9, author=ANN, query_id="q", data=data)
    return ButtonChoice(press=press, keyboard=board, place=place)


def test_of_two_buttons_at_once_the_one_that_begins_another_conversation_counts_last() -> None:
    effects = tuple(task.model_dump(mode="json") for task in (ClearConversation(), NUTS))
    board = Keyboard(id="x" * 16, choices=("a", "b", LIFT), people=(ANN.id,), effects=effects, at=NOW)
    found = effects_of([pressed(board, 0), pressed(board, 1)])
    assert [one.task.kind for one in found] == ["remember", "clear-conversation"]


def test_what_was_left_out_of_a_plan_is_told_if_it_would_have_lasted() -> None:
    notes_of_plan = ("Task 2 was left out.", f"Task 3 was left out: its kind `shutdown`{NOT_DONE}")
    found = refused_events(evolve(plan_of(send()), notes=notes_of_plan), NOW)
    assert [one.note for one in found] == [f"of your plan: {notes_of_plan[1]}"]


async def test_what_could_not_be_remembered_is_told(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    failed = PlannedTask(task=NUTS, state=TaskState.FAILED, why="nobody's", people=(ANN.id,))
    plan = evolve(plan_of(), tasks=(failed,))
    told = with_offers(hold, plan, (said("x"),), EN).tasks[-1]
    assert (told.task.words, told.is_own) == ("I couldn't save or change that in my memory.", True)
    assert [one.note for one in refused_events(plan, NOW)] == ["your `remember` was not done: nobody's"]
