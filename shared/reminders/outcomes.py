"""Records the outcome of the reminders that a plan sends, and notifies the owners of lost reminders."""

from collections.abc import Iterator
from datetime import datetime

from shared.base.text import abridge
from shared.base.wording.words import words_in
from shared.chat.session import Session
from shared.chat.store.outbox import StoredNotice
from shared.chat.store.writes import Record
from shared.reminders.store import ReminderOutcome
from shared.tasks.plan import DeliveryState, Plan, PlannedTask, TaskState
from shared.values.chat_key import ChatKey
from shared.values.message import Message
from shared.values.outbox import OutboxNotice
from shared.values.reminder import LONGEST_TEXT, Occurrence, OccurrenceState, ReminderRef, reminder_id


def reminder_outcomes(before: Plan, after: Plan, key: ChatKey, now: datetime) -> Iterator[Record]:
    """Compare two states of a plan, and yield a record of the outcome of each reminder whose task ended between them.

    The owner of a lost reminder gets a notice in their private chat. `key`: the chat where the reminder was due.
    """
    was_open = {t.task.id for t in before.tasks if t.is_open}
    for planned in after.tasks:
        said = planned.task.reminder_ref
        if said is not None and not planned.is_open and planned.task.id in was_open:
            occurrence = _occurrence(planned, said, now)
            yield ReminderOutcome(said.id, occurrence)
            if occurrence.state is OccurrenceState.FAILED and not said.is_notice:
                yield StoredNotice(loss_notice(said, planned.task.words, key, now, saw_outside=planned.saw_outside))


def _occurrence(planned: PlannedTask, said: ReminderRef, now: datetime) -> Occurrence:
    doubt = next((d.why for d in planned.deliveries if d.state is DeliveryState.UNKNOWN), None)
    if planned.state is not TaskState.DONE:
        return Occurrence(due_at=said.due_at, state=OccurrenceState.FAILED, at=now, why=planned.why)
    state = OccurrenceState.SENT if doubt is None else OccurrenceState.UNKNOWN
    return Occurrence(due_at=said.due_at, state=state, at=now, why=doubt or "")


def note_lost(session: Session, entry: Message, language: str, why: str, now: datetime) -> None:
    """Record that a due reminder with an instruction for the agent is lost, and add a notice for its owner."""
    if (due := entry.reminder) is None:
        return
    session.note(ReminderOutcome(due.id, Occurrence(due_at=due.due_at, state=OccurrenceState.FAILED, at=now, why=why)))
    said = ReminderRef(id=due.id, person=entry.author.id, due_at=due.due_at, language=language)
    session.note(StoredNotice(loss_notice(said, entry.text, session.chat.key, now, saw_outside=entry.holds_outside)))


def loss_notice(said: ReminderRef, text: str, key: ChatKey, now: datetime, *, saw_outside: bool) -> OutboxNotice:
    """Return the notice to the owner of a lost reminder, for their private chat.

    The id of a person's private chat is the person's own id (core.telegram.org/bots/api#chat). `saw_outside`: whether
    the reminder was planned after untrusted text was seen.
    """
    told = words_in(said.language).say("reminder.lost", text=text)
    return OutboxNotice(
        id=reminder_id("lost", said.id, said.due_at.isoformat()),
        agent=key.agent,
        chat=ChatKey(agent=key.agent, chat_id=said.person).id,
        person=said.person,
        text=abridge(told, LONGEST_TEXT),
        next_at=now,
        language=said.language,
        saw_outside=saw_outside,
        set_at=now,
    )
