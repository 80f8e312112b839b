"""Plans: what the model wants done about a batch, as the plan of a chat."""

from collections.abc import Sequence
from datetime import datetime
from itertools import zip_longest

from ulid import ULID

from shared.executing.graph import planned
from shared.logs import current_trace, log
from shared.planning.planner import PlanResult
from shared.prompting.origins import is_derived
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.task import Task
from shared.turn.batch import Batch, people_of


def plan_for(result: PlanResult, batch: Batch, now: datetime) -> Plan:
    """The plan for a batch."""
    if result.failure:
        log(f"no plan: {result.failure}")
    tasks = result.tasks
    if batch.thread:
        tasks = _as_comment(tasks, batch.targets[-1].quotable)
    started = _seen_typed(planned(tasks)) if result.was_shown else planned(tasks)
    of_this_plan = {
        "people": people_of(batch),
        "saw_outside": bool(result.outside),
        "is_derived": is_derived(result.outside),
        "unseen": result.unseen,
    }
    return Plan(
        id=str(ULID()),
        created_at=now,
        tasks=tuple(
            t.model_copy(
                update={**of_this_plan, "known_links": _links_in(t.task, result), "elsewhere": elsewhere or ()}
            )
            for t, elsewhere in zip_longest(started, result.derived[: len(started)])
        ),
        answers=tuple(message.message_id for message in batch.targets),
        notes=(*result.notes, result.failure) if result.failure else result.notes,
        calls=result.calls,
        uses=result.uses,
        outside=result.outside,
        waiting=result.waiting,
        elsewhere=result.elsewhere,
        trace=current_trace(),
        thread=batch.thread,
    )


def _links_in(task: Task, result: PlanResult) -> tuple[str, ...]:
    """The known addresses that stand in one task: all of them with each of many would be more than a document holds."""
    written = task.model_dump_json() if result.known_links else ""
    return tuple(one for one in result.known_links if one in written)


def _as_comment(tasks: Sequence[Task], message_id: int | None) -> tuple[Task, ...]:
    """The tasks; the first text replies to the comment that it answers, if it quotes nothing else."""
    first = next((task for task in tasks if task.traits.is_text), None)
    return tuple(task.replying_to(message_id) if task is first and message_id is not None else task for task in tasks)


def _seen_typed(tasks: tuple[PlannedTask, ...]) -> tuple[PlannedTask, ...]:
    """The tasks; people have seen the first message among them being written."""
    first = next((t for t in tasks if t.task.traits.is_text), None)
    return tuple(t.model_copy(update={"is_typed": True}) if t is first else t for t in tasks)
