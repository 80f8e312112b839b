"""Flood waits: Telegram limits a bot in each chat, and over all of them, and does not say which it was.

A chat that was told to wait is left alone until then, whatever there is to say in it. While two chats of one bot are
waiting at the same time, the bot as a whole waits too: that long, nothing is sent to any chat. One chat's wait,
however long, holds up no other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shared.base.errors import StoreRefused, StoreUnavailable
from shared.base.logs import log
from shared.values.channel import Recipient

if TYPE_CHECKING:
    from shared.chat.store.bots import FirestoreFloods

#: Telegram takes about one message a second in a chat (core.telegram.org/bots/faq), the final one among them; bots that
#: showed their answers every half second were told to wait for minutes
CHAT_SECONDS = 1.5
#: of the 30 messages a second that a bot may send in all, two thirds, should all ten instances that `infra` allows show
#: drafts at the same time: they do not know of each other's
BOT_SECONDS = 0.5
#: an answer that is whole by then needs no draft, and would only wait for its call
FIRST_SECONDS = 0.4


def closed_until(waits: Mapping[int, datetime], chat_id: int, now: datetime) -> datetime | None:
    """Until when nothing may be sent to a chat: it waits itself, or two chats at least do; none: it may.

    `waits`: chat id → the end of its wait.
    """
    running = sorted((until for until in waits.values() if until > now), reverse=True)
    until = max([*running[1:2], waits.get(chat_id, now)])
    return until if until > now else None


class FloodGate:
    """Whether one agent's bot may send to a chat; what one instance was told, every other one honours."""

    def __init__(self, store: FirestoreFloods, agent: str, clock: Callable[[], datetime]) -> None:
        """Nothing is read yet."""
        self._store, self._agent, self._clock = store, agent, clock
        #: what was read last, or told to this instance
        self._waits: dict[int, datetime] = {}

    async def closed_until(self, chat_id: int) -> datetime | None:
        """When the bot may send to this chat again; none: now. Raises StoreUnavailable or StoreRefused."""
        now = self._clock()
        until = closed_until(self._waits, chat_id, now)
        if until is None:
            # what could not be kept in the store is known here alone
            here = {chat: end for chat, end in self._waits.items() if end > now}
            kept = await self._store.waits(self._agent)
            self._waits = {**kept, **{chat: max(end, kept.get(chat, end)) for chat, end in here.items()}}
            until = closed_until(self._waits, chat_id, now)
        return until

    def known_until(self, chat_id: int) -> datetime | None:
        """The same as far as this instance knows; nothing is read."""
        return closed_until(self._waits, chat_id, self._clock())

    async def told(self, chat_id: int, until: datetime) -> None:
        """Keep that a chat was told to wait. That it cannot be kept is no reason to lose what became of the call."""
        self._waits[chat_id] = until
        try:
            waits = await self._store.waits(self._agent)
            over = [chat for chat, end in waits.items() if end <= self._clock()]
            await self._store.note_wait(self._agent, chat_id, until, over)
        except (StoreUnavailable, StoreRefused) as error:  # either way this instance knows it, and goes on
            log(f"a flood wait is known here alone: {error}")


@dataclass
class DraftPace:
    """When an instance may show a bot's next draft: seldom in each chat, seldom in all, and never in a flood wait."""

    chat_s: float = CHAT_SECONDS
    bot_s: float = BOT_SECONDS
    #: from the first words on
    first_s: float = FIRST_SECONDS
    clock: Callable[[], float] = time.monotonic
    _not_before: float = 0.0
    _chats: dict[Recipient, float] = field(default_factory=dict)

    def wait_s(self, to: Recipient) -> float:
        """Seconds until it may; 0 if it may now."""
        return max(0.0, max(self._not_before, self._chats.get(to, 0.0)) - self.clock())

    def take(self, to: Recipient) -> None:
        """A draft leaves now."""
        now = self.clock()
        self._chats = {chat: free_at for chat, free_at in self._chats.items() if free_at > now}
        self._chats[to] = now + self.chat_s
        self._not_before = max(self._not_before, now + self.bot_s)

    def hold_off(self, span: timedelta) -> None:
        """Telegram said to wait: no draft, in any chat, for so long."""
        self._not_before = max(self._not_before, self.clock() + span.total_seconds())
