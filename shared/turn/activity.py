"""What people see the agent doing while it works: typing, recording, sending a picture."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from shared.base.beside import beside, to_its_end
from shared.llm.ports.world import MessagingChannel
from shared.values.channel import Activity, Recipient

#: Telegram shows an action for 5 seconds at most (core.telegram.org/bots/api#sendchataction)
SHOWN_SECONDS = 5.0
#: shown again a little earlier where there must be no gap
AGAIN_AFTER = timedelta(seconds=4.5)


@asynccontextmanager
async def typing(
    channel: MessagingChannel, to: Recipient, *, is_shown: bool = True, every_s: float = SHOWN_SECONDS
) -> AsyncIterator[None]:
    """Let people see the agent typing from the first `every_s` of the block on.

    The time before that is the webhook's: its response carries the action, which costs no call. Once an action is not
    taken there is no other, and where the chat is known to be told to wait (`is_shown` is false) there is none at all:
    it only decorates, and the answer itself has to get through.
    """
    if not is_shown:
        yield
        return
    async with beside(_show(channel, to, Activity.TYPING, after_s=every_s, every_s=every_s)):
        yield


async def typing_for(channel: MessagingChannel, to: Recipient, span: timedelta) -> None:
    """Let some time pass, in which people see the agent typing. Once an action is not taken there is no other."""
    is_shown = True
    while span > timedelta():
        is_shown = is_shown and await channel.typing(to)
        await asyncio.sleep(min(span, AGAIN_AFTER).total_seconds())
        span -= AGAIN_AFTER


@asynccontextmanager
async def showing(
    channel: MessagingChannel, to: Recipient, activity: Activity, at_least: timedelta
) -> AsyncIterator[None]:
    """Let people see the agent busy with something from the first moment of the block on.

    A block that succeeds takes `at_least` some time. Once an action is not taken there is no other.
    """
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + at_least.total_seconds()
    async with beside(_show(channel, to, activity, after_s=0.0, every_s=AGAIN_AFTER.total_seconds())):
        yield
        await asyncio.sleep(max(0.0, ends_at - loop.time()))


async def _show(
    channel: MessagingChannel, to: Recipient, activity: Activity, *, after_s: float, every_s: float
) -> None:
    await asyncio.sleep(after_s)
    is_shown = True
    while is_shown:
        is_shown = await to_its_end(channel.typing(to, activity))  # what is under way must not come after the answer
        await asyncio.sleep(every_s)
