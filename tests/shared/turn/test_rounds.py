"""Rounds: which messages are answered, what an interruption does, and what happens on failures."""

import json
import logging
from dataclasses import replace

import pytest

from shared.chat.conversation import FIRST_TITLE_TURN
from shared.chat.queue import TickQueue
from shared.tasks.plan import DeliveryState, Plan, TaskState
from shared.turn.quarantine import BATCH_UPDATES
from shared.values.incident import IncidentKind
from shared.values.update import Json
from shared.values.wake import WakeReason
from tests.shared.examples import SECOND, message_update
from tests.shared.fixtures import OpenHarness
from tests.shared.own_words import NO_MODEL, NO_PLAN, NOT_SENT, NOTHING_TO_STOP, STOPPED
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.scenes import TWO_SENDS, WITH_A_WAIT, assert_at_rest
from tests.shared.turn.watched import Killed

ONE_SEND = ({"kind": "send", "text": "Hello."},)


async def states(harness: ChatHarness) -> list[TaskState]:
    return [task.state for task in (await harness.plan()).tasks]


async def test_a_private_message_is_answered_and_both_are_in_the_transcript(harness: ChatHarness) -> None:
    await harness.will_plan(*ONE_SEND)
    update_ids = await harness.writes("hi")
    await harness.rests()
    await assert_at_rest(harness, update_ids)
    asked, said = await harness.transcript()
    assert (asked["text"], asked["decision"]["reason"]) == ("hi", "private chat")
    assert (said["text"], said["author"]["is_agent"], said["plan"]) == ("Hello.", True, (await harness.plan()).id)
    assert (await harness.plan()).answers == (asked["message_id"],)


async def test_in_a_group_only_a_mention_is_answered_and_the_rest_is_context(group: ChatHarness) -> None:
    await group.will_plan(*ONE_SEND)
    update_ids = await group.writes("what a day")
    update_ids += await group.writes(f"@house{group.backend.bot_id}_bot isn't it?")
    await group.rests()
    await assert_at_rest(group, update_ids)
    assert await group.said() == ["Hello."]
    assert "what a day" in (await group.asked())[0]
    reasons = [entry["decision"]["reason"] for entry in await group.transcript() if entry.get("decision")]
    assert reasons[-2:] == ["not addressed", "mentioned"]


@pytest.mark.parametrize("names_early", [True, False])
async def test_a_conversation_is_to_be_named_after_its_fifth_turn(harness: ChatHarness, names_early: bool) -> None:
    queue = TickQueue(harness.queue.erasing_jobs())
    services = replace(harness.tick_services.agents["lull"], names_early=names_early, queue=queue)
    harness.tick_services = replace(harness.tick_services, agents={"lull": services})
    await harness.will_plan(*ONE_SEND, times=None)
    for turn in range(1, FIRST_TITLE_TURN + 1):
        await harness.writes(f"message {turn}")
        while len(await harness.said()) < turn:
            assert await harness.next_tick() is not None
    jobs = [json.loads(task.http_request.body) for task in await harness.queue.tasks()]
    named = [{"job": "title", "conversation": (await harness.document()).conversation}]
    assert [one for one in jobs if one.get("job") == "title"] == (named if names_early else [])


async def test_a_plan_of_nothing_is_silence(harness: ChatHarness) -> None:
    await harness.will_plan()
    update_ids = await harness.writes("no need to answer")
    await harness.rests()
    await assert_at_rest(harness, update_ids)
    assert await harness.said() == []


async def test_what_is_written_between_two_sends_replaces_the_rest(harness: ChatHarness) -> None:
    await harness.will_plan(*TWO_SENDS)
    await harness.will_plan({"kind": "send", "text": "Three."})

    async def write() -> None:
        await harness.writes("wait")

    update_ids = await harness.writes("hi")
    harness.steps.at, harness.steps.happens = _place_of("after send"), write
    await harness.rests()
    assert await harness.said() == ["One.", "Three."]
    assert "send 'Two.'" in (await harness.asked())[1]
    await assert_at_rest(harness, [*update_ids, update_ids[0] + 1])


