"""Reminders in Firestore that come at their time without the words of somebody who was forgotten."""

from collections.abc import Callable, Sequence
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import ValidationError

from shared.base.errors import Contended
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translated
from shared.chat.store.queries import Query
from shared.privacy.store.erasing_finding import pages_of
from shared.reminders.documents import decode_due
from shared.values.outbox import OutboxNotice
from shared.values.reminder import Reminder

#: comes at a time, and is rewritten as what it is
Rest = Callable[[Reminder | OutboxNotice], Reminder | OutboxNotice]

OF_CHAT = Query(collection=paths.EVENTS, equals=("chat",))


async def reminders_without(client: AsyncClient, chats: Sequence[str], rest: Rest) -> int:
    """Have what comes in the chats with these ids, or came, say what is left of it; how many changed.

    `rest` returns the same reminder or notice where nothing goes. Raises Contended if one changed meanwhile.
    """
    count = 0
    for chat in chats:
        async for one in pages_of(OF_CHAT.on(client, chat), "find reminders"):
            known = _known(one)
            left = rest(known)
            if left is known:
                continue
            before, after = known.model_dump(), left.model_dump()
            fields: dict[str, Any] = {name: value for name, value in after.items() if value != before[name]}
            same = client.write_option(last_update_time=one.update_time)
            with translated("erase words of a reminder"):
                try:
                    await one.reference.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
                except CHANGED as cause:
                    raise Contended("a reminder changed while it was erased") from cause
            count += 1
    return count


def _known(document: DocumentSnapshot[Any]) -> Reminder | OutboxNotice:
    """The reminder; of one that this version cannot read whole, what it can: its words are to go all the same."""
    found = document.to_dict() or {}
    try:
        return decode_due(found)
    except ValidationError as wrong:
        odd = {str(one["loc"][0]) for one in wrong.errors(include_url=False, include_input=False)}
    missing = {"id": document.id, "agent": "", "chat": "", "person": 0, "next_at": None, "set_at": document.update_time}
    return decode_due(missing | {name: value for name, value in found.items() if name not in odd})
