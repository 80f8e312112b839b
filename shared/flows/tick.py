"""The tick: one run for one chat. It claims the chat before it reads, and starts over when it lost it.

Why each step is as it is: `docs/how-it-works.md`; that no interleaving loses or doubles an update: `tests/protocol`.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from ulid import ULID

from shared.errors import (
    Contended,
    LeaseLost,
    LullError,
    PlanUnreadable,
    QueueRefused,
    QueueUnavailable,
    StoreRefused,
    StoreUnavailable,
    TickFailed,
)
from shared.executing.outcome import is_under_way
from shared.flows.compress import compress
from shared.logs import log
from shared.models.chat import Lease
from shared.models.wake import Wake, WakeReason
from shared.ports.chats import ChatSnapshot, ChatStore, TickQueue
from shared.session.session import Session, SessionTerms
from shared.session.wakes import Rest, follow_up, quiet_wake, rest_until
from shared.turn.attend import attend
from shared.turn.attendance import Attendance
from shared.turn.migration import hand_on

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

    Raises StoreUnavailable, QueueUnavailable, Contended or TickFailed: then the task is run again.
    """
    attendance = ticker.attendances.get(wake.key.agent)
    if attendance is None:
        log("there is no such agent any more", agent=wake.key.agent)
        return
    for _ in range(MOST_STARTS):
        seen = await ticker.chats.see(wake.key)
        if wake.reason is WakeReason.COMPRESS:
            await compress(attendance, wake, ticker.window_entries)
            return
        if seen.chat.moved_to:
            await hand_on(ticker.chats, ticker.queue, seen.chat, wake, ticker.clock)
            return
        try:
            if await _is_put_off(ticker, wake, seen):
                return
            lease = Lease(owner=str(ULID()), until=ticker.clock() + ticker.lease)
            claimed = await ticker.chats.claim(seen, lease)
            await _attend(attendance, _hold(ticker, claimed, lease.owner), wake)
        except (Contended, LeaseLost) as lost:
            log(f"starting over: {lost}")
            continue
        return
    raise Contended(f"the chat was lost {MOST_STARTS} times")


async def _attend(attendance: Attendance, hold: Session, wake: Wake) -> None:
    """Attend; whatever is met, the chat does not wait for the lease's end. Raises LullError."""
    try:
        await attend(attendance, hold, wake)
    except (QueueUnavailable, StoreUnavailable) as error:
        # the world's fault, no tick died of what it met here; unless it is refused for good
        with suppress(LullError):
            await hold.let_go(is_counted=isinstance(error, QueueRefused | StoreRefused))
        raise
    except LullError:
        raise
    except Exception as error:  # the rim: a bug, or an update that brings one out
        log("a tick failed", logging.ERROR, error)
        with suppress(LullError):
            await hold.let_go(is_counted=True)
        raise TickFailed(f"a tick met a {type(error).__name__}") from None


def _hold(ticker: Ticker, claimed: ChatSnapshot, owner: str) -> Session:
    terms = SessionTerms(owner=owner, lease=ticker.lease, window_entries=ticker.window_entries, clock=ticker.clock)
    return Session(ticker.chats, claimed, terms)


async def _is_put_off(ticker: Ticker, wake: Wake, seen: ChatSnapshot) -> bool:
    """Whether another tick will see to it: when this one's lease is held, or when people are still writing.

    That tick is enqueued first. The answer is a 200 all the same: a 429 or 503 would slow the queue for every chat.
    Raises Contended.
    """
    now, chat = ticker.clock(), seen.chat
    if chat.lease is not None and chat.is_held(now):
        # a wish that was read is being obeyed, by a tick that may have died since: that one is waited for as any other
        is_wish = wake.reason is WakeReason.STOP and await ticker.chats.is_unread(wake.key, int(wake.of))
        if is_wish and not await _lets_finish(ticker, int(wake.of), seen):
            log("the chat is taken from the tick that holds it")
            return False
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


async def _lets_finish(ticker: Ticker, stop: int, seen: ChatSnapshot) -> bool:
    """Whether a call is on its way, whose answer only the tick that made it can record.

    That tick is told by a mark on the chat's document, which its next commit, without which nothing leaves, runs into.
    Where no call is under way there is nothing to wait for: the chat is taken, and that tick can send nothing more.
    """
    try:
        plan = await ticker.chats.plan(seen.chat.key) if seen.chat.due_at is not None else None
    except PlanUnreadable:  # whoever takes the chat gives it up
        return False
    if plan is None or not is_under_way(plan, ticker.clock()):
        return False
    if seen.chat.stop != stop:
        await ticker.chats.ask_to_stop(seen.chat.key, stop)
        log("the tick that holds the chat is told to stop")
    return True
