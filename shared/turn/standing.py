"""The plan that stands when a tick begins, with what a dead tick left open, for who may still hear it."""

from shared.executing.graph import stopped
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
    incidents = list(incidents_of(stored, plan, session.chat, now))
    for incident in incidents:
        log("a delivery's outcome is unknown; it is not sent again", plan=plan.id)
        session.note(NewIncident(incident))
    if incidents:
        await session.note_entries(loss_events(stored, plan, now))
    note_outcomes(session, stored, plan, now)
    return await _without_hushed(context, plan)


async def _without_hushed(context: TickContext, plan: Plan) -> Plan:
    """The plan without what is for somebody who was blocked since, or for a group that was shut out.

    What lull itself has to say goes on. It costs a read a minute for each instance, where something is to be said.
    """
    admission, chat = context.services.admission, context.session.chat
    waiting = [t for t in plan.tasks if t.is_open and not t.is_own]
    why, spared = "", set[str]()
    for planned in waiting if admission is not None else ():
        assert admission is not None
        heard_by = (chat.key.chat_id,) if chat.key.is_private else planned.people or (0,)
        reasons = [await admission.hushed(chat, person) for person in heard_by]
        if all(reasons):
            why = reasons[0]
        else:
            spared.add(planned.task.id)
    if not why:
        return plan
    log("what was planned ends, since nobody is to hear it any more", plan=plan.id, why=why)
    after = stopped(plan, why, spared)
    note_outcomes(context.session, plan, after, context.now)
    return after
