"""Removes a forgotten person from raw updates, which stay in the inbox for some days."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final

from shared.privacy.deletion.repeats import texts_in
from shared.values.button_data import TELLS_APART, read_button

#: fields with the author of a message, and fields of an erased message that stay
_SENDER: Final = "from"
_AUTHORS: Final = (_SENDER, "sender_chat", "sender_user", "via_bot")
_KEPT: Final = frozenset({"message_id", "date", "chat", "message_thread_id", "is_topic_message"})


#: fields with the words of a message
_PLAIN_WORDS: Final = ("text", "caption")
_WORDS: Final = frozenset({*_PLAIN_WORDS, "rich_message"})
#: fields with the original author of a forward, and of a quote from another chat; and the forms that such a field has
_ORIGINS: Final = ("forward_origin", "origin")
_PASSED_ON_BY_ID: Final = "sender_user"
_HIDDEN: Final = "sender_user_name"


def tells_of(raw: Any, person: int) -> bool:
    """Return whether a person's id is anywhere in an update."""
    if isinstance(raw, Mapping):
        return any(tells_of(one, person) for one in raw.values())
    if isinstance(raw, list):
        return any(tells_of(one, person) for one in raw)
    return isinstance(raw, int) and not isinstance(raw, bool) and raw == person


def repeats_what_is_told(raw: Mapping[str, Any], person: int) -> bool:
    """Return whether an update by an agent's owner contains a message of lull that may be about a person."""
    number = re.compile(rf"(?<!\d){person}(?!\d)")
    is_told = (number.search(text) or read_button(text)[0] in TELLS_APART for text in texts_in(raw))
    return tells_of(raw, person) or any(is_told)


def carries_message(raw: object, messages: Collection[int]) -> bool:
    """Return whether an update quotes one of these messages, or is the press of a button below one of them."""
    if isinstance(raw, Mapping):
        is_one = raw.get("message_id") in messages and not _WORDS.isdisjoint(raw)
        return is_one or any(carries_message(one, messages) for one in raw.values())
    return isinstance(raw, list) and any(carries_message(one, messages) for one in raw)


def told_by_bots(raw: object) -> Iterator[str]:
    """Yield the texts of all messages by bots in an update: of quoted messages, and of messages with a pressed
    button.
    """
    if isinstance(raw, Mapping):
        author = raw.get(_SENDER)
        if isinstance(author, Mapping) and author.get("is_bot") is True:
            yield from texts_in({name: raw.get(name) for name in (*_WORDS, "reply_markup")})
        for one in raw.values():
            yield from told_by_bots(one)
    elif isinstance(raw, list):
        for one in raw:
            yield from told_by_bots(one)


def hidden_forwards(raw: object) -> Iterator[tuple[str, str]]:
    """Yield the author's name and the text of each message in an update that was forwarded from a hidden account."""
    if isinstance(raw, Mapping):
        if name := _hidden_name(raw):
            yield name, _words_of(raw)
        for one in raw.values():
            yield from hidden_forwards(one)
    elif isinstance(raw, list):
        for one in raw:
            yield from hidden_forwards(one)


def _hidden_name(message: Mapping[str, Any]) -> str:
    return next((name for one in _origins_of(message) if isinstance(name := one.get(_HIDDEN), str)), "")


def _origins_of(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the original authors of a message, as the update describes them."""
    yield from (origin for name in _ORIGINS if isinstance(origin := message.get(name), Mapping))


def _words_of(message: Mapping[str, Any]) -> str:
    return next((told for name in _PLAIN_WORDS if isinstance(told := message.get(name), str)), "")


def without_words(
    raw: Mapping[str, Any],
    person: int,
    messages: Collection[int] = (),
    is_theirs: Callable[[str, str], bool] = lambda name, text: False,
) -> str | None:
    """Return an unread update as JSON without quotes of the person; None if the person wrote its message.

    Quotes of the messages with the ids in `messages` are removed too. `is_theirs` decides, by name and text, whether a
    forward from a hidden account is the person's.
    """

    def is_gone(message: Mapping[str, Any]) -> bool:
        is_known = any(_is_user(one.get(_PASSED_ON_BY_ID), person) for one in _origins_of(message))
        is_passed_on = is_known or is_theirs(_hidden_name(message), _words_of(message))
        return _is_by(message, person) or message.get("message_id") in messages or is_passed_on

    def rest(value: Any) -> Any:
        if isinstance(value, Mapping):
            if _hidden_name(value) and "message_id" not in value and is_gone(value):
                return {}
            if "message_id" in value and is_gone(value):
                return {name: one for name, one in value.items() if name in _KEPT}
            return {name: rest(one) for name, one in value.items() if not _is_user(one, person)}
        return [rest(one) for one in value] if isinstance(value, list) else value

    subject = next((one for one in raw.values() if isinstance(one, Mapping)), {})
    if _is_by(subject, person) or (_ORIGINS[0] in subject and is_gone(subject)):
        return None
    return json.dumps({name: rest(one) for name, one in raw.items()}, separators=(",", ":"))


def _is_user(value: Any, person: int) -> bool:
    return isinstance(value, Mapping) and value.get("id") == person


def _is_by(message: Mapping[str, Any], person: int) -> bool:
    return any(_is_user(message.get(name), person) for name in (*_AUTHORS, "user"))
