"""The envelope of a raw update: its id, its kind and its chat, found without reading the rest of the update."""

import re
from typing import Any, TypeGuard

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.update import Envelope, InboxUpdate, Json

#: names of update kinds in the Bot API (core.telegram.org/bots/api#update)
_KIND = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
#: the kinds of update that lull reads; Telegram sends two of these only if they are requested
ALLOWED_UPDATES = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "message_reaction",
    "my_chat_member",
    "chat_member",
)


def is_id(value: Any) -> TypeGuard[int]:
    """Return whether a value can be a Telegram id: an integer of at most 64 bits, which Firestore can store."""
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def object_in(outer: Json, name: str) -> Json:
    """Return the object in a field; {} if the field contains no object."""
    inner = outer.get(name)
    return inner if isinstance(inner, dict) else {}


def read_envelope(agent: str, update: Json) -> Envelope | None:
    """Return the envelope of an agent's update; None if the JSON has no update_id and so is not an update."""
    update_id = update.get("update_id")
    if not is_id(update_id) or update_id < 0:
        return None
    kind = next((name for name, value in update.items() if isinstance(value, dict) and _KIND.fullmatch(name)), "")
    message = _message_of(object_in(update, kind) if kind else {})
    chat = object_in(message, "chat")
    chat_id = chat.get("id")
    key = ChatKey(agent=agent, chat_id=chat_id if is_id(chat_id) else 0, topic_id=topic_of(message))
    return Envelope(update_id=update_id, kind=kind, key=key, chat_kind=_kind_of(chat, key))


def _message_of(subject: Json) -> Json:
    if "chat" not in subject and isinstance(subject.get("message"), dict):
        return dict(subject["message"])  # the update of a button contains its message in a field
    return subject


def topic_of(message: Json) -> int:
    """Return the id of the message's topic; 0 if it is in none. The thread id of a plain reply is not a topic.

    A negative topic stands for one person in the direct messages of a channel.
    """
    direct = object_in(message, "direct_messages_topic").get("topic_id")
    if is_id(direct) and direct > 0:
        return -direct
    topic = message.get("message_thread_id")
    return topic if message.get("is_topic_message") is True and is_id(topic) else 0


def thread_of(message: Json) -> int:
    """Return the id of the first message in a message's reply thread; 0 if it is in none. A topic is not a thread."""
    thread = message.get("message_thread_id")
    return thread if message.get("is_topic_message") is not True and is_id(thread) else 0


def direct_person_of(update: InboxUpdate) -> int:
    """Return the id of the person in a channel's direct messages; 0 if the update is not from there."""
    message = _message_of(object_in(update.raw, update.envelope.kind))
    person = object_in(object_in(message, "direct_messages_topic"), "user").get("id")
    return person if update.envelope.key.is_direct and is_id(person) and person > 0 else 0


def _kind_of(chat: Json, key: ChatKey) -> ChatKind:
    if key.is_direct:
        return ChatKind.DIRECT
    if chat.get("is_direct_messages") is True:
        return ChatKind.CHANNEL  # the person of the conversation is unknown
    try:
        return ChatKind(chat.get("type", "none"))
    except ValueError:
        return ChatKind.NONE


def brings_message(envelope: Envelope) -> bool:
    """Return whether an update contains a new message, and not a channel post."""
    return envelope.kind == "message"


def about_message(update: InboxUpdate) -> int | None:
    """Return the id of the message that an update contains or edits, or whose button was pressed; else None."""
    subjects = [value for value in update.raw.values() if isinstance(value, dict)]
    for subject in [*subjects, *(value.get("message") for value in subjects)]:
        if isinstance(subject, dict) and is_id(subject.get("message_id")):
            return int(subject["message_id"])
    return None
