"""A member's status as the Bot API's `ChatMember`."""

from local.telegram.chats import ChatType, LocalChat, Status
from local.telegram.people import Bot, Person
from local.telegram.wire import Json, user_json

# The rights of a group's administrators on this server: all except acting anonymously and adding administrators.
_RIGHTS = {
    "can_be_edited": False,
    "is_anonymous": False,
    "can_manage_chat": True,
    "can_delete_messages": True,
    "can_manage_video_chats": True,
    "can_restrict_members": True,
    "can_promote_members": False,
    "can_change_info": True,
    "can_invite_users": True,
    "can_post_stories": False,
    "can_edit_stories": False,
    "can_delete_stories": False,
    "can_pin_messages": True,
}


def member_json(chat: LocalChat, who: Person | Bot | None, status: Status) -> Json:
    """Return a `ChatMember`: an owner, administrator or member, or somebody who left or was banned."""
    member: Json = {"status": status.value, "user": user_json(who)}
    match status:
        case Status.CREATOR:
            return member | {"is_anonymous": False}
        case Status.ADMINISTRATOR:
            topics = {"can_manage_topics": True} if chat.type is ChatType.SUPERGROUP else {}
            return member | _RIGHTS | topics
        case Status.KICKED:
            return member | {"until_date": 0}
        case _:
            return member
