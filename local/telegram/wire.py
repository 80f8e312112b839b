"""People, chats and messages in the format of the Bot API, as one bot gets them."""

from dataclasses import asdict
from typing import Any

from local.telegram.chats import ChatType, LocalChat
from local.telegram.entities import LocalEntity
from local.telegram.files import StoredFile, file_id_for
from local.telegram.messages import ExternalReply, ForwardOrigin, LinkPreview, LocalMessage, Media, MessageField
from local.telegram.people import GROUP_ANONYMOUS_BOT, Bot, Person
from local.telegram.things import fields_of
from local.telegram.world import World

Json = dict[str, Any]


def present(**fields: Any) -> Json:
    """Return the fields that are not None. Telegram, too, omits fields without a value."""
    return {name: value for name, value in fields.items() if value is not None}


def user_json(who: Person | Bot | None) -> Json:
    """Return a `User`. For an unknown author (None), return Telegram's account for anonymous administrators."""
    match who:
        case Person():
            return present(
                id=who.id,
                is_bot=False,
                first_name=who.first_name,
                last_name=who.last_name,
                username=who.username,
                language_code=who.language_code,
            )
        case Bot():
            return {"id": who.id, "is_bot": True, "first_name": who.first_name, "username": who.username}
        case None:
            return dict(GROUP_ANONYMOUS_BOT)


def chat_json(world: World, chat: LocalChat) -> Json:
    """Return a chat as the Bot API's `Chat`. A private chat has the names of its person."""
    person = world.people.person(chat.person_id) if chat.person_id is not None else None
    if person is not None:
        names = present(first_name=person.first_name, last_name=person.last_name, username=person.username)
        return {"id": chat.id, **names, "type": "private"}
    forum = {"is_forum": True} if chat.is_forum else {}
    direct = {"is_direct_messages": True} if chat.is_direct else {}
    return {"id": chat.id, "title": chat.title, "type": chat.type.value, **forum, **direct}


def entity_json(world: World, entity: LocalEntity) -> Json:
    """Return a formatted span as the Bot API's `MessageEntity`."""
    user = user_json(world.people.find(entity.user_id)) if entity.user_id is not None else None
    return present(
        type=entity.type,
        offset=entity.offset,
        length=entity.length,
        url=entity.url,
        user=user,
        language=entity.language,
        custom_emoji_id=entity.custom_emoji_id,
    )


def message_json(world: World, message: LocalMessage, bot_id: int) -> Json:
    """Return a message as the `Message` that the bot sees. For a reply within the chat, the original message is
    included.
    """
    answer = _bare_message_json(world, message, bot_id)
    target = replied_message(world, message)
    if message.external is not None:
        answer["external_reply"] = _external_json(world, message.external, bot_id)
    elif target is not None:
        answer["reply_to_message"] = _bare_message_json(world, target, bot_id)
    return answer


def replied_message(world: World, message: LocalMessage) -> LocalMessage | None:
    """Return the message to which a message replies. In a topic of a forum, a message that replies to no other counts
    as a reply to the message that opened the topic.
    """
    if message.reply_to is not None:
        return world.messages.get(message.chat, message.reply_to)
    chat = world.chats.get(message.chat)
    if chat is None or chat.type is not ChatType.SUPERGROUP or message.topic_id in (None, message.id):
        return None
    return world.messages.get(message.chat, message.topic_id) if message.topic_id else None


def _bare_message_json(world: World, message: LocalMessage, bot_id: int) -> Json:
    chat = world.chats.get(message.chat)
    head = present(
        message_id=message.id,
        **{"from": user_json(world.people.find(message.sender))},
        sender_chat=chat_json(world, chat) if chat and chat.is_group and not message.sender else None,
        chat=chat_json(world, chat) if chat else None,
        date=message.date,
        forward_origin=_origin_json(world, message.forwarded) if message.forwarded else None,
        edit_date=message.edit_date,
        has_protected_content=True if message.is_protected else None,
        media_group_id=message.media_group_id,
    )
    topic = _topic_json(world, chat, message.topic_id) if message.topic_id else {}
    thread = comments_of(world, message)
    topic |= {"message_thread_id": thread} if thread is not None else {}
    head |= _post_json(message) if message.post is not None else {}
    service = {message.service.field: message.service.value} if message.service else {}
    thing = fields_of(message.thing) if message.thing else {}
    return head | topic | _words_json(world, message) | _media_json(world, message.media, bot_id) | thing | service


def _topic_json(world: World, chat: LocalChat | None, topic_id: int) -> Json:
    """Return the fields that name a message's topic: a topic of a forum, or the topic of a person in a channel's direct
    messages.
    """
    if chat is None or not chat.is_direct:
        return {"message_thread_id": topic_id, "is_topic_message": True}
    return {"direct_messages_topic": {"topic_id": topic_id, "user": user_json(world.people.person(topic_id))}}


#: the account that Telegram names as the sender when a channel's post is forwarded into the linked group
#: (core.telegram.org/bots/api#message)
_TELEGRAM = {"id": 777000, "is_bot": False, "first_name": "Telegram"}


def _post_json(message: LocalMessage) -> Json:
    """Return the additional fields of a message that is a channel's post, forwarded to the group automatically."""
    assert message.post is not None
    channel = {"id": message.post.channel, "title": message.post.title, "type": "channel"}
    origin = {"type": "channel", "chat": channel, "message_id": message.post.id, "date": message.date}
    return {"from": _TELEGRAM, "sender_chat": channel, "forward_origin": origin, "is_automatic_forward": True}


