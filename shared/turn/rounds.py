"""Rounds: a tick reads unread updates, answers them, and carries out the plan, until nothing is due any more.

Besides sending messages, a round only changes the session. Everything else that must follow is in the round's outcome:
further ticks, the next round, the release of the chat, the move to another chat id. Only `_settle` acts on the outcome.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.base.errors import ModelTrouble, ModelUnavailable, QueueError, StopRequested
from shared.base.logs import about, current_trace, log
from shared.chat.conversation import gets_first_title
from shared.chat.session import Session
from shared.chat.store.chats import ReadUpdates
from shared.chat.store.plans import ReplacedPlan
from shared.chat.tick_record import TickRecord, record_tick
from shared.chat.wakes import compress_wake, due_wake, retry_wake, waited_wake
from shared.memory.wishes import note_memories
from shared.tasks.graph import cancel_all, cancel_planned, next_due_at, next_task, replace_plan
from shared.tasks.plan import Plan, PlannedTask
from shared.turn.answer import AnswerResult, answer
from shared.turn.batch import InboxBatch
from shared.turn.command_runner import CommandsOutcome, run_commands
from shared.turn.console_acts import with_resends
from shared.turn.escalating import escalate
from shared.turn.intake import MOST_REPLANS, RoundInput, is_to_be_read, log_decisions, note_files, read_round_input
from shared.turn.keyboards import chosen_of, gone_keyboards, without_keyboards
from shared.turn.losses import stopped_event
from shared.turn.members import seen_in
from shared.turn.migration import move_away, wakes_of_old_chat
from shared.turn.offers import refused_events, with_effects
from shared.turn.orders import orders_in
from shared.turn.outcomes import note_outcomes
from shared.turn.promises import going_on, gone_events, promises
from shared.turn.quarantine import read_unread, standing_plan
from shared.turn.runner import PlanRunner
from shared.turn.services import TickContext
from shared.turn.trouble import tell_owner
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve
from shared.values.message import TITLED, Event, Message
from shared.values.model_name import GEMINI
from shared.values.reminder import remind_wake
from shared.values.update import InboxUpdate
from shared.values.wake import Wake, WakeReason, title_job

#: the reasons of ticks that look for due reminders, or for an export to send
LOOKING_FOR_REMINDERS = frozenset({WakeReason.REMIND, WakeReason.SWEEP, WakeReason.EXPORT})


@dataclass(frozen=True, kw_only=True)
class RoundOutcome:
    """The plan after a round, and what must follow (ticks, another round, a move). The next round starts from it."""

    plan: Plan | None
    #: whether another round follows in this tick
    goes_on: bool = False
    #: ticks to enqueue, besides the tick for the plan
    wakes: tuple[Wake, ...] = ()
    #: whether the chat is released unchanged, because another chat must be handled first
    is_postponed: bool = False
    #: the number of the last entry that the conversation's newest summary covers, if another summary is due; else None
    compress_after: int | None = None
    #: the new chat id of a group that has moved, once it is known
    moves_to: int | None = None
    #: the reason why the model gave no plan, if there is none
    trouble: ModelTrouble = ModelTrouble.UNKNOWN
    #: the provider of the model
    provider: str = GEMINI


async def run_rounds(context: TickContext) -> None:
    """Do all that is due in the chat, and release it. Raises LeaseLost, StoreUnavailable or QueueUnavailable."""
    standing = await standing_plan(context)
    moves_to = int(context.wake.of) or None if context.wake.reason is WakeReason.MOVED else None
    plan, moved = (standing.plan, standing.moves_to) if standing is not None else (None, None)
    outcome = RoundOutcome(plan=plan, moves_to=moves_to or moved)
    leaves_due, is_unblocked = context.wake.reason in LOOKING_FOR_REMINDERS, False
    was_blocked = context.session.chat.access.is_blocked
    while True:
        if leaves_due and outcome.moves_to is None:
            from shared.turn.reminding import with_due_reminders  # imported only if it is needed

            plan, leaves_due = await with_due_reminders(context, outcome.plan, is_unblocked)
            is_unblocked = False
            outcome = replace(outcome, plan=plan)
        try:
            outcome = await _round(context, outcome)
            # the person had blocked the agent until now: reminders that became due meanwhile are sent
            if was_blocked and not context.session.chat.access.is_blocked:
                was_blocked, is_unblocked, leaves_due = False, True, True
            if leaves_due:
                outcome = _with_another_look(context.now, context.wake, outcome)
        except StopRequested:  # the next round, which has the same plan, reads the stop request
            log("somebody asked to stop")
            continue
        if await _settle(context, outcome):
            await tell_owner(context, outcome.trouble, outcome.provider)
            return


def _with_another_look(now: datetime, wake: Wake, outcome: RoundOutcome) -> RoundOutcome:
    """Return the outcome with another round or a later tick, for due reminders that did not fit into the plan."""
    from shared.turn.reminding import room_in

    if outcome.goes_on or outcome.moves_to is not None:
        return outcome
    if room_in(outcome.plan) and not outcome.wakes:
        return replace(outcome, goes_on=True)
    due_at = next_due_at(outcome.plan) if outcome.plan is not None else None
    later = min((wake.at for wake in outcome.wakes), default=due_at or now)
    return replace(outcome, wakes=(*outcome.wakes, wake.again(later)))


async def _round(context: TickContext, before: RoundOutcome) -> RoundOutcome:
    """Run one round: read and answer the unread updates, and carry out the plan's due tasks. Raises StopRequested.

    The inbox is not checked again before the release, since an update that was stored after the claim has a tick of its
    own. The commit that releases the chat directly follows the last answer, and also records that answer.
    """
    services, session = context.services, context.session
    outcome = replace(before, goes_on=False, wakes=(), is_postponed=False)
    unread = await read_unread(services.chats, session.chat)
    leaves_some = False
    if is_to_be_read(context.session, context.now, unread.updates):
        intake = await read_round_input(context, outcome.plan, unread.updates)
        if wakes := await wakes_of_old_chat(context, intake.batch):
            return replace(outcome, wakes=wakes, is_postponed=True)
        try:
            answered = await answer(context, intake) if _calls_for_answer(intake.batch) else None
        except ModelUnavailable as error:
            return await _try_later(context, intake, outcome, error)
        outcome = await _note_round(context, intake, answered, outcome)
        is_whole = unread.is_all and all(u.envelope.update_id in session.noted_read for u in unread.updates)
        leaves_some = not is_whole or (answered is not None and answered.leaves_some)
    outcome = await _carry_out(context.session, context.now, context.services.runner, outcome)
    is_due = outcome.plan is not None and next_task(outcome.plan, context.now) is not None
    return replace(outcome, goes_on=(leaves_some or is_due) and outcome.moves_to is None)


def _calls_for_answer(batch: InboxBatch) -> bool:
    """Return whether to ask the model. If there are commands, they run first, and other messages are left for later."""
    return not batch.commands and bool(batch.targets) and not batch.members.was_removed


async def _note_round(
    context: TickContext, intake: RoundInput, answered: AnswerResult | None, outcome: RoundOutcome
) -> RoundOutcome:
    """Return the outcome with the new plan. All changes by the batch and the plan are noted for the next commit."""
    session, title_before = context.session, context.session.chat.talk.conversation_title
    if answered is not None:
        intake = replace(intake, batch=answered.batch)
        after = answered.compress_after if answered.compress_after is not None else outcome.compress_after
        outcome = replace(outcome, trouble=answered.trouble, provider=answered.provider, compress_after=after)
    batch, plan, ran = intake.batch, without_what_ended(intake), None
    ended = ended_tasks(intake.standing, plan)
    note_outcomes(session, intake.standing, plan, context.now)
    gone = list(gone_events(intake.standing, plan, context.now))
    if batch.commands:
        ran = await run_commands(context, batch, plan, is_busy=batch.was_silenced or bool(ended))
        plan = ran.plan
    elif answered is not None and answered.plan is not None:
        plan = answered.plan
        _note_replaced(context.session, context.now, context.services.active, intake.standing, plan)
        _note_reminders(context.session, context.now, batch, answered)
        gone = list(gone_events(intake.standing, plan, context.now))
    plan = await with_resends(context.services.chats, session.chat.key, context.now, batch.acts.resends, plan)
    plan = with_effects(context.session, context.now, batch.choices, await escalate(context, batch, plan))
    is_left = ran is not None and (ran.begins_conversation or ran.resumes is not None)
    chosen = await chosen_of(context.session, context.administrators, batch.choices)
    gone_boards = gone_keyboards(session, context.now, batch, answered.people if answered else (), is_left=is_left)
    plan = without_keyboards(session, context.now, plan, gone_boards, chosen)
    if plan is not None and plan.is_open:
        session.note_chat(evolve(session.chat, due_at=context.now))
    await _note_batch(context, batch, orders_in(intake.unread))
    if answered is not None:
        await note_memories(session, answered.loaded_memories)
        await session.note_entries(refused_events(answered.plan, context.now))
    title = session.chat.talk.conversation_title
    await session.note_entries([Event(at=context.now, kind=TITLED, title=title)] if title != title_before else [])
    stopped = intake.standing if batch.is_stopped and any(t.is_fresh for t in ended) else None
    await session.note_entries([*([stopped_event(stopped, context.now)] if stopped is not None else []), *gone])
    note_read(context, intake.unread, plan)
    await _change_conversation(session, batch, ran)
    return replace(outcome, plan=plan, moves_to=batch.migration.to_chat or outcome.moves_to)


async def _change_conversation(session: Session, batch: InboxBatch, ran: CommandsOutcome | None) -> None:
    if ran is not None and ran.begins_conversation:
        await session.note_other_conversation(batch.said_next or 0)
    elif ran is not None and ran.resumes is not None:
        await session.note_resumed(ran.resumes)


def _note_reminders(session: Session, now: datetime, batch: InboxBatch, answered: AnswerResult) -> None:
    if any(isinstance(entry, Message) and entry.reminder is not None for entry in batch.entries):
        from shared.turn.reminding import note_answered

        note_answered(session, now, batch, answered)


def _note_replaced(session: Session, now: datetime, active: timedelta, standing: Plan | None, plan: Plan) -> None:
    """If a new plan replaces the standing one, store the old plan. Record that the agent stays active for `active`."""
    if standing is not None and standing.is_open and standing.id != plan.id:
        session.note(ReplacedPlan(replace_plan(standing, plan.id, going_on(standing, plan))))
    session.note_part(evolve(session.chat.planning, active_until=now + active))


async def _note_batch(context: TickContext, batch: InboxBatch, orders: frozenset[int]) -> None:
    """Add to the next commit: the batch's entries, the marks that its updates were read, and the changes to the chat
    that they report. `orders` are the ids of updates that lose their content once they are read.
    """
    session = context.session
    if batch.members.was_removed and not session.chat.key.is_private:
        from shared.turn.reminding import end_all

        await end_all(context.session, context.now, context.services.runner, REMOVED)
    kind = batch.kind if batch.kind is not ChatKind.NONE else session.chat.kind
    session.note_chat(evolve(batch.chat_after(session.chat), kind=kind))
    session.note_part(evolve(session.chat.planning, model_failure=""))
    if (
        batch.entries
        and session.chat.planning.active_until is not None
        and session.chat.planning.active_until > batch.entries[0].at
    ):
        session.note_part(evolve(session.chat.planning, active_until=context.now + context.services.active))
    log_decisions(batch)
    for record in seen_in(batch, await session.window(), session.chat.moves.moved_seq):
        session.note(record)
    await session.note_entries(batch.entries)
    await note_files(context, batch)
    session.note(ReadUpdates(batch.read_ids, emptied=orders))


async def _carry_out(
    session: Session, now: datetime, runner: PlanRunner, outcome: RoundOutcome, unread: int = 0
) -> RoundOutcome:
    """Carry out the plan's due tasks. Return the new outcome. `unread`: the number of updates left for later ticks."""
    plan = outcome.plan
    if plan is None or outcome.moves_to is not None or next_task(plan, now) is None:
        return outcome
    with about(plan=plan.id):
        run = await runner.run(session, plan, is_final_plan=plan.replans >= MOST_REPLANS, unread=unread)
    return replace(outcome, plan=run.plan, moves_to=run.moves_to)


