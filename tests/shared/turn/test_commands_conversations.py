"""Conversations of one chat: listed, gone back to, and begun with words."""

import re

from tests.shared.buttons import labels_of, place_of
from tests.shared.own_words import ALREADY_HERE, LISTED, NO_CONVERSATION, NONE_YET, OLDER
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.scenes import assert_at_rest

TEA = {"kind": "send", "text": "Tea it is."}


async def begun(harness: ChatHarness, *texts: str) -> list[str]:
    """Begin conversations with some words, and return their ids."""
    ids = []
    for text in texts:
        await harness.writes(f"/new {text}")
        await harness.rests()
        ids.append((await harness.document()).conversation)
    return ids


async def test_words_behind_new_are_its_first_message_and_are_answered(harness: ChatHarness) -> None:
    await harness.will_plan(TEA, times=None)
    await harness.writes("before")
    await harness.rests()
    before = (await harness.document()).conversation
    update_ids = await harness.writes("/new tea or\nmilk?")
    await harness.rests()
    assert (await harness.document()).conversation != before
    assert await harness.said() == ["Tea it is.", "Tea it is."]
    entries = await harness.transcript()
    assert [(entry["text"], entry["turn"]) for entry in entries] == [("tea or\nmilk?", 1), ("Tea it is.", 1)]
    assert entries[0]["message_id"] == harness.message_id
    assert "before" not in (await harness.asked())[-1]
    kept = (await harness.backend.chats.client.document(f"conversations/{before}").get()).to_dict() or {}
    assert (kept["opening"], kept["entries"]) == ("before", 3)
    await assert_at_rest(harness, update_ids)


async def test_a_tick_that_dies_between_begins_one_conversation(harness: ChatHarness) -> None:
    await harness.will_plan(TEA, times=None)
    await harness.fault(kind="500", method="sendMessage", times=2)
    await harness.writes("/new tea?")
    update_ids = await harness.writes("/new milk?")
    await harness.rests()
    assert [entry["text"] for entry in await harness.transcript()] == ["milk?", "Tea it is."]
    await assert_at_rest(harness, update_ids)


async def test_a_conversation_is_listed_and_gone_back_to_with_its_window(harness: ChatHarness) -> None:
    await harness.will_plan(TEA, times=None)
    first, second = await begun(harness, "about tea", "about milk")
    await harness.writes("/conversations")
    await harness.rests()
    listed = (await harness.messages())[-1]
    assert listed["text"].startswith(LISTED)
    names = re.findall(r"^\d+\. (.*) · ", listed["text"], re.MULTILINE)
    assert names[:2] == ["✓ about milk", "about tea"]
    await harness.presses(listed, 1)
    await harness.rests()
    assert (await harness.document()).conversation == first
    shown = (await harness.messages())[-1]
    assert shown["text"].startswith("We're back in “about tea”.")
    assert not shown.get("buttons")
    await harness.writes("and sugar?")
    await harness.rests()
    assert "about tea" in (await harness.asked())[-1]
    assert "about milk" not in (await harness.asked())[-1]
    said = [e["text"] for e in await harness.transcript() if e["type"] == "message"]
    assert said == ["about tea", "Tea it is.", "/new", "and sugar?", "Tea it is."]
    assert [e["seq"] for e in await harness.transcript()] == list(range(1, len(await harness.transcript()) + 1))
    pages = await harness.backend.chats.client.collection(f"conversations/{second}/messages").get()
    assert {name for page in pages for name in page.get("names")} == {str(harness.person)}


async def test_one_in_which_nobody_has_said_anything_is_not_listed(harness: ChatHarness) -> None:
    await harness.will_plan(TEA, times=None)
    for command in ("/conversations", "/resume", "/conversations"):
        await harness.writes(command)
        await harness.rests()
    assert await harness.said() == [NONE_YET] * 3
    await harness.writes("about tea")
    await harness.rests()
    await harness.writes("/new")
    await harness.rests()
    await harness.writes("/resume")
    await harness.rests()
    listed = (await harness.messages())[-1]
    assert re.findall(r"^\d+\. (?:✓ )?(.*) · ", listed["text"], re.MULTILINE) == ["about tea"]


