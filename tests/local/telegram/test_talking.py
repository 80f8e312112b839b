import pytest

from tests.local.telegram.scene import Json, Scene


async def test_what_a_person_types_is_formatted_and_delivered(stage: Scene) -> None:
    message = await stage.say(stage.private, stage.ann, "  **hi** @marvin_test_bot, see example.com  ")
    assert message["text"] == "hi @marvin_test_bot, see example.com"
    (update,) = await stage.updates()
    kinds = [entity["type"] for entity in update["message"]["entities"]]
    assert kinds == ["bold", "mention", "url"] == [entity["type"] for entity in message["entities"]]
    assert update["message"]["from"] == {
        "id": stage.ann,
        "is_bot": False,
        "first_name": "Ann",
        "last_name": "Ångström",
        "username": "ann_a",
    }


async def test_entities_can_be_given_instead(stage: Scene) -> None:
    link = {"type": "text_link", "offset": 0, "length": 2, "url": "https://x.example/"}
    message = await stage.say(stage.private, stage.ann, "hi **you**", entities=[link])
    assert message["text"] == "hi **you**"
    assert message["entities"] == [link]


async def test_a_reply_quotes_what_it_answers(stage: Scene) -> None:
    first = await stage.say(stage.private, stage.ann, "one two three")
    second = await stage.say(stage.private, stage.ann, "why?", reply_to=first["message_id"], quote="two")
    assert (second["reply_to"], second["quote"]) == (first["message_id"], "two")
    _, update = await stage.updates()
    assert update["message"]["reply_to_message"]["text"] == "one two three"
    assert update["message"]["quote"] == {"text": "two", "position": 4, "is_manual": True}


async def test_it_can_be_said_at_another_time(stage: Scene) -> None:
    message = await stage.say(stage.private, stage.ann, "good night", date=1_772_366_400)
    assert message["date"] == 1_772_366_400
    (update,) = await stage.updates()
    assert update["message"]["date"] == 1_772_366_400


async def test_an_edit_is_told_as_one(stage: Scene) -> None:
    message = await stage.say(stage.private, stage.ann, "helo")
    path = f"/world/chats/{stage.private}/messages/{message['message_id']}"
    edited = await stage.act("PATCH", path, {"from": stage.ann, "text": "hello"})
    assert edited["edit_date"] is not None
    again = await stage.say(stage.private, stage.ann, "hello!", edit_of=message["message_id"])
    assert (again["message_id"], again["text"]) == (message["message_id"], "hello!")
    updates = await stage.updates()
    assert [next(name for name in update if name != "update_id") for update in updates] == [
        "message",
        "edited_message",
        "edited_message",
    ]
    assert updates[1]["edited_message"]["text"] == "hello"


async def test_only_ones_own_words_can_be_edited(stage: Scene) -> None:
    sent = await stage.call("sendMessage", chat_id=stage.ann, text="mine")
    path = f"/world/chats/{stage.private}/messages/{sent['message_id']}"
    assert "only edit" in await stage.refused("PATCH", path, {"from": stage.ann, "text": "yours"})


async def test_deleting_is_seen_but_not_told_to_bots(stage: Scene) -> None:
    message = await stage.say(stage.private, stage.ann, "oops")
    await stage.updates()
    await stage.act("DELETE", f"/world/chats/{stage.private}/messages/{message['message_id']}?from={stage.ann}")
    assert await stage.updates() == []
    (last,) = (await stage.events())[-1:]
    assert (last["type"], last["message_id"]) == ("delete", message["message_id"])
    assert await stage.error(
        "sendMessage", chat_id=stage.ann, text="x", reply_parameters={"message_id": message["message_id"]}
    ) == (400, "Bad Request: message to be replied not found")


async def test_in_a_group_only_author_and_administrators_delete(stage: Scene) -> None:
    group = await stage.group()
    message = await stage.say(group["key"], stage.ann, "mine")
    path = f"/world/chats/{group['key']}/messages/{message['message_id']}"
    assert "administrator" in await stage.refused("DELETE", f"{path}?from={stage.bob}")
    await stage.act("DELETE", f"{path}?from={stage.ann}")


def emoji(reactions: list[Json]) -> str:
    return "".join(reaction["emoji"] for reaction in reactions)


async def test_reactions_are_told_to_bots_that_ask_and_may_know(stage: Scene) -> None:
    await stage.call("getUpdates", allowed_updates=["message_reaction"])
    plain, led = await stage.group(), await stage.group(admins=[stage.marvin])
    for chat in (plain["key"], led["key"]):
        message = await stage.say(chat, stage.ann, "nice")
        path = f"/world/chats/{chat}/messages/{message['message_id']}/reactions"
        await stage.act("POST", path, {"from": stage.bob, "emoji": "👍"})
        await stage.act("POST", path, {"from": stage.bob, "emoji": "🔥"})
        shown = await stage.act("POST", path, {"from": stage.bob, "emoji": None})
        assert shown["reactions"] == []
    updates = [update["message_reaction"] for update in await stage.updates()]
    assert [update["chat"]["id"] for update in updates] == [led["id"]] * 3
    changes = [
        [[one["emoji"] for one in update[side]] for side in ("old_reaction", "new_reaction")] for update in updates
    ]
    assert changes == [[[], ["👍"]], [["👍"], ["🔥"]], [["🔥"], []]]


