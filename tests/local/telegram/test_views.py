from dataclasses import replace

from local.telegram.chats import ChatType, LocalChat, Topic
from local.telegram.messages import LocalMessage, LocalQuote, LocalReaction, Media, MessageField, ServiceNote
from local.telegram.people import Bot, Person
from local.telegram.views import bot_view, chat_view, message_view, person_view, sticker_view
from local.telegram.world import World


def test_a_bot_is_shown_without_its_token() -> None:
    view = bot_view(Bot(id=7, token="7:secret", first_name="M", username="m_bot"))
    assert "secret" not in str(view)
    assert view["privacy"] is True


def test_a_person_is_shown_with_what_is_known() -> None:
    assert person_view(Person(id=1, first_name="Ann")) == {"id": 1, "first_name": "Ann"}


def test_a_chat_is_shown_with_who_is_in_it() -> None:
    topics = (Topic(id=3, name="Backend"),)
    chat = LocalChat(
        key="g1", type=ChatType.SUPERGROUP, id=-1, title="T", is_forum=True, members=(1,), bots=(7,), topics=topics
    )
    assert chat_view(chat) == {
        "key": "g1",
        "type": "supergroup",
        "id": -1,
        "title": "T",
        "is_forum": True,
        "members": [1],
        "bots": [7],
        "admins": [],
        "topics": [{"id": 3, "name": "Backend"}],
        "blocked": False,
    }


def test_a_channel_s_direct_messages_are_told_as_such() -> None:
    direct = LocalChat(key="g2", type=ChatType.SUPERGROUP, id=-2, title="The channel", is_direct=True)
    assert chat_view(direct)["is_direct"] is True


def test_a_message_has_every_field_of_the_contract(world: World) -> None:
    message = LocalMessage(
        chat="g1",
        id=5,
        sender=1,
        date=9,
        text="hi",
        quote=LocalQuote(text="q"),
        reactions=(LocalReaction(sender=7, emoji="👍"),),
        buttons=(({"text": "Yes", "callback_data": "y"}, {"text": "Docs", "url": "https://x.example/"}),),
    )
    view = message_view(world, message)
    assert view["from"] == 1
    assert view["quote"] == "q"
    assert view["reactions"] == [{"from": 7, "emoji": "👍"}]
    assert view["buttons"] == [[{"text": "Yes", "data": "y"}, {"text": "Docs", "url": "https://x.example/"}]]
    names = "message_id chat topic_id from date edit_date text caption entities photo sticker reply_to quote reactions"
    elsewhere = "forwarded_from reply_elsewhere content link_preview"
    assert set(view) == {*names.split(), *elsewhere.split(), "buttons", "media_group_id", "service", "deleted", "file"}


def test_what_was_deleted_is_not_shown_any_more(world: World) -> None:
    service = ServiceNote(field="x", value=1, line="grey")
    message = LocalMessage(chat="g1", id=5, sender=1, date=9, text="secret", service=service)
    assert message_view(world, message)["service"] == "grey"
    view = message_view(world, replace(message, deleted=True))
    assert (view["deleted"], view["text"], view["service"]) == (True, None, None)


def test_stickers_and_photos_have_ids_that_the_world_api_knows(world: World) -> None:
    sticker = world.stickers.regular()[0]
    view = message_view(
        world,
        LocalMessage(chat="g1", id=1, sender=1, date=0, media=Media(kind=MessageField.STICKER, file=sticker.unique_id)),
    )
    assert view["sticker"] == sticker_view(sticker)
    assert world.files.find(view["sticker"]["file_id"], 0) == sticker
    assert view["photo"] is None
