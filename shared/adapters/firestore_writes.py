"""What one commit of a tick writes. The first write is the chat's document: its precondition is the fence."""

import json
from collections.abc import Iterator
from typing import Any

from google.cloud.firestore_v1.async_batch import AsyncWriteBatch
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore_inbox import chat_ref, incident_document, update_ref
from shared.models.message import AnyEntry
from shared.ports import Change, Seen

#: a document holds 1 MiB; pages stay far below
PAGE_BYTES = 300_000


def write_change(batch: AsyncWriteBatch, client: AsyncClient, held: Seen, change: Change, stamp: str) -> None:
    """Put a change into a batch. `stamp` marks the chat's document, so that a commit can be known again."""
    chat = change.chat
    document = chat.model_dump() | {"stamp": stamp}
    if held.version is None:
        batch.create(chat_ref(client, chat.key), document)
    else:
        batch.update(chat_ref(client, chat.key), document, option=client.write_option(last_update_time=held.version))
    for update_id in change.read:
        batch.update(update_ref(client, chat.key, update_id), {"read": True})
    for page in pages_of(change.entries):
        path = f"conversations/{chat.conversation}/messages/{page[0].seq:010d}"
        batch.create(client.document(path), page_document(page))
    if change.window is not None:
        batch.set(client.document(f"chats/{chat.key.id}/window/current"), window_document(change))
    if change.plan is not None:
        batch.set(client.document(f"plans/{chat.key.id}"), change.plan.model_dump())
    if change.conversation:
        batch.set(client.document(f"conversations/{chat.conversation}"), conversation_document(change), merge=True)
    for incident in change.incidents:
        batch.set(client.document(f"incidents/{incident.id}"), incident_document(incident))


def pages_of(entries: tuple[AnyEntry, ...]) -> Iterator[tuple[AnyEntry, ...]]:
    """The entries of one commit in as few documents as hold them.

    A busy group's minute is one document and one write, instead of sixty.
    """
    page: list[AnyEntry] = []
    size = 0
    for entry in entries:
        length = len(json.dumps(entry.model_dump(mode="json"), ensure_ascii=False).encode(errors="replace"))
        if page and size + length > PAGE_BYTES:
            yield tuple(page)
            page, size = [], 0
        page.append(entry)
        size += length
    if page:
        yield tuple(page)


def page_document(page: tuple[AnyEntry, ...]) -> dict[str, Any]:
    """Some consecutive entries of a transcript."""
    return {"first_seq": page[0].seq, "entries": [entry.model_dump() for entry in page]}


def window_document(change: Change) -> dict[str, Any]:
    """The newest entries as one document; good while it ends where the chat's document says."""
    entries = [entry.model_dump() for entry in change.window or ()]
    return {"seq": change.chat.seq, "conversation": change.chat.conversation, "entries": entries}


def conversation_document(change: Change) -> dict[str, Any]:
    """What a conversation's document says of itself."""
    chat = change.chat
    newest = change.window[-1].at if change.window else None
    return {
        "agent": chat.key.agent,
        "chat": chat.key.id,
        "chat_kind": chat.kind.value,
        "title": chat.title,
        "entries": chat.seq,
        "updated_at": newest,
    }
