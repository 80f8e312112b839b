"""The tick: one run for one chat. It claims the chat before it reads, and starts over when it lost it.

Why each step is as it is: `docs/how-it-works.md`; that no interleaving loses or doubles an update: `tests/protocol`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from ulid import ULID

from shared.errors import Contended, LeaseLost
from shared.flows.attend import Attendance, attend
from shared.logs import log
from shared.models.chat import Chat, Lease
from shared.models.wake import Wake, WakeReason
from shared.ports import ChatStore, Seen, TickQueue
from shared.ticking.holding import Holding, Terms
from shared.ticking.waking import Rest, follow_up, quiet_wake, rest_until

#: how often one tick starts over before it leaves the chat to a repeat of its task
MOST_STARTS = 5


@dataclass(frozen=True, kw_only=True)
class Ticker:
    """What ticking needs. `quiet` is by the chat's kind."""

    chats: ChatStore
    queue: TickQueue
    attendances: Mapping[str, Attendance]
    quiet: Mapping[str, timedelta]
    longest_wait: timedelta
    lease: timedelta
    window_entries: int
    clock: Callable[[], datetime]


async def tick(ticker: Ticker, wake: Wake) -> None:
    """Run one tick.

    Raises StoreUnavailable, QueueUnavailable or Contended: then the task is run again.
    """
    if wake.key.agent not in ticker.attendances:
        log("there is no such agent any more", agent=wake.key.agent)
        return
    for _ in range(MOST_STARTS):
        seen = await ticker.chats.see(wake.key)
        if await _is_put_off(ticker, wake, seen.chat):
            return
        lease = Lease(owner=str(ULID()), until=ticker.clock() + ticker.lease)
        try:
            claimed = await ticker.chats.claim(seen, lease)
            await attend(ticker.attendances[wake.key.agent], _hold(ticker, claimed, lease.owner), wake)
        except (Contended, LeaseLost) as lost:
            log(f"starting over: {lost}")
            continue
        return
    raise Contended(f"the chat was lost {MOST_STARTS} times")


def _hold(ticker: Ticker, claimed: Seen, owner: str) -> Holding:
    terms = Terms(owner=owner, lease=ticker.lease, window_entries=ticker.window_entries, clock=ticker.clock)
    return Holding(ticker.chats, claimed, terms)


async def _is_put_off(ticker: Ticker, wake: Wake, chat: Chat) -> bool:
    """Whether another tick will see to it: when this one's lease is held, or when people are still writing.

    That tick is enqueued first. The answer is a 200 all the same: a 429 or 503 would slow the queue for every chat.
    """
    now = ticker.clock()
    if chat.lease is not None and chat.is_held(now):
        await ticker.queue.enqueue(follow_up(wake, chat.lease, now))
        log("the chat is held; a follow-up looks again")
        return True
    if wake.reason not in {WakeReason.SOON, WakeReason.QUIET}:
        return False
    newest = await ticker.chats.newest_update_at(wake.key)
    quiet = ticker.quiet["private" if wake.key.chat_id > 0 else "group"]
    rested = rest_until(wake, newest, Rest(now, quiet, ticker.longest_wait)) if newest is not None else None
    if rested is None:
        return False
    await ticker.queue.enqueue(quiet_wake(wake, chat, rested))
    log("people are still writing")
    return True
