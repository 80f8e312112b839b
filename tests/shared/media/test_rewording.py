"""A missing or refused sticker is replaced by words, and the model is told."""

from dataclasses import replace

import pytest

from shared.chat.store.people import FirestoreEntities, StoredStickerSet
from shared.media.rewording import IN_WORDS, rewording_event
from shared.media.stickers import OwnStickers
from shared.media.tasks.sticker import Sticker
from shared.tasks.outcome import task_of
from shared.tasks.plan import DeliveryState, Plan, TaskState
from shared.tasks.react import React
from shared.tasks.task import Task
from shared.turn.runner import PlanRunner
from shared.values.evolve import evolve
from shared.values.message import Event, Message
from shared.values.stickers import SetSticker, StickerSet
from tests.shared.examples import NOW, SECOND, plan_of, send
from tests.shared.own_words import NOT_SENT
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session, deliveries

SET = "Moods_by_lull"


def sticker(name: str = "😂", set_name: str = SET, **fields: object) -> Sticker:
    return Sticker.model_validate({"id": "1", "sticker": name, "set": set_name, **fields})


def runner_of(harness: ChatHarness) -> PlanRunner:
    """Return the runner of an agent with a set of stickers."""
    runner = harness.tick_services.agents["lull"].runner
    front = evolve(runner.agent.front, sticker_sets=(SET,))
    entities = FirestoreEntities(harness.backend.chats.client)
    stickers = OwnStickers(channel=runner.channel, entities=entities, front=front, clock=harness.clock)
    return replace(runner, stickers=stickers)


async def after(harness: ChatHarness, *tasks: Task) -> tuple[Plan, list[Message], list[str]]:
    """Run a plan of stickers; return it with the agent's messages and the notes for the model."""
    hold = await claimed_session(harness)
    plan = (await runner_of(harness).run(hold, plan_of(*tasks), is_final_plan=False, unread=1)).plan
    await hold.commit(plan)
    window = await hold.window()
    said = [entry for entry in window if isinstance(entry, Message) and entry.author.is_agent]
    return plan, said, [entry.note for entry in window if isinstance(entry, Event)]


def reaction(harness: ChatHarness, emoji: str, task_id: str = "1", **fields: object) -> React:
    return React.model_validate({"id": task_id, "emoji": emoji, "message_id": harness.message_id, **fields})


async def seen(harness: ChatHarness) -> list[str]:
    """Return the agent's visible messages: texts, and stickers' emoji in brackets."""
    found = [m for m in await harness.messages() if m["from"] == harness.backend.bot_id]
    return [f"[{m['sticker']['emoji']}]" if m["sticker"] else m["text"] for m in found]


async def test_a_sticker_is_sent_and_stands_in_the_transcript_as_it_was_planned(harness: ChatHarness) -> None:
    await harness.writes("hi")
    plan, said, told = await after(harness, sticker(reply_to=harness.message_id))
    assert (deliveries(plan), plan.tasks[0].deliveries[0].method) == ([[DeliveryState.CONFIRMED]], "sendSticker")
    assert await seen(harness) == ["[😂]"]
    assert (said[0].media, said[0].text, len(said[0].media_refs)) == ("a sticker: 😂", "", 1)
    assert said[0].reply is not None
    assert said[0].reply.message_id == harness.message_id
    assert '"sticker": "😂"' in said[0].task
    assert told == []


async def test_one_that_is_not_there_is_said_by_its_emoji(harness: ChatHarness) -> None:
    plan, said, told = await after(harness, sticker("🦊"), sticker("😴", "Not_mine", id="2", depends_on=("1",)))
    assert await seen(harness) == ["🦊", "😴"]
    assert [task.state for task in plan.tasks] == [TaskState.DONE] * 2
    assert [message.text for message in said] == ["🦊", "😴"]
    assert told == [sticker("🦊").unsent(), sticker("😴", "Not_mine").unsent()]


async def test_one_that_words_cannot_say_is_apologised_for(harness: ChatHarness) -> None:
    plan, _, told = await after(harness, sticker("a fox"))
    assert (task_of(plan, "1").state, task_of(plan, "1").why) == (TaskState.FAILED, "there is no such sticker")
    assert await seen(harness) == [NOT_SENT]
    assert told == [sticker("a fox").unsent()]


async def test_a_file_that_telegram_does_not_know_is_looked_up_anew_once(harness: ChatHarness) -> None:
    old = StickerSet(SET, "Moods", (SetSticker("CAACAgIAold", "u", "😂"),))
    told = StoredStickerSet(found=old, fresh_until=harness.clock.now + 60 * SECOND)
    await FirestoreEntities(harness.backend.chats.client).keep_sticker_set(harness.backend.bot_id, SET, told)
    plan, _, events = await after(harness, sticker())
    assert await seen(harness) == ["[😂]"]
    assert (plan.tasks[0].is_anew, plan.tasks[0].state, events) == (True, TaskState.DONE, [])


