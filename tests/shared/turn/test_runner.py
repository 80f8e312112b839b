"""Carrying a plan out over the real Bot API: recorded before each call, resumed where it stopped."""

from dataclasses import replace
from typing import ClassVar

import pytest

from shared.base.model_call import ModelCall
from shared.chat.flood import DraftPace
from shared.chat.session import Session
from shared.chat.store.chats import ReadUpdates
from shared.chat.terms import SessionTerms
from shared.tasks.graph import next_due_at
from shared.tasks.outcome import task_of
from shared.tasks.plan import DeliveryState, Plan, PlannedTask, TaskState
from shared.tasks.rewrite import Rewrite
from shared.tasks.send import Send
from shared.tasks.traits import TaskTraits
from shared.turn.runner import PlanRunner
from shared.values.channel import Recipient
from shared.values.chat import Lease
from shared.values.evolve import evolve
from tests.shared.examples import SECOND, begun, plan_of, react, send, wait
from tests.shared.own_words import NOT_SENT
from tests.shared.turn.harness import LEASE, ChatHarness


def runner_of(harness: ChatHarness) -> PlanRunner:
    return harness.tick_services.agents["lull"].runner


async def claimed_session(harness: ChatHarness) -> Session:
    """Claim the chat."""
    terms = SessionTerms(owner="tick-1", lease=LEASE, window_entries=50, clock=harness.clock)
    lease = Lease(owner="tick-1", until=harness.clock.now + LEASE)
    hold = Session(
        harness.backend.chats,
        await harness.backend.chats.claim(await harness.backend.chats.see(harness.key), lease),
        terms,
    )
    hold.note_chat(evolve(hold.chat, conversation=f"conv-{harness.key.chat_id}", due_at=harness.clock.now))
    return hold


def deliveries(plan: Plan) -> list[list[DeliveryState]]:
    return [[d.state for d in task.deliveries] for task in plan.tasks]


