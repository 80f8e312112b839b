"""Owners in Firestore: `bots/{agent}` holds who claimed an agent, and when."""

from datetime import datetime
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.adapters.firestore_errors import CALL_SECONDS, CHANGED, RETRY, translated
from shared.errors import StoreUnavailable

#: the document is written by claims and flood waits only, so it seldom changes between a look and a write
TRIES = 5


class FirestoreOwners:
    """The owners of all agents."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def owner(self, agent: str) -> int | None:
        """The id of the person who owns an agent; none if nobody does."""
        return _owner_in(await self._read(agent))

    async def claim(self, agent: str, person_id: int, at: datetime) -> int:
        """The id of who owns an agent from now on. It may be repeated; the first of several at once wins."""
        for _ in range(TRIES):
            seen = await self._read(agent)
            owner = _owner_in(seen)
            if owner is not None:
                return owner
            with translated("keep an agent's owner"):
                if await self._wrote(seen, {"owner": person_id, "claimed_at": at}):
                    return person_id
        raise StoreUnavailable("Firestore did not keep an agent's owner: its bot's document changes all the time")

    async def _read(self, agent: str) -> DocumentSnapshot[Any]:
        with translated("read an agent's owner"):
            return await self.client.document(f"bots/{agent}").get(retry=RETRY, timeout=CALL_SECONDS)

    async def _wrote(self, seen: DocumentSnapshot[Any], fields: dict[str, object]) -> bool:
        """Whether the fields were written; not if the document has changed since it was read."""
        document = self.client.document(seen.reference.path)
        try:
            if seen.exists:
                same = self.client.write_option(last_update_time=seen.update_time)
                await document.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
            else:
                await document.create(fields, retry=RETRY, timeout=CALL_SECONDS)
        except CHANGED:
            return False
        return True


def _owner_in(seen: DocumentSnapshot[Any]) -> int | None:
    found: int | None = (seen.to_dict() or {}).get("owner")
    return found
