"""Orders of the console in a chat: they are run as the owner's commands, once, and silently unless told otherwise."""

from datetime import timedelta
from typing import Any

import pytest
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.base.errors import QueueUnavailable
from shared.chat.store import layout, paths
from shared.console.orders import give_order
from shared.console.services import ConsoleServices
from shared.values.console_order import ConsoleOrder
from tests.shared.fixtures import OpenHarness
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.scenes import each_step

OWNER = 4_711
SEND = {"kind": "send", "text": "Hello."}
WAIT = {"kind": "wait", "seconds": 60}
LATER = {"kind": "send", "text": "Later."}


async def order(harness: ChatHarness, command: str, argument: str = "", **fields: Any) -> bool:
    """Give an order, with a new id unless `id` is given."""
    services = ConsoleServices(
        client=harness.backend.chats.client, project="", clock=harness.clock, jobs=harness.queue.jobs()
    )
    named = {"id": f"{command} {argument} {harness.key.id}"[:80], **fields}
    return await give_order(
        services, harness.key, ConsoleOrder(owner=OWNER, command=command, argument=argument, **named)
    )


async def talked(harness: ChatHarness, text: str = "hi") -> str:
    """Have a short talk; return its conversation's id."""
    await harness.will_plan(SEND)
    await harness.writes(text)
    await harness.rests()
    return (await harness.document()).conversation


async def stored(harness: ChatHarness, conversation: str) -> dict[str, Any]:
    """Read a conversation's document."""
    found = await harness.backend.chats.client.document(paths.conversation_path(conversation)).get()
    return found.to_dict() or {}


async def test_a_title_is_given_silently_and_for_ever(harness: ChatHarness) -> None:
    conversation = await talked(harness)
    assert await order(harness, "title", "Tea for two", conversation=conversation)
    await harness.rests()
    assert await harness.said() == ["Hello."]
    found = await stored(harness, conversation)
    assert (found["title"], found["manually_named"]) == ("Tea for two", True)
    (titled,) = [entry for entry in await harness.transcript() if entry["type"] == "event"]
    assert (titled["kind"], titled["title"]) == ("title_assigned", "Tea for two")
    assert all(entry["type"] != "press" for entry in await harness.transcript())


async def test_the_same_order_twice_is_carried_out_once(harness: ChatHarness) -> None:
    await talked(harness)
    assert await order(harness, "new", id="click-0001")
    await harness.rests()
    begun = (await harness.document()).conversation
    assert not await order(harness, "new", id="click-0001")
    await harness.rests()
    assert (await harness.document()).conversation == begun


async def test_an_order_for_a_conversation_that_was_left_does_not_touch_the_next_one(harness: ChatHarness) -> None:
    old = await talked(harness)
    await order(harness, "new", conversation=old)
    await harness.rests()
    new = await talked(harness, "hi again")
    assert new != old
    await order(harness, "new", conversation=old, id="another-click")
    await order(harness, "title", "Old tea", conversation=old)
    await order(harness, "model", "scripted-lite", conversation=old)
    await harness.rests()
    chat, found = await harness.document(), await stored(harness, old)
    assert (chat.conversation, chat.talk.conversation_title, chat.talk.model) == (new, "", "")
    assert (found["title"], found["manually_named"], found["model"]) == ("Old tea", True, "scripted-lite")


async def test_an_order_for_a_deleted_conversation_changes_nothing(harness: ChatHarness) -> None:
    await talked(harness)
    await order(harness, "title", "Gone", conversation="conv-gone")
    await harness.rests()
    assert await stored(harness, "conv-gone") == {}
    assert await harness.backend.chats.unread_count(harness.key) == 0


async def test_muting_and_the_model_are_the_state_that_commands_show(harness: ChatHarness) -> None:
    await talked(harness)
    await order(harness, "model", "scripted-lite")
    await order(harness, "mute", "1h")
    await harness.rests()
    chat = await harness.document()
    assert chat.talk.model == "scripted-lite"
    assert chat.is_muted(harness.clock.now)
    await order(harness, "unmute")
    await harness.rests()
    assert not (await harness.document()).is_muted(harness.clock.now)
    assert await harness.said() == ["Hello."]