def _place_of(name: str) -> int:
    """Return the place of a step in the answer to one message."""
    names = ["before claim", "before commit", "after commit", "after reading", "after thinking", "after counting"]
    return [*names, "before commit", "after commit", "before send", "after send"].index(name)


async def test_while_the_model_thinks_a_new_message_is_taken_in_at_most_twice(harness: ChatHarness) -> None:
    await harness.will_plan(*ONE_SEND, times=None)
    written = list[int]()

    async def write() -> None:
        written.extend(await harness.writes("and another thing"))
        harness.steps.at, harness.steps.happens = len(harness.steps.taken) + 2, write if len(written) < 6 else None

    written += await harness.writes("hi")
    harness.steps.at, harness.steps.happens = _place_of("after thinking"), write
    await harness.rests()
    said_before = [prompt.count("Hello.") for prompt in await harness.asked()]
    assert said_before[:4] == [0, 0, 0, 1]
    await assert_at_rest(harness, written)


async def test_a_command_while_the_model_thinks_is_answered_by_the_same_tick(harness: ChatHarness) -> None:
    await harness.will_plan(*ONE_SEND)
    written = list[int]()

    async def ask() -> None:
        written.extend(await harness.writes("/whoami"))

    written += await harness.writes("hi")
    harness.steps.at, harness.steps.happens = _place_of("after thinking"), ask
    await harness.next_tick()
    said = await harness.said()
    assert (len(said), said[0]) == (2, "Hello.")
    await harness.rests()
    await assert_at_rest(harness, written)


async def test_every_call_of_the_model_is_counted_also_when_its_plan_was_not_used(harness: ChatHarness) -> None:
    await harness.will_plan(*ONE_SEND, times=None)

    async def write() -> None:
        await harness.writes("and another thing")

    await harness.writes("hi")
    harness.steps.at, harness.steps.happens = _place_of("after thinking"), write
    await harness.rests()
    assert ((await harness.plan()).replans, len((await harness.plan()).calls)) == (1, 2)


async def test_an_agent_that_types_is_not_held_up_for_ever_by_who_writes_on(slow: ChatHarness) -> None:
    await slow.will_plan(*ONE_SEND, times=None)
    written = list[int]()

    async def write() -> None:
        written.extend(await slow.writes("and another thing"))
        slow.steps.at, slow.steps.happens = len(slow.steps.taken), write if len(written) < 12 else None

    written += await slow.writes("hi")
    slow.steps.at, slow.steps.happens = _place_of("after thinking"), write
    await slow.rests()
    said = [prompt.count("Hello.") for prompt in await slow.asked()]
    assert said[:4] == [0, 0, 0, 1]
    await assert_at_rest(slow, written)


async def test_a_busy_group_does_not_keep_an_agent_that_types_from_answering(slow_group: ChatHarness) -> None:
    harness = slow_group
    await harness.will_plan(*ONE_SEND, times=None)
    written = await harness.writes("who is coming?", **{"from": harness.others[1]})
    theirs = harness.message_id

    async def chatter() -> None:
        written.extend(await harness.writes("so what", reply_to=theirs, **{"from": harness.others[0]}))
        harness.steps.at, harness.steps.happens = len(harness.steps.taken) + 1, chatter if len(written) < 20 else None

    written += await harness.writes(f"@house{harness.backend.bot_id}_bot hi")
    harness.steps.at, harness.steps.happens = _place_of("after thinking"), chatter
    await harness.next_tick()
    assert await harness.said() == ["Hello."]
    assert len(await harness.asked()) == 1
    await harness.rests()
    await assert_at_rest(harness, written)


