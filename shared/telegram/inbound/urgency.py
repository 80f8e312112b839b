"""What the webhook tells from a raw update alone: how long it may rest, and whether somebody waits for an answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeGuard

from shared.base.text import Entity, EntityType, command_in, starts_with_command
from shared.deciding.names import fold, names_one
from shared.telegram.inbound.content import is_said
from shared.telegram.inbound.envelope import brings_message, is_id, object_in
from shared.telegram.inbound.text import entities_of, text_of
from shared.values.canary import CANARY
from shared.values.chat_key import ChatKind
from shared.values.update import Envelope, InboxUpdate, Json

#: an entity that may name the agent
_NAMING = frozenset({EntityType.MENTION, EntityType.TEXT_MENTION, EntityType.BOT_COMMAND})
#: what people say with their own voice (core.telegram.org/bots/api#message)
_SPOKEN = frozenset({"voice", "video_note"})


class UpdateUrgency(Enum):
    """Stop: whatever the agent does. Now: another command, a button. Soon: after the quiet time. Later: not for it."""

    STOP = "stop"
    NOW = "now"
    SOON = "soon"
    LATER = "later"


@dataclass(frozen=True, kw_only=True)
class AgentNames:
    """What an agent goes by: its bots' usernames, without @, and what people call it."""

    usernames: tuple[str, ...] = ()
    called: tuple[str, ...] = ()

    def has(self, username: str) -> bool:
        """Return whether a bot of the agent has this username, in any case."""
        return username.casefold() in map(str.casefold, self.usernames)


def urgency_of(
    envelope: Envelope, raw: Json, names: Callable[[], AgentNames], is_active: bool, is_held: bool = False
) -> UpdateUrgency:
    """How urgent an update is. `is_active`: whether the agent is taking part in what is said in the chat; `is_held`:
    whether a tick is at work there, which may be thinking of its first answer. `names` is asked only where it matters.

    In doubt it is SOON: LATER is only for what no decision could be in favour of.
    """
    if envelope.kind in {"callback_query", "my_chat_member", CANARY}:
        return UpdateUrgency.NOW
    if envelope.kind not in {"message", "edited_message"}:
        return UpdateUrgency.LATER
    message = object_in(raw, envelope.kind)
    if message.get("is_automatic_forward") is True:
        return UpdateUrgency.LATER  # a channel's post in its discussion group asks nobody
    entities = entities_of(message)
    is_mine = envelope.chat_kind.is_of_one or is_active
    if starts_with_command(entities):
        is_stop = _is_stop(message, entities, names, is_mine or is_held)
        return _of_command(envelope, is_stop=is_stop)
    if is_mine or _may_be_addressed(message, entities, names) or "migrate_to_chat_id" in message:
        return UpdateUrgency.SOON
    return UpdateUrgency.LATER


def _of_command(envelope: Envelope, *, is_stop: bool) -> UpdateUrgency:
    if envelope.kind == "edited_message":
        return UpdateUrgency.LATER  # a command is never run again
    return UpdateUrgency.STOP if is_stop else UpdateUrgency.NOW


def _is_stop(message: Json, entities: Sequence[Entity], names: Callable[[], AgentNames], may_be_mine: bool) -> bool:
    written = command_in(text_of(message), entities)
    if written is None or written.name != "stop" or "forward_origin" in message:
        return False  # whose words are forwarded, the tick finds out
    if written.username:
        return names().has(written.username)
    return may_be_mine or _replies_to(message, names())


def _replies_to(message: Json, names: AgentNames) -> bool:
    target = message.get("reply_to_message")
    author = target.get("from") if isinstance(target, dict) else None
    return _is_bot(author) and names.has(str(author.get("username") or ""))


def _may_be_addressed(message: Json, entities: Sequence[Entity], names: Callable[[], AgentNames]) -> bool:
    if any(e.type in _NAMING for e in entities):
        return True  # whose mention it is, the tick finds out
    if not _SPOKEN.isdisjoint(message):
        return True  # nobody knows yet whom it names
    target = message.get("reply_to_message")
    if isinstance(target, dict) and _is_bot(target.get("from")):
        return True
    own = names()
    return names_one(fold(text_of(message)), (*own.called, *own.usernames))


def _is_bot(author: Any) -> TypeGuard[Json]:
    return isinstance(author, dict) and author.get("is_bot") is True


def wants_typing(envelope: Envelope, raw: Json) -> bool:
    """Whether the person should see that the agent is at it: somebody said something in a private chat."""
    is_private = brings_message(envelope) and envelope.chat_kind is ChatKind.PRIVATE
    return is_private and is_said(object_in(raw, "message"))


def typing_call(envelope: Envelope) -> Json:
    """The `sendChatAction` that rides on the webhook's response: it costs no call."""
    topic = {"message_thread_id": envelope.key.topic_id} if envelope.key.topic_id else {}
    return {"method": "sendChatAction", "chat_id": envelope.key.chat_id, "action": "typing", **topic}


def awaits_answer(update: InboxUpdate, called: Sequence[str], bot_id: int) -> bool:
    """Whether somebody waits for an answer of the agent's, who is `called` so, to an update that can't be read.

    Ticks died of reading it. What is asked of it here, the webhook has asked of it too.
    """
    if update.envelope.kind != "message" or update.envelope.chat_kind is ChatKind.PRIVATE:
        return wants_typing(update.envelope, update.raw)
    message = object_in(update.raw, "message")
    if update.envelope.chat_kind is ChatKind.DIRECT:
        return "sender_chat" not in message and is_said(message)
    if message.get("is_automatic_forward") is True:
        return False
    author = object_in(object_in(message, "reply_to_message"), "from")
    return author.get("id") == bot_id or names_one(fold(text_of(message).replace("@", " ")), called)


def message_id_of(update: InboxUpdate) -> int | None:
    """The id of the message that an update brings; none if it brings none."""
    message_id = object_in(update.raw, "message").get("message_id")
    return message_id if is_id(message_id) else None
