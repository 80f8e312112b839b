"""Stores a plan's `schedule` tasks as reminders, and adds lull's confirmations to the plan. Each reminder has a wake: a
Cloud Tasks task that starts a tick of the reminder's chat when the reminder is due.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from shared.base.language.likeness import has_same_meaning
from shared.base.logs import log
from shared.base.wording.words import Phrase, Words, join_phrases, words_in
from shared.chat.confirming import cancel_data, with_confirmation
from shared.chat.queue import TickQueue
from shared.chat.session import Session
from shared.chat.store.outbox import StoredNotice
from shared.llm.ports.world import PortRegistry
from shared.reminders.store import FirestoreReminders, ReminderRecord, noted_reminders
from shared.tasks.graph import origin_of, with_failure
from shared.tasks.plan import Plan, PlannedTask
from shared.values.channel import Button
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, Author, Message
from shared.values.outbox import OutboxNotice
from shared.values.reminder import MOST_OPEN, DueItem, Reminder, ReminderSpec, remind_wake, reminder_id

#: the reason, for the model, why nothing more is scheduled
TOO_MANY: Final = f"they have {MOST_OPEN} open reminders, which is as many as there may be"
#: the most reminders of a chat to read
MOST_READ: Final = 500
#: how long to wait before checking again a chat whose person has blocked the agent
HELD: Final = timedelta(days=1)
#: reminders with the same text this close together count as one, such as "in 10 minutes" requested twice
SAME_TIME: Final = timedelta(minutes=1)


@dataclass(frozen=True)
class ReminderScheduler:
    """Stores and confirms reminders, and enqueues the Cloud Tasks tasks that start their delivery when they are due."""

    reminders: FirestoreReminders
    queue: TickQueue
    clock: Callable[[], datetime]

    @classmethod
    def of(cls, ports: PortRegistry, clock: Callable[[], datetime]) -> ReminderScheduler:
        """Return a scheduler with the stores of `ports`. `clock` returns the time in UTC."""
        return cls(ports[FirestoreReminders], ports[TickQueue], clock)

    async def schedule(self, session: Session, plan: Plan, planned: PlannedTask) -> Plan:
        """Return the plan after a `schedule` task, followed by lull's confirmation.

        One commit writes the reminder and the plan, so the reminder is stored once, however often a tick is killed. The
        Cloud Tasks task for the reminder's time is enqueued before this commit. If the commit fails, that task finds no
        reminder and does nothing. Raises StoreUnavailable or QueueUnavailable.
        """
        spec = planned.task.reminder_spec
        if spec is None or not planned.people:
            return with_failure(plan, planned.task.id, "nobody said when, or for whom")
        words = words_in(plan.language, session.chat.locale.last_language)
        reminder = self._reminder(session, plan, planned, spec)
        kept = await self._open(session)
        is_asked = any(one.is_zone_guessed and one.person == reminder.person and one.id != reminder.id for one in kept)
        if known := next((one for one in kept if is_same(one, reminder)), None):
            session.note_conversation()  # the buttons contain the conversation's id
            return self._with_confirmation(session, plan, planned, known, is_asked=is_asked)
        person, agent = reminder.person, session.chat.key.agent
        noted = sum(r.next_at is not None and r.person == person for r in noted_reminders(session))
        if noted + await self.reminders.open_count(agent, person) >= MOST_OPEN:
            log("a reminder was refused: the person has as many open reminders as allowed")
            told = words.say("reminder.too_many", most=MOST_OPEN)
            return with_confirmation(session, plan, evolve(planned, why=TOO_MANY), told)
        session.note_conversation()  # the reminder and its button contain the conversation's id
        reminder = evolve(reminder, conversation=session.chat.conversation)
        author = _author(await session.window(), reminder.person)
        reminder = reminder.model_copy(update={"name": author.name, "username": author.username} if author else {})
        await self.keep(session, [reminder])
        return self._with_confirmation(session, plan, planned, reminder, is_asked=is_asked)

    async def _open(self, session: Session) -> Sequence[Reminder]:
        """Return the chat's open reminders, including changes of this tick. Raises StoreUnavailable."""
        kept = {one.id: one for one in await self.reminders.open_of_chat(session.chat.ids, MOST_READ)}
        kept |= {one.id: one for one in noted_reminders(session)}
        return [one for one in kept.values() if one.next_at is not None]

    def _with_confirmation(
        self, session: Session, plan: Plan, planned: PlannedTask, reminder: Reminder, *, is_asked: bool
    ) -> Plan:
        """Return the plan with the confirmation after the task, with buttons to change the reminder.

        The confirmation of the first reminder in a guessed zone asks whether the zone is right. `is_asked`: whether an
        earlier confirmation has asked.
        """
        chat, spec = session.chat, planned.task.reminder_spec
        words = words_in(plan.language, chat.locale.last_language)
        cancel = Button(words.say("reminders.cancel"), cancel_data(chat.conversation, reminder))
        is_plain = spec is not None and spec.is_zone_told
        is_plain = is_plain and (chat.kind.is_of_one or reminder.zone == chat.locale.group_zone)
        told, choices = confirmation(words, reminder, self.clock(), names_zone=not is_plain), tuple[Button, ...]()
        if reminder.is_zone_guessed and not is_asked:
            asked, choices = self.zone_question(session, words, reminder.zone)
            told = join_phrases(told, asked, by="\n\n")
        return with_confirmation(session, plan, planned, told, (cancel, *choices))

    def zone_question(self, session: Session, words: Words, zone: str) -> tuple[Phrase, tuple[Button, ...]]:
        """Return the question whether a guessed zone is right, with buttons for the likeliest zones."""
        from shared.reminders.times.zone_guess import clock_in, offered_zones, zone_choices

        now = self.clock()
        offered = offered_zones(zone, words.language)
        asked = words.say("zone.guessed", zone=zone, time=clock_in(zone, now))
        return asked, zone_choices("zone", session.chat.conversation, offered, now)

    def _reminder(self, session: Session, plan: Plan, planned: PlannedTask, spec: ReminderSpec) -> Reminder:
        origin = origin_of(plan, planned)
        return Reminder(
            id=reminder_id(origin.plan, origin.task),
            agent=session.chat.key.agent,
            chat=session.chat.key.id,
            person=planned.people[-1],
            text=spec.text,
            instruction=spec.instruction,
            zone=spec.zone,
            is_zone_guessed=spec.is_zone_guessed,
            start=spec.start,
            rule=spec.rule,
            next_at=spec.first_at,
            language=plan.language,
            saw_outside=planned.saw_outside,
            known_links=planned.known_links,
            elsewhere=planned.elsewhere,
            thread=origin.thread,
            set_at=self.clock(),
            conversation=session.chat.conversation,
        )

    async def may_send(self, session: Session, plan: Plan | None, is_unblocked: bool) -> bool:
        """Return whether due reminders may be sent.

        While the person has blocked the agent, due reminders are postponed from day to day. `is_unblocked`: whether the
        block ended just now. Raises LeaseLost, StoreUnavailable or QueueUnavailable.
        """
        from shared.reminders.times.changes import hold, release

        if session.chat.access.is_blocked:
            due, until = await self.due(session, self.clock(), MOST_READ), self.clock() + HELD
            await self.keep(session, [hold(one, until) for one in due])
        elif is_unblocked:
            kept = await self.reminders.to_come(session.chat.ids, MOST_READ)
            await self.keep(session, [release(one) for one in kept if one.held_at is not None])
        if session.chat.access.is_blocked or is_unblocked:
            await session.commit(plan)
        return not session.chat.access.is_blocked

    async def due(self, session: Session, now: datetime, limit: int) -> Sequence[Reminder | OutboxNotice]:
        """Return the due reminders and notices of the chat, oldest first. Raises StoreUnavailable."""
        from shared.reminders.times.changes import release

        return [release(one) for one in await self.reminders.due(session.chat.ids, now, limit)]

    async def keep(self, session: Session, kept: Iterable[Reminder | OutboxNotice]) -> None:
        """Add reminders or notices to the next commit, and enqueue tasks for their times. Raises QueueUnavailable."""
        for one in kept:
            await self.arm(session, one)
            session.note(ReminderRecord(one) if isinstance(one, Reminder) else StoredNotice(one))

    async def arm(self, session: Session, due: DueItem) -> None:
        """Enqueue the task that starts a tick at the next occurrence, if there is one. Raises QueueUnavailable."""
        wake = remind_wake(due, self.clock(), session.owner)
        if wake is not None:
            await self.queue.enqueue(wake)