async def test_a_wait_goes_on_in_a_tick_of_its_own(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("remind me")
    await harness.next_tick()
    assert await harness.said() == ["One."]
    (due,) = await harness.queue.wakes()
    assert (due.reason, (await harness.document()).due_at) == (WakeReason.DUE, due.at)
    assert due.at - harness.clock.now == 90 * SECOND
    harness.clock.now = due.at - SECOND
    await harness.rests()
    assert await harness.said() == ["One.", "Two."]
    await assert_at_rest(harness, update_ids)


async def _goes_on_soon(group: ChatHarness) -> None:
    """Assert that the person's next messages are read and answered, with everything before in the prompt."""
    await group.will_plan({"kind": "send", "text": "Yes."})
    group.clock.now += 50 * SECOND
    await group.writes("and with milk")
    (wake,) = await group.queue.wakes()
    assert (wake.reason, wake.at - group.clock.now) == (WakeReason.SOON, SECOND)
    await group.rests()
    assert (await group.said())[-1] == "Yes."
    assert "line 00" in (await group.asked())[-1]


async def _chatter(group: ChatHarness) -> None:
    """Send more than is shown to an agent that joins a talk."""
    for n in range(22):
        await group.writes(f"line {n:02}", **{"from": group.others[0]})
    await group.rests()


async def test_a_talk_goes_on_after_what_was_sent_late(group: ChatHarness) -> None:
    await _chatter(group)
    await group.will_plan({"kind": "wait", "seconds": 300}, {"kind": "send", "text": "Tea!"})
    await group.writes(f"@{group.backend.username} call me when it is tea")
    await group.rests()
    assert await group.said() == ["Tea!"]
    await _goes_on_soon(group)


async def test_a_talk_goes_on_after_a_command_was_answered(group: ChatHarness) -> None:
    await _chatter(group)
    await group.writes(f"/help@{group.backend.username}")
    await group.rests()
    assert len(await group.said()) == 1
    await _goes_on_soon(group)


async def test_a_message_during_a_wait_plans_anew_and_is_told_what_was_still_planned(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "wait", "seconds": 600}, {"kind": "send", "text": "Old."})
    await harness.will_plan({"kind": "send", "text": "New."}, {"kind": "revoke", "task_id": "k1"})
    update_ids = await harness.writes("remind me")
    await harness.next_tick()
    harness.clock.now += 60 * SECOND
    update_ids += await harness.writes("never mind")
    await harness.rests()
    assert await harness.said() == ["New."]
    told = (await harness.asked())[1]
    assert "k1: wait 539 seconds; k2: send" in told
    assert "Old." in told
    (event,) = (e for e in await harness.transcript() if e["type"] == "event")
    assert event["note"].endswith('was taken back: "Old."')
    await assert_at_rest(harness, update_ids)


async def test_an_edit_is_kept_and_starts_nothing(harness: ChatHarness) -> None:
    await harness.will_plan(*ONE_SEND)
    update_ids = await harness.writes("hi")
    await harness.rests()
    update_ids += await harness.writes("hi!", edit_of=harness.message_id)
    await harness.rests()
    assert len(await harness.asked()) == 1
    assert [entry["type"] for entry in await harness.transcript()] == ["message", "message", "edit"]
    await assert_at_rest(harness, update_ids)


async def test_an_update_of_any_number_is_read_once(harness: ChatHarness) -> None:
    await harness.will_plan(*ONE_SEND, times=None)
    for update_id in (0, 1):  # Telegram begins with "a certain positive number"; the webhook takes 0, too
        raw = message_update(update_id, f"line {update_id}", chat={"id": harness.key.chat_id, "type": "private"})
        await harness.take(raw)
    await harness.rests()
    await assert_at_rest(harness, [0, 1])


async def test_more_updates_than_one_batch_are_all_read(harness: ChatHarness) -> None:
    await harness.will_plan(*ONE_SEND, times=None)
    update_ids = list(range(1, BATCH_UPDATES + 31))
    for update_id in update_ids:
        raw = message_update(update_id, f"line {update_id}", chat={"id": harness.key.chat_id, "type": "private"})
        await harness.take(raw)
    await harness.rests()
    await assert_at_rest(harness, update_ids)
    assert "line 230" in (await harness.asked())[-1]