async def test_tasks_are_carried_out_in_order_and_recorded(harness: ChatHarness) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    reaction = evolve(react("1"), message_id=harness.message_id)
    plan = plan_of(reaction, send("2", "One.", ("1",)), send("3", "Two.", ("2",), harness.message_id))
    plan = (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan
    assert [task.state for task in plan.tasks] == [TaskState.DONE] * 3
    assert deliveries(plan) == [[DeliveryState.CONFIRMED]] * 3
    assert await harness.said() == ["One.", "Two."]
    said = (await hold.window())[-2:]
    assert [(entry.type, getattr(entry, "plan", "")) for entry in said] == [("message", "p1")] * 2
    assert task_of(plan, "2").deliveries[0].message_ids == (getattr(said[0], "message_id", 0),)


@pytest.mark.parametrize(
    "odd",
    [
        [begun(send("1"), DeliveryState.CONFIRMED)],
        [begun(send("1"), DeliveryState.REFUSED)],
        [begun(send("1"), DeliveryState.CONFIRMED), PlannedTask(task=send("1"))],
    ],
    ids=["all of it was sent", "all of it was refused", "two of one name"],
)
async def test_a_plan_that_contradicts_itself_comes_to_an_end(harness: ChatHarness, odd: list[PlannedTask]) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    plan = Plan(id="p1", created_at=harness.clock.now, tasks=(*odd, PlannedTask(task=send("2", "Two."))))
    plan = (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan
    assert not plan.is_open
    assert await harness.said() == ["Two."]


async def test_a_call_is_recorded_before_it_leaves(harness: ChatHarness) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    stored = list[Plan]()

    async def look() -> None:
        stored.append(await harness.plan())

    harness.steps.at, harness.steps.happens = len(harness.steps.taken), look
    plan = (await runner_of(harness).run(hold, plan_of(send()), is_final_plan=False)).plan
    assert harness.steps.taken[:2] == ["before send", "after send"]
    assert deliveries(stored[0]) == [[DeliveryState.ATTEMPTED]]
    assert deliveries(plan) == [[DeliveryState.CONFIRMED]]


async def test_a_wait_stops_it_until_it_is_over(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    plan = (
        await runner_of(harness).run(hold, plan_of(wait("1", 60), send("2", after=("1",))), is_final_plan=False)
    ).plan
    assert next_due_at(plan) == harness.clock.now + 60 * SECOND
    assert deliveries(plan) == [[], []]
    harness.clock.now += 60 * SECOND
    await harness.writes("hi")
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    assert not (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan.is_open


async def test_a_text_of_nothing_is_done_without_a_call(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    plan = (await runner_of(harness).run(hold, plan_of(send(text="\u200b")), is_final_plan=False)).plan
    assert [task.state for task in plan.tasks] == [TaskState.DONE]
    assert await harness.said() == []


async def test_a_text_that_a_newer_lull_cuts_into_fewer_parts_is_given_up(harness: ChatHarness) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    plan = (await runner_of(harness).run(hold, plan_of(send(text="x" * 5000)), is_final_plan=False)).plan
    assert deliveries(plan) == [[DeliveryState.CONFIRMED] * 2]
    task = plan.tasks[0]
    shorter = evolve(
        task,
        task=send(text="short"),
        state=TaskState.PLANNED,
        deliveries=(task.deliveries[0], evolve(task.deliveries[1], state=DeliveryState.PLANNED)),
    )
    after = (await runner_of(harness).run(hold, evolve(plan, tasks=(shorter,)), is_final_plan=False)).plan
    assert after.tasks[0].state is TaskState.FAILED
    assert (await harness.said())[2:] == [NOT_SENT]


async def test_what_was_asked_to_stop_is_not_typed_first(slow: ChatHarness) -> None:
    await slow.writes("hi")
    hold = await claimed_session(slow)
    hold.note(ReadUpdates((slow.backend.offset - 1,)))
    said_before = evolve(begun(send("1"), DeliveryState.UNKNOWN), state=TaskState.DONE)
    attempt = evolve(said_before.deliveries[0], attempted_at=slow.clock.now)
    begun_plan = Plan(
        id="p1",
        created_at=slow.clock.now,
        tasks=(evolve(said_before, deliveries=(attempt,)), PlannedTask(task=send("2", "Two."))),
    )
    await slow.backend.chats.ask_to_stop(slow.key, 7)
    plan = (await runner_of(slow).run(hold, begun_plan, is_final_plan=True)).plan
    assert plan == begun_plan
    assert await slow.said() == []


async def test_what_is_left_for_a_later_tick_stops_nothing_but_what_comes_now_does(harness: ChatHarness) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    two = plan_of(send("1", "One."), send("2", "Two."))
    plan = (await runner_of(harness).run(hold, two, is_final_plan=False, unread=1)).plan
    assert not plan.is_open
    await harness.writes("hello?")
    more = plan_of(send("3", "Three."), send("4", "Four."))
    plan = (await runner_of(harness).run(hold, more, is_final_plan=False, unread=1)).plan
    assert await harness.said() == ["One.", "Two.", "Three."]
    assert plan.is_open


async def test_messages_go_to_the_chat_and_its_topic(harness: ChatHarness) -> None:
    hold = await claimed_session(harness)
    to = hold.recipient
    assert (to.chat_id, to.topic_id) == (harness.key.chat_id, 0)


async def test_while_telegram_says_to_wait_there_are_no_drafts_either(harness: ChatHarness) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    runner = replace(runner_of(harness), draft_pace=DraftPace(clock=lambda: 0.0))
    assert runner.draft_pace.wait_s(hold.recipient) == 0
    await harness.fault(kind="429", method="sendMessage", retry_after=300, times=1)
    await runner.run(hold, plan_of(send()), is_final_plan=False)
    assert runner.draft_pace.wait_s(hold.recipient) == 300
    assert runner.draft_pace.wait_s(Recipient(chat_id=1)) == 300


async def test_what_a_plan_took_is_kept_with_its_first_message(harness: ChatHarness) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    calls = (ModelCall(model="m", prompt_tokens=7),)
    plan = evolve(plan_of(send("1", "One."), send("2", "Two.", ("1",))), calls=calls)
    await runner_of(harness).run(hold, plan, is_final_plan=False)
    assert [getattr(entry, "calls", None) for entry in (await hold.window())[-2:]] == [calls, ()]


async def test_what_the_agent_does_to_messages_is_in_the_transcript(harness: ChatHarness) -> None:
    await harness.writes("it's done")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    reaction = evolve(react("2", ("1",)), message_id=harness.message_id, emoji="🎉")
    await runner_of(harness).run(hold, plan_of(send("1", "Which?"), reaction), is_final_plan=False)
    asked = (await harness.messages())[-1]["message_id"]
    rewrite = PlannedTask(task=Rewrite(id="3", message_id=asked, text="**This** one."), is_own=True)
    before = evolve(plan_of(), tasks=(rewrite,))
    await hold.commit((await runner_of(harness).run(hold, before, is_final_plan=False)).plan, release=True)
    assert await harness.said() == ["This one."]
    said, reacted, edited = (await harness.transcript())[-3:]
    assert (said["text"], reacted["emojis"], reacted["message_id"]) == ("Which?", ["🎉"], harness.message_id)
    assert (edited["type"], edited["message_id"], edited["text"]) == ("edit", asked, "This one.")
    assert [entity["type"] for entity in edited["entities"]] == ["bold"]
    assert reacted["author"]["is_agent"]
    assert edited["author"]["is_agent"]


async def test_what_telegram_refused_is_not_in_the_transcript(harness: ChatHarness) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    await runner_of(harness).run(hold, plan_of(evolve(react(), message_id=999_999)), is_final_plan=False)
    assert [entry for entry in await hold.window() if entry.type == "reaction"] == []


class Post(Send):
    """A text that people outside the chat read as well."""

    traits: ClassVar[TaskTraits] = replace(Send.traits, stays_in_chat=False)


@pytest.mark.parametrize(("is_own", "saw_outside"), [(False, True), (False, False), (True, True)])
async def test_after_text_from_outside_nothing_reaches_beyond_the_chat(
    harness: ChatHarness, is_own: bool, saw_outside: bool
) -> None:
    await harness.writes("hi")
    hold = await claimed_session(harness)
    hold.note(ReadUpdates((harness.backend.offset - 1,)))
    post = PlannedTask(task=Post(id="1", text="Everybody, listen."), is_own=is_own, saw_outside=saw_outside)
    plan = evolve(plan_of(), tasks=(post,))
    plan = (await runner_of(harness).run(hold, plan, is_final_plan=False)).plan
    is_refused = saw_outside and not is_own
    assert await harness.said() == ([NOT_SENT] if is_refused else ["Everybody, listen."])
    assert task_of(plan, "1").state is (TaskState.FAILED if is_refused else TaskState.DONE)
