"""What people see the agent doing while it works: typing, recording, sending a picture."""

import asyncio
from collections.abc import Awaitable
from datetime import timedelta
from typing import TypeVar

from shared.models.channel import Activity, Recipient
from shared.ports.world import Channel

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


async def shown_during(
    channel: Channel, to: Recipient, work: Awaitable[T], activity: Activity, at_least: timedelta
) -> T:
    """The result of some work, in which people see the agent busy with it from its first moment on.

    It takes `at_least` some time. Once an action is not taken there is no other.
    """
    both = asyncio.ensure_future(asyncio.gather(work, asyncio.sleep(at_least.total_seconds())))
    is_shown = True
    try:
        while not both.done():
            is_shown = is_shown and await channel.typing(to, activity)
            await asyncio.wait({both}, timeout=AGAIN_AFTER.total_seconds())
        return both.result()[0]
    finally:
        both.cancel()
