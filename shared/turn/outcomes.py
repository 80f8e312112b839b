"""Outcomes of a plan's tasks, written with the plan into the documents that the tasks are about."""

from datetime import datetime

from shared.chat.session import Session
from shared.privacy.store.exports import export_part_results
from shared.reminders.outcomes import reminder_outcomes
from shared.tasks.plan import Plan


def note_outcomes(session: Session, before: Plan | None, after: Plan | None, now: datetime) -> None:
    """Note the results for reminders and export parts between two states of a plan."""
    if before is None or after is None:
        return
    for record in (*reminder_outcomes(before, after, session.chat.key, now), *export_part_results(before, after)):
        session.note(record)
