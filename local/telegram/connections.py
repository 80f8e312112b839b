"""The number of connections that Telegram opens to a webhook. While deliveries to a webhook do not succeed, Telegram
opens connections only slowly.
"""

from collections import deque
from dataclasses import dataclass, field

# WebhookActor.cpp: a receiver counts as active for 10 s after a success. To an active receiver, up to 10 connections
# are opened per 0.5 s; otherwise only one connection is opened, at most every 2 s.
ACTIVE_SECONDS = 10.0
ACTIVE_BURST, ACTIVE_WINDOW = 10, 0.5
WAITING_BURST, WAITING_WINDOW = 1, 2.0


@dataclass
class Connections:
    """Counts open and idle connections to a webhook, and computes when another connection may be opened. Times are
    seconds of a monotonic clock.
    """

    limit: int
    scale: float = 1.0
    open: int = 0
    idle: int = 0
    last_success: float = float("-inf")
    _active: deque[float] = field(default_factory=deque)
    _waiting: deque[float] = field(default_factory=deque)

    def grow(self, lanes: int, now: float) -> float | None:
        """Open as many connections as Telegram would open now, if `lanes` sequences of updates are to be delivered
        concurrently. Return the time at which to try again, or None if there are enough connections.
        """
        is_active = now < self.last_success + ACTIVE_SECONDS
        need = min(lanes, self.limit) if is_active else min(lanes, 1)
        while self.open < need:
            allowed_at = self._allowed_at(now, is_active=is_active)
            if allowed_at > now:
                return allowed_at
            (self._active if is_active else self._waiting).append(now)
            self.open += 1
            self.idle += 1
        return None

    def take(self) -> bool:
        """Take an idle connection. Return whether there was one."""
        if self.idle == 0:
            return False
        self.idle -= 1
        return True

    def give_back(self, *, usable: bool) -> None:
        """Give back a connection after a response. A connection that is not `usable` counts as closed."""
        if usable:
            self.idle += 1
        else:
            self.open -= 1

    def _allowed_at(self, now: float, *, is_active: bool) -> float:
        events = self._active if is_active else self._waiting
        burst, window = (ACTIVE_BURST, ACTIVE_WINDOW) if is_active else (WAITING_BURST, WAITING_WINDOW)
        window *= self.scale
        while events and events[0] <= now - window:
            events.popleft()
        return now if len(events) < burst else events[0] + window
