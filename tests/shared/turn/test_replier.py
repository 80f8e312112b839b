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
from shared.turn.replier import Replier, apology
from shared.turn.situation import ChatSituation
from shared.values.prompt_format import PromptFormat
from shared.values.wake import WakeReason
from tests.shared.examples import ANN, GROUP, ME, message_update, said, send, update_of, user, wait
from tests.shared.own_words import NO_PLAN, STOPPED
from tests.shared.turn.room import Room
from tests.stories.play import Json, until

CALL = ModelCall(model="m", prompt_tokens=7)
TO_ME = {"message_id": 99, "from": user(ME), "text": "?"}


def batch(in_group: bool = False) -> InboxBatch:
    where = {"chat": GROUP, "reply_to_message": TO_ME} if in_group else {}
    raws = [message_update(n, **where) for n in (4, 5)]  # type: ignore[arg-type]
    return read_batch([update_of(raw) for raw in raws], ChatSituation(me=OwnIdentity(ME.id, "lull_bot")))


@pytest.fixture
def replier(here: Room) -> Replier:
    return here.tick_services.agents["lull"].replier


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


async def test_the_model_sees_the_conversation_the_batch_and_whom_to_answer(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Hello."})
    await here.will_plan({"kind": "send", "text": "Bye."})
    await here.writes("hi")
    await here.rests()
    await here.writes("bye")
    await here.rests()
    prompt = (await here.asked())[1]
    assert prompt.index("hi") < prompt.index("Hello.") < prompt.index("bye") < prompt.index("Consider responding to")
    assert "a private chat" in prompt


async def test_a_model_that_is_not_offered_any_more_leaves_it_to_the_usual_one(here: Room) -> None:
    await here.will_plan({"kind": "send", "text": "Hello."}, times=None)
    await here.writes("/model scripted-lite")
    await here.rests()
    services = here.tick_services.agents["lull"]
    usual = {"scripted": services.replier.offered_models["scripted"]}
    left = replace(services, replier=replace(services.replier, offered_models=usual))
    here.tick_services = replace(here.tick_services, agents={"lull": left})
    await here.writes("hi")
    await here.rests()
    assert [call.model for call in (await here.plan()).calls] == ["scripted"]


async def test_the_answer_to_a_press_is_shown_as_it_is_written(here: Room) -> None:
    services = here.tick_services.agents["lull"]
    often = DraftSender(here.house.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    shown = replace(services, replier=replace(services.replier, drafting=often))
    here.tick_services = replace(here.tick_services, agents={"lull": shown})
    await here.will_plan({"kind": "send", "text": "Tea?", "choices": ["Yes"]})
    await here.writes("hi")
    await here.rests()
    text = "Once upon a time there was a lull in the storm, and everybody slept. " * 3
    await here.will_plan({"kind": "send", "text": text}, chunk_chars=6, hold=f"pressed-{here.person}")
    await here.presses((await here.messages())[-1], 0)
    answering = asyncio.create_task(here.rests())
    await until(partial(drafts, here), "the answer is seen while it is written")
    await here.model.go_on(f"pressed-{here.person}")
    await answering
    assert min(await draft_ids(here)) > 0


async def test_while_a_plan_waits_for_telegram_the_next_is_not_shown_as_it_is_written(here: Room) -> None:
    services = here.tick_services.agents["lull"]
    often = DraftSender(here.house.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    shown = replace(services, replier=replace(services.replier, drafting=often))
    here.tick_services = replace(here.tick_services, agents={"lull": shown})
    text = "Once upon a time there was a lull in the storm, and everybody slept. " * 3
    await here.will_plan({"kind": "send", "text": "One."})
    await here.will_plan({"kind": "send", "text": text}, chunk_chars=6, pause_s=0.01)
    await here.will_plan({"kind": "send", "text": text}, chunk_chars=6, hold=f"third-{here.person}")
    await here.fault(kind="429", method="sendMessage", retry_after=300, times=1)
    await here.writes("hi")
    await here.next_tick()
    await here.writes("and another thing")
    await here.rests()
    assert await drafts(here) == []
    await here.writes("and a third")
    third = asyncio.create_task(here.rests())
    await until(partial(drafts, here), "the third answer is seen while it is written")
    await here.model.go_on(f"third-{here.person}")
    await third
    assert len(await here.said()) == 2


async def test_after_a_stop_request_no_preview_goes_on_until_the_lease_is_due(here: Room) -> None:
    services = here.tick_services.agents["lull"]
    often = DraftSender(here.house.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    shown = replace(services, replier=replace(services.replier, drafting=often))
    here.tick_services = replace(here.tick_services, agents={"lull": shown}, lease=timedelta(hours=1))
    text = "Once upon a time there was a lull in the storm, and everybody slept. " * 3
    await here.will_plan({"kind": "send", "text": text}, chunk_chars=6, hold=f"never-{here.person}")
    await here.writes("hi")
    answer = asyncio.create_task(here.next_tick())
    await until(partial(drafts, here), "the answer is seen while it is written")
    await here.writes("/stop")
    await tick(here.tick_services, next(w for w in await here.queue.wakes() if w.reason is WakeReason.STOP))
    async with asyncio.timeout(20):
        await answer
    assert await here.said() == [STOPPED]


async def drafts(here: Room) -> list[str]:
    """Return the texts of the drafts in this chat."""
    return [params["text"] for params in await draft_calls(here)]


async def draft_ids(here: Room) -> list[int]:
    """Return the ids of the drafts in this chat."""
    return [int(params["draft_id"]) for params in await draft_calls(here)]


async def draft_calls(here: Room) -> list[Json]:
    """Return the bodies of the calls for drafts in this chat."""
    answer = await here.house.telegram.get("/world/calls", params={"method": "sendMessageDraft"})
    found = answer.raise_for_status().json()["calls"]
    return [c["params"] for c in found if str(c["params"]["chat_id"]) == str(here.key.chat_id)]


async def test_what_leaks_of_the_prompt_is_not_even_seen_while_it_is_written(here: Room) -> None:
    services = here.tick_services.agents["lull"]
    often = DraftSender(here.house.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    shown = replace(services, replier=replace(services.replier, drafting=often))
    here.tick_services = replace(here.tick_services, agents={"lull": shown})
    header = f"[meta] chat_id={here.key.chat_id} message_id=1 user_id={here.person}"
    text = f"Good morning, how are you today?\n{header}\nThis is what I wanted to say to you all the time."
    await here.will_plan({"kind": "send", "text": text}, chunk_chars=6, hold=f"end-{here.person}")

    async def is_seen() -> bool:
        return any("This is what I" in draft for draft in await drafts(here))

    await here.writes("hi")
    answer = asyncio.create_task(here.rests())
    await until(is_seen, "what comes after the header is seen")
    await here.model.go_on(f"end-{here.person}")
    await answer
    assert [draft for draft in await drafts(here) if "[" in draft or "_id" in draft] == []
    (said,) = await here.said()
    assert said.split("\n") == [
        "Good morning, how are you today?",
        "",
        "This is what I wanted to say to you all the time.",
    ]


async def test_whom_the_agent_answered_stands_in_the_transcript_and_in_the_next_prompt(group: Room) -> None:
    here = group
    await here.writes("lull, when is it?")
    asked = here.message_id
    await here.will_plan({"kind": "send", "text": "At seven.", "reply_to": asked})
    await here.will_plan({"kind": "send", "text": "Yes."})
    await here.rests()
    await here.writes("lull, are you sure?")
    await here.rests()
    answer = next(entry for entry in await here.transcript() if entry.get("text") == "At seven.")
    assert (answer["reply"]["message_id"], answer["reply"]["excerpt"]) == (asked, "lull, when is it?")
    assert f'"reply_to": {asked}' in (await here.asked())[1]


async def test_in_the_compact_format_no_task_names_a_message(group: Room) -> None:
    here = group
    services = here.tick_services.agents["lull"]
    short = replace(services, replier=replace(services.replier, format=PromptFormat.COMPACT))
    here.tick_services = replace(here.tick_services, agents={"lull": short})
    text = f"It is seven, {here.person}."
    await here.model.will_plan({"kind": "send", "text": text, "reply_to": 100_001}, match=f"what of {here.person}")
    await here.writes(f"lull, what of {here.person}?")
    await here.rests()
    (answer,) = [entry for entry in await here.transcript() if entry.get("text") == text]
    assert answer["reply"] is None
    (request,) = [str(e["request"]) for e in await here.model.asked(f"what of {here.person}")]
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