def is_same(one: Reminder, other: Reminder) -> bool:
    """Return whether two open reminders are duplicates: same person, text, rule, zone and time."""
    if one.next_at is None or other.next_at is None:
        return False
    is_alike = (one.person, one.rule, one.zone, one.thread) == (other.person, other.rule, other.zone, other.thread)
    is_at_once = abs(one.next_at - other.next_at) < SAME_TIME
    says = has_same_meaning(one.text, other.text) and has_same_meaning(one.instruction, other.instruction)
    return is_alike and is_at_once and says


def confirmation(words: Words, reminder: Reminder, now: datetime, *, names_zone: bool) -> Phrase:
    """Return the confirmation of a new reminder.

    The confirmation has the time in words, the zone if `names_zone` is true, and the text or the action that is due.
    """
    from shared.reminders.times.reminder_text import short_time_text

    when = short_time_text(words, reminder, now, names_zone=names_zone)
    if reminder.text:
        return words.say("reminder.set", when=when, text=reminder.text)
    return words.say("reminder.set_instruction", when=when, text=reminder.instruction)


def _author(entries: Sequence[AnyEntry], person: int) -> Author | None:
    """Return a person as the author of their last message in these entries; None if they wrote no message."""
    said = (entry.author for entry in reversed(entries) if isinstance(entry, Message))
    return next((author for author in said if author.id == person), None)
