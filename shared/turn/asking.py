"""Asking first: what a plan may not do by itself is offered by a button, and done when whoever was asked presses it."""

from collections.abc import Sequence

from shared.logs import log
from shared.tasks.plan import Plan, PlannedTask
from shared.tasks.registry import stored_task
from shared.tasks.send import own_words
from shared.tasks.task import Task
from shared.turn.choosing import Choice
from shared.turn.commands import with_own_tasks
from shared.turn.services import TickContext
from shared.wording.words import Words, words_in


def labelled(plan: Plan, words: Words) -> Plan:
    """The plan, whose questions have a button each that says what it does."""
    tasks = (
        planned.model_copy(update={"task": planned.task.labelled(words)}) if planned.is_fresh else planned
        for planned in plan.tasks
    )
    return plan.model_copy(update={"tasks": tuple(tasks)})


def with_effects(context: TickContext, choices: Sequence[Choice], plan: Plan | None) -> Plan | None:
    """The plan with what was asked for by buttons before all else, as it was stored when they were offered."""
    own = [planned for choice in choices for planned in _done(context, choice)]
    return with_own_tasks(plan, own, context.now) if own else plan


def _done(context: TickContext, choice: Choice) -> Sequence[PlannedTask]:
    if choice.keyboard.effect is None:
        return ()
    name = f"pressed-{choice.press.updates[0]}"
    task = stored_task({**choice.keyboard.effect, "id": name, "depends_on": ()})
    assert isinstance(task, Task)
    log("done as it was offered", kind=task.kind)
    told = own_words(f"told-{name}", words_in(context.session.chat.last_language).say("confirm.done", what=choice.text))
    told = told.model_copy(update={"depends_on": (name,)})
    people = (choice.press.author.id,)
    return [PlannedTask(task=one, is_own=True, people=people) for one in (task, told)]
