"""Whether a message names the agent, told by Telegram's entities: a mention inside code is none."""

from collections.abc import Iterator

from shared.models.message import Message


def mentions(message: Message, bot_id: int, username: str) -> bool:
    """Whether the message mentions the agent, by @username in any case or by a link to its account."""
    if any(_user_id(entity) == bot_id for entity in message.entities if entity.get("type") == "text_mention"):
        return True
    wanted = f"@{username}".casefold()
    return any(span.casefold() == wanted for span in spans(message, "mention"))


def is_named_by_command(message: Message, username: str) -> bool:
    """Whether the message carries a command with the agent's name: `/help@lull_bot`."""
    wanted = f"@{username}".casefold()
    return any(span.casefold().endswith(wanted) for span in spans(message, "bot_command"))


def spans(message: Message, kind: str) -> Iterator[str]:
    """The pieces of text under entities of a kind. Telegram counts UTF-16 units."""
    units = message.text.encode("utf-16-le")
    for entity in message.entities:
        offset, length = entity.get("offset"), entity.get("length")
        if entity.get("type") == kind and isinstance(offset, int) and isinstance(length, int):
            yield units[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")


def _user_id(entity: dict[str, object]) -> object:
    user = entity.get("user")
    return user.get("id") if isinstance(user, dict) else None
