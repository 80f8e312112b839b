"""The webhook's part of Firestore: create an update, read the chat and the bots' usernames. Imports nothing else."""

from datetime import datetime, timedelta
from typing import Final

from google.api_core import exceptions
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.values.chat_key import ChatKey, ChatStatus
from shared.values.incident import Incident
from shared.values.update import InboxUpdate

#: what `ChatStatus` is made of
STATUS_FIELDS = ("generation", "lease.until", "active_until", "muted_until", "is_turned_away")

#: an instance reads the usernames of an agent's bots again after so long
FRESH: Final = timedelta(minutes=5)


class FirestoreInbox:
    """The inboxes in Firestore. One client per instance, made inside the running loop."""

    def __init__(self, project: str) -> None:
        """Open the client; the emulator's address is the official client's own setting."""
        self.client = AsyncClient(project=project)
        self._usernames: dict[str, tuple[datetime, tuple[str, ...]]] = {}

    async def add(self, update: InboxUpdate) -> bool:
        """Store an update; false when it was there already."""
        return await add_update(self.client, update)

    async def status(self, key: ChatKey) -> ChatStatus:
        """What the chat's document says to the webhook."""
        chat = self.client.document(paths.chat_path(key))
        with translated("read a chat"):
            snapshot = await chat.get(STATUS_FIELDS, retry=RETRY, timeout=CALL_SECONDS)
        return layout.decode_status(snapshot.to_dict())

    async def usernames(self, agent: str, at: datetime) -> tuple[str, ...]:
        """The usernames that Telegram gave for an agent's bots, as they were a few minutes ago at most.

        While there is none it looks each time: the first tick asks Telegram. Raises StoreUnavailable.
        """
        known = self._usernames.get(agent)
        if known is not None and at - known[0] < FRESH:
            return known[1]
        with translated("read the names of an agent's bots"):
            document = self.client.document(paths.bot_path(agent))
            found = (await document.get(["names"], retry=RETRY, timeout=CALL_SECONDS)).to_dict()
        usernames = tuple(name["username"] for name in layout.names_in(found).values())
        if usernames:
            self._usernames[agent] = at, usernames
        return usernames

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
