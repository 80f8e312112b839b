"""Methods that change messages: edit, delete, react."""

from collections.abc import Mapping
from dataclasses import replace

from local.telegram.chats import LocalChat
from local.telegram.errors import bad_request
from local.telegram.link_previews import preview_of
from local.telegram.messages import LocalMessage, MessageField
from local.telegram.methods.content import buttons_of, caption_of, text_of
from local.telegram.methods.request import AccessLevel, Method, MethodRequest, chat_of, message_of
from local.telegram.posting import change, remove
from local.telegram.reactions import EMOJI
from local.telegram.talking import put_reaction
from local.telegram.wire import Json, message_json

# Bot API: a bot can delete messages of the last 48 hours.
DELETABLE_SECONDS = 48 * 3600
_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)


def edit_message_text(request: MethodRequest) -> Json:
    """Replace the text and the buttons of one of the bot's own text messages. If no buttons are given, the old ones are
    removed.
    """
    if request.params.get("rich_message"):
        raise bad_request("the local server does not know rich messages")
    text, entities = text_of(request)
    message = _own_message(request)
    if message.text is None:
        raise bad_request("there is no text in the message to edit")
    preview = preview_of(request.params, text, entities)
    changed = replace(message, text=text, entities=entities, preview=preview, buttons=buttons_of(request.params))
    return _edit(request, message, changed)


def edit_message_caption(request: MethodRequest) -> Json:
    """In one of the bot's own messages that has a file, replace the caption and the buttons. A caption or buttons that
    are not given are removed.
    """
    message = _own_message(request)
    if message.media is None or message.media.kind is MessageField.STICKER:
        raise bad_request("there is no caption in the message to edit")
    caption, entities = caption_of(request)
    changed = replace(message, caption=caption, entities=entities, buttons=buttons_of(request.params))
    return _edit(request, message, changed)


def edit_message_reply_markup(request: MethodRequest) -> Json:
    """Replace the buttons of one of the bot's own messages. If no buttons are given, the old ones are removed."""
    message = _own_message(request)
    return _edit(request, message, replace(message, buttons=buttons_of(request.params)))


def delete_message(request: MethodRequest) -> bool:
    """Delete a message. A bot may delete its own messages, and all messages of private chats and of groups in which it
    is an administrator.
    """
    chat = chat_of(request, AccessLevel.EDIT)
    message = message_of(request, chat, "message to delete")
    if chat.is_group and message.sender != request.bot.id and request.bot.id not in chat.admins:
        raise bad_request("message can't be deleted")
    if message.date < request.world.now() - DELETABLE_SECONDS:
        raise bad_request("message can't be deleted for everyone")
    remove(request.world, message)
    return True


def set_message_reaction(request: MethodRequest) -> bool:
    """Set the bot's only reaction on a message, or remove it."""
    chat = chat_of(request, AccessLevel.READ)
    message = message_of(request, chat, "message to react")
    wanted = request.params.get("reaction") or []
    if len(wanted) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    emoji = wanted[0].get("emoji", "") if wanted else None
    if emoji is not None and emoji not in EMOJI:  # bots must use exactly Telegram's spelling, without U+FE0F
        raise bad_request("REACTION_INVALID")
    put_reaction(request.world, message, request.bot.id, emoji)
    return True


def _own_message(request: MethodRequest) -> LocalMessage:
    if "inline_message_id" in request.params:
        raise bad_request("MESSAGE_ID_INVALID")
    if "chat_id" not in request.params:
        raise bad_request(
            "chat_id is empty" if "message_id" in request.params else "message identifier is not specified"
        )
    chat: LocalChat = chat_of(request, AccessLevel.EDIT)
    message = message_of(request, chat, "message to edit")
    if message.sender != request.bot.id or message.service is not None:
        raise bad_request("message can't be edited")
    return message


def _edit(request: MethodRequest, old: LocalMessage, new: LocalMessage) -> Json:
    if old == new:
        raise bad_request(_NOT_MODIFIED)
    return message_json(request.world, change(request.world, new), request.bot.id)


METHODS: Mapping[str, Method] = {
    "editMessageText": edit_message_text,
    "editMessageCaption": edit_message_caption,
    "editMessageReplyMarkup": edit_message_reply_markup,
    "deleteMessage": delete_message,
    "setMessageReaction": set_message_reaction,
}