async def _try_later(
    context: TickContext, intake: RoundInput, outcome: RoundOutcome, error: ModelUnavailable
) -> RoundOutcome:
    """Return the outcome if no model could be asked: earlier plans continue, unread updates wait for a later tick."""
    log(f"trying again later: {error}")
    context.session.note_part(evolve(context.session.chat.planning, model_failure=str(error)))
    outcome = await _carry_out(context.session, context.now, context.services.runner, outcome, len(intake.unread))
    at = context.now + max(context.services.budgets.model.after, error.wait or timedelta())
    # a summary needs the model too, so none is requested
    return replace(outcome, wakes=(retry_wake(context.wake, context.session.chat, at),), compress_after=None)


async def _settle(context: TickContext, outcome: RoundOutcome) -> bool:
    """Act on the outcome of a round. Return True if the chat was released, so that no other round follows."""
    session, queue = context.session, context.services.queue
    if outcome.goes_on:
        await session.keep_up(outcome.plan)
        return False
    for wake in outcome.wakes:
        await queue.enqueue(wake)
    if outcome.is_postponed:
        await session.commit(outcome.plan, release=True)
        return True
    if outcome.moves_to is not None:
        await move_away(context, outcome.plan, outcome.moves_to)
        return True
    return await _release(context, outcome)


