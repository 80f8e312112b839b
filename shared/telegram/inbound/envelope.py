"""The envelope of a raw update: where it belongs, told without understanding it."""

import re
from typing import Any, TypeGuard

from shared.values.chat_key import ChatKey, ChatKind
from shared.values.update import Envelope, InboxUpdate, Json

#: how the Bot API names the kinds of update (core.telegram.org/bots/api#update)
_KIND = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
#: every kind of update that lull reads; two of them Telegram sends only if asked
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
    """Whether a value can be one of Telegram's ids: a whole number that Firestore holds, in 64 bits."""
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def object_in(outer: Json, name: str) -> Json:
    """The object in a field; an empty one if there is none."""
    inner = outer.get(name)
    return inner if isinstance(inner, dict) else {}


def read_envelope(agent: str, update: Json) -> Envelope | None:
    """The envelope of one update of an agent; none when the JSON is no update at all (it has no update_id)."""
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
        return dict(subject["message"])  # a button's update holds the message under it
    return subject


def topic_of(message: Json) -> int:
    """The topic of a message, 0 for none; plain replies carry a thread id too, which is not a topic.

    Below 0: one of a channel's direct messages, whose ids are apart from those of forums.
    """
    direct = object_in(message, "direct_messages_topic").get("topic_id")
    if is_id(direct) and direct > 0:
        return -direct
    topic = message.get("message_thread_id")
    return topic if message.get("is_topic_message") is True and is_id(topic) else 0


def thread_of(message: Json) -> int:
    """The first message of the thread of replies that a message belongs to, 0 for none; a topic is no thread."""
    thread = message.get("message_thread_id")
    return thread if message.get("is_topic_message") is not True and is_id(thread) else 0


def direct_person_of(update: InboxUpdate) -> int:
    """The id of the person whose topic of a channel's direct messages an update is in; 0: it is in none."""
    message = _message_of(object_in(update.raw, update.envelope.kind))
    person = object_in(object_in(message, "direct_messages_topic"), "user").get("id")
    return person if update.envelope.key.is_direct and is_id(person) and person > 0 else 0


def _kind_of(chat: Json, key: ChatKey) -> ChatKind:
    if key.is_direct:
        return ChatKind.DIRECT
    if chat.get("is_direct_messages") is True:
        return ChatKind.CHANNEL  # nobody can tell whose conversation it is in
    try:
        return ChatKind(chat.get("type", "none"))
    except ValueError:
        return ChatKind.NONE


def brings_message(envelope: Envelope) -> bool:
    """Whether an update brings a message, a new one and not a channel's."""
    return envelope.kind == "message"


def about_message(update: InboxUpdate) -> int | None:
    """The id of the message that an update is about: one that it brings, edits, or whose button was pressed."""
    subjects = [value for value in update.raw.values() if isinstance(value, dict)]
    for subject in [*subjects, *(value.get("message") for value in subjects)]:
        if isinstance(subject, dict) and is_id(subject.get("message_id")):
            return int(subject["message_id"])
    return None
