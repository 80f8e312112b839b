"""Whom a message names, told by Telegram's entities: a mention inside code is none."""

from collections.abc import Iterator
from typing import Any

from shared.deciding.names import folded
from shared.models.message import Message

#: stretches that are not the person's own words, or that are somebody's or something's whole name
QUIET = (
    "code", "pre", "blockquote", "expandable_blockquote", "url", "text_link", "email", "phone_number",
    "mention", "text_mention", "hashtag", "cashtag", "bot_command",
)  # fmt: skip


def mentions(message: Message, bot_id: int, username: str) -> bool:
    """Whether the message mentions the agent, by @username in any case or by a link to its account."""
    return bool(mentioned(message) & {bot_id, username.casefold()})


def mentioned(message: Message) -> frozenset[int | str]:
    """Who is mentioned: ids where Telegram gives them, else usernames, without @ and in small letters."""
    if message.is_of_others_words:
        return frozenset()
    linked = [_user_id(entity) for entity in message.entities if entity.get("type") == "text_mention"]
    usernames = {span.removeprefix("@").casefold() for span in spans(message, "mention")}
    return frozenset({found for found in linked if isinstance(found, int)} | usernames)


def is_named_by_command(message: Message, username: str) -> bool:
    """Whether the message carries a command with the agent's name: `/help@lull_bot`."""
    wanted = f"@{username}".casefold()
    return any(span.casefold().endswith(wanted) for span in spans(message, "bot_command"))


def own_words(message: Message) -> str:
    """What the person says, folded: without code, quotations, links, others' names, and what is only forwarded."""
    if message.is_of_others_words:
        return ""
    units = bytearray(message.text.encode("utf-16-le", "surrogatepass"))
    for entity in message.entities:
        if entity.get("type") in QUIET:
            start, end = _bounds(entity)
            covered = units[start:end]
            units[start:end] = b"\n\0" * (len(covered) // 2)
    return folded(units.decode("utf-16-le", "replace"))


def spans(message: Message, kind: str) -> Iterator[str]:
    """The pieces of a person's own text under entities of a kind."""
    entities = () if message.is_of_others_words else message.entities
    return (_covered(message.text, entity) for entity in entities if entity.get("type") == kind)


def _covered(text: str, entity: dict[str, Any]) -> str:
    start, end = _bounds(entity)
    return text.encode("utf-16-le", "surrogatepass")[start:end].decode("utf-16-le", "replace")


def _bounds(entity: dict[str, Any]) -> tuple[int, int]:
    """Where an entity starts and ends in UTF-16 bytes: Telegram counts its units of two. Nowhere, if it is odd."""
    offset, length = entity.get("offset"), entity.get("length")
    if isinstance(offset, int) and isinstance(length, int) and offset >= 0 and length > 0:
        return 2 * offset, 2 * (offset + length)
    return 0, 0


def _user_id(entity: dict[str, Any]) -> object:
    user = entity.get("user")
    return user.get("id") if isinstance(user, dict) else None
