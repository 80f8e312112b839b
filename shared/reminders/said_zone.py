"""Stores the time zone that a person mentioned. A zone that they set with /zone takes precedence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from shared.base.wording.words import join_phrases, words_in
from shared.chat.confirming import with_confirmation
from shared.chat.session import Session
from shared.chat.store.people import FirestorePeople
from shared.reminders.scheduler import MOST_READ, ReminderScheduler
from shared.reminders.store import noted_reminders
from shared.reminders.times.changes import is_by_clock, move_to_zone
from shared.reminders.times.zone_guess import clock_in, zone_move
from shared.reminders.times.zones import first_zone, zones_like
from shared.tasks.graph import with_failure
from shared.tasks.plan import Plan
from shared.values.channel import Button
from shared.values.chat_key import ChatKind
from shared.values.evolve import evolve

if TYPE_CHECKING:
    from shared.chat.effect import EffectContext

NOT_ONE: Final = "it is not one zone, or not of one person"
#: the reason, for the model, why another zone than the mentioned one is used
SET_BY_COMMAND: Final = "they set another zone themselves, by /zone, and that one holds"


async def keep_zone(context: EffectContext) -> Plan:
    """Return the plan after a `keep-zone` task, followed by lull's confirmation.

    The person's reminders in this chat whose zone was guessed move to the new zone. If the person has other reminders
    here with another zone, a button below the confirmation moves them too. May safely be repeated. Raises
    StoreUnavailable, StoreRefused or QueueUnavailable.
    """
    session, plan, planned = context.session, context.plan, context.planned
    now, people = context.clock(), context.ports[FirestorePeople]
    found = zones_like(planned.task.told_zone, now)
    if len(found) != 1 or len(planned.people) != 1:
        return with_failure(plan, planned.task.id, NOT_ONE)
    person, words = planned.people[0], words_in(plan.language, session.chat.locale.last_language)
    before = await people.profile(person)
    if not before.set_zone:
        await people.keep_said_zone(person, found[0], now)
    elif before.set_zone != found[0]:
        planned = evolve(planned, why=SET_BY_COMMAND)
    zone = first_zone(before.set_zone, found[0])
    told, buttons = [words.say("zone.own", zone=zone, time=clock_in(zone, now))], tuple[Button, ...]()
    after = await _move_guessed(ReminderScheduler.of(context.ports, context.clock), session, person, zone)
    told += [words.say("zone.guessed_moved")] if after.has_moved else []
    if after.staying:
        told.append(words.say("zone.others_stay", zone=after.staying))
        buttons = (Button(words.say("zone.move"), zone_move(session.chat.conversation, zone)),)
    if zone != before.zone and after.may_be_elsewhere:
        told.append(words.say("zone.elsewhere_stay", zone=zone))
    return with_confirmation(session, plan, planned, join_phrases(*told, by="\n"), buttons)


@dataclass(frozen=True, kw_only=True)
class _Moved:
    """The effect of a new zone on a person's reminders."""

    has_moved: bool
    #: the zone of reminders in this chat that stay unchanged; "" if there are none
    staying: str
    #: whether there may be reminders in other chats
    may_be_elsewhere: bool


async def _move_guessed(scheduler: ReminderScheduler, session: Session, person: int, zone: str) -> _Moved:
    """Move to `zone` those of a person's reminders in this chat whose zone was guessed.

    Raises StoreUnavailable or QueueUnavailable.
    """
    chat, reminders = session.chat, scheduler.reminders
    stored = [one for one in await reminders.open_of_chat(chat.ids, MOST_READ) if one.person == person]
    now = {one.id: one for one in (*stored, *noted_reminders(session)) if one.person == person}
    own = [one for one in now.values() if one.next_at is not None]
    guessed = [one for one in own if one.is_zone_guessed]
    staying = [one.zone for one in own if not one.is_zone_guessed and one.zone != zone and is_by_clock(one)]
    await scheduler.keep(session, [move_to_zone(one, zone, scheduler.clock()) for one in guessed])
    if staying:
        session.note_conversation()  # the button that moves them contains the conversation's id
    return _Moved(
        has_moved=bool(guessed),
        staying=next(iter(staying), ""),
        # other people in the chat must not learn whether the person has reminders elsewhere
        may_be_elsewhere=chat.kind is not ChatKind.PRIVATE
        or await reminders.open_count(chat.key.agent, person) > len(stored),
    )
