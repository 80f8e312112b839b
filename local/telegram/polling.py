"""getUpdates: lets a bot fetch its updates."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any

from local.telegram.errors import BotApiError
from local.telegram.methods.request import MethodRequest
from local.telegram.methods.webhook import allowed_updates
from local.telegram.updates import LocalUpdate, UpdateQueues

# Client.h, LONG_POLL_MAX_TIMEOUT. Bot API: at most 100 updates at a time.
MAX_TIMEOUT_SECONDS = 50
MAX_UPDATES = 100
_OTHER_POLLER = "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
_WEBHOOK_SET = "Conflict: terminated by setWebhook request"
_WEBHOOK_ACTIVE = (
    "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)


@dataclass(frozen=True, kw_only=True)
class Poll:
    """One waiting getUpdates call. To end the call with an error, set the text of the error as the result of
    `ended`.
    """

    ended: asyncio.Future[str]


class Polls:
    """The waiting getUpdates calls, at most one for each bot."""

    def __init__(self) -> None:
        self._waiting: dict[int, Poll] = {}

    async def get_updates(self, request: MethodRequest) -> list[dict[str, Any]]:
        """Return the bot's pending updates. If there are none, wait up to `timeout` seconds for an update."""
        if request.bot.webhook is not None:
            raise BotApiError(409, _WEBHOOK_ACTIVE)
        params, world, bot = request.params, request.world, request.bot
        allowed = allowed_updates(bot, params.get("allowed_updates"))
        if allowed != bot.allowed_updates:
            world.people.keep_bot(replace(bot, allowed_updates=allowed))
        _confirm(world.updates, bot.id, params.get("offset", 0))
        world.save()
        limit = min(max(params.get("limit", MAX_UPDATES), 1), MAX_UPDATES)
        timeout = min(max(params.get("timeout", 0), 0), MAX_TIMEOUT_SECONDS)
        found = _ready(world.updates, bot.id, world.now())
        if not found and timeout:
            found = await self._wait(request, timeout)
        return [dict(update.raw) for update in found[:limit]]

    def end(self, bot_id: int, why: str = _WEBHOOK_SET) -> None:
        """End the waiting call of a bot, if there is one, with an error."""
        poll = self._waiting.pop(bot_id, None)
        if poll is not None and not poll.ended.done():
            poll.ended.set_result(why)

    async def _wait(self, request: MethodRequest, seconds: float) -> list[LocalUpdate]:
        bot_id = request.bot.id
        self.end(bot_id, _OTHER_POLLER)
        poll = Poll(ended=asyncio.get_running_loop().create_future())
        self._waiting[bot_id] = poll
        try:
            found = await self._await_first(request, poll, time.monotonic() + seconds)
        finally:
            if self._waiting.get(bot_id) is poll:
                del self._waiting[bot_id]
        if poll.ended.done():
            raise BotApiError(409, poll.ended.result())
        return found

    async def _await_first(self, request: MethodRequest, poll: Poll, deadline: float) -> list[LocalUpdate]:
        """Wait until the bot has an update, and return the pending updates. Return an empty list at the deadline, or if
        another request ended the call.
        """
        world, bot_id = request.world, request.bot.id
        with world.updates.awaiting(bot_id) as arrival:
            while (left := deadline - time.monotonic()) > 0 and not (poll.ended.done() or world.updates.is_closed):
                arrival.clear()
                if found := _ready(world.updates, bot_id, world.now()):
                    return found
                await _either(arrival, poll.ended, left)
        return []


async def _either(arrival: asyncio.Event, ended: asyncio.Future[str], seconds: float) -> None:
    arrived = asyncio.create_task(arrival.wait())
    awaited: set[asyncio.Future[Any]] = {arrived, ended}
    try:
        await asyncio.wait(awaited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        arrived.cancel()


def _confirm(updates: UpdateQueues, bot_id: int, offset: int) -> None:
    """Delete the updates whose ids are below the offset. An offset of -n deletes all but the newest n updates."""
    pending = updates.pending(bot_id)
    done = pending[:offset] if offset < 0 else [update for update in pending if update.update_id < offset]
    for update in done:
        updates.drop(update)


def _ready(updates: UpdateQueues, bot_id: int, now: float) -> list[LocalUpdate]:
    """Delete the pending updates that have expired, and return the rest."""
    pending = updates.pending(bot_id)
    for update in pending:
        if update.expires_at < now:
            updates.drop(update)
    return [update for update in pending if update.expires_at >= now]
