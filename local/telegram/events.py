"""The stream of events that the page and the tests follow."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from itertools import islice
from typing import Any

Event = Mapping[str, Any]
# After so many seconds without events a comment line is sent, so that neither side takes the connection for dead.
KEEPALIVE_SECONDS = 15.0


class EventLog:
    """The most recent events, numbered consecutively, for any number of followers.

    The numbers continue across restarts: events of this run get numbers above `first`, the last number of the run
    before. A follower that reconnects names the last number that it received. If later events are no longer stored, it
    gets one `reset` event, and then has to fetch the complete state (`GET /world`) again.
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
        """Return the events with numbers above `seq`. If some of them are no longer stored, a `reset` event comes
        first.
        """
        missing = min(max(self.seq - seq, 0), len(self._events))
        kept = list(islice(self._events, len(self._events) - missing, None))
        is_gap = seq > self.seq or seq < self.seq - len(self._events)
        return [{"seq": self.seq - missing, "type": "reset"}, *kept] if is_gap else kept

    async def follow(self, seq: int) -> AsyncIterator[Event | None]:
        """Yield the events with numbers above `seq` as they occur. Also yield None after KEEPALIVE_SECONDS without
        events, so that the caller sends a comment line, which keeps the connection open.

        When the log is closed, a follower still gets all earlier events.
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
        """Close the log: each follower still gets the stored events that it has not had yet, and then its iterator
        ends.
        """
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
