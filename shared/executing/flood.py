"""Flood waits of a whole bot: Telegram limits a bot in each chat, and over all of them, and does not say which it was.

While two chats of one bot are waiting at the same time, the bot as a whole waits too: that long, nothing is sent to
any chat. One chat's wait, however long, holds up no other.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from shared.errors import StoreUnavailable
from shared.logs import log
from shared.ports import FloodStore


def closed_until(waits: Mapping[int, datetime], now: datetime) -> datetime | None:
    """Until when two chats at least are waiting; none: the bot may send. `waits`: chat id → the end of its wait."""
    running = sorted((until for until in waits.values() if until > now), reverse=True)
    return running[1] if len(running) > 1 else None


class FloodGate:
    """Whether one agent's bot may send; what one instance was told, every other one honours."""

    def __init__(self, store: FloodStore, agent: str, clock: Callable[[], datetime]) -> None:
        """Nothing is read yet."""
        self._store, self._agent, self._clock = store, agent, clock
        self._until: datetime | None = None

    async def closed_until(self) -> datetime | None:
        """When the bot may send again; none: now. Raises StoreUnavailable."""
        now = self._clock()
        if self._until is None or self._until <= now:
            self._until = closed_until(await self._store.waits(self._agent), now)
        return self._until

    async def told(self, chat_id: int, until: datetime) -> None:
        """Keep that a chat was told to wait. That it cannot be kept is no reason to lose what became of the call."""
        try:
            waits = await self._store.waits(self._agent)
            over = [chat for chat, end in waits.items() if end <= self._clock()]
            await self._store.note_wait(self._agent, chat_id, until, over)
        except StoreUnavailable as error:
            log(f"a flood wait is known here alone: {error}")
