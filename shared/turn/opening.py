"""The opening of a conversation: the words behind the command that began it."""

from shared.commands.parse import rest_alone
from shared.models.decision import Decision, Tier
from shared.models.message import AnyEntry, Message
from shared.turn.situation import Situation


def begun(entry: AnyEntry, situation: Situation) -> AnyEntry:
    """The entry; of the command that began the conversation, the words behind it, which call for an answer."""
    if not isinstance(entry, Message) or situation.begun_by not in entry.updates:
        return entry
    decision = Decision(respond=True, reason="begins a conversation", tier=Tier.EXPLICIT)
    return rest_alone(entry).model_copy(update={} if situation.is_muted else {"decision": decision})
