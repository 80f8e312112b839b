"""Arranging: what a plan schedules is stored as a reminder, its wake is armed, and lull says what was understood."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from shared.base.language.likeness import says_the_same
from shared.base.logs import log
from shared.base.wording.words import Phrase, Words, joined, words_in
from shared.chat.confirming import cancel_data, confirmed_by
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

#: why nothing more is scheduled, for the model
TOO_MANY: Final = f"they have {MOST_OPEN} open reminders, which is as many as there may be"
#: reminders of a chat
MOST_READ: Final = 500
#: a chat whose person has blocked the agent is looked at again after so long
HELD: Final = timedelta(days=1)
#: two reminders of the same words are one if they come within so much of each other: "in 10 minutes" asked twice
SAME_TIME: Final = timedelta(minutes=1)


@dataclass(frozen=True)
class ReminderScheduler:
    """What arranging needs."""

    reminders: FirestoreReminders
    queue: TickQueue
    clock: Callable[[], datetime]

    @classmethod
    def of(cls, ports: PortRegistry, clock: Callable[[], datetime]) -> ReminderScheduler:
        """An arranger with the stores of `ports`; `clock` tells the time in UTC."""
        return cls(ports[FirestoreReminders], ports[TickQueue], clock)

    async def arrange(self, session: Session, plan: Plan, planned: PlannedTask) -> Plan:
        """The plan after a task that schedules, with what lull says about it behind that task.

        The reminder and the plan are written by the same commit, so it is made once, however often a tick dies. Its
        wake is armed before: without the commit it finds nothing. Raises StoreUnavailable or QueueUnavailable.
        """
        wanted = planned.task.arrangement
        if wanted is None or not planned.people:
            return with_failure(plan, planned.task.id, "nobody said when, or for whom")
        words = words_in(plan.language, session.chat.locale.last_language)
        reminder = self._reminder(session, plan, planned, wanted)
        kept = await self._open(session)
        is_asked = any(one.is_zone_guessed and one.person == reminder.person and one.id != reminder.id for one in kept)
        if known := next((one for one in kept if is_same(one, reminder)), None):
            session.note_conversation()  # the buttons name it
            return self._confirmed(session, plan, planned, known, is_asked=is_asked)
        person, agent = reminder.person, session.chat.key.agent
        noted = sum(r.next_at is not None and r.person == person for r in noted_reminders(session))
        if noted + await self.reminders.open_count(agent, person) >= MOST_OPEN:
            log("no reminder: the person has as many as there may be")
            told = words.say("reminder.too_many", most=MOST_OPEN)
            return confirmed_by(session, plan, evolve(planned, why=TOO_MANY), told)
        session.note_conversation()  # it is kept with the reminder, and the button names it
        reminder = evolve(reminder, conversation=session.chat.conversation)
        author = _author(await session.window(), reminder.person)
        reminder = reminder.model_copy(update={"name": author.name, "username": author.username} if author else {})
        await self.keep(session, [reminder])
        return self._confirmed(session, plan, planned, reminder, is_asked=is_asked)

    async def _open(self, session: Session) -> Sequence[Reminder]:
        """The reminders of the chat that are still to come, as they are now. Raises StoreUnavailable."""
        kept = {one.id: one for one in await self.reminders.open_of_chat(session.chat.ids, MOST_READ)}
        kept |= {one.id: one for one in noted_reminders(session)}
        return [one for one in kept.values() if one.next_at is not None]

    def _confirmed(
        self, session: Session, plan: Plan, planned: PlannedTask, reminder: Reminder, *, is_asked: bool
    ) -> Plan:
        """The plan with what was understood said behind the task, and the buttons that change it.

        A zone that is a guess is asked for with the first reminder in it. `is_asked`: another one has asked for it.
        """
        chat, wanted = session.chat, planned.task.arrangement
        words = words_in(plan.language, chat.locale.last_language)
        cancel = Button(words.say("reminders.cancel"), cancel_data(chat.conversation, reminder))
        is_plain = wanted is not None and wanted.is_zone_told
        is_plain = is_plain and (chat.kind.is_of_one or reminder.zone == chat.locale.group_zone)
        told, choices = confirmation(words, reminder, self.clock(), names_zone=not is_plain), tuple[Button, ...]()
        if reminder.is_zone_guessed and not is_asked:
            asked, choices = self.zone_asked(session, words, reminder.zone)
            told = joined(told, asked, by="\n\n")
        return confirmed_by(session, plan, planned, told, (cancel, *choices))

    def zone_asked(self, session: Session, words: Words, zone: str) -> tuple[Phrase, tuple[Button, ...]]:
        """The question whether a zone that was guessed is theirs, with buttons of the likeliest ones."""
        from shared.reminders.times.zone_guess import clock_in, offered_zones, zone_choices

        now = self.clock()
        offered = offered_zones(zone, words.language)
        asked = words.say("zone.guessed", zone=zone, time=clock_in(zone, now))
        return asked, zone_choices("zone", session.chat.conversation, offered, now)

    def _reminder(self, session: Session, plan: Plan, planned: PlannedTask, wanted: ReminderSpec) -> Reminder:
        origin = origin_of(plan, planned)
        return Reminder(
            id=reminder_id(origin.plan, origin.task),
            agent=session.chat.key.agent,
            chat=session.chat.key.id,
            person=planned.people[-1],
            text=wanted.text,
            instruction=wanted.instruction,
            zone=wanted.zone,
            is_zone_guessed=wanted.is_zone_guessed,
            start=wanted.start,
            rule=wanted.rule,
            next_at=wanted.first_at,
            language=plan.language,
            saw_outside=planned.saw_outside,
            known_links=planned.known_links,
            elsewhere=planned.elsewhere,
            thread=origin.thread,
            set_at=self.clock(),
            conversation=session.chat.conversation,
        )

    async def may_say(self, session: Session, plan: Plan | None, is_unblocked: bool) -> bool:
        """Whether what is due may be said. While the person has blocked the agent, it waits and is looked at daily.

        `is_unblocked`: they had blocked it until now. Raises LeaseLost, StoreUnavailable or QueueUnavailable.
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
        """What is due in the chat, the oldest first. Raises StoreUnavailable."""
        from shared.reminders.times.changes import release

        return [release(one) for one in await self.reminders.due(session.chat.ids, now, limit)]

    async def keep(self, session: Session, kept: Iterable[Reminder | OutboxNotice]) -> None:
        """Have the next commit write what comes as it is now; the ticks for it are armed. Raises QueueUnavailable."""
        for one in kept:
            await self.arm(session, one)
            session.note(ReminderRecord(one) if isinstance(one, Reminder) else StoredNotice(one))

    async def arm(self, session: Session, due: DueItem) -> None:
        """Have a tick come for the next occurrence, if there is one. Raises QueueUnavailable."""
        wake = remind_wake(due, self.clock(), session.owner)
        if wake is not None:
            await self.queue.enqueue(wake)


def is_same(one: Reminder, other: Reminder) -> bool:
    """Whether two open reminders are one: same person, words, rule and zone, and the same time."""
    if one.next_at is None or other.next_at is None:
        return False
    is_alike = (one.person, one.rule, one.zone, one.thread) == (other.person, other.rule, other.zone, other.thread)
    is_at_once = abs(one.next_at - other.next_at) < SAME_TIME
    says = says_the_same(one.text, other.text) and says_the_same(one.instruction, other.instruction)
    return is_alike and is_at_once and says


def confirmation(words: Words, reminder: Reminder, now: datetime, *, names_zone: bool) -> Phrase:
    """What lull understood: the day and time in words, where it may be mistaken the zone, and what is said or done."""
    from shared.reminders.times.reminder_text import short_time_text

    when = short_time_text(words, reminder, now, names_zone=names_zone)
    if reminder.text:
        return words.say("reminder.set", when=when, text=reminder.text)
    return words.say("reminder.set_instruction", when=when, text=reminder.instruction)


def _author(entries: Sequence[AnyEntry], person: int) -> Author | None:
    """Somebody as they were called when they wrote last."""
    said = (entry.author for entry in reversed(entries) if isinstance(entry, Message))
    return next((author for author in said if author.id == person), None)
