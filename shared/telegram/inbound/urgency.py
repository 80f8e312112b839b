"""Decisions of the webhook on a raw update: how soon a tick must read it, and whether somebody waits for an answer."""

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

#: the kinds of entity that may name the agent
_NAMING = frozenset({EntityType.MENTION, EntityType.TEXT_MENTION, EntityType.BOT_COMMAND})
#: the kinds of message in which people speak (core.telegram.org/bots/api#message)
_SPOKEN = frozenset({"voice", "video_note"})


class UpdateUrgency(Enum):
    """The urgency of an update.

    STOP interrupts the agent. NOW is for other commands and for buttons. SOON waits for the quiet time, some seconds in
    which nobody writes. LATER is for messages that are not for the agent.
    """

    STOP = "stop"
    NOW = "now"
    SOON = "soon"
    LATER = "later"


@dataclass(frozen=True, kw_only=True)
class AgentNames:
    """The names of an agent: the usernames of its bots without @, and the names by which people call it."""

    usernames: tuple[str, ...] = ()
    called: tuple[str, ...] = ()

    def has(self, username: str) -> bool:
        """Return whether a bot of the agent has this username; upper and lower case do not matter."""
        return username.casefold() in map(str.casefold, self.usernames)


def urgency_of(
    envelope: Envelope, raw: Json, names: Callable[[], AgentNames], is_active: bool, is_held: bool = False
) -> UpdateUrgency:
    """Return the urgency of an update.

    `is_active`: the agent takes part in the conversation. `is_held`: a tick is running in the chat, so the agent may be
    about to take part. `names` is called only if it is needed. In doubt, the result is SOON; LATER is only for updates
    that the agent certainly does not answer.
    """
    if envelope.kind in {"callback_query", "my_chat_member", CANARY}:
        return UpdateUrgency.NOW
    if envelope.kind not in {"message", "edited_message"}:
        return UpdateUrgency.LATER
    message = object_in(raw, envelope.kind)
    if message.get("is_automatic_forward") is True:
        return UpdateUrgency.LATER  # a channel's post in the channel's discussion group asks nobody
    entities = entities_of(message)
    is_mine = envelope.chat_kind.is_of_one or is_active
    if starts_with_command(entities):
        is_stop = _is_stop(message, entities, names, is_mine or is_held)
        return _of_command(envelope, is_stop=is_stop)
    if is_mine or _may_be_addressed(message, entities, names) or "migrate_to_chat_id" in message:
        return UpdateUrgency.SOON
    return UpdateUrgency.LATER


def urgency_of_update(
    update: InboxUpdate, names: Callable[[], AgentNames], is_active: bool, is_held: bool
) -> UpdateUrgency:
    """Return the urgency of a stored update, as `urgency_of` does."""
    return urgency_of(update.envelope, update.raw, names, is_active, is_held)


def _of_command(envelope: Envelope, *, is_stop: bool) -> UpdateUrgency:
    if envelope.kind == "edited_message":
        return UpdateUrgency.LATER  # an edited command does not run again
    return UpdateUrgency.STOP if is_stop else UpdateUrgency.NOW


def _is_stop(message: Json, entities: Sequence[Entity], names: Callable[[], AgentNames], may_be_mine: bool) -> bool:
    written = command_in(text_of(message), entities)
    if written is None or written.name != "stop" or "forward_origin" in message:
        return False  # the tick finds out who wrote the forwarded message
    if written.username:
        return names().has(written.username)
    return may_be_mine or _replies_to(message, names())


def _replies_to(message: Json, names: AgentNames) -> bool:
    target = message.get("reply_to_message")
    author = target.get("from") if isinstance(target, dict) else None
    return _is_bot(author) and names.has(str(author.get("username") or ""))


def _may_be_addressed(message: Json, entities: Sequence[Entity], names: Callable[[], AgentNames]) -> bool:
    if any(e.type in _NAMING for e in entities):
        return True  # the tick finds out who is mentioned
    if not _SPOKEN.isdisjoint(message):
        return True  # the words are not known yet
    target = message.get("reply_to_message")
    if isinstance(target, dict) and _is_bot(target.get("from")):
        return True
    own = names()
    return names_one(fold(text_of(message)), (*own.called, *own.usernames))


def _is_bot(author: Any) -> TypeGuard[Json]:
    return isinstance(author, dict) and author.get("is_bot") is True


def wants_typing(envelope: Envelope, raw: Json) -> bool:
    """Return whether to show that the agent is typing: True if somebody says something in a private chat."""
    is_private = brings_message(envelope) and envelope.chat_kind is ChatKind.PRIVATE
    return is_private and is_said(object_in(raw, "message"))


def typing_call(envelope: Envelope) -> Json:
    """Return a `sendChatAction` to put into the response to Telegram's webhook request, which saves a call."""
    topic = {"message_thread_id": envelope.key.topic_id} if envelope.key.topic_id else {}
    return {"method": "sendChatAction", "chat_id": envelope.key.chat_id, "action": "typing", **topic}


def awaits_answer(update: InboxUpdate, called: Sequence[str], bot_id: int) -> bool:
    """Return whether somebody waits for the agent's answer to an update that ticks could not read.

    `called`: the names by which people call the agent. This function uses only code that the webhook has already
    run on the same update, since other code may fail on this update.
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
    """Return the id of the message that an update contains; None if there is none."""
    message_id = object_in(update.raw, "message").get("message_id")
    return message_id if is_id(message_id) else None
