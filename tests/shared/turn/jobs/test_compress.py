"""The older part of a long conversation is summarized, over the real servers."""

import json
import re
from dataclasses import replace
from typing import Any, cast

import pytest

from shared.chat.store.conversations import CompressionSnapshot, FirestoreCompressions
from shared.llm.metering import MeteredModels
from shared.turn.jobs.compress import MOST_BATCHES
from shared.turn.jobs.tick import tick
from shared.values.usage import Purpose
from shared.values.wake import Wake, WakeReason
from tests.shared.spending.values import PastTheirs
from tests.shared.turn.harness import ChatHarness, make_harness
from tests.shared.turn.watched import Killed

ASKED = "Write the record now."
SUMMARY = "Guest talked about the first days."
#: the window of a room holds fifty entries
MANY = 48
#: and as many of these are more than one tick summarises
NIGHTS = 150


@pytest.fixture
async def long(shared_backend: Any, paused_queue: Any, script: Any) -> ChatHarness:
    """Make a private chat whose window is nearly full; its agent summarizes."""
    harness = await make_harness(shared_backend, paused_queue, script, compresses=True)
    await harness.will_plan({"kind": "send", "text": "I listen."})
    for number in range(MANY):
        await harness.writes(f"day {number} was fine")
    await harness.rests()
    assert await harness.said() == ["I listen."]
    return harness


@pytest.fixture
async def behind(shared_backend: Any, paused_queue: Any, script: Any) -> ChatHarness:
    """Make a group that talked for three windows before it asks the agent, which summarizes."""
    harness = await make_harness(shared_backend, paused_queue, script, compresses=True, people=1)
    for number in range(1, NIGHTS + 1):
        await harness.writes(f"night {number} was long {'x' * 1_900}")
        if number % 30 == 0:
            await harness.rests()
    await harness.will_plan({"kind": "send", "text": "I listen."})
    await harness.writes("lull, are you there?")
    while (await harness.queue.wakes())[0].reason is not WakeReason.COMPRESS:
        await harness.next_tick()
    assert await harness.said() == ["I listen."]
    return harness


def nights(requests: list[Any]) -> list[int]:
    """List the nights in the requests, in order."""
    said = "\n".join(str(exchange["request"]["contents"]) for exchange in requests)
    return [int(number) for number in re.findall(r"night (\d+) was long", said)]


async def summarises(harness: ChatHarness, **reply: Any) -> None:
    await harness.model.will({"text": json.dumps({"summary": SUMMARY}), "match": ASKED, **reply})


async def says(harness: ChatHarness, text: str) -> list[Wake]:
    """Write as the person, let the agent answer, and return the wakes of the ticks."""
    await harness.will_plan({"kind": "send", "text": f"So, {text}."})
    await harness.writes(text)
    return await harness.rests()


async def kept(harness: ChatHarness) -> CompressionSnapshot:
    store = FirestoreCompressions(harness.backend.chats.client)
    return await store.read((await harness.document()).conversation)


def reasons(wakes: list[Wake]) -> list[WakeReason]:
    return [wake.reason for wake in wakes]


async def test_what_is_older_is_summarised_after_an_answer_and_shown_from_then_on(long: ChatHarness) -> None:
    await summarises(long)
    assert reasons(await says(long, "what now"))[-1] is WakeReason.COMPRESS
    before = await long.transcript()
    found = (await kept(long)).summary
    assert found is not None
    assert found.text == SUMMARY
    assert 10 < found.up_to_seq < MANY
    await says(long, "and then")
    shown = (await long.asked())[-1]
    assert SUMMARY in shown
    assert f"day {found.up_to_seq - 1} was fine" not in shown
    assert f"day {found.up_to_seq} was fine" in shown
    assert (await long.transcript())[: len(before)] == before
    assert [e["text"] for e in before[:MANY]] == [f"day {n} was fine" for n in range(MANY)]
    assert (await long.document()).claim.lease is None


async def test_what_was_summarised_is_not_summarised_again_at_once(long: ChatHarness) -> None:
    await summarises(long)
    before = len(await long.model.asked(ASKED))
    await says(long, "what now")
    assert WakeReason.COMPRESS not in reasons(await says(long, "and then"))
    assert len(await long.model.asked(ASKED)) == before + 1


async def test_a_model_out_of_reach_holds_nobody_up(long: ChatHarness) -> None:
    await long.model.will({"status": 503, "times": None, "match": ASKED})
    wakes = await says(long, "what now")
    assert reasons(wakes).count(WakeReason.COMPRESS) == long.tick_services.agents["lull"].budgets.model.tries
    assert (await long.said())[-1] == "So, what now."
    assert (await kept(long)).summary is None
    assert WakeReason.COMPRESS not in reasons(await says(long, "and then"))  # not within the hour
    assert "day 47 was fine" in (await long.asked())[-1]