async def test_where_stickers_are_forbidden_the_emoji_is_said(harness: ChatHarness) -> None:
    refusal = "not enough rights to send stickers to the chat"
    await harness.fault(kind="400", method="sendSticker", times=1, why=refusal)
    plan, _, told = await after(harness, sticker())
    assert await seen(harness) == ["😂"]
    assert (plan.tasks[0].task.kind_name(), plan.tasks[0].state) == ("send", TaskState.DONE)
    assert told == [sticker().unsent()]


async def test_one_of_which_nobody_knows_whether_it_arrived_is_not_sent_again(harness: ChatHarness) -> None:
    await harness.fault(kind="cut_after", method="sendSticker", times=1)
    plan, said, told = await after(harness, sticker())
    assert deliveries(plan) == [[DeliveryState.UNKNOWN]]
    assert await seen(harness) == ["[😂]"]
    assert said == []
    assert told == ["a sticker of yours (😂) may or may not have arrived"]
    (incident,) = await harness.incidents()
    assert incident.kind == "unknown_delivery"


async def test_a_flood_wait_is_waited_for_and_the_sticker_sent_then(harness: ChatHarness) -> None:
    await harness.fault(kind="429", method="sendSticker", times=1, retry_after=3)
    plan, _, told = await after(harness, sticker())
    assert (deliveries(plan), told) == ([[DeliveryState.PLANNED]], [])
    assert plan.tasks[0].not_before is not None


def test_only_a_sticker_that_was_not_sent_is_told_of() -> None:
    before, words = plan_of(sticker(), send("2")), plan_of(send("1"), send("2"))
    assert rewording_event(before, before, "1", NOW) is None
    assert rewording_event(before, before, "2", NOW) is None
    event = rewording_event(before, words, "1", NOW)
    assert event is not None
    assert (event.kind, event.note) == (IN_WORDS, sticker().unsent())


@pytest.mark.parametrize("emoji", ["❤️", "😂", "👍🏽", "✅", "🥳", "⚡️"])
async def test_a_reaction_is_put_as_telegram_takes_it(harness: ChatHarness, emoji: str) -> None:
    await harness.writes("thanks!")
    plan, said, told = await after(harness, reaction(harness, emoji))
    assert deliveries(plan) == [[DeliveryState.CONFIRMED]]
    assert (said, told) == ([], [])


async def test_one_that_is_not_taken_is_written_where_nothing_else_is_said(harness: ChatHarness) -> None:
    await harness.writes("thanks!")
    bear = reaction(harness, "🐻")
    plan, (said,), told = await after(harness, bear)
    assert (await seen(harness), plan.tasks[0].state) == (["🐻"], TaskState.DONE)
    assert said.reply is not None
    assert (said.reply.message_id, told) == (harness.message_id, [bear.unsent()])


async def test_where_a_group_allows_few_the_usual_one_is_written_as_well(harness: ChatHarness) -> None:
    await harness.writes("thanks!")
    await harness.fault(kind="400", method="setMessageReaction", times=1, why="Bad Request: REACTION_INVALID")
    await after(harness, reaction(harness, "👍"))
    assert await seen(harness) == ["👍"]


async def test_a_reaction_to_a_message_that_is_gone_is_written_too(harness: ChatHarness) -> None:
    await harness.writes("thanks!")
    await after(harness, reaction(harness, "👍", message_id=harness.message_id + 70))
    assert await seen(harness) == ["👍"]


async def test_beside_other_words_one_that_is_not_taken_is_told_to_the_model_alone(harness: ChatHarness) -> None:
    await harness.writes("thanks!")
    bear = reaction(harness, "🐻")
    plan, _, told = await after(harness, bear, send("2", text="You are welcome."))
    assert await seen(harness) == ["You are welcome."]
    assert (plan.tasks[0].state, plan.tasks[1].state) == (TaskState.FAILED, TaskState.DONE)
    assert told == [bear.unsent()]
    assert await harness.incidents() == []


async def test_of_two_that_are_not_taken_one_is_written(harness: ChatHarness) -> None:
    await harness.writes("thanks!")
    both = reaction(harness, "🐻"), reaction(harness, "🦞", "2", depends_on=("1",))
    _, _, told = await after(harness, *both)
    assert await seen(harness) == ["🦞"]
    assert told == [one.unsent() for one in both]
