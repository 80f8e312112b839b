"""Write the outcomes of a plan's tasks into the documents that the tasks are about, together with the plan."""

from datetime import datetime

from shared.chat.session import Session
from shared.privacy.store.exports import export_part_results
from shared.reminders.outcomes import reminder_outcomes
from shared.tasks.plan import Plan


def note_outcomes(session: Session, before: Plan | None, after: Plan | None, now: datetime) -> None:
    """Record which reminders and parts of exports were sent or failed between two states of a plan."""
    if before is None or after is None:
        return
    for record in (*reminder_outcomes(before, after, session.chat.key, now), *export_part_results(before, after)):
        session.note(record)