async def test_without_the_model_it_is_tried_again_and_then_the_person_is_told(harness: ChatHarness) -> None:
    await harness.model.will({"status": 500, "times": None, "match": f"chat_id={harness.key.chat_id} "})
    update_ids = await harness.writes("hi")
    first = await harness.next_tick()
    assert (await harness.document()).planning.model_failure.startswith("Gemini answered 500")
    assert first is not None
    ran = [first, *await harness.rests()]
    assert [wake.reason for wake in ran] == [WakeReason.SOON, *[WakeReason.RETRY] * 3]
    assert await harness.said() == [NO_MODEL]
    assert (await harness.document()).planning.model_failure == ""
    (call,) = (await harness.plan()).calls
    assert (call.model, call.prompt_tokens, call.problem) == ("scripted", 0, "Gemini answered 500 INTERNAL")
    await assert_at_rest(harness, update_ids)


def over_quota(quota: str, delay: str) -> Json:
    details = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay},
    ]
    return {"status": 429, "error": "You exceeded your current quota.", "error_details": details}


async def test_a_model_that_asks_to_be_left_alone_is_asked_again_then(harness: ChatHarness) -> None:
    before = len(await harness.asked())
    await harness.model.will({**over_quota("PerMinute", "590s"), "match": f"chat_id={harness.key.chat_id} "})
    await harness.will_plan(*ONE_SEND)
    await harness.writes("hi")
    await harness.next_tick()
    assert (len(await harness.asked()) - before, await harness.said()) == (1, [])
    asked_at = harness.clock.now
    assert [wake.reason for wake in await harness.rests()] == [WakeReason.RETRY]
    assert harness.clock.now - asked_at >= 589 * SECOND
    assert len(await harness.said()) == 1


async def test_a_quota_of_a_day_is_not_waited_for_but_told(harness: ChatHarness) -> None:
    before = len(await harness.asked())
    await harness.model.will({**over_quota("PerDay", "34s"), "times": None, "match": f"chat_id={harness.key.chat_id} "})
    await harness.writes("hi")
    await harness.rests()
    assert len(await harness.asked()) - before == 1
    assert len(await harness.said()) == 1


@pytest.mark.parametrize(
    ("answer", "apology"), [({"status": 500}, NO_MODEL), ({"text": "no plan at all"}, NO_PLAN)], ids=["away", "useless"]
)
async def test_without_the_model_what_was_planned_before_goes_on(
    harness: ChatHarness, answer: Json, apology: str
) -> None:
    await harness.will_plan(
        {"kind": "send", "text": "I will."}, {"kind": "wait", "seconds": 3600}, {"kind": "send", "text": "Tea!"}
    )
    await harness.writes("remind me of the tea in an hour")
    await harness.next_tick()
    await harness.model.will({**answer, "times": None, "match": f"chat_id={harness.key.chat_id} "})
    await harness.writes("thanks!")
    await harness.rests()
    assert await harness.said() == ["I will.", apology, "Tea!"]
    assert {task.state for task in (await harness.plan()).tasks} == {TaskState.DONE}
    said = [entry for entry in await harness.transcript() if entry["type"] == "message"]
    assert [entry["turn"] for entry in said] == [1, 1, 2, 2, 2], "it is the answer to what was said, and to no command"


