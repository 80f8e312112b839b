"""A group that becomes a supergroup, over the real servers."""

import re

import pytest

from shared.base.errors import StoreUnavailable
from shared.turn.migration import LOOK_AGAIN, MOST_DOUBLINGS, MOST_WAITS
from shared.values.chat_key import ChatKey
from shared.values.update import Json
from tests.shared.examples import SECOND
from tests.shared.paused_queue import PausedQueue
from tests.shared.turn.harness import LEASE, ChatHarness, HarnessBackend, make_harness, watched_model
from tests.shared.turn.scenes import WITH_A_WAIT
from tests.shared.turn.watched import Killed, Steps
from tests.stories.play import Model

#: calls to the world outside, of the tick that moves a chat and of the one that goes on in the new one
STEPS_OF_A_MOVE = 12
#: from the commit before the failing send to the commit that records the move, where an error leaves results unknown
UNDER_WAY = {5, 6, 7}


@pytest.fixture
async def basic(shared_backend: HarnessBackend, paused_queue: PausedQueue, script: Model) -> ChatHarness:
    """Make a basic group."""
    return await make_harness(shared_backend, paused_queue, script, people=1, type="group")


async def migrate(harness: ChatHarness) -> ChatKey:
    """Turn it into a supergroup; the test chooses the order of Telegram's updates to both chats."""
    answer = await harness.backend.telegram.post(f"/world/chats/{harness.chat}/migrate", json={})
    new: Json = answer.raise_for_status().json()
    harness.chat = new["key"]
    return ChatKey(agent=harness.key.agent, chat_id=new["id"])


async def pending(harness: ChatHarness) -> list[Json]:
    """Return the updates that Telegram holds, not handed on yet."""
    asked = {"offset": harness.backend.offset, "allowed_updates": ["message", "my_chat_member"]}
    answer = await harness.backend.telegram.post(f"/bot{harness.backend.token}/getUpdates", json=asked)
    updates: list[Json] = answer.raise_for_status().json()["result"]
    harness.backend.offset = updates[-1]["update_id"] + 1
    return updates


async def begun(harness: ChatHarness) -> None:
    """Begin a plan with a wait."""
    await harness.model.will_plan(*WITH_A_WAIT, match=f"chat_id={harness.key.chat_id} ")
    await harness.writes(f"@{harness.backend.username} hi")
    while not await harness.said():
        await harness.next_tick()


@pytest.mark.parametrize("is_reversed", [False, True])
async def test_conversation_and_plan_go_to_the_new_id(basic: ChatHarness, is_reversed: bool) -> None:
    harness = basic
    await begun(harness)
    before = await harness.document()
    new = await migrate(harness)
    updates = await pending(harness)
    for update in reversed(updates) if is_reversed else updates:
        await harness.take(update)
        await harness.next_tick()
    await harness.rests()
    there = (await harness.backend.chats.see(new)).chat
    assert there.conversation == before.conversation
    assert (await harness.document()).moves.moved_to == new.chat_id
    assert await harness.said() == ["Two."]
    old = harness.key
    harness.key = new
    texts = [e["text"] for e in await harness.transcript() if e["type"] == "message" and not e["is_service"]]
    assert texts == [f"@{harness.backend.username} hi", "One.", "Two."]
    assert [e["seq"] for e in await harness.transcript()] == list(range(1, there.talk.seq + 1))
    await harness.take(late_message(old, harness))
    await harness.rests()
    assert "a late one" in [e.get("text") for e in await harness.transcript()]
    assert await harness.backend.chats.unread_count(old) == 0


def late_message(old: ChatKey, harness: ChatHarness) -> Json:
    """Return a message that still arrives under the old id."""
    sender = {"id": harness.person, "is_bot": False, "first_name": "Guest"}
    chat = {"id": old.chat_id, "type": "group", "title": "A room"}
    message = {"message_id": 900, "from": sender, "chat": chat, "date": 1_772_366_400, "text": "a late one"}
    return {"update_id": harness.backend.offset + 1000, "message": message}


async def test_a_group_that_moved_unnoticed_is_found_when_it_is_written_to(basic: ChatHarness) -> None:
    harness = basic
    await begun(harness)
    new = await migrate(harness)
    await pending(harness)  # the webhook never hears of it
    harness.clock.now += 90 * SECOND
    await harness.rests()
    assert await harness.said() == ["Two."]
    assert (await harness.backend.chats.see(new)).chat.conversation
    assert await harness.incidents() == []


@pytest.mark.parametrize(
    ("what", "step"),
    [("stop request", step) for step in range(STEPS_OF_A_MOVE)]
    + [("outage", step) for step in range(STEPS_OF_A_MOVE) if step not in UNDER_WAY],
)
async def test_whatever_happens_at_a_step_of_the_move_the_plan_goes_on_there(
    basic: ChatHarness, what: str, step: int
) -> None:
    harness, old = basic, basic.key
    await begun(harness)
    new = await migrate(harness)
    await pending(harness)
    harness.clock.now += 90 * SECOND

    async def happens() -> None:
        if what == "outage":
            raise StoreUnavailable("away")
        await harness.backend.chats.ask_to_stop(old, 999)

    harness.steps.at, harness.steps.happens = len(harness.steps.taken) + step, happens
    await harness.rests()
    assert harness.steps.happens is None
    assert await harness.said() == ["Two."]
    assert (await harness.backend.chats.see(old)).chat.moves.moved_to == new.chat_id
    assert (await harness.backend.chats.see(new)).chat.due_at is None
    assert await harness.incidents() == []


