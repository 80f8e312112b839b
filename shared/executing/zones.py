"""Keeping the time zone that a person said: with the person, below the one that they set themselves by /zone."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from shared.executing.arranging import Arranger
from shared.executing.confirming import confirmed_by
from shared.executing.graph import with_failure
from shared.models.agent import zone_named
from shared.models.channel import Button
from shared.ports.chats import Reminders, TickQueue
from shared.ports.people import People
from shared.scheduling.guessing import zone_move
from shared.scheduling.zones import first_zone, zones_like
from shared.session.session import Session
from shared.tasks.plan import Plan, PlannedTask
from shared.wording.words import Phrase, Words, joined, words_in

NOT_ONE: Final = "it is not one zone, or not of one person"
#: why another zone holds than was said, for the model
SET_BY_COMMAND: Final = "they set another zone themselves, by /zone, and that one holds"


async def zone_kept(
    kept: tuple[People, Reminders | None, TickQueue | None],
    session: Session,
    plan: Plan,
    planned: PlannedTask,
    clock: Callable[[], datetime],
) -> Plan:
    """The plan after a task that says a zone, with what lull says about it behind that task.

    Reminders here that were set by a guess move to it, and a button moves the others. It may be repeated: the same is
    kept and said again. Raises StoreUnavailable, StoreRefused or QueueUnavailable.
    """
    now, (people, reminders, queue) = clock(), kept
    found = zones_like(planned.task.told_zone, now)
    if len(found) != 1 or len(planned.people) != 1:
        return with_failure(plan, planned.task.id, NOT_ONE)
    person, words = planned.people[0], words_in(plan.language, session.chat.last_language)
    set_by_command = (await people.told(person)).set_zone
    if not set_by_command:
        await people.keep_said_zone(person, found[0], now)
    elif set_by_command != found[0]:
        planned = planned.model_copy(update={"why": SET_BY_COMMAND})
    told, buttons = _phrase(words, set_by_command, found[0], now), tuple[Button, ...]()
    if reminders is not None and queue is not None:
        arranger, zone = Arranger(reminders, queue, clock), first_zone(set_by_command, found[0])
        has_moved, staying = await arranger.move_guessed(session, person, zone)
        if has_moved:
            told = joined(told, words.say("zone.guessed_moved"), by="\n")
        if staying:
            session.note_conversation()  # the button names it
            told = joined(told, words.say("zone.others_stay", zone=staying), by="\n")
            buttons = (Button(words.say("zone.move"), zone_move(session.chat.conversation, zone)),)
    return confirmed_by(session, plan, planned, told, buttons)


def _phrase(words: Words, set_by_command: str, said: str, now: datetime) -> Phrase:
    """Which zone holds from now on, and that /zone changes it."""
    zone = first_zone(set_by_command, said)
    return words.say("zone.own", zone=zone, time=f"{now.astimezone(zone_named(zone)):%H:%M}")