async def test_stopping_ends_what_was_promised(group: ChatHarness) -> None:
    await group.will_plan(SEND, WAIT, LATER)
    await group.writes("hi lull")
    await group.next_tick()
    await order(group, "stop")
    await group.rests()
    assert await group.said() == ["Hello."]
    assert not (await group.plan()).is_open


async def test_what_is_written_after_an_order_belongs_to_the_next_conversation(harness: ChatHarness) -> None:
    old = await talked(harness)
    await order(harness, "new", conversation=old)
    harness.clock.now += timedelta(seconds=2)
    await harness.will_plan({"kind": "send", "text": "Fresh."})
    await harness.writes("a new thing")
    await harness.rests()
    assert await harness.said() == ["Hello.", "Fresh."]
    assert (await harness.document()).conversation != old
    assert [entry["text"] for entry in await harness.transcript()] == ["a new thing", "Fresh."]


async def test_an_answer_is_sent_if_the_order_says_so(harness: ChatHarness) -> None:
    await talked(harness)
    await order(harness, "title", "Tea", is_told=True)
    await harness.rests()
    assert await harness.said() == ["Hello.", "This conversation is now called Tea."]


async def test_a_button_of_a_command_is_pressed_without_a_query(harness: ChatHarness) -> None:
    await talked(harness)
    await order(harness, "forget", "n", is_press=True)
    await harness.rests()
    assert await harness.said() == ["Hello."]
    assert await harness.notices() == []


async def test_an_earlier_conversation_is_resumed(harness: ChatHarness) -> None:
    old = await talked(harness)
    await order(harness, "new", conversation=old)
    await harness.rests()
    await talked(harness, "hi again")
    await order(harness, "resume", "go", is_press=True, conversation=old)
    await harness.rests()
    assert (await harness.document()).conversation == old
    assert await harness.said() == ["Hello.", "Hello."]


async def test_an_order_keeps_no_words_once_it_is_carried_out(harness: ChatHarness) -> None:
    await talked(harness)
    await order(harness, "title", "Secret plans")
    await harness.rests()
    inbox = await harness.backend.chats.client.collection(paths.inbox_path(harness.key)).get()
    orders = [one.to_dict() or {} for one in inbox if one.get("kind") == "console_order"]
    assert [one["raw"] for one in orders] == [layout.EMPTY]
    assert all(one["read"] for one in orders)


async def test_an_order_whose_wake_was_lost_is_found_and_may_be_given_again(harness: ChatHarness) -> None:
    await talked(harness)
    services = ConsoleServices(
        client=harness.backend.chats.client, project="", clock=harness.clock, jobs=harness.queue.jobs(missing=True)
    )
    given = ConsoleOrder(id="one click", owner=OWNER, command="title", argument="Tea")
    with pytest.raises(QueueUnavailable):
        await give_order(services, harness.key, given)
    assert await harness.backend.chats.unread_count(harness.key) == 1, "the sweep finds it"
    assert not await order(harness, "title", "Tea", id="one click")
    await harness.rests()
    assert (await harness.document()).talk.conversation_title == "Tea"


async def test_whenever_the_tick_dies_the_order_is_carried_out_once(open_harness: OpenHarness) -> None:
    async for at, harness in each_step(open_harness, (SEND,)):
        await harness.writes("hi")
        await order(harness, "new", "")
        await harness.rests()
        chat = await harness.document()
        assert await harness.backend.chats.unread_count(harness.key) == 0, at
        assert chat.claim.lease is None, at
        ours = FieldFilter("chat", "==", harness.key.id)
        conversations = await harness.backend.chats.client.collection(paths.CONVERSATIONS).where(filter=ours).get()
        assert len(conversations) <= 1, (at, [one.id for one in conversations])
        assert chat.conversation not in {one.id for one in conversations}, at
