"""The webhook's part of Firestore: create an update, read the chat. Imports nothing else."""

from google.api_core import exceptions
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore import layout, paths
from shared.adapters.firestore.calls import CALL_SECONDS, RETRY, translated
from shared.models.chat_key import ChatKey, ChatStatus
from shared.models.incident import Incident
from shared.models.update import InboxUpdate

#: what `ChatStatus` is made of
STATUS_FIELDS = ("generation", "lease.until", "active_until", "muted_until", "is_turned_away")


class FirestoreInbox:
    """The inboxes in Firestore. One client per instance, made inside the running loop."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)

    async def add(self, update: InboxUpdate) -> bool:
        """Store an update; false when it was there already."""
        return await add_update(self.client, update)

    async def status(self, key: ChatKey) -> ChatStatus:
        """What the chat's document says to the webhook."""
        chat = self.client.document(paths.chat_path(key))
        with translated("read a chat"):
            snapshot = await chat.get(STATUS_FIELDS, retry=RETRY, timeout=CALL_SECONDS)
        return layout.decode_status(snapshot.to_dict())

    async def add_incident(self, incident: Incident) -> bool:
        """Keep an incident; false when one of its id was there, which stays. Raises StoreUnavailable, StoreRefused."""
        with translated("keep an incident"):
            try:
                await self.client.document(paths.incident_path(incident.id)).create(
                    layout.encode_incident(incident), retry=RETRY, timeout=CALL_SECONDS
                )
            except exceptions.AlreadyExists:
                return False
        return True


async def add_update(client: AsyncClient, update: InboxUpdate) -> bool:
    """Store an update; false when it was there already. Raises StoreUnavailable or StoreRefused."""
    ref = client.document(paths.update_path(update.envelope.key, update.envelope.update_id))
    with translated("store an update"):
        try:
            await ref.create(layout.encode_update(update), retry=RETRY, timeout=CALL_SECONDS)
        except exceptions.AlreadyExists:
            return False
    return True
