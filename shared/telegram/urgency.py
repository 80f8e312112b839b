"""How long the webhook lets an update rest before a tick reads it, told from the raw update alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeGuard

from shared.deciding.names import folded, names_one
from shared.models.chat import ChatKind
from shared.models.text import command_in
from shared.models.update import Envelope, Json
from shared.telegram.entities import entities_of
from shared.telegram.text import text_of


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


def urgency_of(envelope: Envelope, raw: Json, names: Names, is_active: bool, is_held: bool = False) -> Urgency:
    """How urgent an update is. `is_active`: whether the agent is taking part in what is said in the chat; `is_held`:
    whether a tick is at work there, which may be thinking of its first answer.

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
        is_stop = _is_stop(message, entities, names.username, is_mine or is_held)
        return _of_command(envelope, is_stop=is_stop)
    if is_mine or _may_be_addressed(message, entities, names) or "migrate_to_chat_id" in message:
        return Urgency.SOON
    return Urgency.LATER


def _of_command(envelope: Envelope, *, is_stop: bool) -> Urgency:
    if envelope.kind == "edited_message":
        return Urgency.LATER  # a command is never run again
    return Urgency.STOP if is_stop else Urgency.NOW


def _is_stop(message: Json, entities: Sequence[Json], username: str, may_be_mine: bool) -> bool:
    written = command_in(text_of(message), entities)
    if written is None or written.name != "stop" or "forward_origin" in message:
        return False  # whose words are forwarded, the tick finds out
    if written.username:
        return written.username == username.casefold()
    return may_be_mine or _replies_to(message, username)


def _replies_to(message: Json, username: str) -> bool:
    target = message.get("reply_to_message")
    author = target.get("from") if isinstance(target, dict) else None
    return _is_bot(author) and str(author.get("username") or "").casefold() == username.casefold()


def _may_be_addressed(message: Json, entities: Sequence[Json], names: Names) -> bool:
    if any(e.get("type") in ("mention", "text_mention", "bot_command") for e in entities):
        return True  # whose mention it is, the tick finds out
    target = message.get("reply_to_message")
    if isinstance(target, dict) and _is_bot(target.get("from")):
        return True
    return names_one(folded(text_of(message)), (*names.called, names.username))


def _is_bot(author: Any) -> TypeGuard[Json]:
    return isinstance(author, dict) and author.get("is_bot") is True


def wants_typing(envelope: Envelope, raw: Json) -> bool:
    """Whether the person should see that the agent is at it: a private chat's message that was not just an event."""
    if envelope.kind != "message" or envelope.chat_kind is not ChatKind.PRIVATE:
        return False
    spoken = {
        "text", "caption", "photo", "sticker", "voice", "audio", "video", "video_note", "animation", "document",
        "location", "venue", "contact", "poll", "dice",
    }  # fmt: skip
    return not spoken.isdisjoint(raw["message"])
