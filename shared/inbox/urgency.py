"""How long the webhook lets an update rest before a tick reads it, told from the raw update alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from shared.deciding.calling import names_one
from shared.deciding.scripts import folded
from shared.inbox.entities import entities_of
from shared.models.chat import ChatKind
from shared.models.update import Envelope, Json


class Urgency(Enum):
    """Stop: whatever the agent does. Now: another command, a button. Soon: after the quiet time. Later: not for it."""

    STOP = "stop"
    NOW = "now"
    SOON = "soon"
    LATER = "later"


@dataclass(frozen=True, kw_only=True)
class Names:
    """What an agent goes by: its bot's username, without @, and what people call it."""

    username: str = ""
    called: tuple[str, ...] = ()


def urgency_of(envelope: Envelope, raw: Json, names: Names, is_active: bool) -> Urgency:
    """How urgent an update is. `is_active`: whether the agent is taking part in what is said in the chat.

    In doubt it is SOON: LATER is only for what no decision could be in favour of.
    """
    if envelope.kind in {"callback_query", "my_chat_member"}:
        return Urgency.NOW
    if envelope.kind not in {"message", "edited_message"}:
        return Urgency.LATER
    message = raw[envelope.kind]
    entities = entities_of(message)
    is_mine = envelope.chat_kind is ChatKind.PRIVATE or is_active
    if any(e.get("type") == "bot_command" and e.get("offset") == 0 for e in entities):
        return _of_command(envelope, message, names.username, is_mine)
    if is_mine or _may_be_addressed(message, entities, names) or "migrate_to_chat_id" in message:
        return Urgency.SOON
    return Urgency.LATER


def _of_command(envelope: Envelope, message: Json, username: str, is_mine: bool) -> Urgency:
    if envelope.kind == "edited_message":
        return Urgency.LATER  # a command is never run again
    return Urgency.STOP if _is_stop(message, username, is_mine) else Urgency.NOW


def _is_stop(message: Json, username: str, is_mine: bool) -> bool:
    found = re.match(r"/stop(?:@(\w+))?(?!\w)", str(message.get("text") or ""), re.IGNORECASE | re.ASCII)
    if found is None:
        return False
    return is_mine if found[1] is None else found[1].lower() == username.lower()


def _may_be_addressed(message: Json, entities: Sequence[Json], names: Names) -> bool:
    if any(e.get("type") in {"mention", "text_mention", "bot_command"} for e in entities):
        return True  # whose mention it is, the tick finds out
    target = message.get("reply_to_message")
    if isinstance(target, dict) and _is_bot(target.get("from")):
        return True
    text = str(message.get("text") or message.get("caption") or "")
    return names_one(folded(text), (*names.called, names.username))


def _is_bot(author: Any) -> bool:
    return isinstance(author, dict) and author.get("is_bot") is True


def wants_typing(envelope: Envelope, raw: Json) -> bool:
    """Whether the person should see that the agent is at it: a private chat's message that was not just an event."""
    if envelope.kind != "message" or envelope.chat_kind is not ChatKind.PRIVATE:
        return False
    spoken = {"text", "caption", "photo", "sticker", "voice", "audio", "video", "video_note", "animation", "document"}
    return not spoken.isdisjoint(raw["message"])
