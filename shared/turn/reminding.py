"""Due reminders: a tick adds its chat's due reminders, and the notices of the outbox, to the plan.

A fixed text or a notice becomes a task in the chat's plan, marked as lull's own. An instruction becomes an update that
the chat reads. The same commit records that the reminder was due and when it is due next. Reminders that repeat several
times a day are limited in number per day: beyond the limit, they pause until the next day. Other reminders never pause.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final

from shared.access.checker import AccessChecker
from shared.base.logs import log
from shared.base.wording.words import words_in
from shared.chat.queue import TickQueue
from shared.chat.session import Session
from shared.chat.store.chats import NewUpdate
from shared.chat.store.incidents import NewIncident
from shared.chat.store.outbox import StoredNotice
from shared.chat.store.people import DailyCounter, DailyQuota, FirestorePeople
from shared.reminders.outcomes import loss_notice
from shared.reminders.scheduler import ReminderScheduler
from shared.reminders.store import FirestoreReminders, ReminderOutcome, ReminderRecord
from shared.reminders.tasks.remind import Remind
from shared.reminders.tasks.tell_apart import SendUnrecorded
from shared.reminders.times.changes import advance_reminder, next_occurrence
from shared.tasks.graph import with_own_tasks
from shared.tasks.plan import Plan, PlannedTask, TaskOrigin
from shared.tasks.send import own_words
from shared.turn.answer import AnswerResult
from shared.turn.batch import InboxBatch
from shared.turn.losses import lost_reminder
from shared.turn.replier import Replier
from shared.turn.runner import PlanRunner
from shared.turn.services import TickContext
from shared.turn.spending import PAST_LIMIT
from shared.values.agent import parse_zone
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.evolve import evolve
from shared.values.message import DueReminder, Message
from shared.values.outbox import OutboxNotice
from shared.values.reminder import (
    LONGEST_ARMED,
    DueItem,
    Occurrence,
    OccurrenceState,
    Reminder,
    ReminderRef,
    button_reference,
    instruction_update,
    is_wake_for,
    reminder_id,
    reminder_id_of,
)
from shared.values.wake import Wake, WakeReason

#: the maximum reminders in a commit, and unsent in a plan: a plan is one document, and a chat may have hundreds due
MOST_DUE: Final = 20
#: the maximum number of reminders that one commit ends
MOST_ENDED: Final = 200
#: the maximum number of frequent reminders that one person gets from one agent in a day
MOST_A_DAY: Final = 200
PAUSED: Final = "it came as often as it may in a day"


async def with_due_reminders(context: TickContext, plan: Plan | None, is_unblocked: bool) -> tuple[Plan | None, bool]:
    """Return the plan with due reminders and notices added, and whether more are due than fit into the plan.

    A tick for an export adds the export's tasks instead. `is_unblocked`: whether the person, who had blocked the agent,
    has just unblocked it. Raises LeaseLost, StoreUnavailable or QueueUnavailable.
    """
    services, session = context.services, context.session
    if context.wake.reason is WakeReason.EXPORT:
        # imported only here, since hardly any tick sends an export
        from shared.privacy.export.sending import export_for_wake, with_export_tasks
        from shared.privacy.export.service import ExportService

        exports = services.runner.ports[ExportService].exports
        export = await export_for_wake(exports, session.chat.key, context.wake.of)
        zone = services.replier.agent_for(session.chat).front.timezone
        return with_export_tasks(session, plan, export, zone, context.now) if export is not None else plan, False
    scheduler = ReminderScheduler.of(services.runner.ports, services.clock)
    if not await scheduler.may_send(session, plan, is_unblocked):
        return plan, False
    while room := room_in(plan):
        due = await scheduler.due(session, context.now, room)
        if due:
            plan = await _take_up(context, scheduler, plan, due)
        # if there are only fixed texts, the commit of the first delivery writes them
        if len(due) == room or any(isinstance(one, Reminder) and one.instruction for one in due):
            await session.commit(plan)
        if len(due) < room:
            await _arm_again(context.now, context.wake, context.services.queue, scheduler)
            return plan, False
    return plan, True


def room_in(plan: Plan | None) -> int:
    """Return how many more reminders a plan may send: MOST_DUE, less the plan's open reminders."""
    tasks = plan.tasks if plan is not None else ()
    return max(0, MOST_DUE - sum(t.is_open and t.task.reminder_ref is not None for t in tasks))


