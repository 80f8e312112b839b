"""The pending updates for bots, in order. Each update belongs to a lane; the updates of a lane are delivered one after
the other.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from local.telegram.counters import Counters
from local.telegram.people import Bot
from local.telegram.store import DocumentKind, WorldStore

# Client.cpp: updates about messages are kept for 24 h, callback queries for 150 s.
DAY_SECONDS = 86_400
CALLBACK_QUERY_SECONDS = 150
# Client.cpp, add_update_impl: an update whose JSON is longer is dropped.
MAX_BYTES = 1 << 16
_FIRST_UPDATE_ID = 100_000_000
# Client.h, DEFAULT_ALLOWED_UPDATE_TYPES: by default a bot gets all kinds of update except these.
ONLY_IF_ASKED = frozenset({"chat_member", "message_reaction", "message_reaction_count"})


class LaneKind(IntEnum):
    """The kinds of lane (the webhook queues in Client.cpp). All updates about messages of a chat share one lane. Each
    other kind of update has a separate lane for each chat or person.
    """

    MESSAGES = 0
    CALLBACK_QUERIES = 3
    MY_CHAT_MEMBER = 5
    CHAT_MEMBER = 6
    REACTIONS = 8

    def of(self, id_: int) -> int:
        """Return the number of the lane of this kind for the chat or person `id_`."""
        return id_ + (self.value << 33)


@dataclass(frozen=True, kw_only=True)
class LocalUpdate:
    """One update for one bot. `lane` is the number of its lane (`LaneKind.of`), in which updates are delivered strictly
    one after the other. `expires_at` is in epoch seconds.

    `serial` is unique even if a test repeats an `update_id`. `chat` and `message_id` are only for information.
    """

    serial: int
    bot_id: int
    update_id: int
    raw: Mapping[str, Any]
    lane: int
    expires_at: float
    chat: str | None = None
    message_id: int | None = None


@dataclass(frozen=True, kw_only=True)
class News:
    """An event that is reported to bots as an update. `kind` and `content` are the name and the value of the update's
    field in the Bot API. Updates with the same `lane` are delivered one after the other.
    """

    kind: str
    content: Mapping[str, Any]
    lane: int
    expires_at: float
    chat: str | None = None
    message_id: int | None = None


class UpdateQueues:
    """The pending updates of every bot."""

    def __init__(self, store: WorldStore, counters: Counters) -> None:
        self._shelf = DocumentKind(store, "update", LocalUpdate)
        self._counters = counters
        self._pending: dict[int, dict[int, LocalUpdate]] = {}
        self._arrivals: dict[int, asyncio.Event] = {}
        self._awaiting: dict[int, int] = {}
        self.is_closed = False
        self._listeners: list[Callable[[LocalUpdate], None]] = []
        for update in sorted(self._shelf.values(), key=lambda update: update.serial):
            self._pending.setdefault(update.bot_id, {})[update.serial] = update

    def listen(self, listener: Callable[[LocalUpdate], None]) -> None:
        """Call `listener` with every new update."""
        self._listeners.append(listener)

    def is_awaited(self, bot_id: int) -> bool:
        """Return whether a call such as getUpdates is waiting for an update of this bot."""
        return self._awaiting.get(bot_id, 0) > 0

    @contextmanager
    def awaiting(self, bot_id: int) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever an update for the bot arrives. During the block, `is_awaited` returns
        True for the bot.
        """
        self._awaiting[bot_id] = self._awaiting.get(bot_id, 0) + 1
        try:
            yield self._arrivals.setdefault(bot_id, asyncio.Event())
        finally:
            self._awaiting[bot_id] -= 1

    def close(self) -> None:
        """End all waits for an update."""
        self.is_closed = True
        for arrival in self._arrivals.values():
            arrival.set()

    def pending(self, bot_id: int) -> list[LocalUpdate]:
        """Return the updates of this bot that are not confirmed yet, oldest first."""
        return list(self._pending.get(bot_id, {}).values())

    def count(self, bot_id: int) -> int:
        """Count the pending updates of this bot."""
        return len(self._pending.get(bot_id, {}))

    def push(self, bot: Bot, news: News) -> LocalUpdate | None:
        """Queue an update about an event for a bot, under the bot's next update id. Return None, and queue nothing, if
        the bot does not want this kind of update or if the update is too long.
        """
        if not wants(bot, news.kind):
            return None
        if len(json.dumps(news.content, ensure_ascii=False).encode()) > MAX_BYTES:
            return None
        return self._queue(bot, {"update_id": self._next_id(bot), news.kind: news.content}, news)

    def inject(self, bot: Bot, raw: Mapping[str, Any], news: News) -> LocalUpdate:
        """Queue a raw update for a bot unchanged, except that an update without an id gets the bot's next update id."""
        update_id = raw["update_id"] if "update_id" in raw else self._next_id(bot)
        return self._queue(bot, {**raw, "update_id": update_id}, news)

    def drop(self, update: LocalUpdate) -> None:
        """Delete an update that was delivered or is too old."""
        self._shelf.remove(_key(update))
        self._pending.get(update.bot_id, {}).pop(update.serial, None)

    def clear(self, bot_id: int) -> None:
        """Delete all pending updates of a bot."""
        for update in self.pending(bot_id):
            self.drop(update)

    def _next_id(self, bot: Bot) -> int:
        name = f"update {bot.id}"
        # As on Telegram, the first update id of a bot is not 1 but some large number.
        self._counters.raise_to(name, _FIRST_UPDATE_ID + bot.id % 100_000_000)
        return self._counters.next(name)

    def _queue(self, bot: Bot, raw: Mapping[str, Any], news: News) -> LocalUpdate:
        self._counters.raise_to(f"update {bot.id}", raw["update_id"])
        update = LocalUpdate(
            serial=self._counters.next("update"),
            bot_id=bot.id,
            update_id=raw["update_id"],
            raw=raw,
            lane=news.lane,
            expires_at=news.expires_at,
            chat=news.chat,
            message_id=news.message_id,
        )
        self._shelf.put(_key(update), update)
        self._pending.setdefault(bot.id, {})[update.serial] = update
        if bot.id in self._arrivals:
            self._arrivals[bot.id].set()
        for listener in self._listeners:
            listener(update)
        return update


def wants(bot: Bot, kind: str) -> bool:
    """Return whether a bot receives this kind of update."""
    return kind not in ONLY_IF_ASKED if bot.allowed_updates is None else kind in bot.allowed_updates


def _key(update: LocalUpdate) -> str:
    return f"{update.bot_id}/{update.serial}"
