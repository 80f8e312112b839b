"""Attending to a chat that this tick holds: read, decide, plan, carry out, until nothing is left to do now."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ulid import ULID

from shared.deciding.rules import Self
from shared.errors import ModelUnavailable
from shared.executing.graph import next_due_at, next_task
from shared.executing.incidents import incidents_of
from shared.executing.outcome import with_lost_answers
from shared.executing.runner import Runner, recipient_of
from shared.executing.typing import while_typing
from shared.flows.batch import Batch, read_batch
from shared.flows.reply import NO_MODEL, Replier, apology
from shared.logs import about, log
from shared.models.message import Message
from shared.models.plan import Plan, PlannedTask
from shared.models.update import InboxUpdate
from shared.models.usage import ModelCall
from shared.models.wake import Wake, WakeReason
from shared.planning.planner import Drafted
from shared.ports import ChatStore, TickQueue
from shared.ticking.holding import Holding
from shared.ticking.waking import due_wake, retry_wake

#: updates read at once; more are read in the next round of the same tick
BATCH_UPDATES = 200
#: before its first send a plan is made again at most this often for what was written meanwhile
MOST_REPLANS = 2
#: how often later ticks try the model again before the person is told
MOST_MODEL_RETRIES = 3


@dataclass(frozen=True, kw_only=True)
class Attendance:
    """What one agent needs to attend to a chat. `active` is how long it counts as taking part after it spoke."""

    chats: ChatStore
    queue: TickQueue
    replier: Replier
    runner: Runner
    active: timedelta
    retry_after: timedelta
    clock: Callable[[], datetime]

    async def me(self) -> Self:
        """Who the agent is. Raises ChannelError."""
        identity = await self.runner.channel.identity()
        return Self(identity.id, identity.username)


async def attend(attendance: Attendance, hold: Holding, wake: Wake) -> None:
    """Do what is to be done in the chat, and give it back.

    Raises LeaseLost, StoreUnavailable, QueueUnavailable, or ChannelError when the agent's bot cannot be asked.
    """
    plan = await _standing_plan(attendance, hold)
    while True:
        unread = await attendance.chats.unread(hold.chat.key, BATCH_UPDATES)
        if unread:
            try:
                plan = await _take_in(attendance, hold, _Round(wake, plan, unread))
            except ModelUnavailable as error:
                await _try_later(attendance, hold, wake, error)
                return
        if plan is not None and next_task(plan, attendance.clock()) is not None:
            with about(plan=plan.id):
                plan = await attendance.runner.run(hold, plan, is_last=plan.replans >= MOST_REPLANS)
        if await attendance.chats.unread_count(hold.chat.key) <= len(hold.noted_read):
            break
        await hold.commit(plan)
    await _give_back(attendance, hold, plan, wake)


@dataclass(frozen=True)
class _Round:
    """One round of a tick: why it runs, the plan that stands, and the updates that it found."""

    wake: Wake
    standing: Plan | None
    unread: Sequence[InboxUpdate]

    @property
    def pending(self) -> tuple[PlannedTask, ...]:
        return tuple(t for t in self.standing.tasks if t.is_open) if self.standing else ()

    @property
    def replans(self) -> int:
        """How many plans stood before the next one, of which nothing was sent; at most MOST_REPLANS."""
        if self.standing is None or self.standing.is_begun or not self.standing.is_open:
            return 0
        return min(self.standing.replans + 1, MOST_REPLANS)


async def _standing_plan(attendance: Attendance, hold: Holding) -> Plan | None:
    """The plan that is to go on, if one is; what a dead tick left between a call and its answer is an incident."""
    if hold.chat.due_at is None:
        return None
    found = await attendance.chats.plan(hold.chat.key)
    if found is None:
        return None
    plan = with_lost_answers(found)
    for incident in incidents_of(found, plan, hold.chat.key, attendance.clock()):
        log("a delivery's outcome is unknown; it is not sent again", plan=plan.id)
        hold.note_incident(incident)
    return plan


async def _take_in(attendance: Attendance, hold: Holding, now: _Round) -> Plan | None:
    """The plan after taking in what is unread: a new one if something is to be answered. Raises ModelUnavailable."""
    me = await attendance.me()
    batch = read_batch(now.unread, me)
    plan = now.standing
    if batch.targets:
        batch, plan = await _draft(attendance, hold, now, batch)
        hold.note_chat(due_at=attendance.clock(), active_until=attendance.clock() + attendance.active)
    await _note(attendance, hold, batch)
    return plan


async def _draft(attendance: Attendance, hold: Holding, now: _Round, batch: Batch) -> tuple[Batch, Plan]:
    """What the model wants done, and about what: what is written while it thinks is taken in, at most twice."""
    calls: tuple[ModelCall, ...] = ()
    for replans in range(now.replans, MOST_REPLANS + 1):
        try:
            work = attendance.replier.draft(hold, batch, now.pending)
            drafted = await hold.while_kept(while_typing(attendance.runner.channel, recipient_of(hold), work))
        except ModelUnavailable as error:
            if now.wake.reason is not WakeReason.RETRY or now.wake.attempt < MOST_MODEL_RETRIES:
                raise
            drafted = Drafted(tasks=apology(batch, NO_MODEL), notes=(str(error),))
            break
        calls += drafted.calls
        count = await attendance.chats.unread_count(hold.chat.key)
        if replans == MOST_REPLANS or count <= len(batch.update_ids):
            break
        grown = read_batch(await attendance.chats.unread(hold.chat.key, BATCH_UPDATES), await attendance.me())
        is_other = grown.calls_for_another_plan(batch)
        batch = grown
        if not is_other:
            break
        log("something was written meanwhile; planning again")
    return batch, attendance.replier.plan(drafted, batch).model_copy(update={"replans": replans, "calls": calls})


async def _note(attendance: Attendance, hold: Holding, batch: Batch) -> None:
    if not hold.chat.conversation:
        hold.note_chat(conversation=f"conv-{ULID()}")
    hold.note_chat(kind=batch.kind, title=batch.title or hold.chat.title)
    if hold.chat.active_until is not None and hold.chat.active_until > batch.entries[0].at:
        hold.note_chat(active_until=attendance.clock() + attendance.active)
    for entry in batch.entries:
        if isinstance(entry, Message) and entry.decision is not None:
            log("decided", message_id=entry.message_id, respond=entry.decision.respond, reason=entry.decision.reason)
    await hold.note_entries(batch.entries)
    hold.note_read(batch.update_ids)


async def _try_later(attendance: Attendance, hold: Holding, wake: Wake, error: ModelUnavailable) -> None:
    log(f"trying again later: {error}")
    await attendance.queue.enqueue(retry_wake(wake, hold.chat, attendance.clock() + attendance.retry_after))
    await hold.commit(release=True)


async def _give_back(attendance: Attendance, hold: Holding, plan: Plan | None, wake: Wake) -> None:
    due_at = next_due_at(plan) if plan is not None else None
    if plan is not None and due_at is not None:
        await attendance.queue.enqueue(due_wake(wake, plan.id, due_at))
    hold.note_chat(due_at=due_at)
    await hold.commit(plan, release=True)
