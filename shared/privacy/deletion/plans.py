"""Plans without somebody: an open one goes on with what it has to do for others."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from ulid import ULID

from shared.values.origin import ConversationSpan

#: a plan as it is stored, or one of its tasks
Document = dict[str, Any]

#: where a task has words
_WORDS: Final = frozenset({
    "text", "instruction", "caption", "choices", "labels", "lines", "prompt", "unit", "why", "said", "whose",
    "reminder",
})  # fmt: skip


def is_from_before(plan: Document, moment: datetime) -> bool:
    """Whether a plan was made before a moment; one that does not tell was."""
    made_at = plan.get("created_at")
    return made_at is None or made_at <= moment


def without(plan: Document, is_gone: Callable[[Document], bool]) -> Document | None:
    """The plan without the tasks of which it is true; the same one if there are none. None: nothing is left to be done.

    What its model asked of tools, and what was noted of it, goes as well: it may be of those tasks.
    """
    tasks = plan.get("tasks") or []
    gone = [one for one in tasks if is_gone(one)]
    if not gone:
        return plan
    names = {_task_of(one).get("id") for one in gone}
    rest = [_without_waits(one, names) for one in tasks if one not in gone]
    return _without_notes(plan | {"tasks": rest}) if any(map(_is_open, rest)) else None


def unnoted(plan: Document) -> Document | None:
    """The plan without what was asked of tools and noted for it; none: nothing in it is open."""
    return _without_notes(plan) if any(map(_is_open, plan.get("tasks") or [])) else None


def shown_elsewhere(document: Document) -> tuple[ConversationSpan, ...]:
    """Return the messages of other conversations that a plan, or one of its tasks, was shown."""
    return tuple(map(ConversationSpan.model_validate, document.get("elsewhere") or ()))


def is_about(task: Document, person: int) -> bool:
    """Whether a task, as it is stored, does something to somebody, or offers to: it has their id."""
    named = _task_of(task) or task
    return any(one.get("person") == person for one in (named, *(named.get("acts") or ())))


def reworded(document: Document, say: Callable[[str], str]) -> Document:
    """The plan or the task with each of its words as `say` returns them; the same one if none changes."""
    left: Document = _reword(document, say, is_words=False)
    return left if left != document else document


def _reword(value: Any, say: Callable[[str], str], *, is_words: bool) -> Any:
    if isinstance(value, dict):
        return {name: _reword(one, say, is_words=name in _WORDS) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_reword(one, say, is_words=is_words) for one in value)
    return say(value) if is_words and isinstance(value, str) else value


def is_kept_from_before(task: Document, moment: datetime) -> bool:
    """Whether a task goes on that a plan from before a moment promised. A plan's id tells when it was made."""
    kept = task.get("kept_from")
    if not kept:
        return False
    try:
        return ULID.from_str(str(kept.get("plan"))).datetime <= moment
    except ValueError:
        return True


def _without_notes(plan: Document) -> Document:
    return plan | {"uses": [], "notes": []} | ({"elsewhere": []} if plan.get("elsewhere") else {})


def _is_open(task: Document) -> bool:
    return task.get("state") == "planned"


def _task_of(task: Document) -> Document:
    named: Document = task.get("task") or {}
    return named


def _without_waits(task: Document, gone: set[Any]) -> Document:
    """A task that waits for none of those that are gone."""
    waits_for = [one for one in _task_of(task).get("depends_on") or () if one not in gone]
    return task | {"task": _task_of(task) | {"depends_on": waits_for}}
