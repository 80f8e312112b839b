"""A call of a Bot API method, and the chat that the call is about."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from local.telegram.chats import ChatType, LocalChat
from local.telegram.errors import BotApiError, bad_request, forbidden
from local.telegram.messages import LocalMessage
from local.telegram.people import Bot
from local.telegram.webhooks import WebhookDeliveries
from local.telegram.world import World


@dataclass(frozen=True, kw_only=True)
class MethodRequest:
    """One call: the bot that makes it, and its parameters, already converted to the right types."""

    world: World
    deliveries: WebhookDeliveries
    bot: Bot
    params: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class MethodAnswer:
    """The result of a method whose response also has a description, such as setWebhook."""

    result: object
    description: str


Method = Callable[[MethodRequest], object]


class AccessLevel(IntEnum):
    """The levels of access to a chat that methods need. Each level includes the previous one (Client.cpp,
    AccessRights).
    """

    READ = 0
    READ_MEMBERS = 1
    EDIT = 2
    WRITE = 3


def chat_of(request: MethodRequest, access: AccessLevel) -> LocalChat:
    """Return the chat that the parameter `chat_id` names. Raises Telegram's error if there is none, or if the bot lacks
    the access.
    """
    if "business_connection_id" in request.params:
        raise bad_request("business connection not found")
    chat_id = request.params["chat_id"]
    chat = request.world.chats.seen_by(request.bot.id, chat_id) if isinstance(chat_id, int) else None
    if chat is None:
        raise _no_such_chat(request, chat_id)
    if chat.is_group:
        _check_group_access(chat, request.bot.id, access)
    elif chat.blocked and access is AccessLevel.WRITE:
        raise forbidden("bot was blocked by the user")
    return chat


def message_of(request: MethodRequest, chat: LocalChat, what: str, id_: int | None = None) -> LocalMessage:
    """Return the message with the id `id_` in the chat; without `id_`, the message that the call's parameter
    `message_id` names.

    Raises Telegram's error "`what` not found" if there is none.
    """
    wanted = request.params.get("message_id", 0) if id_ is None else id_
    message = request.world.messages.get(chat.key, wanted)
    if message is None:
        raise bad_request(f"{what} not found")
    return message


def _no_such_chat(request: MethodRequest, chat_id: object) -> BotApiError:
    world = request.world
    if isinstance(chat_id, int) and world.people.bot(chat_id) is not None:
        return forbidden("bot can't send messages to bots")
    if isinstance(chat_id, int) and world.people.person(chat_id) is not None:
        return forbidden("bot can't initiate conversation with a user")
    return bad_request("chat not found")


def _check_group_access(chat: LocalChat, bot_id: int, access: AccessLevel) -> None:
    if chat.migrated_to is not None and access in (AccessLevel.READ_MEMBERS, AccessLevel.WRITE):
        moved = {"migrate_to_chat_id": chat.migrated_to}
        raise bad_request("group chat was upgraded to a supergroup chat", moved)
    is_basic = chat.type is ChatType.GROUP
    if chat.has(bot_id) or (is_basic and access is AccessLevel.READ):
        return
    kind = "group" if is_basic else "supergroup"
    was_kicked = bot_id in chat.kicked
    raise forbidden(f"bot was kicked from the {kind} chat" if was_kicked else f"bot is not a member of the {kind} chat")
