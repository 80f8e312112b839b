"""How long the webhook lets an update rest before a tick reads it, told from the raw update alone."""

import re
from collections.abc import Collection, Sequence
from enum import Enum
from typing import Any

from shared.inbox.entities import entities_of
from shared.models.chat import ChatKind
from shared.models.update import Envelope, Json


class Urgency(Enum):
    """Now: a command or a button. Soon: after the quiet time. Later: surely not for the agent."""

    NOW = "now"
    SOON = "soon"
    LATER = "later"


def urgency_of(envelope: Envelope, raw: Json, names: Collection[str], is_active: bool) -> Urgency:
    """How urgent an update is.

    `names`: what the agent is called here; `is_active`: whether it is taking part in what is said in the chat.
    In doubt it is SOON: LATER is only for what no decision could be in favour of.
    """
    if envelope.kind == "callback_query":
        return Urgency.NOW
    if envelope.kind != "message":
        return Urgency.LATER
    message = raw["message"]
    entities = entities_of(message)
    if any(e.get("type") == "bot_command" and e.get("offset") == 0 for e in entities):
        return Urgency.NOW
    if envelope.chat_kind is ChatKind.PRIVATE or is_active or _may_be_addressed(message, entities, names):
        return Urgency.SOON
    return Urgency.LATER


def _may_be_addressed(message: Json, entities: Sequence[Json], names: Collection[str]) -> bool:
    if any(e.get("type") in {"mention", "text_mention", "bot_command"} for e in entities):
        return True  # whose mention it is, the tick finds out
    target = message.get("reply_to_message")
    if isinstance(target, dict) and _is_bot(target.get("from")):
        return True
    text = str(message.get("text") or message.get("caption") or "")
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in names if name)


def _is_bot(author: Any) -> bool:
    return isinstance(author, dict) and author.get("is_bot") is True


def wants_typing(envelope: Envelope, raw: Json) -> bool:
    """Whether the person should see that the agent is at it: a private chat's message that was not just an event."""
    if envelope.kind != "message" or envelope.chat_kind is not ChatKind.PRIVATE:
        return False
    spoken = {"text", "caption", "photo", "sticker", "voice", "audio", "video", "video_note", "animation", "document"}
    return not spoken.isdisjoint(raw["message"])
