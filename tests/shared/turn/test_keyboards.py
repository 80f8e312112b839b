"""Removal of buttons, as lull's own tasks after the plan's texts."""

from datetime import timedelta

from shared.commands.parse import CommandInvocation
from shared.tasks.graph import next_task
from shared.tasks.unbutton import RemoveButtons
from shared.turn.batch import InboxBatch
from shared.turn.choosing import ButtonChoice
from shared.turn.keyboards import acknowledge, gone_keyboards, without_keyboards
from shared.turn.services import Administrators, TickContext
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.keyboard import KEPT, Keyboard
from shared.values.message import ButtonPress, Message
from shared.values.wake import Wake, WakeReason
from tests.shared.examples import ANN, BOB, plan_of, send
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session

NOTHING = InboxBatch(update_ids=(), entries=(), kind=ChatKind.PRIVATE)


async def context_of(harness: ChatHarness, *keyboards: Keyboard) -> TickContext:
    """Return a tick that holds a chat in which these keyboards were offered."""
    hold = await claimed_session(harness)
    hold.note_part(evolve(hold.chat.talk, keyboards=keyboards))
    administrators = Administrators(harness.backend.channel, harness.key.chat_id)
    wake = Wake(key=harness.key, reason=WakeReason.NOW, at=harness.clock.now, of="1")
    return TickContext(
        services=harness.tick_services.agents["lull"], session=hold, wake=wake, administrators=administrators
    )


def board(harness: ChatHarness, name: str, message_id: int, *people: int) -> Keyboard:
    return Keyboard(id=name * 16, choices=("Tea", "Coffee"), people=people, message_id=message_id, at=harness.clock.now)


def chosen(keyboard: Keyboard, message_id: int) -> InboxBatch:
    """Return a batch with a choice."""
    press = ButtonPress(at=keyboard.at, updates=(5,), message_id=message_id, author=ANN, query_id="q")
    return InboxBatch(**{**vars(NOTHING), "choices": (ButtonChoice(press=press, keyboard=keyboard, place=0),)})


def ids(gone: object) -> list[int]:
    assert isinstance(gone, list)
    return [one.message_id for one in gone]


async def test_what_was_answered_goes_and_what_others_were_asked_stays(harness: ChatHarness) -> None:
    context = await context_of(
        harness, board(harness, "a", 1, ANN.id), board(harness, "b", 2, BOB.id), board(harness, "c", 3)
    )
    assert ids(gone_keyboards(context.session, context.now, NOTHING, (), is_left=False)) == []
    assert ids(gone_keyboards(context.session, context.now, NOTHING, (ANN.id,), is_left=False)) == [1, 3]
    assert ids(gone_keyboards(context.session, context.now, NOTHING, (), is_left=True)) == [1, 2, 3]


async def test_who_ends_a_plan_ends_what_is_offered_to_them(harness: ChatHarness) -> None:
    context = await context_of(
        harness, board(harness, "a", 1, ANN.id), board(harness, "b", 2, BOB.id), board(harness, "c", 3)
    )
    entry = Message(at=harness.clock.now, updates=(5,), message_id=9, author=ANN, text="/stop")
    for name, gone in (("stop", [1, 3]), ("help", [])):
        batch = InboxBatch(**{**vars(NOTHING), "commands": ((entry, CommandInvocation(name)),)})
        assert ids(gone_keyboards(context.session, context.now, batch, (), is_left=False)) == gone


async def test_what_was_chosen_goes_and_the_press_tells_below_which_message(harness: ChatHarness) -> None:
    unknown = board(harness, "a", 0)
    context = await context_of(harness, unknown, board(harness, "b", 2))
    assert ids(gone_keyboards(context.session, context.now, chosen(unknown, 7), (), is_left=False)) == [7]


async def test_what_is_old_goes(harness: ChatHarness) -> None:
    old = evolve(board(harness, "a", 1), at=harness.clock.now - KEPT)
    context = await context_of(harness, old, board(harness, "b", 2))
    assert ids(gone_keyboards(context.session, context.now, NOTHING, (), is_left=False)) == [1]


async def test_they_are_taken_away_behind_what_is_said(harness: ChatHarness) -> None:
    context = await context_of(harness, board(harness, "a", 1), board(harness, "b", 0), board(harness, "c", 3, BOB.id))
    gone = gone_keyboards(context.session, context.now, NOTHING, (ANN.id,), is_left=False)
    plan = without_keyboards(context.session, context.now, plan_of(send()), gone)
    assert plan is not None
    assert [t.task for t in plan.tasks] == [send(), RemoveButtons(id="buttons-1", message_id=1)]
    following = next_task(plan, context.now + timedelta(seconds=1))
    assert following is not None
    assert following.task == send()
    assert [k.message_id for k in context.session.chat.talk.keyboards] == [3]


async def test_without_a_plan_they_are_one(harness: ChatHarness) -> None:
    context = await context_of(harness, board(harness, "a", 1))
    assert without_keyboards(context.session, context.now, None, []) is None
    plan = without_keyboards(
        context.session, context.now, None, gone_keyboards(context.session, context.now, NOTHING, (), is_left=True)
    )
    assert plan is not None
    assert [(t.task.kind, t.is_own) for t in plan.tasks] == [("unbutton", True)]


async def test_that_a_press_cannot_be_answered_does_no_harm(harness: ChatHarness) -> None:
    context = await context_of(harness)
    keyboard = board(harness, "a", 1)
    await acknowledge(context.session, context.services.runner, chosen(keyboard, 1).choices)
    found = (await harness.backend.telegram.get("/world/calls", params={"after": 0})).json()["calls"]
    assert [c["ok"] for c in found if c["params"].get("callback_query_id") == "q"] == [False]
