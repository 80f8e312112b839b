import pytest

from tests.local.telegram.scene import Json, Scene


async def test_what_a_person_types_is_formatted_and_delivered(sandbox: Scene) -> None:
    message = await sandbox.say(sandbox.private, sandbox.ann, "  **hi** @marvin_test_bot, see example.com  ")
    assert message["text"] == "hi @marvin_test_bot, see example.com"
    (update,) = await sandbox.updates()
    kinds = [entity["type"] for entity in update["message"]["entities"]]
    assert kinds == ["bold", "mention", "url"] == [entity["type"] for entity in message["entities"]]
    assert update["message"]["from"] == {
        "id": sandbox.ann,
        "is_bot": False,
        "first_name": "Ann",
        "last_name": "Ångström",
        "username": "ann_a",
    }


async def test_entities_can_be_given_instead(sandbox: Scene) -> None:
    link = {"type": "text_link", "offset": 0, "length": 2, "url": "https://x.example/"}
    message = await sandbox.say(sandbox.private, sandbox.ann, "hi **you**", entities=[link])
    assert message["text"] == "hi **you**"
    assert message["entities"] == [link]


async def test_a_reply_quotes_what_it_answers(sandbox: Scene) -> None:
    first = await sandbox.say(sandbox.private, sandbox.ann, "one two three")
    second = await sandbox.say(sandbox.private, sandbox.ann, "why?", reply_to=first["message_id"], quote="two")
    assert (second["reply_to"], second["quote"]) == (first["message_id"], "two")
    _, update = await sandbox.updates()
    assert update["message"]["reply_to_message"]["text"] == "one two three"
    assert update["message"]["quote"] == {"text": "two", "position": 4, "is_manual": True}


async def test_it_can_be_said_at_another_time(sandbox: Scene) -> None:
    message = await sandbox.say(sandbox.private, sandbox.ann, "good night", date=1_772_366_400)
    assert message["date"] == 1_772_366_400
    (update,) = await sandbox.updates()
    assert update["message"]["date"] == 1_772_366_400


async def test_an_edit_is_told_as_one(sandbox: Scene) -> None:
    message = await sandbox.say(sandbox.private, sandbox.ann, "helo")
    path = f"/world/chats/{sandbox.private}/messages/{message['message_id']}"
    edited = await sandbox.act("PATCH", path, {"from": sandbox.ann, "text": "hello"})
    assert edited["edit_date"] is not None
    again = await sandbox.say(sandbox.private, sandbox.ann, "hello!", edit_of=message["message_id"])
    assert (again["message_id"], again["text"]) == (message["message_id"], "hello!")
    updates = await sandbox.updates()
    assert [next(name for name in update if name != "update_id") for update in updates] == [
        "message",
        "edited_message",
        "edited_message",
    ]
    assert updates[1]["edited_message"]["text"] == "hello"


async def test_only_ones_own_words_can_be_edited(sandbox: Scene) -> None:
    sent = await sandbox.call("sendMessage", chat_id=sandbox.ann, text="mine")
    path = f"/world/chats/{sandbox.private}/messages/{sent['message_id']}"
    assert "only edit" in await sandbox.refused("PATCH", path, {"from": sandbox.ann, "text": "yours"})


async def test_deleting_is_seen_but_not_told_to_bots(sandbox: Scene) -> None:
    message = await sandbox.say(sandbox.private, sandbox.ann, "oops")
    await sandbox.updates()
    await sandbox.act("DELETE", f"/world/chats/{sandbox.private}/messages/{message['message_id']}?from={sandbox.ann}")
    assert await sandbox.updates() == []
    (last,) = (await sandbox.events())[-1:]
    assert (last["type"], last["message_id"]) == ("delete", message["message_id"])
    assert await sandbox.error(
        "sendMessage", chat_id=sandbox.ann, text="x", reply_parameters={"message_id": message["message_id"]}
    ) == (400, "Bad Request: message to be replied not found")


async def test_in_a_group_only_author_and_administrators_delete(sandbox: Scene) -> None:
    group = await sandbox.group()
    message = await sandbox.say(group["key"], sandbox.ann, "mine")
    path = f"/world/chats/{group['key']}/messages/{message['message_id']}"
    assert "administrator" in await sandbox.refused("DELETE", f"{path}?from={sandbox.bob}")
    await sandbox.act("DELETE", f"{path}?from={sandbox.ann}")


def emoji(reactions: list[Json]) -> str:
    return "".join(reaction["emoji"] for reaction in reactions)


async def test_reactions_are_told_to_bots_that_ask_and_may_know(sandbox: Scene) -> None:
    await sandbox.call("getUpdates", allowed_updates=["message_reaction"])
    plain, led = await sandbox.group(), await sandbox.group(admins=[sandbox.marvin])
    for chat in (plain["key"], led["key"]):
        message = await sandbox.say(chat, sandbox.ann, "nice")
        path = f"/world/chats/{chat}/messages/{message['message_id']}/reactions"
        await sandbox.act("POST", path, {"from": sandbox.bob, "emoji": "👍"})
        await sandbox.act("POST", path, {"from": sandbox.bob, "emoji": "🔥"})
        shown = await sandbox.act("POST", path, {"from": sandbox.bob, "emoji": None})
        assert shown["reactions"] == []
    updates = [update["message_reaction"] for update in await sandbox.updates()]
    assert [update["chat"]["id"] for update in updates] == [led["id"]] * 3
    changes = [
        [[one["emoji"] for one in update[side]] for side in ("old_reaction", "new_reaction")] for update in updates
    ]
    assert changes == [[[], ["👍"]], [["👍"], ["🔥"]], [["🔥"], []]]


