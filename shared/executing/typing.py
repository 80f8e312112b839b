"""Showing that the agent is typing: for as long as something takes, or for a while."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import TypeVar

from shared.models.channel import Recipient
from shared.ports.outside import Channel

T = TypeVar("T")

#: Telegram shows an action for 5 seconds at most (core.telegram.org/bots/api#sendchataction)
SHOWN_SECONDS = 5.0
#: shown again a little earlier where there must be no gap
AGAIN_AFTER = timedelta(seconds=4.5)


async def while_typing(
    channel: Channel, to: Recipient, work: Awaitable[T], *, is_shown: bool = True, every_s: float = SHOWN_SECONDS
) -> T:
    """The result of some work; from the first `every_s` on, people see the agent typing until it is there.

    The time before that is the webhook's: its response carries the action, which costs no call. Once an action is not
    taken there is no other, and where the chat is known to be told to wait (`is_shown` is false) there is none at all:
    it only decorates, and the answer itself has to get through.
    """
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=every_s))[0]:
            is_shown = is_shown and await channel.typing(to)
        return task.result()
    finally:
        task.cancel()


async def typing_for(channel: Channel, to: Recipient, span: timedelta) -> None:
    """Let some time pass, in which people see the agent typing. Once an action is not taken there is no other."""
    is_shown = True
    while span > timedelta():
        is_shown = is_shown and await channel.typing(to)
        await asyncio.sleep(min(span, AGAIN_AFTER).total_seconds())
        span -= AGAIN_AFTER
