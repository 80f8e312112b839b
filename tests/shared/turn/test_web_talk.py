"""Web conversations through real ticks: drafts, and ticks that die at every step."""

import asyncio
from dataclasses import replace

import pytest

from shared.chat.flood import DraftPace
from shared.planning.preview import DraftSender
from shared.tasks.plan import DeliveryState
from shared.values.chat_key import ChatKey
from shared.webchat.ids import update_number
from shared.webchat.inbound import Posting, WebAuthor
from shared.webchat.posting import post, receiver_of
from shared.webchat.screen import Screen, ScreenMessage
from shared.webchat.store import FirestoreScreens
from tests.shared.fixtures import OpenHarness
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.watched import Killed, Steps, WatchedQueue
from tests.stories.play import until

TEXT = "Once upon a time there was a lull in the storm, and everybody slept. "


def in_web(harness: ChatHarness) -> ChatHarness:
    """Return the harness for a web conversation of its person."""
    number = update_number(harness.clock.now) // 1000
    harness.key = ChatKey(agent="lull", chat_id=harness.key.chat_id, topic_id=number)
    return harness


async def posts(harness: ChatHarness, text: str) -> None:
    """Post a message a second later."""
    harness.clock.now = harness.clock.now.replace(microsecond=0)
    at = harness.clock.now
    posting = Posting(
        key=harness.key, author=WebAuthor(id=harness.person, name="Ann"), update=update_number(at) + 1000, at=at
    )
    receiver = receiver_of(harness.backend.inbox, WatchedQueue(harness.queue, Steps()))
    assert await post(receiver, posting.message(text))


async def screen_of(harness: ChatHarness) -> Screen:
    return await FirestoreScreens(harness.backend.chats.client, harness.clock).screen(harness.key)


async def shown(harness: ChatHarness) -> list[ScreenMessage]:
    return sorted((await screen_of(harness)).messages.values(), key=lambda one: one.message_id)


async def test_an_answer_is_seen_on_the_screen_while_it_is_written(harness: ChatHarness) -> None:
    in_web(harness)
    services = harness.tick_services.agents["lull"]
    often = DraftSender(services.runner.channel, DraftPace(chat_s=0, bot_s=0, first_s=0))
    drafting = replace(services, replier=replace(services.replier, drafting=often))
    harness.tick_services = replace(harness.tick_services, agents={"lull": drafting})
    await harness.will_plan({"kind": "send", "text": TEXT * 3}, chunk_chars=6, hold=f"web-{harness.person}")
    await posts(harness, "tell me a story")
    answering = asyncio.create_task(harness.rests())

    async def drafted() -> bool:
        draft = (await screen_of(harness)).draft
        return draft is not None and draft.text.startswith("Once upon")

    await until(drafted, "the draft is on the screen")
    assert await shown(harness) == []
    await harness.model.go_on(f"web-{harness.person}")
    await answering
    (said,) = await shown(harness)
    assert said.text == (TEXT * 3).strip()
    assert (await screen_of(harness)).draft is None


async def test_a_tick_may_die_at_any_step_and_nothing_is_lost_or_shown_twice(open_harness: OpenHarness) -> None:
    async def die() -> None:
        raise Killed

    at, steps = 0, 1
    while at < steps:
        harness = in_web(await open_harness())
        await harness.will_plan({"kind": "send", "text": "One."}, {"kind": "send", "text": "Two."}, times=None)
        harness.steps.at, harness.steps.happens = at, die if at else None
        await posts(harness, "hello")
        await harness.rests()
        steps = steps if at else len(harness.steps.taken)
        assert [one.text for one in await shown(harness)] == ["One.", "Two."], at
        said = [e["text"] for e in await harness.transcript() if e["type"] == "message" and e["author"]["is_agent"]]
        assert said == ["One.", "Two."], at
        assert {d.state for t in (await harness.plan()).tasks for d in t.deliveries} == {DeliveryState.CONFIRMED}, at
        assert await harness.incidents() == [], at
        at += 1
    assert steps >= 10


@pytest.mark.parametrize("command", ["/help", "/usage", "/memories", "/language de"])
async def test_commands_are_answered_on_the_screen(harness: ChatHarness, command: str) -> None:
    in_web(harness)
    await posts(harness, command)
    await harness.rests()
    assert len(await shown(harness)) == 1
    assert await harness.said() == []