async def _take_up(
    context: TickContext, scheduler: ReminderScheduler, plan: Plan | None, due: Sequence[Reminder | OutboxNotice]
) -> Plan | None:
    session, now, own = context.session, context.now, list[PlannedTask]()
    session.note_conversation()  # buttons contain the conversation's id
    paused = await pause_past_budget(context, scheduler, [one for one in due if isinstance(one, Reminder)])
    await scheduler.keep(session, (evolve(one, chat=session.chat.key.id) for one in paused.values()))
    for reminder in (one for one in due if one.id not in paused):
        if isinstance(reminder, OutboxNotice):
            own.append(_take_up_notice(session, now, reminder))
            continue
        after = advance_reminder(evolve(reminder, chat=session.chat.key.id), now)
        why, undone = await _reason_to_withhold(context.session, context.services.admission, reminder), ""
        if reminder.instruction and not why:
            why = undone = await _access_refusal(context.session, context.services.admission, reminder)
        await scheduler.arm(session, after)
        session.note(ReminderRecord(after.with_outcome(OccurrenceState.FAILED, now, why) if why else after))
        log("a reminder is due", reminder=reminder.id, is_instruction=bool(reminder.instruction), left_out=why or None)
        if undone:
            own.append(_not_done_task(reminder))
        if why:
            continue
        if reminder.text:
            own.append(_task(reminder, session.chat.conversation))
        else:
            assert after.last is not None
            session.note(NewUpdate(instruction_update(after, after.last.due_at, session.chat.kind, now)))
    if own:
        plan = with_own_tasks(plan, own, now)
        session.note_chat(evolve(session.chat, due_at=now))
    return plan


def _take_up_notice(session: Session, now: datetime, notice: OutboxNotice) -> PlannedTask:
    """Return the task that sends a notice, and record that it was due. Blocked people still get lull's own notices."""
    assert notice.next_at is not None
    after = evolve(notice, chat=session.chat.key.id, next_at=None, last=Occurrence(due_at=notice.next_at, at=now))
    # a separate message: from now on only the plan stores its text
    session.note(StoredNotice(evolve(after, text="", offers=()) if notice.is_apart else after))
    log("a notice is due", notice=notice.id)
    name, said = _name(notice), _said_reminder(notice, is_notice=True)
    if notice.is_apart:
        conversation = session.chat.conversation
        offers = tuple(Button(one.text, button_data(one.command, conversation, one.argument)) for one in notice.offers)
        return PlannedTask(task=SendUnrecorded(id=name, text=notice.text, reminder=said), buttons=offers, is_own=True)
    return PlannedTask(
        task=Remind(id=name, text=notice.text, reminder=said),
        is_own=True,
        people=(notice.person,),
        saw_outside=notice.saw_outside,
        kept_from=TaskOrigin(plan=f"reminder-{notice.id}", task=name),
    )


async def pause_past_budget(
    context: TickContext, scheduler: ReminderScheduler, due: Sequence[Reminder]
) -> Mapping[str, Reminder]:
    """Return the due reminders that must pause, by id, with their next due times. Tell their owners once a day. Raises
    StoreUnavailable, StoreRefused or QueueUnavailable.
    """
    people, now, paused = context.services.runner.ports[FirestorePeople], context.now, dict[str, Reminder]()
    tomorrow = _tomorrow(context.now, context.services.replier)
    day = (tomorrow - timedelta(days=1)).date().isoformat()
    budget = DailyQuota(counted=DailyCounter.REMINDED, agent=context.wake.key.agent, day=day, most=MOST_A_DAY)
    often = [one for one in due if _comes_again(one, now, tomorrow)]
    for person in dict.fromkeys(one.person for one in often):
        theirs = [one for one in often if one.person == person]
        allowed = await people.draw(person, budget, len(theirs))
        paused |= {one.id: _going_on(one, now, tomorrow) for one in theirs[allowed:]}
        if allowed < len(theirs):
            log("reminders pause until tomorrow", count=len(theirs) - allowed)
            await _tell(context.session, context.now, scheduler, theirs[-1], day)
    return paused


def _tomorrow(now: datetime, replier: Replier) -> datetime:
    """Return the time at which the next day begins in the agent's time zone."""
    zone = parse_zone(replier.agent.front.timezone)
    return datetime.combine(now.astimezone(zone).date() + timedelta(days=1), time(), zone)


def _comes_again(reminder: Reminder, now: datetime, tomorrow: datetime) -> bool:
    again = next_occurrence(reminder, now)
    return again is not None and again < tomorrow


def _going_on(reminder: Reminder, now: datetime, tomorrow: datetime) -> Reminder:
    """Return the paused reminder: its current occurrence is cancelled, and its next one is not before `tomorrow`."""
    missed = advance_reminder(reminder, now).with_outcome(OccurrenceState.CANCELLED, now, PAUSED)
    first = next_occurrence(reminder, tomorrow.astimezone(UTC) - timedelta(microseconds=1))
    return evolve(missed, next_at=first or missed.next_at)


async def _tell(session: Session, now: datetime, scheduler: ReminderScheduler, reminder: Reminder, day: str) -> None:
    key = session.chat.key
    notice = OutboxNotice(
        id=reminder_id("paused", key.agent, str(reminder.person), day),
        agent=key.agent,
        chat=key.id,
        person=reminder.person,
        text=words_in(reminder.language).say("reminder.paused", most=MOST_A_DAY),
        next_at=now,
        language=reminder.language,
        set_at=now,
    )
    if await scheduler.reminders.find_due(notice.id) is None:
        await scheduler.keep(session, [notice])


