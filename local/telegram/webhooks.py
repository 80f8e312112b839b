"""Delivers updates to webhooks. Lanes are served concurrently. The updates of a lane are delivered in order; each is
repeated until it is answered with 2xx or has expired.
"""

import asyncio
import heapq
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any

from local.telegram.connections import Connections
from local.telegram.patience import Tries
from local.telegram.people import Bot, BotWebhook
from local.telegram.posted import Poster, PostOutcome
from local.telegram.updates import LocalUpdate
from local.telegram.world import World

# WebhookActor.cpp, WEBHOOK_DROP_TIMEOUT: a webhook that answers 410 Gone for this long is removed.
GONE_SECONDS = 23 * 3_600
# Executes, for a bot, the method call in a response of its webhook.
RunMethod = Callable[[Bot, Mapping[str, Any]], Awaitable[None]]


@dataclass
class WebhookLane:
    """The updates of one lane that are in memory for delivery. The first of them is being delivered, or waits for a
    retry.
    """

    updates: deque[LocalUpdate] = field(default_factory=deque)
    tries: Tries = field(default_factory=Tries)
    wakes_at: float = 0.0
    last_error: str | None = None


class WebhookDelivery:
    """The deliveries to one bot's webhook.

    At most twice `max_connections` updates are in memory at a time, in the order of their arrival (WebhookActor.cpp,
    max_loaded_updates_). So, as on Telegram, one chat with many refused updates can delay all other chats.
    """

    def __init__(self, world: World, bot_id: int, webhook: BotWebhook, owner: "WebhookDeliveries") -> None:
        self._world = world
        self._bot_id = bot_id
        self._owner = owner
        self._scale = world.settings.clock_scale
        self._gone_since: float | None = None
        self._waiting = deque(world.updates.pending(bot_id))
        self._loaded = 0
        self._lanes: dict[int, WebhookLane] = {}
        self._ready: list[tuple[float, int]] = []
        self._connections = Connections(limit=webhook.max_connections, scale=self._scale)
        self._poster = Poster(webhook, world.settings.silence_seconds)
        self._news = asyncio.Event()
        self._attempts: set[asyncio.Task[None]] = set()
        self._loop = asyncio.create_task(self._run())

    def add(self, update: LocalUpdate) -> None:
        """Queue a new update for delivery, behind the updates that arrived earlier."""
        self._waiting.append(update)
        self._news.set()

    def lanes(self) -> Mapping[int, WebhookLane]:
        """Return the lanes with pending deliveries, by lane number."""
        return self._lanes

    async def stop(self) -> None:
        """Stop at once. Updates that were not answered stay pending."""
        tasks = [self._loop, *self._attempts]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._poster.close()

    async def _run(self) -> None:
        while True:
            self._news.clear()
            wake_at = self._start_attempts()
            await self._wait(wake_at)

    async def _wait(self, wake_at: float | None) -> None:
        try:
            async with asyncio.timeout(None if wake_at is None else max(wake_at - time.monotonic(), 0)):
                await self._news.wait()
        except TimeoutError:
            return

    def _start_attempts(self) -> float | None:
        """Start the deliveries that are possible now. Return when to check again, or None if only a new event can
        change anything.
        """
        self._load()
        now = time.monotonic()
        wake_at = self._connections.grow(len(self._lanes), now)
        while self._ready and self._ready[0][0] <= now and self._connections.take():
            _, lane_id = heapq.heappop(self._ready)
            attempt = asyncio.create_task(self._attempt(lane_id))
            self._attempts.add(attempt)
            attempt.add_done_callback(self._attempts.discard)
        if self._ready and self._connections.idle:
            return min(self._ready[0][0], wake_at or self._ready[0][0])
        return wake_at

    def _load(self) -> None:
        while self._waiting and self._loaded < 2 * self._connections.limit:
            update = self._waiting.popleft()
            lane = self._lanes.setdefault(update.lane, WebhookLane())
            lane.updates.append(update)
            self._loaded += 1
            if len(lane.updates) == 1:
                heapq.heappush(self._ready, (lane.wakes_at, update.lane))

    async def _attempt(self, lane_id: int) -> None:
        lane = self._lanes[lane_id]
        update = lane.updates[0]
        fault = self._world.faults.take("webhook", self._bot_id, _chat_id(self._world, update))
        outcome = await self._poster.post(update, fault)
        self._connections.give_back(usable=outcome.is_reusable)
        if outcome.error is None:
            self._connections.last_success = time.monotonic()
            self._on_delivery(lane_id, lane, update, outcome)
        else:
            self._on_refusal(lane_id, lane, update, outcome)
        self._note_gone(outcome.status == HTTPStatus.GONE)
        self._world.save()
        self._news.set()
        if outcome.call is not None:
            await self._owner.run_method(self._bot_id, outcome.call)

    def _on_delivery(self, lane_id: int, lane: WebhookLane, update: LocalUpdate, outcome: PostOutcome) -> None:
        record = {"status": outcome.status, "tries": lane.tries.failures + 1}
        place = {"update_id": update.update_id, "chat": update.chat, "message_id": update.message_id}
        self._world.events.add("delivered", bot_id=self._bot_id, **place, **record)
        self._drop(lane_id, lane, update)

    def _on_refusal(self, lane_id: int, lane: WebhookLane, update: LocalUpdate, outcome: PostOutcome) -> None:
        lane.last_error = outcome.error
        self._note_error(outcome.error or "")
        lane.tries, wait = lane.tries.after_failure(outcome.retry_after)
        wait_seconds = wait * self._scale
        is_given_up = self._world.now() + wait_seconds > update.expires_at
        place = {"update_id": update.update_id, "chat": update.chat, "message_id": update.message_id}
        next_try = None if is_given_up else wait_seconds
        self._world.events.add("undelivered", bot_id=self._bot_id, **place, why=outcome.error, next_try_in=next_try)
        if is_given_up:
            self._drop(lane_id, lane, update)
            return
        lane.wakes_at = time.monotonic() + wait_seconds
        heapq.heappush(self._ready, (lane.wakes_at, lane_id))

    def _drop(self, lane_id: int, lane: WebhookLane, update: LocalUpdate) -> None:
        self._world.updates.drop(update)
        lane.updates.popleft()
        self._loaded -= 1
        lane.tries, lane.wakes_at, lane.last_error = Tries(), 0.0, None
        if lane.updates:
            heapq.heappush(self._ready, (0.0, lane_id))
        else:
            del self._lanes[lane_id]

    def _note_gone(self, is_gone: bool) -> None:
        """Record whether the receiver answered 410 Gone. If it has answered only 410 for 23 hours, remove the
        webhook.
        """
        since = self._gone_since or time.monotonic()
        self._gone_since = since if is_gone else None
        if is_gone and time.monotonic() > since + GONE_SECONDS * self._scale:
            self._owner.remove(self._bot_id)

    def _note_error(self, error: str) -> None:
        bot = self._world.people.bot(self._bot_id)
        if bot is not None and bot.webhook is not None:
            failed = replace(bot.webhook, last_error_date=int(self._world.now()), last_error_message=error)
            self._world.people.keep_bot(replace(bot, webhook=failed))


