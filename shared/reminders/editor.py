"""Changes reminders as a plan requests: finds them, and postpones, edits or cancels them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from shared.base.errors import ChannelError
from shared.base.logs import log
from shared.base.wording.verbatim import verbatim, visible
from shared.base.wording.words import Phrase, Words, join_phrases, words_in
from shared.chat.confirming import cancel_data, with_confirmation, with_message_after
from shared.chat.session import Session
from shared.llm.ports.world import MessagingChannel, PortRegistry
from shared.reminders.scheduler import ReminderScheduler
from shared.reminders.store import noted_reminders
from shared.reminders.times.changes import apply_change, is_unchanged, spec_of
from shared.tasks.graph import with_failure, with_task, without_cancelled
from shared.tasks.plan import Plan, PlannedTask
from shared.values.channel import Button
from shared.values.evolve import evolve
from shared.values.reminder import MOST_OPEN, ChangesReminder, Reminder, ReminderChange

#: the fields of a spec that tell its times
_TIMES: Final = {"start", "zone", "rule"}
#: the most reminders of a chat to read
MOST_READ: Final = 200

#: reasons, for the model, why nothing is changed
NO_SUCH: Final = "no reminder of that id is still to come here; `list_reminders` tells those that are"
OTHERS: Final = "that reminder is somebody else's, which only they and the group's administrators may change"
IS_OTHERWISE: Final = "the reminder is over, or was changed meanwhile"
TOO_MANY: Final = f"they have {MOST_OPEN} open reminders, which is as many as there may be"


@dataclass(frozen=True)
class ReminderEditor:
    """Changes reminders on behalf of a plan."""

    scheduler: ReminderScheduler
    channel: MessagingChannel

    @classmethod
    def of(cls, ports: PortRegistry, clock: Callable[[], datetime]) -> "ReminderEditor":
        """Return an editor with the stores of `ports`. `clock` returns the time in UTC."""
        return cls(ReminderScheduler.of(ports, clock), ports[MessagingChannel])

    async def resolve_changes(self, session: Session, plan: Plan) -> Plan:
        """Return the plan after working out what each `change-reminder` task changes. Each task stores its result; a
        task whose change is not permitted fails.

        Raises StoreUnavailable.
        """
        for planned in plan.tasks:
            changing = planned.task.reminder_change
            if planned.is_open and planned.is_fresh and changing is not None:
                plan = await self._resolve_change(session, plan, planned, changing)
        return plan

    async def _resolve_change(self, session: Session, plan: Plan, planned: PlannedTask, task: ChangesReminder) -> Plan:
        words = words_in(plan.language, session.chat.locale.last_language)
        found = find_named(await self._open(session), task.reminder, planned.people)
        if found is None or task.resolved is None or not planned.people:
            return _with_refusal(session, plan, planned, NO_SUCH, words.say("reminders.unknown"))
        asker = found.person if found.person in planned.people else planned.people[-1]
        if not await self._may_change(session, found, asker):
            return _with_refusal(session, plan, planned, OTHERS, words.say("reminders.others"))
        before = spec_of(found)
        after = task.apply_to(before, task.resolved)
        if isinstance(after, str):
            return _with_refusal(session, plan, planned, after, words.say("refused.other"))
        is_theirs = found.person == asker
        change = evolve(
            task.resolved,
            id=found.id,
            asker=asker,
            # if several people are answered, it is unknown who wants the change
            asks_first=task.loses(before, after) or not is_theirs or len(set(planned.people)) > 1,
            whose="" if is_theirs else visible(found.name),
            before=before,
            after=after,
            is_marked=planned.saw_outside,
            known_links=planned.known_links,
            elsewhere=planned.elsewhere,
        )
        return with_task(plan, evolve(planned, task=planned.task.with_resolved(change)))

    async def change(self, session: Session, plan: Plan, planned: PlannedTask) -> Plan:
        """Change a reminder. Return the plan after the change, followed by lull's confirmation.

        One commit writes the reminder and the plan.

        Raises StoreUnavailable or QueueUnavailable.
        """
        task, words = planned.task.reminder_change, words_in(plan.language, session.chat.locale.last_language)
        change, now = task.resolved if task is not None else None, self.scheduler.clock()
        found = await self._current(session, change.id) if change is not None else None
        if change is None or found is None or not is_unchanged(found, change, now):
            return _with_failure_message(session, plan, planned, IS_OTHERWISE, words.say("reminders.gone"))
        if not planned.people or not await self._may_change(session, found, planned.people[-1]):
            return _with_failure_message(session, plan, planned, OTHERS, words.say("reminders.others"))
        kept = apply_change(found, change, now)
        if len(kept) > 1 and await self._open_count(session, found) >= MOST_OPEN:
            log("a reminder was refused: the person has as many open reminders as allowed")
            return _with_failure_message(
                session, plan, planned, TOO_MANY, words.say("reminder.too_many", most=MOST_OPEN)
            )
        session.note_conversation()  # the button contains the conversation's id
        is_asked = any(one.is_zone_guessed and one.person == found.person for one in await self._open(session))
        await self.scheduler.keep(session, kept)
        plan = without_cancelled(plan, kept) or plan
        if change.after is None or not kept:
            told = words.say("reminders.cancelled", text=verbatim(found.words))
            return with_confirmation(session, plan, planned, told)
        cancel = Button(words.say("reminders.cancel"), cancel_data(session.chat.conversation, kept[0]))
        told, choices = _confirmation(session, change, kept[0], words, now), tuple[Button, ...]()
        if kept[0].is_zone_guessed and not is_asked:
            asked, choices = self.scheduler.zone_question(session, words, kept[0].zone)
            told = join_phrases(told, asked, by="\n\n")
        return with_confirmation(session, plan, planned, told, (cancel, *choices))

    async def _open(self, session: Session) -> Sequence[Reminder]:
        """Return the chat's open reminders, including changes of this tick."""
        read = await self.scheduler.reminders.open_of_chat(session.chat.ids, MOST_READ)
        now = {one.id: one for one in (*read, *noted_reminders(session))}
        return [one for one in now.values() if one.next_at is not None]

    async def _current(self, session: Session, reminder_id: str) -> Reminder | None:
        noted = [one for one in noted_reminders(session) if one.id == reminder_id]
        found = noted[-1] if noted else await self.scheduler.reminders.find(reminder_id)
        return found if found is not None and found.chat in session.chat.ids else None

    async def _open_count(self, session: Session, reminder: Reminder) -> int:
        noted = sum(r.next_at is not None and r.person == reminder.person for r in noted_reminders(session))
        return noted + await self.scheduler.reminders.open_count(reminder.agent, reminder.person)

    async def _may_change(self, session: Session, reminder: Reminder, person: int) -> bool:
        """Return whether a person may change a reminder: their own, or any as an administrator of the group."""
        chat = session.chat
        # an anonymous administrator writes in the group's name (core.telegram.org/bots/api#message)
        if person == reminder.person or (person == chat.key.chat_id and not chat.kind.is_of_one):
            return True
        if chat.kind.is_of_one or person < 0:
            return False
        try:
            return await self.channel.is_administrator(chat.key.chat_id, person)
        except ChannelError as error:
            log(f"cannot find out who may change reminders: {error}")
            return False


