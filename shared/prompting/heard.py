"""Heard: the entries without the words of whoever has no answer, of which no model is sent anything."""

from collections.abc import Sequence

from shared.models.access import ADMITTED
from shared.models.decision import Tier
from shared.models.message import AnyEntry, Edit, Event, Message, Reaction


def heard(entries: Sequence[AnyEntry]) -> tuple[AnyEntry, ...]:
    """The entries without messages that were refused, their edits and reactions to them.

    What was written before the owner let somebody in is heard: it was answered then.
    """
    let_in = max((e.seq for e in entries if isinstance(e, Event) and e.kind == ADMITTED), default=0)
    refused = {e.message_id for e in entries if isinstance(e, Message) and _is_refused(e) and e.seq > let_in}
    return tuple(e for e in entries if not (isinstance(e, Message | Edit | Reaction) and e.message_id in refused))


def _is_refused(message: Message) -> bool:
    return message.decision is not None and message.decision.tier is Tier.ACCESS