async def test_without_the_model_what_is_due_is_not_late(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    (due,) = await harness.queue.wakes()
    harness.clock.now = due.at - 3 * SECOND
    await harness.model.will({"status": 500, "times": None, "match": f"chat_id={harness.key.chat_id} "})
    update_ids += await harness.writes("thanks")
    while len(await harness.said()) < 2:
        await harness.next_tick()
    assert harness.clock.now == due.at
    assert await harness.backend.chats.unread_count(harness.key) == 1
    await harness.rests()
    assert await harness.said() == ["One.", "Two.", NO_MODEL]
    await assert_at_rest(harness, update_ids)


async def test_without_the_model_a_stop_request_is_heeded_all_the_same(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT, {"kind": "send", "text": "Three."})
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    (due,) = await harness.queue.wakes()
    harness.clock.now = due.at
    await harness.model.will({"status": 500, "times": None, "match": f"chat_id={harness.key.chat_id} "})
    update_ids += await harness.writes("thanks")

    async def stop() -> None:
        update_ids.extend(await harness.writes("/stop"))

    before = len(harness.steps.taken)
    sending = ["before claim", "before commit", "after commit", "after reading", "before commit", "after commit"]
    harness.steps.at, harness.steps.happens = before + len([*sending, "before send"]), stop
    await harness.next_tick()
    assert harness.steps.taken[before:][: len(sending) + 2] == [*sending, "before send", "after send"]
    await harness.rests()
    assert await harness.said() == ["One.", "Two.", STOPPED]
    await assert_at_rest(harness, update_ids)


async def test_who_waits_for_an_answer_that_was_not_taken_is_answered_with_the_next(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Late."})
    await harness.fault(kind="500", method="sendMessage", times=1)
    await harness.writes("first question")
    first = harness.message_id
    await harness.next_tick()
    await harness.will_plan({"kind": "send", "text": "Both."})
    await harness.writes("second question")
    await harness.rests()
    assert (await harness.plan()).answers == (first, harness.message_id)
    assert await harness.said() == ["Both."]


async def test_when_the_model_comes_back_the_message_is_answered(harness: ChatHarness) -> None:
    await harness.model.will({"status": 500, "match": f"chat_id={harness.key.chat_id} "})
    await harness.will_plan(*ONE_SEND)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    assert (await harness.document()).claim.lease is None
    assert await harness.backend.chats.unread_count(harness.key) == 1
    await harness.rests()
    assert await harness.said() == ["Hello."]
    await assert_at_rest(harness, update_ids)


@pytest.mark.parametrize(
    "answer", [{"text": "no plan at all"}, {"text": ""}, {"text": "{", "finish_reason": "MAX_TOKENS"}]
)
async def test_a_reply_that_cannot_be_used_costs_one_honest_sentence(harness: ChatHarness, answer: Json) -> None:
    await harness.model.will({**answer, "times": None, "match": f"chat_id={harness.key.chat_id} "})
    update_ids = await harness.writes("hi")
    await harness.rests()
    assert await harness.said() == [NO_PLAN]
    assert len((await harness.plan()).calls) == 3
    await assert_at_rest(harness, update_ids)


async def test_a_flood_wait_is_waited_out_and_costs_no_try(harness: ChatHarness) -> None:
    await harness.will_plan(*TWO_SENDS)
    await harness.fault(kind="429", method="sendMessage", retry_after=30, times=1)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    (due,) = await harness.queue.wakes()
    assert due.at - harness.clock.now == 30 * SECOND
    assert (await harness.plan()).tasks[0].tries == 0
    await harness.rests()
    assert await harness.said() == ["One.", "Two."]
    assert await harness.incidents() == []
    await assert_at_rest(harness, update_ids)


async def test_a_server_that_fails_is_tried_again_and_then_the_plan_is_given_up(harness: ChatHarness) -> None:
    await harness.will_plan(*TWO_SENDS)
    await harness.fault(kind="500", method="sendMessage", times=3)
    update_ids = await harness.writes("hi")
    ran = await harness.rests()
    assert [wake.reason for wake in ran] == [WakeReason.SOON, WakeReason.DUE, WakeReason.DUE]
    assert await harness.said() == [NOT_SENT]
    assert await states(harness) == [TaskState.FAILED, TaskState.CANCELLED, TaskState.DONE]
    assert [incident.kind for incident in await harness.incidents()] == [IncidentKind.DROPPED_PLAN]
    notes = [entry["note"] for entry in await harness.transcript() if entry["type"] == "event"]
    assert notes == [f"the answer to message {harness.message_id} could not be sent"]
    await assert_at_rest(harness, update_ids)


async def test_the_apology_outlasts_what_it_apologises_for(harness: ChatHarness) -> None:
    await harness.will_plan(*TWO_SENDS)
    await harness.fault(kind="500", method="sendMessage", times=5)
    update_ids = await harness.writes("hi")
    await harness.rests()
    assert await harness.said() == [NOT_SENT]
    await assert_at_rest(harness, update_ids)


async def test_an_answer_that_was_cut_off_is_never_sent_again(harness: ChatHarness) -> None:
    await harness.will_plan(*TWO_SENDS)
    await harness.fault(kind="cut_after", method="sendMessage", times=1)
    update_ids = await harness.writes("hi")
    await harness.rests()
    assert await harness.said() == ["One.", "Two."]
    assert [task.deliveries[0].state for task in (await harness.plan()).tasks] == [
        DeliveryState.UNKNOWN,
        DeliveryState.CONFIRMED,
    ]
    assert [incident.kind for incident in await harness.incidents()] == [IncidentKind.UNKNOWN_DELIVERY]
    await assert_at_rest(harness, update_ids)


@pytest.mark.parametrize("is_killed", [True, False], ids=["the tick died", "the answer was cut off"])
async def test_the_next_plan_is_told_what_may_have_arrived(harness: ChatHarness, *, is_killed: bool) -> None:
    async def die() -> None:
        raise Killed

    text = "The table is booked for eight."
    await harness.will_plan({"kind": "send", "text": text})
    if is_killed:
        harness.steps.at, harness.steps.happens = _place_of("after send"), die
    else:
        await harness.fault(kind="cut_after", method="sendMessage", times=1)
    update_ids = await harness.writes("book a table")
    await harness.rests()
    assert await harness.said() == [text]
    await harness.will_plan({"kind": "send", "text": "It may be."})
    update_ids += await harness.writes("is it done?")
    await harness.rests()
    told = f'a message of yours may or may not have arrived: "{text}"'
    asked, doubt, again, said = await harness.transcript()
    assert (doubt["type"], doubt["kind"], doubt["note"]) == ("event", "unknown_delivery", told)
    prompt = (await harness.asked())[-1]
    assert prompt.index("book a table") < prompt.index(told.replace('"', '\\"')[:40]) < prompt.rindex("is it done?")
    assert [asked["text"], again["text"], said["text"]] == ["book a table", "is it done?", "It may be."]
    assert [incident.kind for incident in await harness.incidents()] == [IncidentKind.UNKNOWN_DELIVERY]
    await assert_at_rest(harness, update_ids)


async def test_who_blocked_the_agent_ends_its_plan(harness: ChatHarness) -> None:
    await harness.will_plan(*TWO_SENDS)
    update_ids = await harness.writes("hi")
    (
        await harness.backend.telegram.post(f"/world/chats/{harness.chat}/block", json={"blocked": True})
    ).raise_for_status()
    await harness.rests()
    assert await harness.said() == []
    assert await states(harness) == [TaskState.FAILED, TaskState.CANCELLED]
    update_ids += await harness.arrive()
    await harness.rests()
    await assert_at_rest(harness, update_ids)


async def test_a_quote_of_a_message_that_is_gone_is_left_out(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "Hello.", "reply_to": 4711})
    update_ids = await harness.writes("hi")
    await harness.rests()
    assert await harness.said() == ["Hello."]
    await assert_at_rest(harness, update_ids)


async def test_a_text_of_many_parts_resumes_at_the_part_that_failed(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "\n\n".join(f"{n} " + "x" * 3000 for n in range(3))})
    update_ids = await harness.writes("hi")

    async def fail() -> None:
        await harness.fault(kind="502", method="sendMessage", times=1)

    harness.steps.at, harness.steps.happens = _place_of("after send"), fail
    await harness.rests()
    assert [text[:1] for text in await harness.said()] == ["0", "1", "2"]
    await assert_at_rest(harness, update_ids)


