"""The harness kills the right process and reports faults."""

from dataclasses import replace
from functools import partial

import psutil

from benchmarks.relay.ledger import Moment, Step
from tests.crash.lanes import Lane
from tests.crash.playing import Playhouse, Point, play
from tests.crash.queues import Queues
from tests.crash.stories import Story, reply, send, whole, writes
from tests.stories.play import Chat, Person, until


def hello(token: str) -> Story:
    """Return the shortest possible story."""
    answer = f"Hello, {token}."
    return Story(writes(f"I am {token}"), (reply(token, send(answer)),), (whole(answer),))


def workers(lane: Lane, function: str) -> set[int]:
    return {child.pid for child in psutil.Process(lane.cloud.pid(lane.parts[function].name)).children()}


async def test_a_kill_ends_the_processes_of_one_function_and_others_take_their_place(lane: Lane) -> None:
    ticks, webhooks = workers(lane, "tick"), workers(lane, "webhook")
    await lane.kill("tick")
    assert not any(map(psutil.pid_exists, ticks))
    assert workers(lane, "webhook") == webhooks
    await lane.refresh()
    assert workers(lane, "tick").isdisjoint(ticks)
    assert workers(lane, "webhook").isdisjoint(webhooks)


async def test_a_kill_at_the_call_itself_leaves_one_delivery_unknown(backend: Playhouse, lane: Lane) -> None:
    whole = await play(backend, lane, hello)
    assert (whole.verdict.faults, whole.struck) == ((), None)
    call = next(request for request in whole.requests if request.step.what == "Telegram sendMessage")
    for moment, arrived in ((Moment.BEFORE, 0), (Moment.AFTER, 1)):
        outcome = await play(backend, lane, hello, Point("hello", call.step, moment))
        # the number of requests before it varies
        assert outcome.struck is not None
        assert outcome.struck.step == call.step
        assert (outcome.verdict.faults, outcome.verdict.unknown, outcome.verdict.arrived) == ((), 1, arrived)


async def test_a_point_that_never_comes_is_told(backend: Playhouse, lane: Lane) -> None:
    outcome = await play(backend, lane, hello, Point("hello", Step("tick", "Firestore Commit nothing"), Moment.BEFORE))
    assert (outcome.struck, outcome.verdict.faults) == (None, ())


async def test_when_the_queue_loses_its_tasks_the_harness_says_what_is_lost_and_stuck(
    backend: Playhouse, lane: Lane
) -> None:
    def unheard(token: str) -> Story:
        async def tell(chat: Chat, person: Person, queues: Queues) -> list[int]:
            async with queues.ticks.paused():
                written = [await chat.writes(person, f"is anybody there, {token}?")]
                await until(partial(lane.is_delivered, backend.telegram), "the webhook has taken it")
                await queues.ticks.purge()
            return written

        return replace(hello(token), tell=tell)

    verdict = (await play(backend, lane, unheard)).verdict
    assert "1 updates are unread" in verdict.stuck
    assert [what.partition(" ")[0] for what in verdict.lost] == ["update", "the"]
    assert verdict.doubled == ()


async def test_an_answer_that_is_said_twice_is_told(backend: Playhouse, lane: Lane) -> None:
    def stammering(token: str) -> Story:
        text = f"Hello, {token}."
        return replace(hello(token), replies=(reply(token, send(text), send(text)),))

    outcome = await play(backend, lane, stammering)
    (fault,) = outcome.verdict.faults
    assert fault.endswith("was said 2 times")
    assert "tick: " in outcome.log
