"""The webhook's part of Firestore: create an update, read the chat. Imports nothing else."""

import json
import zlib
from datetime import datetime, timedelta
from typing import Any

from google.api_core import exceptions
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_document import AsyncDocumentReference

from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.logs import current_trace
from shared.models.chat import Chat, ChatKey
from shared.models.incident import Incident
from shared.models.update import InboxUpdate

#: after it was read: Telegram repeats an update for 24 h (tdlib/telegram-bot-api), and a repeat is to stay one
KEPT_UPDATES = timedelta(days=7)
KEPT_INCIDENTS = timedelta(days=90)
#: a document holds 1 MiB; a longer raw update is packed
LONGEST_RAW = 500_000


class FirestoreInbox:
    """The inboxes in Firestore. One client per instance, made inside the running loop."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

    async def add(self, update: InboxUpdate) -> bool:
        """Store an update; false when it was there already."""
        return await add_update(self.client, update)

    async def chat(self, key: ChatKey) -> Chat:
        """The chat's document, or a new chat's."""
        with translated("read a chat"):
            snapshot = await chat_ref(self.client, key).get(retry=RETRY, timeout=CALL_SECONDS)
        return Chat.model_validate(snapshot.to_dict()) if snapshot.exists else Chat(key=key)

    async def add_incident(self, incident: Incident) -> bool:
        """Keep an incident; false when one of its id was there, which stays. Raises StoreUnavailable, StoreRefused."""
        with translated("keep an incident"):
            try:
                await self.client.document(f"incidents/{incident.id}").create(
                    incident_document(incident), retry=RETRY, timeout=CALL_SECONDS
                )
            except exceptions.AlreadyExists:
                return False
        return True


async def add_update(client: AsyncClient, update: InboxUpdate) -> bool:
    """Store an update; false when it was there already. Raises StoreUnavailable or StoreRefused."""
    with translated("store an update"):
        try:
            await update_ref(client, update.envelope.key, update.envelope.update_id).create(
                inbox_document(update), retry=RETRY, timeout=CALL_SECONDS
            )
        except exceptions.AlreadyExists:
            return False
    return True


def chat_ref(client: AsyncClient, key: ChatKey) -> AsyncDocumentReference:
    """Where a chat is."""
    return client.document(f"chats/{key.id}")


def update_ref(client: AsyncClient, key: ChatKey, update_id: int) -> AsyncDocumentReference:
    """Where an update is: padded, so that the order of the names is the order of the ids."""
    return client.document(f"chats/{key.id}/inbox/{update_id:020d}")


def inbox_document(update: InboxUpdate) -> dict[str, Any]:
    """An unread update as a document: the raw JSON as one string, which costs no index entries and no depth."""
    raw = json.dumps(update.raw, separators=(",", ":"))  # ASCII: lone surrogates, which Firestore refuses, stay escapes
    return {
        "update_id": update.envelope.update_id,
        "kind": update.envelope.kind,
        "chat_kind": update.envelope.chat_kind.value,
        "received_at": update.received_at,
        "read": False,
        "trace": current_trace(),
        "raw": raw if len(raw) <= LONGEST_RAW else zlib.compress(raw.encode()),
    }


def as_read(now: datetime) -> dict[str, Any]:
    """What is written to an update's document when it was read: only from then on it may be deleted."""
    return {"read": True, "expires_at": kept_until(now, KEPT_UPDATES)}


def incident_document(incident: Incident) -> dict[str, Any]:
    """An incident as a document, with its TTL."""
    return incident.model_dump() | {"expires_at": kept_until(incident.at, KEPT_INCIDENTS)}


def kept_until(moment: datetime, how_long: timedelta) -> datetime:
    """The TTL field's value."""
    return moment + how_long