async def _release(context: TickContext, outcome: RoundOutcome) -> bool:
    """Release the chat. Return False if somebody asked to stop; the next round then reads the stop request."""
    session, plan = context.session, outcome.plan
    note_progress(context, plan)
    due_at = next_due_at(plan) if plan is not None else None
    if plan is not None and due_at is not None:
        await context.services.queue.enqueue(due_wake(context.wake, plan.id, due_at))
    until = session.chat.planning.waits_until
    # the ticks that are enqueued anyway handle messages whose wait is over but that have no decision
    if until is not None and (until > context.now or not outcome.wakes):
        await context.services.queue.enqueue(waited_wake(context.wake, until))
    session.note_chat(evolve(session.chat, due_at=min(filter(None, (due_at, until)), default=None)))
    try:
        await session.commit(plan, release=True, raises_stop=True)
    except StopRequested:  # this round's notes are still written: a sent answer must be recorded
        log("somebody asked to stop")
        await session.commit(plan)
        return False
    await _ask_for_others(context, outcome)
    return True


async def _ask_for_others(context: TickContext, outcome: RoundOutcome) -> None:
    """Enqueue ticks for a due summary and for new notices, and a job that makes a title. A failure is only logged."""
    wakes = [remind_wake(notice, context.now) for notice in context.session.notices]
    if outcome.compress_after is not None:
        wakes.append(compress_wake(context.wake, context.session.chat, outcome.compress_after, context.now))
    try:
        for wake in filter(None, wakes):
            await context.services.queue.enqueue(wake)
        if context.services.names_early and gets_first_title(context.session.claimed, context.session.chat):
            job = title_job(context.session.chat.conversation, context.now, context.wake.traceparent)
            await context.services.queue.jobs.enqueue(job)
    except QueueError as error:
        log(f"a summary, a title or a notice is delayed: {error}")
    await context.media.look_again(context.now)


