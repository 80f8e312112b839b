"""Attending to a chat that this tick holds: read, decide, plan, carry out, until nothing is left to do now."""

from shared.errors import LullError, ModelUnavailable, StopAsked
from shared.executing.graph import next_due_at, next_task
from shared.executing.losses import incidents_of, note_of
from shared.executing.outcome import with_lost_answers
from shared.logs import about, log
from shared.models.wake import Wake, WakeReason
from shared.records import KeptIncident
from shared.session.session import Session
from shared.session.wakes import compress_wake, due_wake, retry_wake
from shared.tasks.plan import Plan
from shared.turn.attendance import Attendance
from shared.turn.migration import move_away, old_chat_moves_first
from shared.turn.permitting import Permits
from shared.turn.quarantine import batch_size, readable_plan, set_aside
from shared.turn.taking_in import MOST_REPLANS, ReadRound, Round, read_round, take_in


async def attend(attendance: Attendance, hold: Session, wake: Wake) -> None:
    """Do what is to be done in the chat, and give it back.

    Raises LeaseLost, StoreUnavailable or QueueUnavailable.
    """
    permits = Permits(attendance.runner.channel, hold.chat.key.chat_id)
    plan = await set_aside(attendance, hold, await _standing_plan(attendance, hold))
    if wake.reason is WakeReason.MOVED and int(wake.of):
        hold.note_move(int(wake.of))
    while True:
        try:
            plan, is_over = await _round(attendance, hold, wake, plan, permits)
        except StopAsked:  # nothing was noted in this round: the next one finds the wish, and the plan as it stands
            log("asked to stop")
            continue
        if is_over:
            return


async def _round(
    attendance: Attendance, hold: Session, wake: Wake, plan: Plan | None, permits: Permits
) -> tuple[Plan | None, bool]:
    """The plan after one round, and whether the chat was given back. Raises StopAsked."""
    most = batch_size(hold.chat)
    unread = await attendance.chats.unread(hold.chat.key, most)
    hold.leaves_some = False
    if unread:
        found = Round(wake=wake, standing=plan, unread=unread, permits=permits)
        now = await read_round(attendance, hold, found)
        if await old_chat_moves_first(attendance, hold, wake, now.batch, plan):
            return plan, True
        try:
            plan = await take_in(attendance, hold, now)
        except ModelUnavailable as error:
            return await _tries_later(attendance, hold, now, error)
        is_whole = len(unread) < most and all(u.envelope.update_id in hold.noted_read for u in unread)
        hold.leaves_some |= not is_whole
    plan = await _carried_out(attendance, hold, plan)
    # what was stored after the claim has a tick of its own, so nobody looks once more before the chat is given back:
    # the commit that gives it back comes right after the last answer, and records it
    goes_on = hold.leaves_some or (plan is not None and next_task(plan, attendance.clock()) is not None)
    if goes_on and hold.moving_to is None:
        await hold.commit(plan)
        return plan, False
    return plan, await _gave_back(attendance, hold, plan, wake)


async def _standing_plan(attendance: Attendance, hold: Session) -> Plan | None:
    """The plan that is to go on, if one is; what a dead tick left between a call and its answer is an incident."""
    if hold.chat.due_at is None:
        return None
    found = await readable_plan(attendance, hold, hold.chat.key)
    if found is None:
        return None
    plan, now = with_lost_answers(found), attendance.clock()
    incidents = list(incidents_of(found, plan, hold.chat.key, now))
    for incident in incidents:
        log("a delivery's outcome is unknown; it is not sent again", plan=plan.id)
        hold.note(KeptIncident(incident))
    if incidents:
        await hold.note_entries(note_of(found, plan, now))
    return plan


async def _carried_out(attendance: Attendance, hold: Session, plan: Plan | None, unread: int = 0) -> Plan | None:
    """The plan after its due tasks. `unread`: how many updates are known, and left for a later tick."""
    if plan is None or next_task(plan, attendance.clock()) is None:
        return plan
    with about(plan=plan.id):
        return await attendance.runner.run(hold, plan, is_last=plan.replans >= MOST_REPLANS, unread=unread)


async def _tries_later(
    attendance: Attendance, hold: Session, now: ReadRound, error: ModelUnavailable
) -> tuple[Plan | None, bool]:
    """As a round: what was planned before goes on, and what is unread waits for a later tick."""
    log(f"trying again later: {error}")
    plan = await _carried_out(attendance, hold, now.standing, len(now.unread))
    at = attendance.clock() + attendance.budgets.model.after
    await attendance.queue.enqueue(retry_wake(now.wake, hold.chat, at))
    hold.full_after = None  # a summary is the model's too
    return plan, await _gave_back(attendance, hold, plan, now.wake)


async def _gave_back(attendance: Attendance, hold: Session, plan: Plan | None, wake: Wake) -> bool:
    """Whether the chat was given back; if not, somebody asked to stop, and it is to be looked into once more."""
    if hold.moving_to is not None:
        await move_away(attendance, hold, wake, plan)
        return True
    due_at = next_due_at(plan) if plan is not None else None
    if plan is not None and due_at is not None:
        await attendance.queue.enqueue(due_wake(wake, plan.id, due_at))
    hold.note_chat(due_at=due_at)
    try:
        await hold.commit(plan, release=True, heeds_stop=True)
    except StopAsked:  # what this round noted is written all the same: an answer that left is not to be forgotten
        log("asked to stop")
        await hold.commit(plan)
        return False
    await ask_for_compression(attendance, hold, wake)
    return True


async def ask_for_compression(attendance: Attendance, hold: Session, wake: Wake) -> None:
    """Have another tick summarise what the last plan was shown, if it was nearly more than there is room for.

    The chat was given back: that no task could be made is no reason to run this one again.
    """
    if hold.full_after is None:
        return
    try:
        await attendance.queue.enqueue(compress_wake(wake, hold.chat, hold.full_after, attendance.clock()))
    except LullError as error:
        log(f"not summarised now: {error}")
