"""Flood waits in Firestore: `bots/{agent}` holds which chats of a bot were told to wait, and until when."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.adapters.firestore_errors import CALL_SECONDS, RETRY, translated


class FirestoreFloods:
    """The flood waits of all bots; written only when Telegram asks one to wait."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def waits(self, agent: str) -> Mapping[int, datetime]:
        """Chat id → the end of its wait; those that are over may be among them."""
        with translated("read flood waits"):
            snapshot = await self.client.document(f"bots/{agent}").get(retry=RETRY, timeout=CALL_SECONDS)
        found: dict[str, Any] = (snapshot.to_dict() or {}).get("waits", {})
        return {int(chat_id): until for chat_id, until in found.items()}

    async def note_wait(self, agent: str, chat_id: int, until: datetime, over: Sequence[int]) -> None:
        """Keep one wait, and forget those of other chats that are over."""
        waits = {**{str(chat): DELETE_FIELD for chat in over}, str(chat_id): until}
        with translated("keep a flood wait"):
            await self.client.document(f"bots/{agent}").set(
                {"waits": waits}, merge=True, retry=RETRY, timeout=CALL_SECONDS
            )