async def _reason_to_withhold(session: Session, admission: AccessChecker | None, reminder: Reminder) -> str:
    """Return why a reminder is withheld (its owner is blocked, or its group is not admitted); "" if it is not."""
    if admission is None:
        return ""
    return await admission.reason_to_withhold_reminders(session.chat, reminder.person)


async def _access_refusal(session: Session, admission: AccessChecker | None, reminder: Reminder) -> str:
    """Return why the reminder's owner may not be answered now, or "". Raises StoreUnavailable or StoreRefused."""
    if admission is None:
        return ""
    return (await admission.access(session.chat, ())).refusal(reminder.person)


def _not_done_task(reminder: Reminder) -> PlannedTask:
    """Return the task that tells people that a reminder's instruction is not carried out. No model is called."""
    text = words_in(reminder.language).say("reminder.not_let_in", text=reminder.instruction)
    return PlannedTask(
        task=own_words(_name(reminder), text),
        is_own=True,
        people=(reminder.person,),
        saw_outside=reminder.saw_outside,
        known_links=reminder.known_links,
        elsewhere=reminder.elsewhere,
    )


def _name(due: DueItem) -> str:
    assert due.next_at is not None
    return f"reminder-{due.id}-{due.next_at.timestamp():.0f}"


def _said_reminder(due: DueItem, *, is_notice: bool) -> ReminderRef:
    assert due.next_at is not None
    return ReminderRef(id=due.id, person=due.person, due_at=due.next_at, language=due.language, is_notice=is_notice)


def _task(reminder: Reminder, conversation: str) -> PlannedTask:
    assert reminder.next_at is not None
    words, name = words_in(reminder.language), _name(reminder)
    this = button_reference(reminder, reminder.next_at)
    snooze = Button(words.say("reminders.snooze_short"), button_data("reminders", conversation, f"s{this}"))
    longer = Button(words.say("reminders.snooze_long"), button_data("reminders", conversation, f"h{this}"))
    return PlannedTask(
        task=Remind(id=name, text=reminder.text, reminder=_said_reminder(reminder, is_notice=False)),
        buttons=(snooze, longer),
        is_own=True,
        people=(reminder.person,),
        saw_outside=reminder.saw_outside,
        known_links=reminder.known_links,
        elsewhere=reminder.elsewhere,
        kept_from=TaskOrigin(plan=f"reminder-{reminder.id}", task=name, thread=reminder.thread),
    )


def note_answered(session: Session, now: datetime, batch: InboxBatch, answered: AnswerResult) -> None:
    """Record whether each due instruction in a batch was answered or failed. Each failure also becomes an incident."""
    for entry in batch.entries:
        if not isinstance(entry, Message) or (due := entry.reminder) is None:
            continue
        occurrence = Occurrence(due_at=due.due_at, state=OccurrenceState.SENT, at=now)
        # this person is past a limit; the other instructions were answered
        is_refused = entry.decision is not None and entry.decision.reason == PAST_LIMIT
        if answered.plan is not None and (is_refused or not answered.people):
            why = PAST_LIMIT if is_refused else "the model gave no plan for its instruction"
            occurrence = evolve(occurrence, state=OccurrenceState.FAILED, why=why)
            session.note(NewIncident(lost_reminder(due, why, session.chat, now)))
        session.note(ReminderOutcome(due.id, occurrence))


async def end_all(session: Session, now: datetime, runner: PlanRunner, why: str) -> None:
    """End all reminders and notices of a group, and tell each owner once, in private. Raises StoreUnavailable."""
    reminders = runner.ports[FirestoreReminders]
    lost: dict[int, list[Reminder | OutboxNotice]] = {}
    for one in await reminders.to_come(session.chat.ids, MOST_ENDED):
        over = evolve(one.with_outcome(OccurrenceState.FAILED, now, why), next_at=None)
        session.note(ReminderRecord(over) if isinstance(over, Reminder) else StoredNotice(over))
        lost.setdefault(one.person, []).append(one)
        due = DueReminder(id=one.id, due_at=one.next_at or now)
        session.note(NewIncident(lost_reminder(due, why, session.chat, now)))
    for theirs in lost.values():
        said = ReminderRef(id=theirs[0].id, person=theirs[0].person, due_at=now, language=theirs[0].language)
        words, saw_outside = "; ".join(one.words for one in theirs), any(one.saw_outside for one in theirs)
        session.note(StoredNotice(loss_notice(said, words, session.chat.key, now, saw_outside=saw_outside)))


async def _arm_again(now: datetime, wake: Wake, queue: TickQueue, scheduler: ReminderScheduler) -> None:
    """Schedule another tick if this tick's reminder is not due yet: Cloud Tasks schedules at most 30 days ahead."""
    if wake.reason is not WakeReason.REMIND:
        return
    reminder = await scheduler.reminders.find_due(reminder_id_of(wake))
    if reminder is None or reminder.next_at is None or reminder.next_at <= now:
        return  # this tick or another has already handled the reminder
    if is_wake_for(wake, reminder):
        at = min(reminder.next_at, now + LONGEST_ARMED)
        await queue.enqueue(wake.again(at))