async def test_it_is_gone_back_to_by_its_title(harness: ChatHarness) -> None:
    await harness.will_plan(TEA, times=None)
    first, second = await begun(harness, "about tea", "about milk")
    await harness.writes("/title Dairy")
    await harness.writes("/resume TEA")
    await harness.rests()
    assert (await harness.document()).conversation == first
    await harness.writes("/resume dairy")
    await harness.rests()
    chat = await harness.document()
    assert (chat.conversation, chat.talk.conversation_title) == (second, "Dairy")
    await harness.writes("/resume dairy")
    await harness.writes("/resume nothing like it")
    await harness.writes("/resume")
    await harness.rests()
    already, unknown, listed = (await harness.said())[-3:]
    assert (already, unknown) == (ALREADY_HERE, "There's no conversation called “nothing like it” here.")
    assert listed.startswith(LISTED)
    assert (await harness.document()).conversation == second


async def test_pages_are_turned(harness: ChatHarness) -> None:
    await harness.will_plan(TEA, times=None)
    await begun(harness, *(f"number {n}" for n in range(8)))
    await harness.writes("/conversations")
    await harness.rests()
    listed = (await harness.messages())[-1]
    assert listed["buttons"][-1][0]["text"] == OLDER
    await harness.presses(listed, place_of(listed, OLDER))
    await harness.rests()
    turned = (await harness.messages())[-1]
    assert re.findall(r"^(\d+)\. (.*) · ", turned["text"], re.MULTILINE) == [("7", "number 1"), ("8", "number 0")]
    assert labels_of(turned) == ["7", "8", "‹ Newer"]


async def test_another_chats_conversation_is_not_gone_back_to(harness: ChatHarness) -> None:
    await harness.will_plan(TEA, times=None)
    (first,) = await begun(harness, "about tea")
    foreign = {"agent": "lull", "chat": "another", "entries": 3, "updated_at": harness.clock.now}
    await harness.backend.chats.client.document("conversations/conv-FOREIGN").set(foreign)
    await harness.writes("/conversations")
    await harness.rests()
    listed = (await harness.messages())[-1]
    forged = {**listed, "buttons": [[{"data": "resume:conv-FOREIGN:go"}]]}
    press = {
        "id": "4711",
        "from": {"id": harness.person, "is_bot": False, "first_name": "Ann"},
        "message": {
            "message_id": forged["message_id"],
            "date": 0,
            "chat": {"id": harness.key.chat_id, "type": "private"},
        },
        "chat_instance": "1",
        "data": forged["buttons"][0][0]["data"],
    }
    await harness.take({"update_id": harness.backend.offset, "callback_query": press})
    await harness.rests()
    assert (await harness.document()).conversation == first
    (notice,) = [t.task.summary() for t in (await harness.plan()).tasks if t.task.kind == "notice"]
    assert notice == NO_CONVERSATION


async def test_in_a_group_only_administrators_see_and_change_them(group: ChatHarness) -> None:
    name, other = group.backend.username, {"from": group.others[0]}
    await group.will_plan(TEA, times=None)
    await group.writes(f"/new@{name} tea?")
    await group.rests()
    assert await group.said() == ["Tea it is."]
    await group.writes(f"/conversations@{name}", **other)
    await group.writes(f"/resume@{name} tea", **other)
    await group.writes(f"/new@{name} milk?", **other)
    await group.rests()
    refused = [f"Only administrators of this group can use /{c}." for c in ("conversations", "resume", "new")]
    assert (await group.said())[1:] == refused
    await group.writes(f"/conversations@{name}")
    await group.rests()
    listed = (await group.messages())[-1]
    before = len(await group.notices())
    await group.presses(listed, 0, **other)
    await group.rests()
    assert (await group.notices())[before:] == ["Only administrators of this group can use /resume."]
