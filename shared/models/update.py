"""An update: one thing that Telegram told the webhook, raw; and its envelope, which needs no understanding."""

from datetime import datetime
from typing import Any, TypeGuard

from pydantic import BaseModel, ConfigDict

from shared.models.chat import ChatKey, ChatKind

Json = dict[str, Any]


class Envelope(BaseModel):
    """Where an update belongs: enough to store it and to wake a tick."""

    model_config = ConfigDict(frozen=True)

    update_id: int
    #: Telegram's name of the update's one field ("message", "callback_query", …); empty: none was found
    kind: str
    key: ChatKey
    chat_kind: ChatKind


class InboxUpdate(BaseModel):
    """An inbox document: the raw update and when it came."""

    model_config = ConfigDict(frozen=True)

    envelope: Envelope
    raw: Json
    received_at: datetime


def read_envelope(agent: str, update: Json) -> Envelope | None:
    """The envelope of one update of an agent; none when the JSON is no update at all (it has no update_id)."""
    update_id = update.get("update_id")
    if not _is_id(update_id) or update_id < 0:
        return None
    kind = next((name for name, value in update.items() if name != "update_id" and isinstance(value, dict)), "")
    subject = update.get(kind) if kind else {}
    message = _message_of(subject if isinstance(subject, dict) else {})
    chat = message.get("chat")
    chat = chat if isinstance(chat, dict) else {}
    chat_id = chat.get("id")
    key = ChatKey(agent=agent, chat_id=chat_id if _is_id(chat_id) else 0, topic_id=topic_of(message))
    return Envelope(update_id=update_id, kind=kind, key=key, chat_kind=_kind_of(chat))


def _message_of(subject: Json) -> Json:
    if "chat" not in subject and isinstance(subject.get("message"), dict):
        return dict(subject["message"])  # a button's update holds the message under it
    return subject


def topic_of(message: Json) -> int:
    """The topic of a message, 0 for none; plain replies carry a thread id too, which is not a topic."""
    topic = message.get("message_thread_id")
    return topic if message.get("is_topic_message") is True and _is_id(topic) else 0


def _is_id(value: Any) -> TypeGuard[int]:
    # Firestore's integers have 64 bits; a bool is an int in Python
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def _kind_of(chat: Json) -> ChatKind:
    try:
        return ChatKind(chat.get("type", "none"))
    except ValueError:
        return ChatKind.NONE
