"""Offered choices are stored before they are sent."""

from shared.base.wording.words import words_in
from shared.chat.store.chats import ReadUpdates
from shared.reminders.tasks.keep_zone import KeepZone
from shared.tasks.ask import Ask
from shared.tasks.outcome import task_of
from shared.tasks.plan import PlannedTask, TaskOrigin
from shared.tasks.send import Send
from shared.turn.runner import with_keyboard
from shared.values.evolve import evolve
from shared.values.keyboard import MOST_KEYBOARDS, Keyboard
from tests.shared.examples import ANN, BOB, NOW, plan_of, send
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session, runner_of

OFFER = Send(id="1", text="Tea?", choices=("Yes", "No"))
ORIGIN = TaskOrigin(plan="p1", task="1", thread=4)


async def test_it_is_stored_before_it_is_shown(harness: ChatHarness) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    plan = plan_of(OFFER)
    stored: list[tuple[Keyboard, ...]] = []

    async def look() -> None:
        stored.append((await harness.backend.chats.see(harness.key)).chat.talk.keyboards)

    harness.steps.at, harness.steps.happens = len(harness.steps.taken), look
    done = (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan
    assert harness.steps.taken[harness.steps.at :][:1] == ["before send"], harness.steps.taken
    ((before,),) = stored
    assert (before.choices, before.message_id) == (("Yes", "No"), 0)
    assert task_of(done, "1").buttons == before.buttons
    (now,) = hold.chat.talk.keyboards
    assert now == evolve(before, message_id=task_of(done, "1").deliveries[0].message_ids[0], seq=hold.chat.talk.seq)


async def test_it_is_for_those_who_are_answered_unless_it_is_for_everyone(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    planned = PlannedTask(task=OFFER, people=(ANN.id, BOB.id))
    everyone = evolve(planned, task=evolve(OFFER, choices_for="everyone"))
    anonymous = evolve(planned, people=(harness.key.chat_id - 1_000_000_000_000_000,))
    together = evolve(planned, people=(ANN.id, *anonymous.people))
    for one in (planned, everyone, anonymous, together):
        with_keyboard(hold, one, ORIGIN, NOW)
    assert [k.people for k in hold.chat.talk.keyboards] == [(ANN.id, BOB.id), (), (), ()]
    assert {k.thread for k in hold.chat.talk.keyboards} == {4}


async def test_an_effect_is_for_those_alone_whose_account_is_known(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    asks = Ask.about((KeepZone(zone="Asia/Tokyo"),), words_in("en"), id="1")
    group = harness.key.chat_id - 1_000_000_000_000_000
    for people in ((ANN.id, group), (group,), ()):
        with_keyboard(hold, PlannedTask(task=asks, people=people), ORIGIN, NOW)
    assert [k.people for k in hold.chat.talk.keyboards] == [(ANN.id,), (), ()]
    assert [k.is_for(ANN.id) for k in hold.chat.talk.keyboards] == [True, False, False]


async def test_a_task_gets_its_buttons_once_and_a_chat_keeps_the_newest(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    first = with_keyboard(hold, PlannedTask(task=OFFER), ORIGIN, NOW)
    assert with_keyboard(hold, first, ORIGIN, NOW) is first
    assert with_keyboard(hold, PlannedTask(task=send()), ORIGIN, NOW).buttons == ()
    assert len(hold.chat.talk.keyboards) == 1
    for _ in range(MOST_KEYBOARDS):
        newest = with_keyboard(hold, PlannedTask(task=OFFER), ORIGIN, NOW)
    assert len({k.id for k in hold.chat.talk.keyboards}) == MOST_KEYBOARDS
    assert newest.buttons == hold.chat.talk.keyboards[-1].buttons
    assert first.buttons != hold.chat.talk.keyboards[0].buttons
