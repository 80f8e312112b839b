"""What one commit of a tick writes. The first write is the chat's document: its precondition is the fence."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from google.cloud.firestore_v1.async_batch import AsyncWriteBatch
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.transforms import SERVER_TIMESTAMP

from shared.adapters.firestore.inbox import as_read, chat_ref, incident_document, kept_until, update_ref
from shared.models.chat import Chat
from shared.models.message import AnyEntry
from shared.ports import Change, Seen

if TYPE_CHECKING:  # what is archived is restored without the kinds of task
    from shared.tasks.plan import Plan

#: a document holds 1 MiB; pages stay far below
PAGE_BYTES = 300_000
#: as long as somebody may ask what became of an answer
KEPT_PLANS = timedelta(days=90)


def write_change(batch: AsyncWriteBatch, client: AsyncClient, held: Seen, change: Change, stamp: str) -> None:
    """Put a change into a batch. `stamp` marks the chat's document, so that a commit can be known again."""
    chat = change.chat
    document = chat.model_dump() | {"stamp": stamp}
    if held.version is None:
        batch.create(chat_ref(client, chat.key), document)
    else:
        batch.update(chat_ref(client, chat.key), document, option=client.write_option(last_update_time=held.version))
    for update_id in change.read:
        batch.update(update_ref(client, chat.key, update_id), as_read(datetime.now(UTC)))
    if change.moved is not None:
        _write_move(batch, client, change.moved, change.plan)
    _write_transcript(batch, client, change)
    _write_plans(batch, client, change)


def _write_transcript(batch: AsyncWriteBatch, client: AsyncClient, change: Change) -> None:
    chat = change.chat
    for left in change.left:
        _write_pages(batch, client, left.chat.conversation, left.entries)
        _write_conversation(batch, client, left.chat, left.newest_at)
    _write_pages(batch, client, chat.conversation, change.entries)
    if change.window is not None:
        batch.set(client.document(f"chats/{chat.key.id}/window/current"), window_document(change))
    if change.conversation:
        newest_at = change.window[-1].at if change.window else None
        _write_conversation(batch, client, chat, newest_at)


def _write_conversation(batch: AsyncWriteBatch, client: AsyncClient, chat: Chat, newest_at: datetime | None) -> None:
    # by the server's clock: the archive asks for what changed, and a message's own time may be of yesterday
    document = conversation_document(chat, newest_at) | {"changed_at": SERVER_TIMESTAMP}
    batch.set(client.document(f"conversations/{chat.conversation}"), document, merge=True)


def _write_pages(batch: AsyncWriteBatch, client: AsyncClient, conversation: str, entries: tuple[AnyEntry, ...]) -> None:
    for page in pages_of(entries):
        batch.create(client.document(f"conversations/{conversation}/messages/{page[0].seq:010d}"), page_document(page))


def _write_plans(batch: AsyncWriteBatch, client: AsyncClient, change: Change) -> None:
    chat_id = change.chat.key.id
    if change.plan is not None:
        batch.set(client.document(f"plans/{chat_id}"), change.plan.model_dump())
    for incident in change.incidents:
        batch.set(client.document(f"incidents/{incident.id}"), incident_document(incident))
    for past in change.past:
        batch.set(client.document(f"plans/{chat_id}/past/{past.id}"), past_document(past))


def _write_move(batch: AsyncWriteBatch, client: AsyncClient, moved: Seen, plan: "Plan | None") -> None:
    # the precondition on the new chat's document keeps a tick out that claimed it meanwhile
    ref, document = chat_ref(client, moved.chat.key), moved.chat.model_dump()
    if moved.version is None:
        batch.create(ref, document)
    else:
        batch.update(ref, document, option=client.write_option(last_update_time=moved.version))
    if plan is not None:
        batch.set(client.document(f"plans/{moved.chat.key.id}"), plan.model_dump())


def past_document(plan: "Plan") -> dict[str, Any]:
    """A plan that another took the place of, with its TTL."""
    return plan.model_dump() | {"expires_at": kept_until(plan.created_at, KEPT_PLANS)}


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


def conversation_document(chat: Chat, newest_at: datetime | None) -> dict[str, Any]:
    """What a conversation's document says of itself; it has a title of its own once a person gave it one."""
    named = {"title": chat.named, "manually_named": True} if chat.named else {}
    return {
        "agent": chat.key.agent,
        "chat": chat.key.id,
        "chat_kind": chat.kind.value,
        "chat_title": chat.title,
        "model": chat.model,
        "entries": chat.seq,
        "turns": chat.turn,
        "updated_at": newest_at,
        **named,
    }
