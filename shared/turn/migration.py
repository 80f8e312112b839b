"""Move a group that became a supergroup to its new chat id, with all of its stored data.

After that, the chat's document under the old id only points to the new id. Updates that still arrive under the old id
are forwarded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shared.base.logs import log
from shared.chat.moves import merge_plans, new_key, without_old_ids
from shared.chat.queue import TickQueue
from shared.chat.session import Session
from shared.chat.wakes import due_wake
from shared.tasks.graph import next_due_at
from shared.tasks.plan import Plan
from shared.turn.batch import InboxBatch
from shared.turn.losses import loss_events
from shared.turn.quarantine import readable_plan
from shared.turn.services import TickContext
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.wake import Wake, WakeReason

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats

#: the time after which the tick checks again if the other chat is not ready; it doubles each time, up to eightfold
LOOK_AGAIN = timedelta(seconds=1)
MOST_DOUBLINGS = 3
#: the number of times that the new chat waits for the old one before it continues without the old chat's data. This
#: takes two minutes, so if a tick of the old chat died, its lease has expired by then
MOST_WAITS = 20
#: the number of updates that are forwarded at once
HANDED_ON = 200


async def move_away(context: TickContext, plan: Plan | None, chat_id: int) -> None:
    """Move the claimed chat to its new id. If a tick holds the chat with the new id, enqueue a later tick for the move.

    Raises LeaseLost if the chat with the new id changed during the move; this tick then starts again.
    """
    services, session = context.services, context.session
    to = new_key(session.chat.key, chat_id)
    there = await services.chats.see(to)
    if there.chat.is_held(context.now):
        session.note_chat(evolve(session.chat, due_at=next_due_at(plan) if plan is not None else None))
        await services.queue.enqueue(_later(context.wake, session.chat, to.chat_id, context.now))
        await session.commit(plan, release=True)
        return
    plan = await _plan_there(context.session, context.now, context.services.chats, there.chat, plan)
    due_at = next_due_at(plan) if plan is not None else None
    session.note_chat(
        evolve(session.chat, due_at=min(filter(None, (due_at, session.chat.planning.waits_until)), default=None))
    )
    if plan is not None and due_at is not None:
        wake = replace(context.wake, key=to)
        due = due_wake(wake, plan.id, due_at)
        # a failed move is tried again, and the task name of its first wake cannot be used a second time
        await services.queue.enqueue(replace(due, of=f"{due.of}@{session.owner}"))
    await session.move(there, plan)
    log("the group has a new id; its conversation was moved there", to=to.id)


async def _plan_there(
    session: Session, now: datetime, chats: FirestoreChats, there: Chat, plan: Plan | None
) -> Plan | None:
    """Return the plan for the new id, merged with any plan of that chat. Tasks impossible there count as lost."""
    moved = without_old_ids(plan) if plan is not None else None
    if plan is not None and moved is not None:
        await session.note_entries(loss_events(plan, moved, now))
    standing = await readable_plan(session, now, chats, there.key) if there.due_at is not None else None
    return merge_plans(moved, standing)


async def wakes_of_old_chat(context: TickContext, batch: InboxBatch) -> tuple[Wake, ...]:
    """If this chat replaces a chat whose data has not been moved yet, return the ticks that must run first.

    The first of them moves the old chat, and the second checks this chat again. The result is empty if there is nothing
    to wait for, or if this chat has waited long enough.
    """
    wake, session = context.wake, context.session
    if batch.migration.from_chat is None or (wake.reason is WakeReason.MOVED and wake.attempt >= MOST_WAITS):
        return ()
    old = (await context.services.chats.see(new_key(session.chat.key, batch.migration.from_chat))).chat
    if old.moves.moved_to or not await _has_something(context.now, context.services.chats, old):
        return ()
    log("the data under the group's old id is moved first", old=old.key.id)
    now = context.now
    moving = replace(wake, key=old.key, reason=WakeReason.SOON)
    return _moved_wake(moving, old, session.chat.key.chat_id, now), _later(wake, session.chat, 0, now)


async def _has_something(now: datetime, chats: FirestoreChats, old: Chat) -> bool:
    """Return whether the old id has or will soon have data: a tick has claimed it, or its inbox has updates."""
    is_begun = bool(old.conversation) or old.is_held(now)
    return is_begun or await chats.unread_count(old.key) > 0


async def hand_on(
    chats: FirestoreChats, queue: TickQueue, old: Chat, wake: Wake, clock: Callable[[], datetime]
) -> None:
    """Forward updates that still arrived under the old id to the new chat. Each step may safely be repeated."""
    to = new_key(old.key, old.moves.moved_to)
    while unread := await chats.unread(old.key, HANDED_ON):
        for update in unread:
            await chats.forward(update, to)
        # in the webhook's order: first the update, then the generation, then the task that is named after it
        there = (await chats.see(to)).chat
        await queue.enqueue(_soon(wake, to, there, clock()))
    # reminders and budget leases may name either id
    if wake.reason in {WakeReason.REMIND, WakeReason.SWEEP, WakeReason.WAITED, WakeReason.GIVE_BACK}:
        await queue.enqueue(replace(wake, key=to))


def _soon(wake: Wake, to: ChatKey, there: Chat, now: datetime) -> Wake:
    of = str(there.claim.generation)
    return replace(wake, key=to, reason=WakeReason.SOON, at=now, of=of, attempt=0, since=now)


def _later(wake: Wake, chat: Chat, to: int, now: datetime) -> Wake:
    again = _moved_wake(wake, chat, to, now)
    return replace(again, at=now + LOOK_AGAIN * 2 ** min(again.attempt, MOST_DOUBLINGS))


def _moved_wake(wake: Wake, chat: Chat, to: int, at: datetime) -> Wake:
    """Return the wake (scheduled tick) that moves a chat to the id `to`. If `to` is 0, the tick instead checks again
    whether the chat that this one replaces has been moved.
    """
    attempt = wake.attempt + 1 if wake.reason is WakeReason.MOVED else 0
    return replace(wake, key=chat.key, reason=WakeReason.MOVED, at=at, of=str(to), attempt=attempt, since=None)