REMOVED = "the agent was removed from the chat or blocked"


def without_what_ended(intake: RoundInput) -> Plan | None:
    """Return the standing plan. Open tasks are cancelled if the agent was removed, or if a stop request ends them."""
    if intake.standing is not None and intake.batch.members.was_removed:
        return cancel_all(intake.standing, REMOVED)
    if intake.standing is not None and intake.batch.is_stopped:
        return cancel_planned(intake.standing, "stopped", _spared_tasks(intake.batch, intake.standing))
    return intake.standing


def _spared_tasks(batch: InboxBatch, standing: Plan) -> frozenset[str]:
    """Return the ids of tasks that continue after a stop: /stop in a group does not end messages promised to others.

    A command by an administrator, or by the owner in the console, ends everything.
    """
    ending = [(entry, command) for entry, command in batch.commands if command.ends_plan]
    if any(command.is_for_administrators or command.order is not None for _, command in ending):
        return frozenset()
    asking = {entry.author.id for entry, _ in ending}
    return frozenset(t.task.id for t in promises(standing) if not set(t.people) <= asking)


def ended_tasks(before: Plan | None, after: Plan | None) -> tuple[PlannedTask, ...]:
    """Return the model's tasks that are open in `before` but neither open nor continued in `after`."""
    if before is None:
        return ()
    goes_on = going_on(before, after)
    return tuple(t for t in before.tasks if t.is_open and not t.is_own and t.task.id not in goes_on)


def note_read(context: TickContext, unread: Sequence[InboxUpdate], plan: Plan | None) -> None:
    """Record the updates that the tick has just read, and the plan that it made or continues."""
    read = [one for one in unread if one.envelope.update_id in context.session.noted_read]
    context.session.tick_record = _record_of(context).with_updates(read, context.now)
    note_progress(context, plan)


def note_progress(context: TickContext, plan: Plan | None) -> None:
    """Update the tick's record with the current state of the plan, before the next commit stores the record."""
    record = evolve(_record_of(context), written_at=context.now)
    context.session.tick_record = record.with_plan(plan, context.now) if plan is not None else record


def _record_of(context: TickContext) -> TickRecord:
    session = context.session
    return session.tick_record or record_tick(
        context.wake, current_trace(), context.claimed_at or context.now, context.now
    )
