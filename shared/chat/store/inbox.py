"""The webhook's reads and writes: updates, a chat's status, and bot usernames. The webhook imports no other store."""

from datetime import datetime, timedelta
from typing import Any, Final

from google.api_core import exceptions
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translate_errors
from shared.values.chat_key import ChatKey, ChatStatus
from shared.values.incident import Incident
from shared.values.update import InboxUpdate

#: the fields of `ChatStatus`
STATUS_FIELDS = ("generation", "lease.until", "active_until", "muted_until", "is_turned_away")

#: how long an instance caches the usernames of an agent's bots
FRESH: Final = timedelta(minutes=5)


class FirestoreInbox:
    """The inboxes in Firestore. Create one for each function instance, inside the running event loop."""

    def __init__(self, project: str, client: AsyncClient | None = None) -> None:
        """Open a client, unless one is given. The client itself reads the emulator's address from the environment."""
        self.client = client or AsyncClient(project=project)
        self._usernames: dict[str, tuple[datetime, tuple[str, ...]]] = {}

    async def add(self, update: InboxUpdate) -> bool:
        """Store an update. Return False if it was stored before."""
        return await add_update(self.client, update)

    async def status(self, key: ChatKey) -> ChatStatus:
        """Return what the webhook needs to know about the chat. An unknown chat has the values of a new one."""
        return await read_status(self.client, key)

    async def usernames(self, agent: str, at: datetime) -> tuple[str, ...]:
        """Return the usernames of an agent's bots, at most a few minutes old.

        An empty result is not cached: the first tick asks Telegram for the usernames and stores them. Raises
        StoreUnavailable.
        """
        known = self._usernames.get(agent)
        if known is not None and at - known[0] < FRESH:
            return known[1]
        with translate_errors("read the names of an agent's bots"):
            document = self.client.document(paths.bot_path(agent))
            found = (await document.get(["names"], retry=RETRY, timeout=CALL_SECONDS)).to_dict()
        usernames = tuple(name["username"] for name in layout.names_in(found).values())
        if usernames:
            self._usernames[agent] = at, usernames
        return usernames

    async def add_incident(self, incident: Incident) -> bool:
        """Store an incident. Return False if its id exists. Raises StoreUnavailable or StoreRefused."""
        with translate_errors("store an incident"):
            try:
                await self.client.document(paths.incident_path(incident.id)).create(
                    layout.encode_incident(incident), retry=RETRY, timeout=CALL_SECONDS
                )
            except exceptions.AlreadyExists:
                return False
        return True


async def read_status(client: AsyncClient, key: ChatKey) -> ChatStatus:
    """Return what is needed to schedule a tick of a chat. Raises StoreUnavailable or StoreRefused."""
    chat: Any = client.document(paths.chat_path(key))
    with translate_errors("read a chat"):
        snapshot = await chat.get(STATUS_FIELDS, retry=RETRY, timeout=CALL_SECONDS)
    return layout.decode_status(snapshot.to_dict())


async def add_update(client: AsyncClient, update: InboxUpdate) -> bool:
    """Store an update. Return False if it was stored before. Raises StoreUnavailable or StoreRefused."""
    ref = client.document(paths.update_path(update.envelope.key, update.envelope.update_id))
    with translate_errors("store an update"):
        try:
            await ref.create(layout.encode_update(update), retry=RETRY, timeout=CALL_SECONDS)
        except exceptions.AlreadyExists:
            return False
    return True
