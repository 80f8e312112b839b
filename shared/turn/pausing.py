"""Pausing: what somebody has come several times a day comes so often in a day at most, and goes on tomorrow.

What comes once a day or once at all is never paused: there are fifty of those at most.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final

from shared.executing.arranging import Arranger
from shared.logs import log
from shared.models.agent import zone_named
from shared.models.reminder import OccurrenceState, Reminder, reminder_id
from shared.ports.people import Counted, DayBudget
from shared.scheduling.following import following, occurred
from shared.turn.services import TickContext
from shared.wording.words import words_in

#: so often in a day all that comes several times a day comes to one person, from one agent
MOST_A_DAY: Final = 200
PAUSED: Final = "it came as often as it may in a day"


async def pause_past_budget(
    context: TickContext, arranger: Arranger, due: Sequence[Reminder]
) -> Mapping[str, Reminder]:
    """Return the due reminders that pause, by id and as they go on; whose they are is told once a day.

    Raises StoreUnavailable, StoreRefused or QueueUnavailable.
    """
    people, now, paused = context.services.runner.people, context.now, dict[str, Reminder]()
    if people is None:
        return paused
    tomorrow = _tomorrow(context)
    day = (tomorrow - timedelta(days=1)).date().isoformat()
    budget = DayBudget(counted=Counted.REMINDED, agent=context.wake.key.agent, day=day, most=MOST_A_DAY)
    often = [one for one in due if not one.is_notice and _comes_again(one, now, tomorrow)]
    for person in dict.fromkeys(one.person for one in often):
        theirs = [one for one in often if one.person == person]
        allowed = await people.draw(person, budget, len(theirs))
        paused |= {one.id: _going_on(one, now, tomorrow) for one in theirs[allowed:]}
        if allowed < len(theirs):
            log("reminders pause until tomorrow", count=len(theirs) - allowed)
            await _tell(context, arranger, theirs[-1], day)
    return paused


def _tomorrow(context: TickContext) -> datetime:
    """When the agent's next day begins, by its clock."""
    zone = zone_named(context.services.replier.agent.front.timezone)
    return datetime.combine(context.now.astimezone(zone).date() + timedelta(days=1), time(), zone)


def _comes_again(reminder: Reminder, now: datetime, tomorrow: datetime) -> bool:
    again = following(reminder, now)
    return again is not None and again < tomorrow


def _going_on(reminder: Reminder, now: datetime, tomorrow: datetime) -> Reminder:
    """The reminder as it comes tomorrow; if it never does, as it comes next: its last time today is said."""
    missed = occurred(reminder, now).ended(OccurrenceState.CANCELLED, now, PAUSED)
    first = following(reminder, tomorrow.astimezone(UTC) - timedelta(microseconds=1))
    return missed.model_copy(update={"next_at": first or missed.next_at})


async def _tell(context: TickContext, arranger: Arranger, reminder: Reminder, day: str) -> None:
    key, now = context.session.chat.key, context.now
    notice = Reminder(
        id=reminder_id("paused", key.agent, str(reminder.person), day),
        agent=key.agent,
        chat=key.id,
        person=reminder.person,
        text=words_in(reminder.language).say("reminder.paused", most=MOST_A_DAY),
        next_at=now,
        language=reminder.language,
        set_at=now,
        is_notice=True,
    )
    if await arranger.reminders.find(notice.id) is None:
        await arranger.keep(context.session, [notice])