async def test_an_edit_of_what_is_not_answered_yet_plans_anew_once(slow: ChatHarness) -> None:
    await slow.will_plan({"kind": "send", "text": "To the first."})
    await slow.will_plan({"kind": "send", "text": "To the second."}, times=None)
    edits = list[int]()

    async def edit() -> None:
        edits.extend(await slow.writes("the second question", edit_of=slow.message_id))

    update_ids = await slow.writes("the first question")
    slow.steps.at, slow.steps.happens = _place_of("after thinking"), edit
    await slow.rests()
    assert await slow.said() == ["To the second."]
    assert len(await slow.asked()) == 2
    assert "the second question" in (await slow.asked())[1]
    assert [e["text"] for e in await slow.transcript()][:2] == ["the first question", "the second question"]
    await assert_at_rest(slow, update_ids + edits)


async def test_an_edit_while_the_answer_waits_to_be_sent_plans_anew(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "wait", "seconds": 60}, {"kind": "send", "text": "To the first."})
    await harness.will_plan({"kind": "send", "text": "To the second."})
    update_ids = await harness.writes("the first question")
    await harness.next_tick()
    update_ids += await harness.writes("the second question", edit_of=harness.message_id)
    await harness.rests()
    assert await harness.said() == ["To the second."]
    assert (await harness.plan()).answers == (harness.message_id,)
    past = await harness.backend.chats.client.collection(f"plans/{harness.key.id}/past").get()
    (old,) = (Plan.model_validate(snapshot.to_dict()) for snapshot in past)
    assert old.replaced_by == (await harness.plan()).id
    assert [(t.state, t.why) for t in old.tasks] == [(TaskState.CANCELLED, f"replaced by plan {old.replaced_by}")] * 2
    await assert_at_rest(harness, update_ids)


