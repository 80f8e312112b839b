"""Keep the record of a tick up to date, from which the owner can learn later why a message was answered or not."""

from collections.abc import Sequence

from shared.base.logs import current_trace
from shared.chat.tick_record import TickRecord, record_tick
from shared.tasks.plan import Plan
from shared.turn.services import TickContext
from shared.values.evolve import evolve
from shared.values.update import InboxUpdate


def note_read(context: TickContext, unread: Sequence[InboxUpdate], plan: Plan | None) -> None:
    """Record the updates that the tick has just read, and the plan that it made or continues."""
    read = [one for one in unread if one.envelope.update_id in context.session.noted_read]
    context.session.tick_record = _record_of(context).with_updates(read, context.now)
    note_progress(context, plan)


def note_progress(context: TickContext, plan: Plan | None) -> None:
    """Update the tick's record with the current state of the plan, before the next commit stores the record."""
    record = evolve(_record_of(context), written_at=context.now)
    context.session.tick_record = record.with_plan(plan, context.now) if plan is not None else record


def _record_of(context: TickContext) -> TickRecord:
    session = context.session
    return session.tick_record or record_tick(
        context.wake, current_trace(), context.claimed_at or context.now, context.now
    )
