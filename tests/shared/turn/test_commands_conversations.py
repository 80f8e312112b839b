"""Conversations of one chat: listed, gone back to, and begun with words."""

import re

from tests.shared.buttons import labels_of, place_of
from tests.shared.own_words import ALREADY_HERE, LISTED, NO_CONVERSATION, NONE_YET, OLDER
from tests.shared.turn.room import Room
from tests.shared.turn.scenes import assert_at_rest

TEA = {"kind": "send", "text": "Tea it is."}


async def begun(here: Room, *texts: str) -> list[str]:
    """Conversations that begin with some words; their ids."""
    ids = []
    for text in texts:
        await here.writes(f"/new {text}")
        await here.rests()
        ids.append((await here.document()).conversation)
    return ids


async def test_words_behind_new_are_its_first_message_and_are_answered(here: Room) -> None:
    await here.will_plan(TEA, times=None)
    await here.writes("before")
    await here.rests()
    before = (await here.document()).conversation
    update_ids = await here.writes("/new tea or\nmilk?")
    await here.rests()
    assert (await here.document()).conversation != before
    assert await here.said() == ["Tea it is.", "Tea it is."]
    entries = await here.transcript()
    assert [(entry["text"], entry["turn"]) for entry in entries] == [("tea or\nmilk?", 1), ("Tea it is.", 1)]
    assert entries[0]["message_id"] == here.message_id
    assert "before" not in (await here.asked())[-1]
    kept = (await here.house.chats.client.document(f"conversations/{before}").get()).to_dict() or {}
    assert (kept["opening"], kept["entries"]) == ("before", 3)
    await assert_at_rest(here, update_ids)


async def test_a_tick_that_dies_between_begins_one_conversation(here: Room) -> None:
    await here.will_plan(TEA, times=None)
    await here.fault(kind="500", method="sendMessage", times=2)
    await here.writes("/new tea?")
    update_ids = await here.writes("/new milk?")
    await here.rests()
    assert [entry["text"] for entry in await here.transcript()] == ["milk?", "Tea it is."]
    await assert_at_rest(here, update_ids)


async def test_a_conversation_is_listed_and_gone_back_to_with_its_window(here: Room) -> None:
    await here.will_plan(TEA, times=None)
    first, second = await begun(here, "about tea", "about milk")
    await here.writes("/conversations")
    await here.rests()
    listed = (await here.messages())[-1]
    assert listed["text"].startswith(LISTED)
    names = re.findall(r"^\d+\. (.*) · ", listed["text"], re.MULTILINE)
    assert names[:2] == ["✓ about milk", "about tea"]
    await here.presses(listed, 1)
    await here.rests()
    assert (await here.document()).conversation == first
    shown = (await here.messages())[-1]
    assert shown["text"].startswith("We're back in “about tea”.")
    assert not shown.get("buttons")
    await here.writes("and sugar?")
    await here.rests()
    assert "about tea" in (await here.asked())[-1]
    assert "about milk" not in (await here.asked())[-1]
    said = [e["text"] for e in await here.transcript() if e["type"] == "message"]
    assert said == ["about tea", "Tea it is.", "/new", "and sugar?", "Tea it is."]
    assert [e["seq"] for e in await here.transcript()] == list(range(1, len(await here.transcript()) + 1))
    pages = await here.house.chats.client.collection(f"conversations/{second}/messages").get()
    assert {name for page in pages for name in page.get("names")} == {str(here.person)}


async def test_one_in_which_nobody_has_said_anything_is_not_listed(here: Room) -> None:
    await here.will_plan(TEA, times=None)
    for command in ("/conversations", "/resume", "/conversations"):
        await here.writes(command)
        await here.rests()
    assert await here.said() == [NONE_YET] * 3
    await here.writes("about tea")
    await here.rests()
    await here.writes("/new")
    await here.rests()
    await here.writes("/resume")
    await here.rests()
    listed = (await here.messages())[-1]
    assert re.findall(r"^\d+\. (?:✓ )?(.*) · ", listed["text"], re.MULTILINE) == ["about tea"]


async def test_it_is_gone_back_to_by_its_title(here: Room) -> None:
    await here.will_plan(TEA, times=None)
    first, second = await begun(here, "about tea", "about milk")
    await here.writes("/title Dairy")
    await here.writes("/resume TEA")
    await here.rests()
    assert (await here.document()).conversation == first
    await here.writes("/resume dairy")
    await here.rests()
    chat = await here.document()
    assert (chat.conversation, chat.talk.conversation_title) == (second, "Dairy")
    await here.writes("/resume dairy")
    await here.writes("/resume nothing like it")
    await here.writes("/resume")
    await here.rests()
    already, unknown, listed = (await here.said())[-3:]
    assert (already, unknown) == (ALREADY_HERE, "There's no conversation called “nothing like it” here.")
    assert listed.startswith(LISTED)
    assert (await here.document()).conversation == second


async def test_pages_are_turned(here: Room) -> None:
    await here.will_plan(TEA, times=None)
    await begun(here, *(f"number {n}" for n in range(8)))
    await here.writes("/conversations")
    await here.rests()
    listed = (await here.messages())[-1]
    assert listed["buttons"][-1][0]["text"] == OLDER
    await here.presses(listed, place_of(listed, OLDER))
    await here.rests()
    turned = (await here.messages())[-1]
    assert re.findall(r"^(\d+)\. (.*) · ", turned["text"], re.MULTILINE) == [("7", "number 1"), ("8", "number 0")]
    assert labels_of(turned) == ["7", "8", "‹ Newer"]


async def test_another_chats_conversation_is_not_gone_back_to(here: Room) -> None:
    await here.will_plan(TEA, times=None)
    (first,) = await begun(here, "about tea")
    foreign = {"agent": "lull", "chat": "another", "entries": 3, "updated_at": here.clock.now}
    await here.house.chats.client.document("conversations/conv-FOREIGN").set(foreign)
    await here.writes("/conversations")
    await here.rests()
    listed = (await here.messages())[-1]
    forged = {**listed, "buttons": [[{"data": "resume:conv-FOREIGN:go"}]]}
    press = {
        "id": "4711",
        "from": {"id": here.person, "is_bot": False, "first_name": "Ann"},
        "message": {"message_id": forged["message_id"], "date": 0, "chat": {"id": here.key.chat_id, "type": "private"}},
        "chat_instance": "1",
        "data": forged["buttons"][0][0]["data"],
    }
    await here.take({"update_id": here.house.offset, "callback_query": press})
    await here.rests()
    assert (await here.document()).conversation == first
    (notice,) = [t.task.summary() for t in (await here.plan()).tasks if t.task.kind == "notice"]
    assert notice == NO_CONVERSATION


async def test_in_a_group_only_administrators_see_and_change_them(group: Room) -> None:
    name, other = group.house.username, {"from": group.others[0]}
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
