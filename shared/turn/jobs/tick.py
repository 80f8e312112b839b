"""The tick: one run for one chat. A tick claims the chat before it reads, and starts again if it loses the claim.

`docs/architecture.md` explains the steps. `tests/protocol` shows that no interleaving of ticks loses an update or
processes an update twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ulid import ULID

from shared.base.errors import (
    LeaseLost,
    LullError,
    PlanUnreadable,
    QueueError,
    QueueRefused,
    StoreRefused,
    StoreUnavailable,
    TickFailed,
    WriteConflict,
)
from shared.base.logs import log
from shared.chat.queue import TickQueue
from shared.chat.session import Session
from shared.chat.store.chats import ChatSnapshot
from shared.chat.terms import SessionTerms
from shared.chat.wakes import QuietPeriod, follow_up, quiet_wake, rest_until
from shared.recall.matching.segmenting import SEGMENTING
from shared.tasks.outcome import is_under_way
from shared.turn.jobs.compress import compress
from shared.turn.media import TickMedia
from shared.turn.migration import hand_on
from shared.turn.rounds import run_rounds
from shared.turn.services import Administrators, AgentServices, TickContext
from shared.turn.spending import open_wallet, with_reservation
from shared.values.chat import Chat
from shared.values.wake import Wake, WakeReason

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats

#: the number of times that a tick starts again; then it fails, so that Cloud Tasks repeats its task
MOST_STARTS = 5


@dataclass(frozen=True, kw_only=True)
class TickServices:
    """The services and settings that all ticks share. `agents` maps an agent's id to its services. `quiet` maps a kind
    of chat to the time for which people must have stopped writing before they are answered.
    """

    chats: FirestoreChats
    queue: TickQueue
    agents: Mapping[str, AgentServices]
    quiet: Mapping[str, timedelta]
    longest_wait: timedelta
    lease: timedelta
    window_entries: int
    rest: timedelta
    clock: Callable[[], datetime]


async def tick(tick_services: TickServices, wake: Wake) -> None:
    """Run one tick. If it raises a StoreError, QueueError, ChannelError or TickFailed, its task runs again."""
    agent = tick_services.agents.get(wake.key.agent)
    if agent is None:
        log("there is no such agent any more", agent=wake.key.agent)
        return
    for _ in range(MOST_STARTS):
        named = agent.with_bot_username(in_group=wake.key.is_group)
        seen, services = await asyncio.gather(tick_services.chats.see(wake.key), named)
        if wake.reason is WakeReason.COMPRESS:
            await compress(services, wake, tick_services.window_entries)
            return
        if seen.chat.moves.moved_to:
            await hand_on(tick_services.chats, tick_services.queue, seen.chat, wake, tick_services.clock)
            return
        try:
            if await _should_defer(tick_services, services, wake, seen):
                return
            async with _claim_chat(tick_services, services, wake, seen) as context:
                await run_rounds(context)
        except (WriteConflict, LeaseLost) as lost:
            log(f"starting over: {lost}")
            continue
        return
    raise WriteConflict(f"other ticks took the chat {MOST_STARTS} times in a row; the task runs again")


@asynccontextmanager
async def _claim_chat(
    tick_services: TickServices, services: AgentServices, wake: Wake, seen: ChatSnapshot
) -> AsyncIterator[TickContext]:
    """Claim the chat while the block runs, and yield the tick's context. If the block fails, release the chat at once.

    Raises WriteConflict and the LullErrors of the block; any other exception becomes TickFailed.
    """
    terms = _terms_of(tick_services)
    claimed = await tick_services.chats.claim(with_reservation(seen, tick_services.clock()), terms.lease_now())
    if dead := seen.chat.budget.reserved.usd:
        # the costs of a tick that died are unknown, so all that it reserved is charged
        log("the model was asked", usd=dead, purpose="of a dead tick")
    session = Session(tick_services.chats, claimed, terms)
    administrators = Administrators(services.runner.channel, wake.key.chat_id)
    try:
        media = TickMedia(services=services.media)
        context = TickContext(
            services=services,
            session=session,
            wake=wake,
            administrators=administrators,
            media=media,
            claimed_at=tick_services.clock(),
        )
        async with open_wallet(context) as paid:
            yield paid
    except (QueueError, StoreUnavailable, StoreRefused) as error:
        # an outage is not counted as a failed start of this chat; a permanent refusal is
        with suppress(LullError):
            await session.let_go(is_counted=isinstance(error, QueueRefused | StoreRefused))
        raise
    except LullError:
        raise
    except Exception as error:  # the outermost boundary, which catches bugs and the updates that trigger them
        log("a tick failed", logging.ERROR, error)
        with suppress(LullError):
            await session.let_go(is_counted=True)
        raise TickFailed(f"a tick failed with {type(error).__name__}") from None


def _terms_of(tick_services: TickServices) -> SessionTerms:
    return SessionTerms(
        owner=str(ULID()),
        lease=tick_services.lease,
        window_entries=tick_services.window_entries,
        clock=tick_services.clock,
        rest=tick_services.rest,
        segmenting=SEGMENTING,
    )


async def _should_defer(tick_services: TickServices, services: AgentServices, wake: Wake, seen: ChatSnapshot) -> bool:
    """Return whether to leave the work to another tick, because the chat is claimed or people are still writing.

    The other tick is enqueued before this one ends. Cloud Tasks gets a 200, since a 429 or 503 would slow down the
    queue for every chat.
    """
    now, chat = tick_services.clock(), seen.chat
    if chat.claim.lease is not None and chat.is_held(now):
        # the tick that read a stop request also carries it out; if that tick died, its lease must expire first
        is_stop_request = wake.reason is WakeReason.STOP and await _is_to_stop(tick_services, services, wake, chat)
        if is_stop_request and not await _let_holder_finish(tick_services, int(wake.of), seen):
            log("the chat is taken from the tick that holds it")
            return False
        await tick_services.queue.enqueue(follow_up(wake, chat.claim.lease, now))
        log("another tick holds the chat; a later tick checks again")
        return True
    if wake.reason not in {WakeReason.SOON, WakeReason.QUIET}:
        return False
    newest = await tick_services.chats.newest_update_at(wake.key)
    quiet = tick_services.quiet["private" if wake.key.is_of_one else "group"]
    rested = (
        rest_until(wake, newest, QuietPeriod(now, quiet, tick_services.longest_wait)) if newest is not None else None
    )
    if rested is None:
        return False
    await tick_services.queue.enqueue(quiet_wake(wake, chat, rested))
    log("people are still writing")
    return True


async def _is_to_stop(tick_services: TickServices, services: AgentServices, wake: Wake, chat: Chat) -> bool:
    """Return whether the stop request that scheduled this tick is still unread, and its author may stop the agent."""
    update = await tick_services.chats.unread_update(wake.key, int(wake.of))
    if update is None:
        return False
    return services.admission is None or await services.admission.may_stop(chat, update)


async def _let_holder_finish(tick_services: TickServices, stop: int, seen: ChatSnapshot) -> bool:
    """Return whether another tick that has claimed the chat must be left to finish a call to Telegram.

    Only that tick can record the result of its call. It is asked to stop by a note in the chat's document, which makes
    its next commit fail; without a commit it sends nothing more. If that tick is not making a call, this tick may take
    over the chat at once.
    """
    try:
        plan = await tick_services.chats.plan(seen.chat.key) if seen.chat.due_at is not None else None
    except PlanUnreadable:  # the next tick that claims the chat will quarantine the plan
        return False
    if plan is None or not is_under_way(plan, tick_services.clock()):
        return False
    if seen.chat.claim.stop != stop:
        await tick_services.chats.ask_to_stop(seen.chat.key, stop)
        log("the tick that holds the chat is asked to stop")
    return True
