from dataclasses import replace

import pytest

from local.telegram.chats import ChatType, LocalChat
from local.telegram.entities import LocalEntity
from local.telegram.files import StoredFile
from local.telegram.messages import LocalMessage, LocalQuote, Media, MessageField
from local.telegram.people import Bot, Person
from local.telegram.spec import problems
from local.telegram.wire import chat_json, message_json, user_json
from local.telegram.world import World

MARVIN = Bot(id=7, token="7:x", first_name="Marvin", username="marvin_bot")
FORUM = LocalChat(key="g1", type=ChatType.SUPERGROUP, id=-100, title="Team", is_forum=True, bots=(7,))


@pytest.fixture
def forum(world: World) -> World:
    world.people.keep_bot(MARVIN)
    world.people.add_person(Person(id=0, first_name="Ann", last_name="Å", username="ann_a", language_code="en"))
    world.chats.keep(FORUM)
    return world


def ann(world: World) -> int:
    return world.people.people()[0].id


def test_people_and_bots_are_users(forum: World) -> None:
    for who in (*forum.people.everyone(), None):
        assert problems(user_json(who), ["User"]) == []
    assert user_json(MARVIN) == {"id": 7, "is_bot": True, "first_name": "Marvin", "username": "marvin_bot"}


def test_a_chat_is_named_as_its_kind_is(forum: World) -> None:
    private = LocalChat(key="p1-7", type=ChatType.PRIVATE, id=ann(forum), person_id=ann(forum), bot_id=7)
    assert chat_json(forum, FORUM) == {"id": -100, "title": "Team", "type": "supergroup", "is_forum": True}
    assert chat_json(forum, private)["first_name"] == "Ann"


def test_a_message_says_only_what_there_is_to_say(forum: World) -> None:
    message = LocalMessage(chat="g1", id=5, sender=ann(forum), date=9, text="hi")
    assert message_json(forum, message, 7) == {
        "message_id": 5,
        "from": user_json(forum.people.people()[0]),
        "chat": chat_json(forum, FORUM),
        "date": 9,
        "text": "hi",
    }


def test_a_reply_carries_what_it_replies_to_but_not_the_reply_in_that(forum: World) -> None:
    first = forum.messages.keep(LocalMessage(chat="g1", id=1, sender=7, date=0, text="a"))
    second = forum.messages.keep(LocalMessage(chat="g1", id=2, sender=7, date=0, text="b", reply_to=1))
    third = replace(second, id=3, text="c", reply_to=2, quote=LocalQuote(text="b"))
    shown = message_json(forum, third, 7)
    assert shown["reply_to_message"]["text"] == "b"
    assert "reply_to_message" not in shown["reply_to_message"]
    assert shown["quote"] == {"text": "b", "position": 0, "is_manual": True}
    forum.messages.keep(replace(first, deleted=True))
    assert "reply_to_message" not in message_json(forum, second, 7)


def test_a_message_in_a_topic_replies_to_the_making_of_the_topic(forum: World) -> None:
    root = forum.messages.keep(LocalMessage(chat="g1", id=3, sender=7, date=0, topic_id=3, text="made"))
    shown = message_json(forum, replace(root, id=4, text="x"), 7)
    assert (shown["message_thread_id"], shown["is_topic_message"]) == (3, True)
    assert shown["reply_to_message"]["message_id"] == 3
    assert "reply_to_message" not in message_json(forum, root, 7)
    assert "message_thread_id" not in message_json(forum, replace(root, id=5, topic_id=None), 7)


@pytest.mark.parametrize("kind", list(MessageField))
def test_every_kind_of_file_fits_the_specification(forum: World, kind: MessageField) -> None:
    file = StoredFile(unique_id="", kind=kind, size=0, name="a.x", mime_type="a/x", width=4, height=3, duration=2)
    media = Media(kind=kind, file=forum.files.add(file, b"content").unique_id)
    message = LocalMessage(
        chat="g1",
        id=1,
        sender=7,
        date=0,
        media=media,
        caption="c",
        entities=(LocalEntity(type="bold", offset=0, length=1),),
    )
    shown = message_json(forum, message, 7)
    assert problems(shown, ["Message"]) == []
    assert kind.value in shown
    assert shown["caption_entities"] == [{"type": "bold", "offset": 0, "length": 1}]


def test_file_ids_differ_from_bot_to_bot(forum: World) -> None:
    file = StoredFile(unique_id="", kind=MessageField.PHOTO, size=0, name="a.x", mime_type="a/x", width=4, height=3)
    media = Media(kind=MessageField.PHOTO, file=forum.files.add(file, b"content").unique_id)
    message = LocalMessage(chat="g1", id=1, sender=7, date=0, media=media)
    mine, yours = (message_json(forum, message, bot)["photo"][0] for bot in (7, 8))
    assert mine["file_id"] != yours["file_id"]
    assert mine["file_unique_id"] == yours["file_unique_id"]