async def test_not_every_emoji_is_a_reaction(sandbox: Scene) -> None:
    message = await sandbox.say(sandbox.private, sandbox.ann, "x")
    path = f"/world/chats/{sandbox.private}/messages/{message['message_id']}/reactions"
    assert "not one of Telegram's reactions" in await sandbox.refused(
        "POST", path, {"from": sandbox.ann, "emoji": "🦞"}
    )


async def test_a_pressed_button_is_a_callback_query(sandbox: Scene) -> None:
    keyboard = {"inline_keyboard": [[{"text": "Yes", "callback_data": "y:1"}]]}
    sent = await sandbox.call("sendMessage", chat_id=sandbox.ann, text="ok?", reply_markup=keyboard)
    path = f"/world/chats/{sandbox.private}/messages/{sent['message_id']}/press"
    pressed = await sandbox.act("POST", path, {"from": sandbox.ann, "data": "y:1"})
    (update,) = await sandbox.updates()
    query = update["callback_query"]
    assert (query["id"], query["data"], query["from"]["id"]) == (pressed["query_id"], "y:1", sandbox.ann)
    assert query["message"]["reply_markup"] == keyboard
    assert "no button" in await sandbox.refused("POST", path, {"from": sandbox.ann, "data": "n"})


async def test_stickers_are_sent_by_their_ids(sandbox: Scene) -> None:
    sticker = (await sandbox.act("GET", "/world"))["stickers"][1]
    message = await sandbox.say(sandbox.private, sandbox.ann, "no caption", sticker=sticker["file_id"])
    assert (message["sticker"], message["caption"]) == (sticker, None)
    (update,) = await sandbox.updates()
    assert update["message"]["sticker"]["emoji"] == sticker["emoji"]
    assert update["message"]["sticker"]["file_id"] != sticker["file_id"]


async def test_a_message_in_a_topic_goes_there(sandbox: Scene) -> None:
    group = await sandbox.group(topics=True, admins=[sandbox.marvin])
    topic = await sandbox.act("POST", f"/world/chats/{group['key']}/topics", {"name": "Backend"})
    await sandbox.updates()
    await sandbox.say(group["key"], sandbox.ann, "there", topic_id=topic["id"])
    await sandbox.say(group["key"], sandbox.ann, "in General")
    there, general = (update["message"] for update in await sandbox.updates())
    assert there["message_thread_id"] == topic["id"]
    assert there["reply_to_message"]["forum_topic_created"]["name"] == "Backend"
    assert "message_thread_id" not in general


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"text": ""}, "needs a text"),
        ({"text": "   "}, "needs a text"),
        ({"text": "x" * 4097}, "4,096"),
        ({"text": "x", "topic_id": 9}, "no topic 9"),
        ({"text": "x", "reply_to": 99}, "no message 99"),
        ({"sticker": "x"}, "no such sticker"),
        ({"text": "x", "colour": "red"}, "colour"),
    ],
)
async def test_what_cannot_be_said_is_refused_in_a_sentence(sandbox: Scene, body: Json, sentence: str) -> None:
    path = f"/world/chats/{sandbox.private}/messages"
    assert sentence in await sandbox.refused("POST", path, {"from": sandbox.ann} | body)


async def test_strangers_cannot_speak(sandbox: Scene) -> None:
    path = f"/world/chats/{sandbox.private}/messages"
    assert "not in this chat" in await sandbox.refused("POST", path, {"from": sandbox.bob, "text": "x"})
    message = await sandbox.say(sandbox.private, sandbox.ann, "mine")
    reaction = {"from": sandbox.bob, "emoji": "👍"}
    assert "not in this chat" in await sandbox.refused("POST", f"{path}/{message['message_id']}/reactions", reaction)
    assert "no person 5" in await sandbox.refused("POST", path, {"from": 5, "text": "x"})


async def test_each_person_writes_to_a_channel_in_a_topic_of_their_own(sandbox: Scene) -> None:
    group = await sandbox.group(direct=True, admins=[sandbox.marvin])
    await sandbox.updates()
    await sandbox.say(group["key"], sandbox.bob, "hello?")
    (update,) = await sandbox.updates()
    message = update["message"]
    assert message["chat"]["is_direct_messages"] is True
    assert "message_thread_id" not in message
    assert (message["direct_messages_topic"]["topic_id"], message["from"]["id"]) == (sandbox.bob, sandbox.bob)
    await sandbox.say(group["key"], sandbox.ann, "we will see", topic_id=sandbox.bob)
    (update,) = await sandbox.updates()
    assert update["message"]["sender_chat"]["id"] == group["id"]
    there = {"chat_id": group["id"], "text": "hello"}
    assert (await sandbox.error("sendMessage", **there))[0] == 400
    assert (await sandbox.error("sendMessage", **there, direct_messages_topic_id=7))[0] == 400
    assert (await sandbox.error("sendChatAction", chat_id=group["id"], action="typing"))[0] == 400
    assert (await sandbox.error("sendMessage", chat_id=sandbox.ann, text="x", direct_messages_topic_id=sandbox.ann))[
        0
    ] == 400
    sent = await sandbox.call("sendMessage", **there, direct_messages_topic_id=sandbox.bob)
    assert sent["direct_messages_topic"]["topic_id"] == sandbox.bob
