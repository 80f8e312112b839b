"""Taking in what is unread: decide on it, obey commands, plan an answer, and note all of it for the next commit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.errors import ModelUnavailable
from shared.executing.graph import dropped, kept, replaced, stopped
from shared.executing.losses import stopped_note, titled_note
from shared.executing.runner import recipient_of
from shared.executing.typing import while_typing
from shared.logs import log
from shared.models.chat import ChatKind
from shared.models.decision import Decision
from shared.models.message import Edit, Message
from shared.models.retry import Failure, GiveUp, decide_retry
from shared.models.update import InboxUpdate
from shared.models.usage import ModelCall
from shared.models.wake import Wake
from shared.planning.planner import Drafted
from shared.records import ReadUpdates, ReplacedPlan
from shared.session.session import Session
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.task import own_task_id
from shared.tasks.wait import Wait
from shared.turn.answer import NO_MODEL, apology
from shared.turn.attendance import Attendance
from shared.turn.batch import Batch, Situation, read_batch
from shared.turn.judging import judged, judgements_in, with_judgements
from shared.turn.obeying import beside, obey
from shared.turn.permitting import Permits
from shared.turn.quarantine import batch_size

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

    def is_put_off(self, at: datetime) -> bool:
        """Whether something of the standing plan waits because Telegram did not take it, as in a flood wait."""
        tasks = (t for t in self.standing.tasks if t.is_open and not isinstance(t.task, Wait)) if self.standing else ()
        return any(t.not_before is not None and t.not_before > at for t in tasks)


@dataclass(frozen=True, kw_only=True)
class ReadRound(Round):
    """A round with its updates read."""

    situation: Situation
    batch: Batch


async def read_round(attendance: Attendance, hold: Session, found: Round) -> ReadRound:
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
    if attendance.judging is not None:
        batch = await hold.while_kept(judged(attendance.judging, batch, situation))
    return ReadRound(**vars(found), situation=situation, batch=batch)


async def take_in(attendance: Attendance, hold: Session, now: ReadRound) -> Plan | None:
    """The plan after taking in what is unread. Raises ModelUnavailable and StopAsked, with nothing noted."""
    plan, batch, named = _without_what_ended(now), now.batch, hold.chat.named
    if batch.commands:
        batch = await attendance.claiming.settled(batch)
        is_busy = batch.was_silenced or bool(now.pending)
        plan = obey(attendance, hold, batch, plan, is_busy=is_busy)
    elif batch.targets and not batch.was_removed:
        batch, drafted = await _draft(attendance, hold, now)
        if drafted is None:
            return await take_in(attendance, hold, replace(now, batch=batch))
        if now.standing is not None and now.standing.is_open and now.standing.id != drafted.id:
            hold.note(ReplacedPlan(replaced(now.standing, drafted.id)))
        hold.note_chat(active_until=attendance.clock() + attendance.active)
        plan = drafted
    if plan is not None and plan.is_open:
        hold.note_chat(due_at=attendance.clock())
    await _note(attendance, hold, batch)
    await hold.note_entries([titled_note(hold.chat.named, attendance.clock())] if hold.chat.named != named else [])
    if batch.is_stopped and now.standing is not None and now.pending:
        await hold.note_entries([stopped_note(now.standing, attendance.clock())])
    if any(command.begins_conversation for _, command in batch.commands):
        await hold.note_other_conversation()
    return plan


def _without_what_ended(now: ReadRound) -> Plan | None:
    """The standing plan, less what is not to be sent any more."""
    if now.standing is not None and now.batch.was_removed:
        return dropped(now.standing, "the agent was removed from the chat or blocked")
    if now.standing is not None and now.batch.is_stopped:
        return stopped(now.standing, "stopped")
    return now.standing


async def _draft(attendance: Attendance, hold: Session, now: ReadRound) -> tuple[Batch, Plan | None]:
    """What the model wants done, and about what: what is written while it thinks is taken in, at most twice.

    No plan: meanwhile somebody asked to stop, or the agent was removed; the batch says so.
    """
    calls: tuple[ModelCall, ...] = ()
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
        # what a judge has said yes or no to stays said: it is not asked again
        grown = with_judgements(read_batch(unread, now.situation), judgements_in(batch), now.situation)
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
    plan = attendance.replier.plan(drafted, batch).model_copy(update={"replans": replans, "calls": calls})
    if drafted.failure:
        return batch, _beside(now.standing, plan, batch)
    return batch, plan.model_copy(update={"tasks": (*kept(now.standing), *plan.tasks)})


async def _thought(attendance: Attendance, hold: Session, now: ReadRound, batch: Batch) -> Drafted:
    is_put_off, runner = now.is_put_off(attendance.clock()), attendance.runner
    work = attendance.replier.draft(hold, batch, now.pending, is_put_off=is_put_off)
    is_shown = not is_put_off and runner.gate.known_until(hold.chat.key.chat_id) is None
    return await hold.while_kept(while_typing(runner.channel, recipient_of(hold), work, is_shown=is_shown))


def _without_model(attendance: Attendance, now: ReadRound, batch: Batch, error: ModelUnavailable) -> Drafted:
    """An honest sentence, once the model was tried often enough; until then the error is a later tick's."""
    failure = Failure(why=str(error), tries=now.wake.model_tries + 1)
    decision = decide_retry(failure, attendance.budgets.model, attendance.clock())
    if not isinstance(decision, GiveUp):
        raise error
    return Drafted(tasks=apology(batch, NO_MODEL), failure=decision.why)


def _beside(standing: Plan | None, failed: Plan, batch: Batch) -> Plan:
    """The plan that stands, with an apology before all else: what no model was asked about goes on."""
    if standing is None or not standing.is_open:
        return failed
    name = own_task_id(batch.update_ids[-1])
    own = [t.model_copy(update={"is_own": True, "task": t.task.model_copy(update={"id": name})}) for t in failed.tasks]
    told = {"calls": (*standing.calls, *failed.calls), "notes": (*standing.notes, *failed.notes)}
    return beside(standing, own, failed.created_at).model_copy(update=told)


def _log_decision(entry: Message | Edit, made: Decision) -> None:
    log(
        "decided",
        message_id=entry.message_id,
        entry=entry.type,
        respond=made.respond,
        reason=made.reason,
        tier=made.tier.value,
        ms=made.ms,
    )


async def _note(attendance: Attendance, hold: Session, batch: Batch) -> None:
    kind = batch.kind if batch.kind is not ChatKind.NONE else hold.chat.kind
    hold.note_chat(kind=kind, title=batch.title or hold.chat.title)
    if batch.entries and hold.chat.active_until is not None and hold.chat.active_until > batch.entries[0].at:
        hold.note_chat(active_until=attendance.clock() + attendance.active)
    for entry in batch.entries:
        if isinstance(entry, Message | Edit) and entry.decision is not None:
            _log_decision(entry, entry.decision)
    if batch.moves_to is not None:
        hold.note_move(batch.moves_to)
    await hold.note_entries(batch.entries)
    hold.note(ReadUpdates(tuple(batch.update_ids)))
