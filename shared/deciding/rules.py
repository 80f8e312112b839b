"""The rules: a private chat is always answered, a group when the agent is meant."""

from dataclasses import dataclass

from shared.deciding.addressing import is_named_by_command, mentions
from shared.models.chat import ChatKind
from shared.models.decision import Decision, Tier
from shared.models.message import Message


@dataclass(frozen=True)
class Self:
    """What the agent knows of itself: its bot's id and username."""

    bot_id: int
    username: str


def decide(message: Message, kind: ChatKind, me: Self) -> Decision:
    """Whether to answer one message."""
    silence = _reason_for_silence(message, kind)
    if silence:
        return Decision(respond=False, reason=silence, tier=Tier.NONE)
    if kind is ChatKind.PRIVATE:
        return Decision(respond=True, reason="private chat", tier=Tier.CHAT)
    call = _reason_to_answer(message, me)
    return Decision(respond=bool(call), reason=call or "not addressed", tier=Tier.EXPLICIT if call else Tier.NONE)


def _reason_for_silence(message: Message, kind: ChatKind) -> str:
    if message.author.is_agent:
        return "the agent's own"
    if message.author.is_bot:
        return "a bot's"
    if message.is_service:
        return "an event, nothing said"
    if kind in {ChatKind.CHANNEL, ChatKind.NONE}:
        return "a channel's post"
    return ""


def _reason_to_answer(message: Message, me: Self) -> str:
    if mentions(message, me.bot_id, me.username):
        return "mentioned"
    if is_named_by_command(message, me.username):
        return "named by a command"
    if message.reply is not None and message.reply.author is not None and message.reply.author.is_agent:
        return "a reply to the agent"
    return ""
