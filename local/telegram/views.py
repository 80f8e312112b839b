"""The objects of the World API, in which the page and tests see people, bots, chats and messages."""

from typing import Any

from local.telegram.chats import LocalChat
from local.telegram.files import EVERYBODY, StoredFile, file_id_for
from local.telegram.link_previews import previewed_address
from local.telegram.messages import ForwardOrigin, LocalMessage, MessageField
from local.telegram.people import Bot, Person
from local.telegram.wire import Json, entity_json, present
from local.telegram.world import World


def bot_view(bot: Bot) -> Json:
    """Return a bot without its token."""
    return {
        "id": bot.id,
        "first_name": bot.first_name,
        "username": bot.username,
        "privacy": bot.privacy,
        "can_join_groups": bot.can_join_groups,
        # by scope and language, for example "all_private_chats|de"
        "commands": bot.commands,
        "menu_buttons": bot.menu_buttons,
    }


def person_view(person: Person) -> Json:
    """Return a person. Of the settings, only those that are switched on are included."""
    return present(
        id=person.id,
        first_name=person.first_name,
        last_name=person.last_name,
        username=person.username,
        language_code=person.language_code,
        hides_account=person.hides_account or None,
        refuses_voice=person.refuses_voice or None,
    )


def chat_view(chat: LocalChat) -> Json:
    """Return a chat with its members."""
    view = present(
        key=chat.key,
        type=chat.type.value,
        id=chat.id,
        title=chat.title,
        is_forum=chat.is_forum,
        is_direct=chat.is_direct or None,
        bot_id=chat.bot_id,
        person_id=chat.person_id,
        migrated_to=chat.migrated_to,
    )
    topics = [{"id": topic.id, "name": topic.name} for topic in chat.topics]
    members = {"members": list(chat.members), "bots": list(chat.bots), "admins": list(chat.admins)}
    return view | members | {"topics": topics, "blocked": chat.blocked}


def sticker_view(file: StoredFile) -> Json:
    """Return a sticker's file ids, emoji, set and size."""
    ids = {"file_id": file_id_for(file, EVERYBODY), "unique_id": file.unique_id}
    known = {"emoji": file.emoji, "set_name": file.set_name, "mime_type": file.mime_type}
    size = {"width": file.width, "height": file.height}
    return {**ids, **known, **size, "custom_emoji_id": file.custom_emoji_id}


def message_view(world: World, message: LocalMessage) -> Json:
    """Return a message. A deleted message has its id but no content."""
    if message.deleted:
        message = LocalMessage(
            chat=message.chat,
            id=message.id,
            sender=message.sender,
            date=message.date,
            topic_id=message.topic_id,
            deleted=True,
        )
    return {
        "message_id": message.id,
        "chat": message.chat,
        "topic_id": message.topic_id,
        "from": message.sender,
        "date": message.date,
        "edit_date": message.edit_date,
        "text": message.text,
        "caption": message.caption,
        "entities": [entity_json(world, entity) for entity in message.entities],
        "link_preview": previewed_address(message),
        "content": {message.thing.field: message.thing.value} if message.thing else None,
        "reply_to": message.reply_to,
        "forwarded_from": message.post.title if message.post else _name_of(world, message.forwarded),
        "reply_elsewhere": _name_of(world, message.external.origin if message.external else None),
        "quote": message.quote.text if message.quote else None,
        "reactions": [{"from": reaction.sender, "emoji": reaction.emoji} for reaction in message.reactions],
        "buttons": [list(map(_button_view, row)) for row in message.buttons] if message.buttons else None,
        "media_group_id": message.media_group_id,
        "service": message.service.line if message.service else None,
        "deleted": message.deleted,
        **_media_view(world, message),
    }


def _name_of(world: World, origin: ForwardOrigin | None) -> str | None:
    """Return the name of the author of a forwarded message, as people see it: that of a person, of a bot, or of the
    group if the author is an anonymous administrator.
    """
    if origin is None:
        return None
    who, chat = world.people.find(origin.sender), world.chats.get(origin.chat)
    if isinstance(who, Person):
        return " ".join(part for part in (who.first_name, who.last_name) if part)
    return who.first_name if who is not None else (chat.title if chat is not None else None) or "someone"


def _button_view(button: Json) -> Json:
    shown = present(text=button["text"], data=button.get("callback_data"), url=button.get("url"))
    return shown if len(shown) > 1 else button


def _media_view(world: World, message: LocalMessage) -> dict[str, Any]:
    file = world.files.get(message.media.file) if message.media else None
    view: dict[str, Any] = {"photo": None, "sticker": None, "file": None}
    if message.media is None or file is None:
        return view
    ids = {"file_id": file_id_for(file, EVERYBODY), "unique_id": file.unique_id}
    size = ids | {"width": file.width, "height": file.height}
    spoiler = {"spoiler": message.media.is_spoiler}
    if message.media.kind is MessageField.PHOTO:
        return view | {"photo": size | spoiler}
    if message.media.kind is MessageField.STICKER:
        return view | {"sticker": sticker_view(file)}
    named = {"kind": file.kind.value, "name": file.name, "mime_type": file.mime_type, "size": file.size}
    music = {"duration": file.duration, "performer": file.performer, "title": file.title}
    return view | {"file": size | named | music | spoiler}
