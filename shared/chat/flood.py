"""Flood waits: times for which Telegram forbids a bot to send. Telegram limits each chat and the whole bot, and does
not say which limit was reached. If Telegram demands a wait in a chat, lull sends nothing to this chat until the wait is
over. While two chats of one bot wait at the same time, the whole bot waits. One chat's wait alone, however long, delays
no other chat.
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

#: Telegram accepts about one message a second in a chat (core.telegram.org/bots/faq). The drafts and the final message
#: count together. Bots that showed drafts every half second were told to wait for minutes
CHAT_SECONDS = 1.5
#: the ten instances that `infra` allows do not know of each other's drafts. If all of them show drafts, they use 20 of
#: the 30 messages a second that Telegram allows a bot in all chats together
BOT_SECONDS = 0.5
#: an answer that is complete within this time needs no draft
FIRST_SECONDS = 0.4


def closed_until(waits: Mapping[int, datetime], chat_id: int, now: datetime) -> datetime | None:
    """Return the time from which the bot may send to the chat again; None if it may now. `waits`: chat id → end of its
    wait. The bot may not send to a chat that waits. If two or more chats wait, the limit is assumed to be the whole
    bot's, so the bot may send to no chat.
    """
    running = sorted((until for until in waits.values() if until > now), reverse=True)
    until = max([*running[1:2], waits.get(chat_id, now)])
    return until if until > now else None


class FloodGate:
    """Decides whether one agent's bot may send to a chat. All instances share the waits that Telegram has demanded."""

    def __init__(self, store: FirestoreFloods, agent: str, clock: Callable[[], datetime]) -> None:
        self._store, self._agent, self._clock = store, agent, clock
        #: the waits that were last read from Firestore, or that Telegram demanded of this instance
        self._waits: dict[int, datetime] = {}

    async def closed_until(self, chat_id: int) -> datetime | None:
        """Return the time from which the bot may send to this chat again; None if it may now. `chat_id` 0 is a chat
        that nothing limits (`Recipient.flood_chat`). Raises StoreUnavailable or StoreRefused.
        """
        if not chat_id:
            return None
        now = self._clock()
        until = closed_until(self._waits, chat_id, now)
        if until is None:
            # only this instance knows waits that could not be stored: keep them
            here = {chat: end for chat, end in self._waits.items() if end > now}
            kept = await self._store.waits(self._agent)
            self._waits = {**kept, **{chat: max(end, kept.get(chat, end)) for chat, end in here.items()}}
            until = closed_until(self._waits, chat_id, now)
        return until

    def known_until(self, chat_id: int) -> datetime | None:
        """Return what `closed_until` would return, from this instance's memory alone, without a read."""
        return closed_until(self._waits, chat_id, self._clock()) if chat_id else None

    async def note_wait(self, chat_id: int, until: datetime) -> None:
        """Store the end of a chat's wait. A failure is only logged, so that the result of the Telegram call is kept."""
        self._waits[chat_id] = until
        try:
            waits = await self._store.waits(self._agent)
            over = [chat for chat, end in waits.items() if end <= self._clock()]
            await self._store.note_wait(self._agent, chat_id, until, over)
        except (StoreUnavailable, StoreRefused) as error:  # this instance knows the wait in any case, and goes on
            log(f"a flood wait was not stored; only this instance knows it: {error}")


@dataclass
class DraftPace:
    """Limits how often an instance shows drafts, per chat and in total. During a flood wait it shows none."""

    chat_s: float = CHAT_SECONDS
    bot_s: float = BOT_SECONDS
    #: seconds after the first words
    first_s: float = FIRST_SECONDS
    clock: Callable[[], float] = time.monotonic
    _not_before: float = 0.0
    _chats: dict[Recipient, float] = field(default_factory=dict)

    def wait_s(self, to: Recipient) -> float:
        """Return the seconds until the next draft may be shown; 0 if it may be shown now."""
        return max(0.0, max(self._not_before, self._chats.get(to, 0.0)) - self.clock())

    def take(self, to: Recipient) -> None:
        """Count a draft that is sent now."""
        now = self.clock()
        self._chats = {chat: free_at for chat, free_at in self._chats.items() if free_at > now}
        self._chats[to] = now + self.chat_s
        self._not_before = max(self._not_before, now + self.bot_s)

    def hold_off(self, span: timedelta) -> None:
        """Show no drafts in any chat for `span`, because Telegram demanded a wait."""
        self._not_before = max(self._not_before, self.clock() + span.total_seconds())