async def test_not_every_emoji_is_a_reaction(stage: Scene) -> None:
    message = await stage.say(stage.private, stage.ann, "x")
    path = f"/world/chats/{stage.private}/messages/{message['message_id']}/reactions"
    assert "not one of Telegram's reactions" in await stage.refused("POST", path, {"from": stage.ann, "emoji": "🦞"})


async def test_a_pressed_button_is_a_callback_query(stage: Scene) -> None:
    keyboard = {"inline_keyboard": [[{"text": "Yes", "callback_data": "y:1"}]]}
    sent = await stage.call("sendMessage", chat_id=stage.ann, text="ok?", reply_markup=keyboard)
    path = f"/world/chats/{stage.private}/messages/{sent['message_id']}/press"
    pressed = await stage.act("POST", path, {"from": stage.ann, "data": "y:1"})
    (update,) = await stage.updates()
    query = update["callback_query"]
    assert (query["id"], query["data"], query["from"]["id"]) == (pressed["query_id"], "y:1", stage.ann)
    assert query["message"]["reply_markup"] == keyboard
    assert "no button" in await stage.refused("POST", path, {"from": stage.ann, "data": "n"})


async def test_stickers_are_sent_by_their_ids(stage: Scene) -> None:
    sticker = (await stage.act("GET", "/world"))["stickers"][1]
    message = await stage.say(stage.private, stage.ann, "no caption", sticker=sticker["file_id"])
    assert (message["sticker"], message["caption"]) == (sticker, None)
    (update,) = await stage.updates()
    assert update["message"]["sticker"]["emoji"] == sticker["emoji"]
    assert update["message"]["sticker"]["file_id"] != sticker["file_id"]


async def test_a_message_in_a_topic_goes_there(stage: Scene) -> None:
    group = await stage.group(topics=True, admins=[stage.marvin])
    topic = await stage.act("POST", f"/world/chats/{group['key']}/topics", {"name": "Backend"})
    await stage.updates()
    await stage.say(group["key"], stage.ann, "there", topic_id=topic["id"])
    await stage.say(group["key"], stage.ann, "in General")
    there, general = (update["message"] for update in await stage.updates())
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
async def test_what_cannot_be_said_is_refused_in_a_sentence(stage: Scene, body: Json, sentence: str) -> None:
    path = f"/world/chats/{stage.private}/messages"
    assert sentence in await stage.refused("POST", path, {"from": stage.ann} | body)


async def test_strangers_cannot_speak(stage: Scene) -> None:
    path = f"/world/chats/{stage.private}/messages"
    assert "not in this chat" in await stage.refused("POST", path, {"from": stage.bob, "text": "x"})
    message = await stage.say(stage.private, stage.ann, "mine")
    reaction = {"from": stage.bob, "emoji": "👍"}
    assert "not in this chat" in await stage.refused("POST", f"{path}/{message['message_id']}/reactions", reaction)
    assert "no person 5" in await stage.refused("POST", path, {"from": 5, "text": "x"})


async def test_each_person_writes_to_a_channel_in_a_topic_of_their_own(stage: Scene) -> None:
    group = await stage.group(direct=True, admins=[stage.marvin])
    await stage.updates()
    await stage.say(group["key"], stage.bob, "hello?")
    (update,) = await stage.updates()
    message = update["message"]
    assert message["chat"]["is_direct_messages"] is True
    assert "message_thread_id" not in message
    assert (message["direct_messages_topic"]["topic_id"], message["from"]["id"]) == (stage.bob, stage.bob)
    await stage.say(group["key"], stage.ann, "we will see", topic_id=stage.bob)
    (update,) = await stage.updates()
    assert update["message"]["sender_chat"]["id"] == group["id"]
    there = {"chat_id": group["id"], "text": "hello"}
    assert (await stage.error("sendMessage", **there))[0] == 400
    assert (await stage.error("sendMessage", **there, direct_messages_topic_id=7))[0] == 400
    assert (await stage.error("sendChatAction", chat_id=group["id"], action="typing"))[0] == 400
    assert (await stage.error("sendMessage", chat_id=stage.ann, text="x", direct_messages_topic_id=stage.ann))[0] == 400
    sent = await stage.call("sendMessage", **there, direct_messages_topic_id=stage.bob)
    assert sent["direct_messages_topic"]["topic_id"] == stage.bob
