"""From a draft to a plan, or to one honest sentence."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from shared.base.logs import about
from shared.base.model_call import ModelCall
from shared.chat.flood import DraftPace
from shared.deciding.circumstances import OwnIdentity
from shared.planning.planner import PlanResult
from shared.planning.preview import DraftSender
from shared.tasks.plan import TaskState
from shared.tasks.send import Send
from shared.turn.batch import InboxBatch, read_batch
from shared.turn.jobs.tick import tick
from shared.turn.replier import Replier
from shared.turn.situation import ChatSituation
from shared.turn.talk import apology
from shared.values.prompt_format import PromptFormat
from shared.values.wake import WakeReason
from tests.shared.examples import ANN, GROUP, ME, message_update, said, send, update_of, user, wait
from tests.shared.own_words import NO_PLAN, STOPPED
from tests.shared.turn.harness import ChatHarness
from tests.stories.play import Json, until

CALL = ModelCall(model="m", prompt_tokens=7)
TO_ME = {"message_id": 99, "from": user(ME), "text": "?"}


def batch(in_group: bool = False) -> InboxBatch:
    where = {"chat": GROUP, "reply_to_message": TO_ME} if in_group else {}
    raws = [message_update(n, **where) for n in (4, 5)]  # type: ignore[arg-type]
    return read_batch([update_of(raw) for raw in raws], ChatSituation(me=OwnIdentity(ME.id, "lull_bot")))


@pytest.fixture
def replier(harness: ChatHarness) -> Replier:
    return harness.tick_services.agents["lull"].replier


def test_a_plan_keeps_what_it_answers_and_what_it_took(replier: Replier) -> None:
    result = PlanResult(tasks=(send(), wait(after=("1",))), notes=("Task 3 was left out.",), calls=(CALL,))
    with about(trace="t1"):
        plan = replier.plan(result, batch())
    assert [task.task for task in plan.tasks] == [send(), wait(after=("1",))]
    assert {task.state for task in plan.tasks} == {TaskState.PLANNED}
    assert (plan.answers, plan.notes, plan.calls) == ((4, 5), ("Task 3 was left out.",), (CALL,))
    assert (plan.created_at, plan.trace, plan.replans) == (replier.clock(), "t1", 0)
    assert plan.id != replier.plan(result, batch()).id


def test_a_failed_plan_has_no_task_and_says_why(replier: Replier) -> None:
    plan = replier.plan(PlanResult(calls=(CALL,), failure="blocked"), batch())
    assert (plan.tasks, plan.notes) == ((), ("blocked",))


@pytest.mark.parametrize(("in_group", "reply_to"), [(False, None), (True, 5)])
def test_an_apology_is_to_whoever_waits(in_group: bool, reply_to: int | None) -> None:
    assert apology(batch(in_group), NO_PLAN) == (Send(id="1", text=NO_PLAN, reply_to=reply_to),)


def test_an_apology_to_nobody_quotes_nobody() -> None:
    nobody = read_batch([update_of({"update_id": 1, "poll": {}})], ChatSituation(me=OwnIdentity(ME.id, "lull_bot")))
    assert apology(nobody, NO_PLAN) == (Send(id="1", text=NO_PLAN),)


async def test_the_model_sees_the_conversation_the_batch_and_whom_to_answer(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Hello."})
    await harness.will_plan({"kind": "send", "text": "Bye."})
    await harness.writes("hi")
    await harness.rests()
    await harness.writes("bye")
    await harness.rests()
    prompt = (await harness.asked())[1]
    assert prompt.index("hi") < prompt.index("Hello.") < prompt.index("bye") < prompt.index("Consider responding to")
    assert "a private chat" in prompt


async def test_a_model_that_is_not_offered_any_more_leaves_it_to_the_usual_one(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Hello."}, times=None)
    await harness.writes("/model scripted-lite")
    await harness.rests()
    services = harness.tick_services.agents["lull"]
    usual = {"scripted": services.replier.offered_models["scripted"]}
    left = replace(services, replier=replace(services.replier, offered_models=usual))
    harness.tick_services = replace(harness.tick_services, agents={"lull": left})
    await harness.writes("hi")
    await harness.rests()
    assert [call.model for call in (await harness.plan()).calls] == ["scripted"]


async def test_the_answer_to_a_press_is_shown_as_it_is_written(harness: ChatHarness) -> None:
    services = harness.tick_services.agents["lull"]
    often = DraftSender(harness.backend.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    shown = replace(services, replier=replace(services.replier, drafting=often))
    harness.tick_services = replace(harness.tick_services, agents={"lull": shown})
    await harness.will_plan({"kind": "send", "text": "Tea?", "choices": ["Yes"]})
    await harness.writes("hi")
    await harness.rests()
    text = "Once upon a time there was a lull in the storm, and everybody slept. " * 3
    await harness.will_plan({"kind": "send", "text": text}, chunk_chars=6, hold=f"pressed-{harness.person}")
    await harness.presses((await harness.messages())[-1], 0)
    answering = asyncio.create_task(harness.rests())
    await until(partial(drafts, harness), "the answer is seen while it is written")
    await harness.model.go_on(f"pressed-{harness.person}")
    await answering
    assert min(await draft_ids(harness)) > 0


async def test_while_a_plan_waits_for_telegram_the_next_is_not_shown_as_it_is_written(harness: ChatHarness) -> None:
    services = harness.tick_services.agents["lull"]
    often = DraftSender(harness.backend.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    shown = replace(services, replier=replace(services.replier, drafting=often))
    harness.tick_services = replace(harness.tick_services, agents={"lull": shown})
    text = "Once upon a time there was a lull in the storm, and everybody slept. " * 3
    await harness.will_plan({"kind": "send", "text": "One."})
    await harness.will_plan({"kind": "send", "text": text}, chunk_chars=6, pause_s=0.01)
    await harness.will_plan({"kind": "send", "text": text}, chunk_chars=6, hold=f"third-{harness.person}")
    await harness.fault(kind="429", method="sendMessage", retry_after=300, times=1)
    await harness.writes("hi")
    await harness.next_tick()
    await harness.writes("and another thing")
    await harness.rests()
    assert await drafts(harness) == []
    await harness.writes("and a third")
    third = asyncio.create_task(harness.rests())
    await until(partial(drafts, harness), "the third answer is seen while it is written")
    await harness.model.go_on(f"third-{harness.person}")
    await third
    assert len(await harness.said()) == 2


async def test_after_a_stop_request_no_preview_goes_on_until_the_lease_is_due(harness: ChatHarness) -> None:
    services = harness.tick_services.agents["lull"]
    often = DraftSender(harness.backend.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    shown = replace(services, replier=replace(services.replier, drafting=often))
    harness.tick_services = replace(harness.tick_services, agents={"lull": shown}, lease=timedelta(hours=1))
    text = "Once upon a time there was a lull in the storm, and everybody slept. " * 3
    await harness.will_plan({"kind": "send", "text": text}, chunk_chars=6, hold=f"never-{harness.person}")
    await harness.writes("hi")
    answer = asyncio.create_task(harness.next_tick())
    await until(partial(drafts, harness), "the answer is seen while it is written")
    await harness.writes("/stop")
    await tick(harness.tick_services, next(w for w in await harness.queue.wakes() if w.reason is WakeReason.STOP))
    async with asyncio.timeout(20):
        await answer
    assert await harness.said() == [STOPPED]


async def drafts(harness: ChatHarness) -> list[str]:
    """Return the texts of the drafts in this chat."""
    return [params["text"] for params in await draft_calls(harness)]


async def draft_ids(harness: ChatHarness) -> list[int]:
    """Return the ids of the drafts in this chat."""
    return [int(params["draft_id"]) for params in await draft_calls(harness)]


async def draft_calls(harness: ChatHarness) -> list[Json]:
    """Return the bodies of the calls for drafts in this chat."""
    answer = await harness.backend.telegram.get("/world/calls", params={"method": "sendMessageDraft"})
    found = answer.raise_for_status().json()["calls"]
    return [c["params"] for c in found if str(c["params"]["chat_id"]) == str(harness.key.chat_id)]


async def test_what_leaks_of_the_prompt_is_not_even_seen_while_it_is_written(harness: ChatHarness) -> None:
    services = harness.tick_services.agents["lull"]
    often = DraftSender(harness.backend.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    shown = replace(services, replier=replace(services.replier, drafting=often))
    harness.tick_services = replace(harness.tick_services, agents={"lull": shown})
    header = f"[meta] chat_id={harness.key.chat_id} message_id=1 user_id={harness.person}"
    text = f"Good morning, how are you today?\n{header}\nThis is what I wanted to say to you all the time."
    await harness.will_plan({"kind": "send", "text": text}, chunk_chars=6, hold=f"end-{harness.person}")

    async def is_seen() -> bool:
        return any("This is what I" in draft for draft in await drafts(harness))

    await harness.writes("hi")
    answer = asyncio.create_task(harness.rests())
    await until(is_seen, "what comes after the header is seen")
    await harness.model.go_on(f"end-{harness.person}")
    await answer
    assert [draft for draft in await drafts(harness) if "[" in draft or "_id" in draft] == []
    (said,) = await harness.said()
    assert said.split("\n") == [
        "Good morning, how are you today?",
        "",
        "This is what I wanted to say to you all the time.",
    ]


async def test_whom_the_agent_answered_stands_in_the_transcript_and_in_the_next_prompt(group: ChatHarness) -> None:
    harness = group
    await harness.writes("lull, when is it?")
    asked = harness.message_id
    await harness.will_plan({"kind": "send", "text": "At seven.", "reply_to": asked})
    await harness.will_plan({"kind": "send", "text": "Yes."})
    await harness.rests()
    await harness.writes("lull, are you sure?")
    await harness.rests()
    answer = next(entry for entry in await harness.transcript() if entry.get("text") == "At seven.")
    assert (answer["reply"]["message_id"], answer["reply"]["excerpt"]) == (asked, "lull, when is it?")
    assert f'"reply_to": {asked}' in (await harness.asked())[1]


async def test_in_the_compact_format_no_task_names_a_message(group: ChatHarness) -> None:
    harness = group
    services = harness.tick_services.agents["lull"]
    short = replace(services, replier=replace(services.replier, format=PromptFormat.COMPACT))
    harness.tick_services = replace(harness.tick_services, agents={"lull": short})
    text = f"It is seven, {harness.person}."
    await harness.model.will_plan(
        {"kind": "send", "text": text, "reply_to": 100_001}, match=f"what of {harness.person}"
    )
    await harness.writes(f"lull, what of {harness.person}?")
    await harness.rests()
    (answer,) = [entry for entry in await harness.transcript() if entry.get("text") == text]
    assert answer["reply"] is None
    (request,) = [str(e["request"]) for e in await harness.model.asked(f"what of {harness.person}")]
    assert "reply_to" not in request.replace("Give `reply_to` only", "")
    assert "message_id" not in request


def test_an_answer_to_a_comment_goes_below_the_post(replier: Replier) -> None:
    where = {"chat": GROUP, "reply_to_message": TO_ME}
    comment = message_update(6, **where, message_thread_id=40)  # type: ignore[arg-type]
    read = read_batch([update_of(comment)], ChatSituation(me=OwnIdentity(ME.id, "lull_bot")))
    plan = replier.plan(PlanResult(tasks=(wait("1"), send("2"), send("3"))), read)
    assert plan.thread == 40
    assert [getattr(task.task, "reply_to", None) for task in plan.tasks] == [None, 6, None]
    known = read_batch(
        [update_of(comment)], ChatSituation(me=OwnIdentity(ME.id, "lull_bot"), window=[said("x", ANN, 40)])
    )
    assert replier.plan(PlanResult(tasks=(send("1"),)), known).thread == 0, "a thread of replies in the group"