def comments_of(world: World, message: LocalMessage) -> int | None:
    """Return the id that the commented post of the channel has in the group; None if the message is no comment."""
    above = message
    while above.reply_to is not None and (found := world.messages.any(above.chat, above.reply_to)) is not None:
        above = found
    return above.id if above.post is not None and above is not message else None


def _origin_json(world: World, origin: ForwardOrigin) -> Json:
    """Return a `MessageOrigin`: a person or bot, a person with a hidden account, or a group for an anonymous
    administrator.
    """
    who, chat = world.people.find(origin.sender), world.chats.get(origin.chat)
    if isinstance(who, Person) and who.hides_account:
        name = " ".join(part for part in (who.first_name, who.last_name) if part)
        return {"type": "hidden_user", "date": origin.date, "sender_user_name": name}
    if not origin.sender and chat is not None and chat.is_group:
        return {"type": "chat", "date": origin.date, "sender_chat": chat_json(world, chat)}
    return {"type": "user", "date": origin.date, "sender_user": user_json(who)}


def _external_json(world: World, external: ExternalReply, bot_id: int) -> Json:
    """Return an `ExternalReplyInfo`. It contains the id of the message only if the message is in a supergroup."""
    origin = external.origin
    chat = world.chats.get(origin.chat)
    is_told = chat is not None and chat.type is ChatType.SUPERGROUP
    place = {"chat": chat_json(world, chat), "message_id": origin.id} if chat is not None and is_told else {}
    return {"origin": _origin_json(world, origin), **place, **_media_json(world, external.media, bot_id)}


def _words_json(world: World, message: LocalMessage) -> Json:
    entities = [entity_json(world, entity) for entity in message.entities] or None
    quote = message.quote
    return present(
        text=message.text,
        entities=entities if message.text is not None else None,
        link_preview_options=_preview_json(message.preview) if message.preview else None,
        caption=message.caption,
        caption_entities=entities if message.caption is not None else None,
        quote=present(
            text=quote.text,
            entities=[entity_json(world, entity) for entity in quote.entities] or None,
            position=quote.position,
            is_manual=quote.is_manual or None,
        )
        if quote
        else None,
        reply_markup={"inline_keyboard": [list(row) for row in message.buttons]} if message.buttons else None,
    )


def _preview_json(preview: LinkPreview) -> Json:
    """Return `LinkPreviewOptions`. As on Telegram, it contains only the options that differ from the default."""
    return {name: value for name, value in asdict(preview).items() if value}


def _media_json(world: World, media: Media | None, bot_id: int) -> Json:
    file = world.files.get(media.file) if media is not None else None
    if media is None or file is None:
        return {}
    covered = {"has_media_spoiler": True} if media.is_spoiler else {}
    return covered | _file_field(file, bot_id)


def _file_field(file: StoredFile, bot_id: int) -> Json:
    """Return the part of a message that contains the file, such as `{"photo": […]}`."""
    if file.kind is MessageField.PHOTO:
        return {"photo": [file_json(file, bot_id) | {"width": file.width, "height": file.height}]}
    if file.kind is MessageField.STICKER:
        return {"sticker": sticker_json(file, bot_id)}
    if file.kind is MessageField.ANIMATION:
        document = file_json(file, bot_id) | {"file_name": file.name, "mime_type": file.mime_type}
        return {"animation": _clip_json(file, bot_id), "document": document}
    return {file.kind.value: _clip_json(file, bot_id)}


def file_json(file: StoredFile, bot_id: int) -> Json:
    """Return the fields that all kinds of files have in the Bot API."""
    return {"file_id": file_id_for(file, bot_id), "file_unique_id": file.unique_id, "file_size": file.size}


def sticker_json(file: StoredFile, bot_id: int) -> Json:
    """Return a file as the Bot API's `Sticker`, with the `file_id` that this bot sees."""
    known = present(emoji=file.emoji, set_name=file.set_name, custom_emoji_id=file.custom_emoji_id)
    type_ = "custom_emoji" if file.custom_emoji_id else "regular"
    kind = {"type": type_, "width": file.width, "height": file.height}
    return file_json(file, bot_id) | kind | {"is_animated": file.is_animated, "is_video": file.is_video} | known


def _clip_json(file: StoredFile, bot_id: int) -> Json:
    """Return a file as the Bot API's object for its kind: Document, Voice, Audio, Video, Animation or VideoNote."""
    named: Json = {"file_name": file.name, "mime_type": file.mime_type}
    size = {"width": file.width, "height": file.height, "duration": file.duration}
    match file.kind:
        case MessageField.VOICE:
            return file_json(file, bot_id) | {"duration": file.duration, "mime_type": file.mime_type}
        case MessageField.AUDIO:
            music = present(performer=file.performer, title=file.title)
            return file_json(file, bot_id) | {"duration": file.duration} | music | named
        case MessageField.VIDEO_NOTE:
            return file_json(file, bot_id) | {"length": file.width, "duration": file.duration}
        case MessageField.VIDEO | MessageField.ANIMATION:
            return file_json(file, bot_id) | size | named
        case _:
            return file_json(file, bot_id) | named
