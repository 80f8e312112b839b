"""Methods that change a chat's members: leave, ban, unban."""

from collections.abc import Mapping
from dataclasses import replace

from local.telegram.chats import LocalChat, Status
from local.telegram.errors import bad_request
from local.telegram.membership import remove_member
from local.telegram.methods.request import AccessLevel, Method, MethodRequest, chat_of
from local.telegram.posting import keep_chat


def leave_chat(request: MethodRequest) -> bool:
    """Leave a group. Raises BotApiError for a private chat."""
    chat = chat_of(request, AccessLevel.EDIT)
    if not chat.is_group:
        raise bad_request("chat member status can't be changed in private chats")
    remove_member(request.world, chat, request.bot.id, by=request.bot.id)
    return True


def ban_chat_member(request: MethodRequest) -> bool:
    """Ban a person from a group in which the bot is an administrator."""
    chat = _check_may_restrict(request)
    user_id = request.params["user_id"]
    if request.world.people.find(user_id) is None:
        raise bad_request("PARTICIPANT_ID_INVALID")
    match chat.status_of(user_id):
        case Status.CREATOR:
            raise bad_request("can't remove chat owner")
        case Status.ADMINISTRATOR:
            raise bad_request("user is an administrator of the chat")
        case Status.MEMBER:
            remove_member(request.world, chat, user_id, by=request.bot.id)
        case Status.LEFT:
            keep_chat(request.world, replace(chat, kicked=(*chat.kicked, user_id)))
    return True


def unban_chat_member(request: MethodRequest) -> bool:
    """Allow a banned person to join the group again."""
    chat = _check_may_restrict(request)
    user_id = request.params["user_id"]
    if user_id in chat.kicked:
        keep_chat(request.world, replace(chat, kicked=tuple(id_ for id_ in chat.kicked if id_ != user_id)))
    return True


def _check_may_restrict(request: MethodRequest) -> LocalChat:
    chat = chat_of(request, AccessLevel.WRITE)
    if not chat.is_group:
        raise bad_request("can't ban members in private chats")
    if request.bot.id not in chat.admins:
        raise bad_request("not enough rights to restrict/unrestrict chat member")
    if request.params["user_id"] == request.bot.id:
        raise bad_request("can't restrict self")
    return chat


METHODS: Mapping[str, Method] = {
    "leaveChat": leave_chat,
    "banChatMember": ban_chat_member,
    "unbanChatMember": unban_chat_member,
}