async def test_an_edit_that_adds_the_mention_is_answered(group: ChatHarness, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "lull")
    await group.will_plan(*ONE_SEND)
    update_ids = await group.writes("hi")
    await group.rests()
    assert await group.said() == []
    update_ids += await group.writes(f"@{group.backend.username} hi", edit_of=group.message_id)
    await group.rests()
    assert await group.said() == ["Hello."]
    told = [vars(record)["fields"] for record in caplog.records if record.getMessage() == "decided"]
    assert [(fields["entry"], fields["respond"]) for fields in told] == [("message", False), ("edit", True)]
    update_ids += await group.writes(f"@{group.backend.username} hi!", edit_of=group.message_id)
    await group.rests()
    assert await group.said() == ["Hello."]
    await assert_at_rest(group, update_ids)


async def test_the_edit_of_a_command_never_runs_it_again(harness: ChatHarness) -> None:
    update_ids = await harness.writes("/stop")
    await harness.rests()
    update_ids += await harness.writes("/stop now", edit_of=harness.message_id)
    await harness.rests()
    assert await harness.said() == [NOTHING_TO_STOP]
    await assert_at_rest(harness, update_ids)


async def test_an_album_that_comes_in_pieces_is_one_message_and_answered_once(harness: ChatHarness) -> None:
    await harness.will_plan(*ONE_SEND, times=None)
    update_ids = list[int]()
    for n in range(3):
        chat = {"id": harness.key.chat_id, "type": "private"}
        await harness.take(message_update(700 + n, "", chat=chat, media_group_id="a", photo=[{"file_id": f"f{n}"}]))
        update_ids.append(700 + n)
        await harness.rests()
    assert await harness.said() == ["Hello."]
    assert (await harness.transcript())[0]["album_id"] == "a"
    await assert_at_rest(harness, update_ids)


