"""What an update says of the agent's place in a chat: removed, or the group has another id."""

from shared.models.update import InboxUpdate, Json
from shared.telegram.envelope import is_id

#: core.telegram.org/bots/api#chatmember; in a private chat `kicked` means that the person blocked the bot
GONE = ("left", "kicked")


def was_removed(update: InboxUpdate) -> bool | None:
    """Whether the agent can write here no more; none if the update tells nothing of its place."""
    if update.envelope.kind != "my_chat_member":
        return None
    member = _under(_under(update.raw, "my_chat_member"), "new_chat_member")
    return member.get("status") in GONE


def migrated_to(update: InboxUpdate) -> int | None:
    """The group's new chat id, told in the old chat."""
    return _chat_id(update, "migrate_to_chat_id")


def migrated_from(update: InboxUpdate) -> int | None:
    """The group's old chat id, told in the new chat."""
    return _chat_id(update, "migrate_from_chat_id")


def _chat_id(update: InboxUpdate, name: str) -> int | None:
    found = _under(update.raw, "message").get(name)
    return found if is_id(found) and found != update.envelope.key.chat_id else None


def _under(found: Json, name: str) -> Json:
    inner = found.get(name)
    return inner if isinstance(inner, dict) else {}
