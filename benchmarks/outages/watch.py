"""A watch over the webhook: at the moment when the webhook answers an update with 2xx, the update must be in
Firestore.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from google.cloud.firestore_v1.async_client import AsyncClient

from benchmarks.town import Town
from shared.chat.store import paths
from shared.values.chat_key import ChatKey

AGENT = "lull"


@dataclass
class Watch:
    """The ids of the updates that the webhook accepted, and of those accepted updates that were not stored when
    Telegram got the 2xx.

    `ids` contains Telegram's id of each watched chat, by the local Telegram's key of the chat.
    """

    place: Town
    firestore: AsyncClient
    ids: Mapping[str, int]
    accepted: set[int] = field(default_factory=set)
    refusals: int = 0
    unstored: set[int] = field(default_factory=set)

    async def follow(self, after: int) -> None:
        """Follow the events of the local Telegram after event number `after`, and check each as it happens."""
        events = self.place.telegram.stream("GET", "/world/events", params={"after": after}, timeout=None)
        async with events as stream:
            async for line in stream.aiter_lines():
                if line.startswith("data: "):
                    await self._note(json.loads(line.removeprefix("data: ")))

    async def _note(self, event: Mapping[str, Any]) -> None:
        if event["type"] == "reset":
            raise RuntimeError(
                "the watch missed events: the local Telegram keeps too few; raise its number of recent events"
            )
        if event.get("chat") not in self.ids:
            return
        if event["type"] == "undelivered":
            self.refusals += 1
        if event["type"] == "delivered":
            if not await self._is_stored(event["chat"], event["update_id"]):
                self.unstored.add(event["update_id"])
            self.accepted.add(event["update_id"])

    async def _is_stored(self, chat: str, update_id: int) -> bool:
        key = ChatKey(agent=AGENT, chat_id=self.ids[chat])
        return bool((await self.firestore.document(paths.update_path(key, update_id)).get()).exists)


@asynccontextmanager
async def follow_watch(watch: Watch) -> AsyncIterator[Watch]:
    """Let the watch follow events while the block runs. Errors of the watch are raised at the end."""
    world = (await watch.place.telegram.get("/world")).raise_for_status().json()
    following = asyncio.create_task(watch.follow(world["seq"]))
    try:
        yield watch
    finally:
        following.cancel()
        with suppress(asyncio.CancelledError, httpx.TransportError):
            await following
