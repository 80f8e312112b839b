"""Taking in what is unread: decide on it, obey commands, plan an answer, and note all of it for the next commit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shared.errors import ModelUnavailable
from shared.executing.graph import dropped, kept, replaced
from shared.executing.notes import stopped_note
from shared.executing.runner import recipient_of
from shared.executing.typing import while_typing
from shared.flows.attendance import Attendance
from shared.flows.batch import Batch, Situation, circumstances_of, read_batch
from shared.flows.careful import batch_size
from shared.flows.judging import judged
from shared.flows.obeying import obey
from shared.flows.permitting import Permits
from shared.flows.reply import NO_MODEL, apology
from shared.logs import log
from shared.models.chat import ChatKind
from shared.models.message import Message
from shared.models.plan import Plan, PlannedTask
from shared.models.retry import Failure, GiveUp, decide_retry
from shared.models.update import InboxUpdate
from shared.models.usage import ModelCall
from shared.models.wake import Wake, WakeReason
from shared.planning.planner import Drafted
from shared.ticking.holding import Holding

#: before its first send a plan is made again at most this often for what was written meanwhile
MOST_REPLANS = 2


@dataclass(frozen=True, kw_only=True)
class Round:
    """One round of a tick: why it runs, the plan that stands, and the updates that it found."""

    wake: Wake
    standing: Plan | None
    unread: Sequence[InboxUpdate]
    permits: Permits

    @property
    def pending(self) -> tuple[PlannedTask, ...]:
        """What of the standing plan a new one replaces."""
        return tuple(t for t in self.standing.tasks if t.is_open and not t.is_own) if self.standing else ()

    @property
    def replans(self) -> int:
        """How many plans stood before the next one, of which nothing was sent; at most MOST_REPLANS."""
        if self.standing is None or self.standing.is_begun or not self.standing.is_open:
            return 0
        return min(self.standing.replans + 1, MOST_REPLANS)


@dataclass(frozen=True, kw_only=True)
class ReadRound(Round):
    """A round with its updates read."""

    situation: Situation
    batch: Batch
    #: what judging took
    calls: tuple[ModelCall, ...] = ()


async def read_round(attendance: Attendance, hold: Holding, found: Round) -> ReadRound:
    """The round with what its updates say."""
    situation = Situation(
        me=attendance.me,
        manners=attendance.manners,
        window=await hold.window(),
        standing=found.standing,
        is_muted=hold.chat.is_muted(attendance.clock()),
        permissions=found.permits.known,
    )
    batch = read_batch(found.unread, situation)
    if await found.permits.learn(batch):
        batch = read_batch(found.unread, situation)
    calls: tuple[ModelCall, ...] = ()
    if attendance.judging is not None:
        given = circumstances_of(batch.kind, batch.entries, situation)
        batch, calls = await hold.while_kept(judged(attendance.judging, batch, given))
    return ReadRound(**vars(found), situation=situation, batch=batch, calls=calls)


async def take_in(attendance: Attendance, hold: Holding, now: ReadRound) -> Plan | None:
    """The plan after taking in what is unread. Raises ModelUnavailable and StopAsked, with nothing noted."""
    plan, batch = _without_what_ended(now), now.batch
    if batch.commands:
        batch = await attendance.claiming.settled(batch)
        is_busy = batch.was_silenced or (now.standing is not None and now.standing.is_open)
        plan = obey(attendance, hold, batch, plan, is_busy=is_busy)
    elif batch.targets and not batch.was_removed:
        batch, drafted = await _draft(attendance, hold, now)
        if drafted is None:
            return await take_in(attendance, hold, replace(now, batch=batch))
        if now.standing is not None and now.standing.is_open:
            hold.note_past(replaced(now.standing, drafted.id))
        hold.note_chat(active_until=attendance.clock() + attendance.active)
        plan = drafted
    if plan is not None and plan.is_open:
        hold.note_chat(due_at=attendance.clock())
    await _note(attendance, hold, batch)
    if batch.is_stopped and now.standing is not None and now.standing.is_open:
        await hold.note_entries([stopped_note(now.standing, attendance.clock())])
    if any(command.begins_conversation for _, command in batch.commands):
        await hold.note_other_conversation()
    return plan


def _without_what_ended(now: ReadRound) -> Plan | None:
    """The standing plan, less what is not to be sent any more."""
    if now.standing is not None and now.batch.was_removed:
        return dropped(now.standing, "the agent was removed from the chat or blocked")
    if now.standing is not None and now.batch.is_stopped:
        return dropped(now.standing, "stopped")
    return now.standing


async def _draft(attendance: Attendance, hold: Holding, now: ReadRound) -> tuple[Batch, Plan | None]:
    """What the model wants done, and about what: what is written while it thinks is taken in, at most twice.

    No plan: meanwhile somebody asked to stop, or the agent was removed; the batch says so.
    """
    calls = now.calls
    batch = now.batch
    for replans in range(now.replans, MOST_REPLANS + 1):
        try:
            drafted = await _thought(attendance, hold, now, batch)
        except ModelUnavailable as error:
            drafted = _without_model(attendance, now, batch, error)
            break
        calls += drafted.calls
        count = await attendance.chats.unread_count(hold.chat.key)
        if replans == MOST_REPLANS or count <= len(batch.update_ids):
            break
        unread = await attendance.chats.unread(hold.chat.key, batch_size(hold.chat))
        grown = read_batch(unread, now.situation)
        if grown.is_stopped or grown.was_removed:
            return grown, None
        if grown.commands:  # the next round begins with them
            hold.leaves_some = True
            break
        is_other = grown.calls_for_another_plan(batch)
        batch = grown
        if not is_other:
            break
        log("something was written meanwhile; planning again")
    plan = attendance.replier.plan(drafted, batch)
    tasks = (*kept(now.standing), *plan.tasks)
    return batch, plan.model_copy(update={"tasks": tasks, "replans": replans, "calls": calls})


async def _thought(attendance: Attendance, hold: Holding, now: ReadRound, batch: Batch) -> Drafted:
    work = attendance.replier.draft(hold, batch, now.pending)
    return await hold.while_kept(while_typing(attendance.runner.channel, recipient_of(hold), work))


def _without_model(attendance: Attendance, now: ReadRound, batch: Batch, error: ModelUnavailable) -> Drafted:
    """An honest sentence, once the model was tried often enough; until then the error is a later tick's."""
    tries = 1 + (now.wake.attempt if now.wake.reason is WakeReason.RETRY else 0)
    decision = decide_retry(Failure(why=str(error), tries=tries), attendance.budgets.model, attendance.clock())
    if not isinstance(decision, GiveUp):
        raise error
    return Drafted(tasks=apology(batch, NO_MODEL), notes=(decision.why,))


async def _note(attendance: Attendance, hold: Holding, batch: Batch) -> None:
    kind = batch.kind if batch.kind is not ChatKind.NONE else hold.chat.kind
    hold.note_chat(kind=kind, title=batch.title or hold.chat.title)
    if batch.entries and hold.chat.active_until is not None and hold.chat.active_until > batch.entries[0].at:
        hold.note_chat(active_until=attendance.clock() + attendance.active)
    for entry in batch.entries:
        if isinstance(entry, Message) and entry.decision is not None:
            log("decided", message_id=entry.message_id, respond=entry.decision.respond, reason=entry.decision.reason)
    if batch.moves_to is not None:
        hold.note_move(batch.moves_to)
    await hold.note_entries(batch.entries)
    hold.note_read(batch.update_ids)
