"""Updates in Firestore that lose their words: what Telegram told, as the inbox keeps it for some days.

Their documents stay: Telegram repeats an update for a day, and a repeat of one that is gone would be read again.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.privacy.erasure.updates import EMPTY, repeats_what_is_told
from shared.privacy.store.erasing_finding import pages_of
from shared.values.chat_key import ChatKey

if TYPE_CHECKING:
    from shared.privacy.erasure.forgotten import Forgotten

#: documents of one answer
AT_ONCE: Final = 300


async def empty_inbox(client: AsyncClient, key: ChatKey, cut: datetime, settled: datetime | None = None) -> int:
    """Empty all updates of a chat but those that came after the cut and that nobody has read; how many there were.

    `settled`: those that came after this moment stay as well, whoever has read them.
    """
    count = 0
    async for update in pages_of(client.collection(paths.inbox_path(key)), "read an inbox"):
        if settled is None or (update.get("received_at") <= settled):
            count += await _emptied(update, cut)
    return count


async def empty_updates(client: AsyncClient, key: ChatKey, updates: Collection[int], cut: datetime) -> int:
    """Empty these updates of a chat; how many there were."""
    references = [client.document(paths.update_path(key, one)) for one in sorted(updates)]
    count = 0
    for start in range(0, len(references), AT_ONCE):
        with translated("read updates"):
            some = references[start : start + AT_ONCE]
            found = [one async for one in client.get_all(some, retry=RETRY, timeout=CALL_SECONDS)]
        for update in found:
            count += await _emptied(update, cut) if update.exists else 0
    return count


async def empty_of_person(client: AsyncClient, key: ChatKey, cut: datetime, who: Forgotten) -> int:
    """Empty the updates of a chat that tell of a person; those that nobody has read yet lose their words alone."""
    count = 0
    async for update in pages_of(client.collection(paths.inbox_path(key)), "read an inbox"):
        raw = layout.decode_raw(update.to_dict() or {"raw": EMPTY})
        if who.is_in_update(raw):
            count += await _emptied(update, cut, who)
    return count


async def empty_of_owner(client: AsyncClient, key: ChatKey, person: int, settled: datetime) -> int:
    """Empty the updates of an owner's chat that were read, came before it settled, and repeat what tells of a person.

    A press is repeated with the message below which it was: one of `/requests` tells no number, so all of them go.
    """
    count = 0
    async for update in pages_of(client.collection(paths.inbox_path(key)), "read an inbox"):
        known = update.to_dict() or {}
        is_over = bool(known.get("read")) and known["received_at"] <= settled
        if is_over and repeats_what_is_told(layout.decode_raw(known), person):
            count += await _emptied(update, settled)
    return count


async def _emptied(update: DocumentSnapshot[Any], cut: datetime, who: Forgotten | None = None) -> int:
    """Empty an update; `who`: of what nobody has read yet their words alone."""
    known = update.to_dict() or {}
    is_new = not known.get("read") and (known["received_at"] > cut)
    if known.get("raw") == EMPTY or is_new:
        return 0
    fields: layout.Document = {"raw": EMPTY, "trace": ""}
    if not known.get("read"):
        raw = layout.decode_raw(known)
        rest = who.update_without(raw) if who is not None else None
        fields = {"raw": rest} if rest is not None else fields | layout.as_read(cut)
    with translated("empty an update"):
        await update.reference.update(fields, retry=RETRY, timeout=CALL_SECONDS)
    return 1
