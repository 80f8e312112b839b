"""Raw updates without somebody: what Telegram told, as the inbox keeps it for some days."""

import json
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from shared.erasing.repeats import texts_in
from shared.models.button_data import TELLS_APART, read_button

#: what is left of an update's raw JSON
EMPTY: Final = "{}"
#: who wrote a message, and what of it is theirs
_AUTHORS: Final = ("from", "sender_chat", "sender_user", "via_bot")
_KEPT: Final = frozenset({"message_id", "date", "chat", "message_thread_id", "is_topic_message"})


#: where a message has its words
_WORDS: Final = frozenset({"text", "caption", "rich_message"})


def tells_of(raw: Any, person: int) -> bool:
    """Whether a person's id is anywhere in an update."""
    if isinstance(raw, Mapping):
        return any(tells_of(one, person) for one in raw.values())
    if isinstance(raw, list):
        return any(tells_of(one, person) for one in raw)
    return isinstance(raw, int) and not isinstance(raw, bool) and raw == person


def repeats_what_is_told(raw: Mapping[str, Any], person: int) -> bool:
    """Return whether an owner's update carries a message of lull's that may tell of a person, by name or by number."""
    number = re.compile(rf"(?<!\d){person}(?!\d)")
    is_told = (number.search(text) or read_button(text)[0] in TELLS_APART for text in texts_in(raw))
    return tells_of(raw, person) or any(is_told)


def carries_message(raw: object, messages: Collection[int]) -> bool:
    """Return whether one of some messages is in an update: as the one that it quotes, or below which was pressed."""
    if isinstance(raw, Mapping):
        is_one = raw.get("message_id") in messages and not _WORDS.isdisjoint(raw)
        return is_one or any(carries_message(one, messages) for one in raw.values())
    return isinstance(raw, list) and any(carries_message(one, messages) for one in raw)


def without_words(raw: Mapping[str, Any], person: int, messages: Collection[int] = ()) -> str | None:
    """An unread update of somebody else without what it quotes of a person; none: the update itself is theirs.

    `messages`: others that it may quote no more.
    """
    subject = next((one for one in raw.values() if isinstance(one, Mapping)), {})
    if _is_by(subject, person):
        return None
    return json.dumps({name: _without(one, person, messages) for name, one in raw.items()}, separators=(",", ":"))


def _without(value: Any, person: int, messages: Collection[int]) -> Any:
    if isinstance(value, Mapping):
        if "message_id" in value and (_is_by(value, person) or value["message_id"] in messages):
            return {name: one for name, one in value.items() if name in _KEPT}
        return {name: _without(one, person, messages) for name, one in value.items() if not _is_user(one, person)}
    return [_without(one, person, messages) for one in value] if isinstance(value, list) else value


def _is_user(value: Any, person: int) -> bool:
    return isinstance(value, Mapping) and value.get("id") == person


def _is_by(message: Mapping[str, Any], person: int) -> bool:
    return any(_is_user(message.get(name), person) for name in (*_AUTHORS, "user"))
