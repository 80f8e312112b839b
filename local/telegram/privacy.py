"""Decides which messages a bot receives: Telegram's privacy mode, and the rule that bots do not see messages of
bots.
"""

from local.telegram.chats import LocalChat
from local.telegram.entities import LocalEntity, utf16_slice
from local.telegram.messages import LocalMessage
from local.telegram.people import Bot
from local.telegram.world import World

# Client.cpp, need_skip_update_message: the service messages that a bot receives although they are about the bot's own
# actions.
_OWN_ACTS = frozenset({"left_chat_member", "forum_topic_created"})


def is_shown(world: World, bot: Bot, chat: LocalChat, message: LocalMessage) -> bool:
    """Return whether a bot gets this message as an update.

    A bot gets service messages, except most of those about its own actions. It gets no other message of a bot. Of
    people's messages in a group, a bot with privacy mode and without administrator rights gets only commands for it or
    for no bot in particular, mentions of it, and replies to it.
    """
    if not chat.has(bot.id):
        return False
    if message.service is not None:
        return message.sender != bot.id or message.service.field in _OWN_ACTS
    if world.people.bot(message.sender) is not None:
        return False
    if not chat.is_group or not bot.privacy or bot.id in chat.admins:
        return True
    return _is_meant_for(world, bot, message)


def _is_meant_for(world: World, bot: Bot, message: LocalMessage) -> bool:
    target = world.messages.get(message.chat, message.reply_to) if message.reply_to is not None else None
    if target is not None and target.sender == bot.id and target.service is None:
        return True
    return any(_names(bot, message, entity) for entity in message.entities)


def _names(bot: Bot, message: LocalMessage, entity: LocalEntity) -> bool:
    covered = utf16_slice(message.words, entity.offset, entity.length)
    match entity.type:
        case "mention":
            return covered[1:].lower() == bot.username.lower()
        case "text_mention":
            return entity.user_id == bot.id
        case "bot_command":
            _, _, addressee = covered.partition("@")
            return addressee.lower() in ("", bot.username.lower())
        case _:
            return False