class WebhookDeliveries:
    """The deliveries to the webhooks of all bots. A bot has at most one webhook."""

    def __init__(self, world: World, run_method: RunMethod) -> None:
        self._world = world
        self._run_method = run_method
        self._of: dict[int, WebhookDelivery] = {}
        self._stopping: set[asyncio.Task[None]] = set()
        world.updates.listen(self._on_arrival)

    def resume(self) -> None:
        """Start the deliveries to all webhooks that were set in the previous process."""
        for bot in self._world.people.bots():
            self.start(bot)

    def start(self, bot: Bot) -> None:
        """Start the deliveries to this bot's current webhook, if the bot has one."""
        self.stop(bot.id)
        if bot.webhook is not None:
            self._of[bot.id] = WebhookDelivery(self._world, bot.id, bot.webhook, self)

    def remove(self, bot_id: int) -> None:
        """Remove a bot's webhook and stop its deliveries. Pending updates stay."""
        bot = self._world.people.bot(bot_id)
        if bot is not None:
            self._world.people.keep_bot(replace(bot, webhook=None))
        self.stop(bot_id)

    async def run_method(self, bot_id: int, call: Mapping[str, Any]) -> None:
        """Call the method that a webhook's response contains. The result of the call is ignored."""
        bot = self._world.people.bot(bot_id)
        if bot is not None:
            await self._run_method(bot, call)

    def stop(self, bot_id: int) -> None:
        """Stop the deliveries to this bot's webhook. The bot's updates stay pending."""
        delivery = self._of.pop(bot_id, None)
        if delivery is not None:
            task = asyncio.create_task(delivery.stop())
            self._stopping.add(task)
            task.add_done_callback(self._stopping.discard)

    def lanes(self, bot_id: int) -> Mapping[int, WebhookLane]:
        """Return the lanes in which a bot has pending deliveries, by lane number; {} if no webhook of the bot is
        served.
        """
        delivery = self._of.get(bot_id)
        return delivery.lanes() if delivery else {}

    async def close(self) -> None:
        """Stop the deliveries to all webhooks. Return once they have stopped."""
        for bot_id in list(self._of):
            self.stop(bot_id)
        await asyncio.gather(*self._stopping)

    def _on_arrival(self, update: LocalUpdate) -> None:
        delivery = self._of.get(update.bot_id)
        if delivery is not None:
            delivery.add(update)


def _chat_id(world: World, update: LocalUpdate) -> int | None:
    chat = world.chats.get(update.chat) if update.chat else None
    return chat.id if chat else None