PROMISE = ({"kind": "send", "text": "I will."}, {"kind": "wait", "seconds": 3600}, {"kind": "send", "text": "Tea!"})


async def promised(harness: ChatHarness, key: ChatKey, times: int | None = 1) -> None:
    """Let the model promise something in a chat."""
    await harness.model.will_plan(*PROMISE, match=f"chat_id={key.chat_id} ", times=times)


@pytest.mark.parametrize("has_plan", [False, True])
async def test_what_was_promised_under_the_new_id_is_kept(basic: ChatHarness, has_plan: bool) -> None:
    harness, old = basic, basic.key
    await begun(harness)
    if not has_plan:
        await harness.rests()
    harness.key = new = await migrate(harness)
    updates = await pending(harness)
    await promised(harness, new)
    # before either chat is told of the move
    await harness.writes(f"@{harness.backend.username} remind me")
    while not await harness.said():
        await harness.next_tick()
    for update in updates:
        await harness.take(update)
    await harness.rests()
    assert await harness.said() == ["I will.", *(["Two."] if has_plan else []), "Tea!"]
    assert (await harness.backend.chats.see(old)).chat.moves.moved_to == new.chat_id
    assert (await harness.document()).due_at is None
    assert await harness.incidents() == []


async def test_what_was_chosen_under_the_new_id_is_kept(basic: ChatHarness) -> None:
    harness = basic
    await begun(harness)
    harness.key = await migrate(harness)
    updates = await pending(harness)
    await harness.writes(f"/model@{harness.backend.username} scripted-lite")
    while not await harness.said():
        await harness.next_tick()
    assert (await harness.document()).talk.model == "scripted-lite"
    for update in updates:
        await harness.take(update)
    await harness.rests()
    assert (await harness.document()).talk.model == "scripted-lite"


async def test_the_new_chat_waits_for_a_tick_that_died_in_the_old_one(basic: ChatHarness) -> None:
    harness, old = basic, basic.key
    await promised(harness, old)
    await harness.writes(f"@{harness.backend.username} hi")

    class Dies(Steps):
        async def take(self, name: str) -> None:
            await super().take(name)
            if self.taken.count("after thinking") == 1:
                self.taken.append("after thinking")
                raise Killed

    watched_model(harness).steps = Dies()
    await harness.next_tick()
    chat = await harness.document()
    assert (chat.conversation, chat.is_held(harness.clock.now)) == ("", True)
    await harness.model.clear()
    harness.key = new = await migrate(harness)
    await promised(harness, old, times=None)
    await promised(harness, new, times=None)
    for update in await pending(harness):
        await harness.take(update)
    await harness.writes(f"@{harness.backend.username} remind me")
    await harness.rests(most=100)
    assert await harness.said() == ["I will.", "Tea!"]
    texts = [e["text"] for e in await harness.transcript() if e["type"] == "message" and not e["is_service"]]
    name = f"@{harness.backend.username}"
    assert texts == [f"{name} hi", f"{name} remind me", "I will.", "Tea!"]
    assert (await harness.backend.chats.see(old)).chat.moves.moved_to == new.chat_id


def test_the_new_chat_waits_for_longer_than_a_lease() -> None:
    waits = [LOOK_AGAIN * 2 ** min(attempt, MOST_DOUBLINGS) for attempt in range(MOST_WAITS)]
    assert sum(waits, 0 * SECOND) >= 2 * LEASE


async def test_old_ids_are_not_used_under_the_new_one(basic: ChatHarness) -> None:
    harness, old = basic, basic.key
    for text in "abc":
        await harness.writes(text)
    await harness.writes(f"@{harness.backend.username} hi")
    about = {"reply_to": harness.message_id}, {"message_id": harness.message_id}
    one, pause, two = WITH_A_WAIT
    react = {"kind": "react", "emoji": "👍"} | about[1]
    await harness.model.will_plan(one, pause, two | about[0], react, match=f"chat_id={old.chat_id} ")
    while not await harness.said():
        await harness.next_tick()
    harness.key = await migrate(harness)
    for update in await pending(harness):
        await harness.take(update)
    for n in range(6):
        await harness.writes(f"new {n}", **{"from": harness.others[0]})
    await harness.rests()
    answer = await harness.backend.telegram.get(f"/world/chats/{harness.chat}/messages", params={"limit": 500})
    messages = answer.raise_for_status().json()["messages"]
    assert any(m["message_id"] == about[1]["message_id"] for m in messages)
    assert not any(m.get("reactions") for m in messages)
    assert [(m["text"], m["reply_to"]) for m in await harness.messages()] == [("Two.", None)]
    assert await harness.incidents() == []
    await harness.will_plan({"kind": "send", "text": "Yes."})
    await harness.writes(f"@{harness.backend.username} still there?")
    await harness.rests()
    (prompt,) = await harness.asked()
    named = re.findall(r"\[meta\] message_id=(\d+) ", prompt)
    unnamed = re.findall(r"\[meta\] (?:user_id|name)=", prompt)
    assert len(named) == len(set(named)) >= 7
    assert len(unnamed) == 5  # of four messages, and of the move
    assert f"Consider responding to message {harness.message_id}." in prompt