async def test_an_album_that_grows_before_its_answer_left_plans_anew(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "wait", "seconds": 60}, {"kind": "send", "text": "One picture."})
    await harness.will_plan({"kind": "send", "text": "Two pictures."})
    chat = {"id": harness.key.chat_id, "type": "private"}
    for n in range(2):
        await harness.take(message_update(700 + n, "", chat=chat, media_group_id="a", photo=[{"file_id": f"f{n}"}]))
        await harness.next_tick()
    await harness.rests()
    assert await harness.said() == ["Two pictures."]
    await assert_at_rest(harness, [700, 701])


async def test_who_blocks_the_agent_ends_its_waiting_plan_without_a_try(harness: ChatHarness) -> None:
    await harness.will_plan(*WITH_A_WAIT)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    (
        await harness.backend.telegram.post(f"/world/chats/{harness.chat}/block", json={"blocked": True})
    ).raise_for_status()
    update_ids += await harness.arrive()
    ran = await harness.rests()
    assert ran[0].reason is WakeReason.NOW
    assert await harness.said() == ["One."]
    assert await states(harness) == [TaskState.DONE, TaskState.CANCELLED, TaskState.CANCELLED]
    assert await harness.incidents() == []
    await assert_at_rest(harness, update_ids)


@pytest.mark.parametrize(("text", "last"), [("are you there?", "I am."), ("/help", "Hello.")])
async def test_what_is_written_during_a_flood_wait_is_answered_after_it(
    harness: ChatHarness, text: str, last: str
) -> None:
    await harness.will_plan(*ONE_SEND)
    await harness.will_plan({"kind": "send", "text": "I am."})
    await harness.fault(kind="429", method="sendMessage", retry_after=3600, times=1)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    end = harness.clock.now + 3600 * SECOND
    update_ids += await harness.writes(text)
    while (await harness.queue.wakes())[0].at < end:
        await harness.next_tick()
    assert await harness.said() == []
    await harness.rests()
    assert harness.clock.now >= end
    assert (await harness.said())[-1] == last
    await assert_at_rest(harness, update_ids)


async def test_a_task_that_depends_on_nothing_waits_with_its_chat(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "One."}, {"kind": "send", "text": "Two.", "depends_on": []})
    await harness.fault(kind="429", method="sendMessage", retry_after=3600, times=1)
    update_ids = await harness.writes("hi")
    await harness.next_tick()
    assert await harness.said() == []
    await harness.rests()
    assert await harness.said() == ["One.", "Two."]
    await assert_at_rest(harness, update_ids)


async def test_while_two_chats_are_told_to_wait_no_other_is_written_to(open_harness: OpenHarness) -> None:
    one, two, three = await open_harness(bot="told"), await open_harness(bot="told"), await open_harness(bot="told")
    for harness in (one, two):
        await harness.will_plan(*ONE_SEND)
        await harness.fault(kind="429", method="sendMessage", retry_after=30, times=1)
        await harness.writes("hi")
        await harness.next_tick()
        assert await harness.said() == []
    await three.will_plan(*ONE_SEND)
    await three.writes("hi")
    await three.next_tick()
    assert await three.said() == []
    (due,) = await three.queue.wakes()
    assert due.at > three.clock.now + 20 * SECOND
    assert (await three.plan()).tasks[0].tries == 0
    for harness in (one, two, three):
        await harness.rests()
        assert await harness.said() == ["Hello."]


async def test_a_new_plan_knows_what_was_sent_and_answers_who_was_waiting(harness: ChatHarness) -> None:
    await harness.will_plan(*TWO_SENDS)
    await harness.will_plan({"kind": "send", "text": "Three."})
    written = list[int]()

    async def write() -> None:
        written.extend(await harness.writes("stop, something else"))

    written += await harness.writes("hi")
    harness.steps.at, harness.steps.happens = _place_of("after send"), write
    await harness.rests()
    prompt = (await harness.asked())[1]
    assert "One." in prompt
    assert prompt.count("Two.") == 1
    assert "replaced by your new plan" in prompt
