"""Telegram's corners, through the real way: topics, the General topic, a group that moves, a blocked agent."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store import paths
from shared.reminders.store import decode_reminder
from shared.tasks.plan import TaskState
from shared.values.chat_key import ChatKey
from tests.stories.play import Chat, Person, Sandbox, until

WITH_A_WAIT: tuple[dict[str, Any], ...] = (
    {"kind": "send", "text": "One."},
    {"kind": "wait", "seconds": 4},
    {"kind": "send", "text": "Two."},
)


async def with_topics(sandbox: Sandbox, ann: Person, kind: str) -> Chat:
    """Make a chat with topics: a forum, or a private chat."""
    if kind == "forum":
        return await sandbox.group([ann], topics=True)
    return await sandbox.private(ann, topics=True)


async def topic_of(chat: Chat, name: str) -> int:
    answer = await chat.telegram.post(f"/world/chats/{chat.key}/topics", json={"name": name})
    return int(answer.raise_for_status().json()["id"])


@pytest.mark.parametrize("kind", ["forum", "private"])
async def test_each_topic_is_a_chat_of_its_own_and_answered_in_it(sandbox: Sandbox, kind: str) -> None:
    ann = await sandbox.person("Ann")
    chat = await with_topics(sandbox, ann, kind)
    username = (await sandbox.bot("lull"))["username"]
    topics = [await topic_of(chat, "Red"), await topic_of(chat, "Blue")]
    # The chat's id, and the mark after the topic's: no other test's question holds this one.
    asks = {topic: f"which colour of {chat.id} is {topic}?" for topic in topics}
    for topic, question in asks.items():
        await sandbox.model.will_plan({"kind": "send", "text": f"In {topic}."}, match=question)
        await chat.writes(ann, f"@{username} {question}", topic_id=topic)
        await until(lambda topic=topic: _said_in(chat, topic), "the topic is answered")  # type: ignore[misc]
    said = {m["topic_id"]: m["text"] for m in await chat.said()}
    assert said == {topic: f"In {topic}." for topic in topics}
    for topic in topics:
        key = ChatKey(agent="lull", chat_id=chat.id, topic_id=topic)
        assert (await sandbox.firestore.document(f"chats/{key.id}").get()).exists
    for topic, name in zip(topics, ("Red", "Blue"), strict=True):
        asked = (await sandbox.model.asked(asks[topic]))[0]  # the other topic may recall it
        assert f'in the topic "{name}".' in str(asked["request"]["contents"])


async def _said_in(chat: Chat, topic: int) -> bool:
    return any(m.get("topic_id") == topic for m in await chat.said())


async def test_the_general_topic_is_answered_without_a_topic(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.group([ann], topics=True)
    username = (await sandbox.bot("lull"))["username"]
    await sandbox.model.will_plan({"kind": "send", "text": "In General."}, match=f"chat_id={chat.id} ")
    await chat.writes(ann, f"@{username} where are we?")
    assert await chat.answers() == ["In General."]
    assert (await chat.document())["key"]["topic_id"] == 0


async def test_a_group_that_moves_in_the_middle_of_a_plan_goes_on(sandbox: Sandbox) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    old = await sandbox.group([ann, ben], type="group")
    username = (await sandbox.bot("lull"))["username"]
    await sandbox.model.will_plan(*WITH_A_WAIT, match=f"chat_id={old.id} ")
    await old.writes(ann, f"@{username} count slowly")
    assert await old.answers() == ["One."]
    conversation = (await old.document())["conversation"]
    made = (await old.telegram.post(f"/world/chats/{old.key}/migrate", json={})).raise_for_status().json()
    new = replace(old, key=made["key"], id=made["id"], seen=0)
    assert await new.answers() == ["Two."]
    await sandbox.model.will_say("Three.")
    await new.writes(ben, f"@{username} and then?")
    assert await new.answers() == ["Three."]
    await new.rests()
    assert (await new.document())["conversation"] == conversation
    assert (await old.document())["moved_to"] == new.id
    texts = [e["text"] for e in await new.spoken()]
    assert texts == [f"@{username} count slowly", "One.", "Two.", f"@{username} and then?", "Three."]


@pytest.mark.parametrize("why", ["Bad Request: message thread not found", "Bad Request: TOPIC_DELETED"])
async def test_an_answer_to_a_topic_that_is_gone_quotes_the_question(sandbox: Sandbox, why: str) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.group([ann], topics=True)
    made = await chat.telegram.post(f"/world/chats/{chat.key}/topics", json={"name": "Plants"})
    topic, username = made.raise_for_status().json()["id"], (await sandbox.bot("lull"))["username"]
    fault = {"method": "sendMessage", "chat_id": chat.id, "kind": "400", "why": why, "times": 1}
    (await chat.telegram.post("/world/faults", json=fault)).raise_for_status()
    await sandbox.model.will_plan({"kind": "send", "text": "One."}, {"kind": "send", "text": "Two."})
    question = await chat.writes(ann, f"@{username} count", topic_id=topic)
    assert await chat.answers(2) == ["One.", "Two."]
    said = await chat.said()
    assert [m["reply_to"] for m in said] == [question, question]
    assert [m["topic_id"] for m in said] == [topic, topic]


async def test_who_blocks_the_agent_in_the_middle_of_a_plan_is_left_alone(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await sandbox.model.will_plan({"kind": "send", "text": "One."}, {"kind": "wait", "seconds": 300}, WITH_A_WAIT[2])
    await chat.writes(ann, "count slowly")
    await chat.answers()
    (await chat.telegram.post(f"/world/chats/{chat.key}/block", json={"blocked": True})).raise_for_status()
    await until(lambda: _has_ended(chat), "the plan ends")
    assert [t.state for t in (await chat.plan()).tasks] == [
        TaskState.DONE, TaskState.CANCELLED, TaskState.CANCELLED,
    ]  # fmt: skip
    assert len(await chat.said()) == 1


async def test_what_comes_due_while_the_agent_is_blocked_is_told_when_it_is_unblocked(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    for text in ("Water the quinces", "Feed the cat"):
        await sandbox.model.will_plan({"kind": "schedule", "text": text, "after": "2 seconds"})
        await chat.writes(ann, f"remind me: {text}")
        await chat.answers()
    block = f"/world/chats/{chat.key}/block"
    (await chat.telegram.post(block, json={"blocked": True})).raise_for_status()
    await until(lambda: _are_held(sandbox, ann), "both wait, and nothing looks at them before tomorrow")
    await chat.rests()
    before = len(await chat.said())
    (await chat.telegram.post(block, json={"blocked": False})).raise_for_status()
    told = await chat.answers(2)
    assert any("Water the quinces" in text for text in told)
    assert any("Feed the cat" in text for text in told)
    await chat.rests()
    assert len(await chat.said()) == before + 2


async def test_who_blocked_the_agent_and_comes_back_is_greeted_once(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.private(ann)
    await chat.writes(ann, "/start")
    await chat.answers()
    for blocked in (True, False):
        (await chat.telegram.post(f"/world/chats/{chat.key}/block", json={"blocked": blocked})).raise_for_status()
    await chat.writes(ann, "/start")
    (greeting,) = await chat.answers()
    assert greeting.startswith(f"Hello {ann.name}, I'm lull.")
    await chat.rests()
    assert len(await chat.said()) == 2
    notes = [e["note"] for e in await chat.transcript() if e["type"] == "event"]
    assert notes == [f"{ann.name} blocked the agent", f"{ann.name} unblocked the agent"]


async def test_an_agent_that_is_removed_and_added_again_says_no_more_than_it_is_asked(sandbox: Sandbox) -> None:
    ann = await sandbox.person("Ann")
    chat = await sandbox.group([ann])
    members = f"/world/chats/{chat.key}/members"
    (await chat.telegram.request("DELETE", f"{members}/{chat.bot_id}", params={"by": ann.id})).raise_for_status()
    (await chat.telegram.post(members, json={"bot_id": chat.bot_id, "by": ann.id})).raise_for_status()
    await chat.writes(ann, f"/start@{(await sandbox.bot('lull'))['username']}")
    await chat.answers()
    await chat.rests()
    assert len(await chat.said()) == 1
    notes = [e["note"] for e in await chat.transcript() if e["type"] == "event"]
    told = [f"the agent was {what} the group by {ann.name}" for what in ("added to", "removed from", "added to")]
    assert notes == told
    assert not any("the agent" in e["text"] for e in await chat.transcript() if e["type"] == "message")


async def _has_ended(chat: Chat) -> bool:
    return (await chat.document())["due_at"] is None


async def _are_held(sandbox: Sandbox, person: Person) -> bool:
    found = sandbox.firestore.collection(paths.EVENTS).where(filter=FieldFilter("person", "==", person.id))
    kept = [decode_reminder(one.to_dict() or {}) async for one in found.stream()]
    looked_at = datetime.now(UTC) + timedelta(hours=23)
    return len(kept) == 2 and all(one.held_at and one.next_at and one.next_at > looked_at for one in kept)