def find_named(reminders: Sequence[Reminder], name: str, people: Sequence[int]) -> Reminder | None:
    """Return the reminder that a model names by its id, or by words that occur in only one reminder of these people.

    Returns None if no reminder, or more than one, matches.
    """
    said = " ".join(name.casefold().split()).strip("\"'`#[]() ")
    if not said:
        return None
    by_id = [one for one in reminders if one.id.startswith(said) and len(said) >= len(one.short_id)]
    own = [one for one in reminders if one.person in people and said in " ".join(one.words.casefold().split())]
    found = by_id or own
    return found[0] if len(found) == 1 else None


def _confirmation(session: Session, change: ReminderChange, kept: Reminder, words: Words, now: datetime) -> Phrase:
    """Return the confirmation: the reminder's new state, and its old state."""
    from shared.reminders.times.reminder_text import short_time_text

    assert change.before is not None
    was = kept.model_copy(update={**change.before.model_dump(include=_TIMES), "next_at": change.before.first_at})
    usual = change.asked_zone if session.chat.kind.is_of_one else session.chat.locale.group_zone
    is_plain = not (kept.is_zone_guessed or change.is_zone_guessed) and kept.zone == was.zone == usual
    when, before = (short_time_text(words, one, now, names_zone=not is_plain) for one in (kept, was))
    old = change.before.text or change.before.instruction
    if old == kept.words:
        return words.say("reminder.moved", when=when, text=kept.words, before=before)
    return words.say("reminder.changed", when=when, text=kept.words, before=before, old=old)


def _with_refusal(session: Session, plan: Plan, planned: PlannedTask, why: str, told: Phrase) -> Plan:
    """Return the plan with the change marked as failed, and with a message that says so.

    lull adds this message because the plan's own messages may claim success.
    """
    plan = with_failure(plan, planned.task.id, why)
    failed = next(t for t in plan.tasks if t.task.id == planned.task.id)
    return with_message_after(session, plan, failed, told)


def _with_failure_message(session: Session, plan: Plan, planned: PlannedTask, why: str, told: Phrase) -> Plan:
    return with_confirmation(session, plan, evolve(planned, why=why), told)