@pytest.mark.parametrize("reply", ["", "{}", '{"summary": "  "}', '{"summary": 7}'])
async def test_a_reply_that_is_no_summary_is_none(long: ChatHarness, reply: str) -> None:
    await summarises(long, text=reply)
    await says(long, "what now")
    assert (await kept(long)).summary is None


async def test_a_tick_that_dies_while_it_summarises_is_run_again(long: ChatHarness) -> None:
    async def die() -> None:
        raise Killed

    before = len(await long.model.asked(ASKED))
    await summarises(long, times=2)
    await long.will_plan({"kind": "send", "text": "So."})
    await long.writes("what now")
    while (await long.queue.wakes())[0].reason is not WakeReason.COMPRESS:
        await long.next_tick()
    long.steps.at, long.steps.happens = len(long.steps.taken), die  # the next step: the model has answered
    await long.rests()
    found = (await kept(long)).summary
    assert found is not None
    assert long.steps.happens is None
    assert len(await long.model.asked(ASKED)) == before + 2


async def test_what_left_the_window_is_read_before_it_is_summarised(behind: ChatHarness) -> None:
    hidden = "[earlier: older messages are not shown; there is no summary of them]"
    assert hidden in (await behind.asked())[-1]
    before = len(await behind.model.asked(ASKED))
    await summarises(behind, times=9)
    wakes = await behind.rests()
    asked = (await behind.model.asked(ASKED))[before:]
    found = (await kept(behind)).summary
    assert found is not None
    assert NIGHTS - 50 < found.up_to_seq < NIGHTS
    assert nights(asked) == list(range(1, found.up_to_seq + 1))
    # one tick has a budget, and the next goes on from there
    assert reasons(wakes) == [WakeReason.COMPRESS] * 2
    assert MOST_BATCHES < len(asked) <= 2 * MOST_BATCHES
    await says(behind, "lull, and now?")
    assert f"night {found.up_to_seq + 1} was long" in (await behind.asked())[-1]
    assert f"night {found.up_to_seq} was long" not in (await behind.asked())[-1]
    assert "[earlier: older messages are not shown; a summary follows]" in (await behind.asked())[-1]


async def test_a_tick_that_dies_between_two_stretches_is_followed_by_one_that_goes_on(behind: ChatHarness) -> None:
    async def die() -> None:
        raise Killed

    before = len(await behind.model.asked(ASKED))
    await summarises(behind, times=9)
    behind.steps.at, behind.steps.happens = len(behind.steps.taken) + 1, die  # the model has answered a second time
    await behind.next_tick()
    first = (await kept(behind)).up_to_seq
    assert behind.steps.happens is None
    assert 1 < first < 60
    await behind.rests()
    told = nights((await behind.model.asked(ASKED))[before:])
    up_to = (await kept(behind)).up_to_seq
    assert up_to > NIGHTS - 50
    assert sorted(set(told)) == list(range(1, up_to + 1))
    assert told[:first] == list(range(1, first + 1))
    assert told.count(first) == 1


async def test_a_model_that_ends_in_the_middle_of_a_record_has_made_none(long: ChatHarness) -> None:
    await summarises(long, text="Guest talked about", finish_reason="MAX_TOKENS")
    await says(long, "what now")
    assert (await kept(long)).summary is None


async def test_it_makes_no_summary_of_a_conversation_that_was_left(long: ChatHarness) -> None:
    await summarises(long)
    await long.will_plan({"kind": "send", "text": "So."})
    await long.writes("what now")
    while (await long.queue.wakes())[0].reason is not WakeReason.COMPRESS:
        await long.next_tick()
    late = (await long.queue.wakes())[0]
    await long.queue.end(late)
    await long.writes("/new")
    await long.rests()
    before = len(await long.model.asked(ASKED))
    await tick(long.tick_services, late)
    assert len(await long.model.asked(ASKED)) == before


async def test_an_agent_that_does_not_summarise_asks_for_no_tick(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "I listen."})
    for number in range(MANY):
        await harness.writes(f"day {number} was fine")
    await harness.rests()
    assert WakeReason.COMPRESS not in reasons(await says(harness, "what now"))


async def test_a_groups_writers_pay_for_its_summary_and_past_their_limit_it_waits(behind: ChatHarness) -> None:
    budget_service, services = PastTheirs(person=behind.person), behind.tick_services.agents["lull"]
    models = replace(cast(MeteredModels, services.replier.models), fallback=budget_service)
    agents = {"lull": replace(services, replier=replace(services.replier, models=models))}
    behind.tick_services = replace(behind.tick_services, agents=agents)
    wake = (await behind.queue.wakes())[0]
    await behind.rests()
    assert (await kept(behind)).summary is None
    assert [(use.purpose, set(use.writers)) for use in budget_service.uses] == [(Purpose.COMPRESS, {behind.person})]
    budget_service.person = 0
    await summarises(behind, times=9)
    await tick(behind.tick_services, wake)  # as after an answer an hour later
    await behind.rests()
    found = (await kept(behind)).summary
    assert found is not None
    assert found.up_to_seq > NIGHTS - 50
