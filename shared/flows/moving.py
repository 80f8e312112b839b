"""Moving: a group that became a supergroup has another chat id, and goes on there with all that was kept.

The chat's document under the old id then only points to the new one: what still comes there is handed on.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from shared.executing.graph import next_due_at
from shared.flows.attendance import Attendance
from shared.flows.batch import Batch
from shared.logs import log
from shared.models.chat import Chat, ChatKey
from shared.models.plan import Plan
from shared.models.wake import Wake, WakeReason
from shared.ports import ChatStore, TickQueue
from shared.ticking.holding import Holding
from shared.ticking.moves import new_key
from shared.ticking.waking import due_wake

#: how long to wait for a tick that holds the other chat
LOOK_AGAIN = timedelta(seconds=1)
#: how often the new chat waits for the old one to move before it goes on without
MOST_WAITS = 30
#: updates handed on at once
HANDED_ON = 200


async def move_away(attendance: Attendance, hold: Holding, wake: Wake, plan: Plan | None) -> None:
    """Move the held chat to its new id, or have a later tick do it when that chat is held.

    Raises LeaseLost when a tick of the new chat came first; this one then starts over.
    """
    assert hold.moving_to is not None
    to = new_key(hold.chat.key, hold.moving_to)
    there = await attendance.chats.see(to)
    due_at = next_due_at(plan) if plan is not None else None
    hold.note_chat(due_at=due_at)
    if there.chat.is_held(attendance.clock()):
        await attendance.queue.enqueue(_moved_wake(wake, hold.chat, to.chat_id, attendance.clock() + LOOK_AGAIN))
        await hold.commit(plan, release=True)
        return
    if plan is not None and due_at is not None:
        await attendance.queue.enqueue(due_wake(wake.model_copy(update={"key": to}), plan.id, due_at))
    await hold.move(there, plan)
    log("the group has another id now; its conversation went there", to=to.id)


async def old_chat_moves_first(
    attendance: Attendance, hold: Holding, wake: Wake, batch: Batch, plan: Plan | None
) -> bool:
    """Whether this chat, which came of another one, has to wait for what was kept there; it is given back then."""
    if batch.comes_from is None or wake.attempt >= MOST_WAITS:
        return False
    old = (await attendance.chats.see(new_key(hold.chat.key, batch.comes_from))).chat
    if not old.conversation or old.moved_to:
        return False
    now = attendance.clock()
    moving = wake.model_copy(update={"key": old.key, "reason": WakeReason.SOON})
    await attendance.queue.enqueue(_moved_wake(moving, old, hold.chat.key.chat_id, now))
    await attendance.queue.enqueue(_moved_wake(wake, hold.chat, 0, now + LOOK_AGAIN))
    await hold.commit(plan, release=True)
    log("what was kept under the group's old id comes first", old=old.key.id)
    return True


async def hand_on(chats: ChatStore, queue: TickQueue, old: Chat, wake: Wake, clock: Callable[[], datetime]) -> None:
    """Have the new chat read what still came under the old id. It may be repeated at any step."""
    to = new_key(old.key, old.moved_to)
    while unread := await chats.unread(old.key, HANDED_ON):
        for update in unread:
            await chats.forward(update, to)
        # as the webhook does it: stored first, then the generation, then the task named for it
        there = (await chats.see(to)).chat
        await queue.enqueue(_soon(wake, to, there, clock()))


def _soon(wake: Wake, to: ChatKey, there: Chat, now: datetime) -> Wake:
    fields = {"key": to, "reason": WakeReason.SOON, "at": now, "of": str(there.generation), "attempt": 0, "since": now}
    return wake.model_copy(update=fields)


def _moved_wake(wake: Wake, chat: Chat, to: int, at: datetime) -> Wake:
    """The tick that moves a chat (`to`: where to), or that looks again whether it was moved to (0)."""
    of = str(to)
    attempt = wake.attempt + 1 if wake.reason is WakeReason.MOVED else 0
    fields = {"key": chat.key, "reason": WakeReason.MOVED, "at": at, "of": of, "attempt": attempt, "since": None}
    return wake.model_copy(update=fields)
