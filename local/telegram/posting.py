"""Puts messages into chats and changes them, and sends updates to the bots that may see these messages."""

from dataclasses import replace

from local.telegram.chats import LocalChat
from local.telegram.messages import LocalMessage, ServiceNote
from local.telegram.privacy import is_shown
from local.telegram.updates import DAY_SECONDS, LaneKind, News
from local.telegram.views import chat_view, message_view
from local.telegram.wire import message_json
from local.telegram.world import World


def post(world: World, message: LocalMessage) -> LocalMessage:
    """Assign an id to a message, and a date if it has none. Then add the message to its chat, and notify the page and
    the bots.
    """
    chat = world.chats.get(message.chat)
    if chat is None:
        raise LookupError(f"there is no chat {message.chat}")
    message = replace(message, id=world.take_message_id(chat), date=message.date or int(world.now()))
    world.messages.keep(message)
    world.events.add("message", message=message_view(world, message))
    _tell_bots(world, chat, message, "message")
    return message


def post_service(
    world: World, chat: LocalChat, sender: int, service: ServiceNote, topic_id: int | None = None
) -> LocalMessage:
    """Post a service message about an event that `sender` caused."""
    return post(world, LocalMessage(chat=chat.key, id=0, sender=sender, date=0, topic_id=topic_id, service=service))


def change(world: World, message: LocalMessage) -> LocalMessage:
    """Store an edited message with a new edit date, and notify the page and the bots."""
    message = world.messages.keep(replace(message, edit_date=int(world.now())))
    world.events.add("edit", message=message_view(world, message))
    chat = world.chats.get(message.chat)
    if chat is not None:
        _tell_bots(world, chat, message, "edited_message")
    return message


def remove(world: World, message: LocalMessage) -> None:
    """Delete a message. As on Telegram, bots get no update about it."""
    world.messages.keep(replace(message, deleted=True))
    world.events.add("delete", chat=message.chat, message_id=message.id)


def keep_chat(world: World, chat: LocalChat) -> LocalChat:
    """Store a chat's new state and notify the page."""
    chat = world.chats.keep(chat)
    world.events.add("chat", chat=chat_view(chat))
    return chat


def _tell_bots(world: World, chat: LocalChat, message: LocalMessage, kind: str) -> None:
    for bot_id in chat.bots:
        bot = world.people.bot(bot_id)
        if bot is None or not is_shown(world, bot, chat, message):
            continue
        news = News(
            kind=kind,
            content=message_json(world, message, bot.id),
            lane=LaneKind.MESSAGES.of(chat.id),
            expires_at=int(world.now()) + DAY_SECONDS,
            chat=chat.key,
            message_id=message.id,
        )
        world.updates.push(bot, news)
