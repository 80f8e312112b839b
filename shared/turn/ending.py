"""Ending: what a batch ends of the plan that stands. Values in, values out."""

from shared.executing.graph import dropped, stopped
from shared.executing.promises import going_on, promises
from shared.tasks.plan import Plan, PlannedTask
from shared.turn.batch import Batch
from shared.turn.intake import Intake

REMOVED = "the agent was removed from the chat or blocked"


def without_what_ended(intake: Intake) -> Plan | None:
    """The standing plan without the tasks that are not to be carried out any more."""
    if intake.standing is not None and intake.batch.was_removed:
        return dropped(intake.standing, REMOVED)
    if intake.standing is not None and intake.batch.is_stopped:
        return stopped(intake.standing, "stopped", _spared(intake.batch, intake.standing))
    return intake.standing


def _spared(batch: Batch, standing: Plan) -> frozenset[str]:
    """The ids of the tasks that a command leaves: who says /stop in a group does not end what others were promised.

    An administrator's command ends everything.
    """
    ending = [(entry, command) for entry, command in batch.commands if command.ends_plan]
    if any(c.command is not None and c.command.for_administrators for _, c in ending):
        return frozenset()
    asking = {entry.author.id for entry, _ in ending}
    return frozenset(t.task.id for t in promises(standing) if not set(t.people) <= asking)


def ended_of(before: Plan | None, after: Plan | None) -> tuple[PlannedTask, ...]:
    """What of the model's is open in a plan and not in a later state of it."""
    if before is None:
        return ()
    goes_on = going_on(before, after)
    return tuple(t for t in before.tasks if t.is_open and not t.is_own and t.task.id not in goes_on)
