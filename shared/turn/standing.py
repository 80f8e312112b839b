"""The plan that stands when a tick begins, with what a dead tick left open."""

from shared.executing.losses import incidents_of, loss_events
from shared.executing.outcome import with_lost_answers
from shared.executing.reminded import note_outcomes
from shared.logs import log
from shared.records import NewIncident
from shared.tasks.plan import Plan
from shared.turn.quarantine import readable_plan
from shared.turn.services import TickContext


async def standing_plan(context: TickContext) -> Plan | None:
    """The plan that is to go on, if one is. A call that a dead tick made and whose answer is lost is an incident."""
    session = context.session
    stored = await readable_plan(context, session.chat.key) if session.chat.due_at is not None else None
    if stored is None:
        return None
    plan, now = with_lost_answers(stored), context.now
    incidents = list(incidents_of(stored, plan, session.chat.key, now))
    for incident in incidents:
        log("a delivery's outcome is unknown; it is not sent again", plan=plan.id)
        session.note(NewIncident(incident))
    if incidents:
        await session.note_entries(loss_events(stored, plan, now))
    note_outcomes(session, stored, plan, now)
    return plan
