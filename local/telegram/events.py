"""The stream of events that the page and the tests follow."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from itertools import islice
from typing import Any

Event = Mapping[str, Any]
# After so much silence a comment is sent, so that neither side takes the other for dead.
KEEPALIVE_SECONDS = 15.0


class EventLog:
    """The last events with consecutive numbers, for any number of followers.

    Numbers go on across restarts (`first` is the last number of the run before), so that a follower that comes back
    can tell that it missed something: it is then sent one `reset` event and reads the world anew.
    """

    def __init__(self, first: int, capacity: int) -> None:
        self._events: deque[Event] = deque(maxlen=capacity)
        self._news: set[asyncio.Event] = set()
        self.is_closed = False
        self.seq = first

    def add(self, type_: str, **fields: Any) -> None:
        """Append an event and wake the followers."""
        self.seq += 1
        self._events.append({"seq": self.seq, "type": type_, **fields})
        for news in self._news:
            news.set()

    def after(self, seq: int) -> list[Event]:
        """The events after a number; a `reset` first, if some of them are no longer held."""
        missing = min(max(self.seq - seq, 0), len(self._events))
        kept = list(islice(self._events, len(self._events) - missing, None))
        is_gap = seq > self.seq or seq < self.seq - len(self._events)
        return [{"seq": self.seq - missing, "type": "reset"}, *kept] if is_gap else kept

    async def follow(self, seq: int) -> AsyncIterator[Event | None]:
        """Yield events after a number as they come, and None where a sign of life is due.

        At the close of the log a follower still gets all that happened before it.
        """
        news = asyncio.Event()
        self._news.add(news)
        try:
            while True:
                for event in self.after(seq):
                    seq = event["seq"]
                    yield event
                if self.is_closed:
                    return
                if not await _came(news):
                    yield None
        finally:
            self._news.discard(news)

    def close(self) -> None:
        """Let every follower go."""
        self.is_closed = True
        for news in self._news:
            news.set()


async def _came(news: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(KEEPALIVE_SECONDS):
            await news.wait()
    except TimeoutError:
        return False
    news.clear()
    return True
