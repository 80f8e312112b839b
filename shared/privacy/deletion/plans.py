"""Removes a forgotten person's data from stored plans. In an open plan, the tasks for other people stay."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from ulid import ULID

from shared.values.origin import ConversationSpan

#: a stored plan, or one of its tasks
Document = dict[str, Any]

#: fields of a task that contain text
_WORDS: Final = frozenset({
    "text", "instruction", "caption", "choices", "labels", "lines", "prompt", "unit", "why", "said", "whose",
    "reminder",
})  # fmt: skip


def is_from_before(plan: Document, moment: datetime) -> bool:
    """Return whether a plan was made at or before `moment`. A plan without a time counts as older."""
    made_at = plan.get("created_at")
    return made_at is None or made_at <= moment


def without(plan: Document, is_gone: Callable[[Document], bool]) -> Document | None:
    """Return the plan without the tasks for which `is_gone` is true.

    If there are no such tasks, the same object is returned; if no open task is left, None. Together with tasks, the
    plan's tool calls and notes are removed, since they may belong to these tasks.
    """
    tasks = plan.get("tasks") or []
    gone = [one for one in tasks if is_gone(one)]
    if not gone:
        return plan
    names = {_task_of(one).get("id") for one in gone}
    rest = [_without_waits(one, names) for one in tasks if one not in gone]
    return _clear_notes(plan | {"tasks": rest}) if any(map(_is_open, rest)) else None


def without_notes(plan: Document) -> Document | None:
    """Return the plan without its tool calls and notes; None if no task of the plan is open."""
    return _clear_notes(plan) if any(map(_is_open, plan.get("tasks") or [])) else None


def shown_elsewhere(document: Document) -> tuple[ConversationSpan, ...]:
    """Return the messages of other conversations that the model was shown for a plan, or for one of its tasks."""
    return tuple(map(ConversationSpan.model_validate, document.get("elsewhere") or ()))


def is_about(task: Document, person: int) -> bool:
    """Return whether a stored task concerns a person, that is, whether the task or an action that it offers has the
    person's id.
    """
    named = _task_of(task) or task
    return any(one.get("person") == person for one in (named, *(named.get("acts") or ())))


def reword(document: Document, say: Callable[[str], str]) -> Document:
    """Return the document with each of its texts replaced by the result of `say`. If no text changes, the same object
    is returned.
    """
    left: Document = _reword(document, say, is_words=False)
    return left if left != document else document


def _reword(value: Any, say: Callable[[str], str], *, is_words: bool) -> Any:
    if isinstance(value, dict):
        return {name: _reword(one, say, is_words=name in _WORDS) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_reword(one, say, is_words=is_words) for one in value)
    return say(value) if is_words and isinstance(value, str) else value


def is_kept_from_before(task: Document, moment: datetime) -> bool:
    """Return whether a task was carried over from a plan made at or before `moment`, judged by that plan's id."""
    kept = task.get("kept_from")
    if not kept:
        return False
    try:
        return ULID.from_str(str(kept.get("plan"))).datetime <= moment
    except ValueError:
        return True


def _clear_notes(plan: Document) -> Document:
    return plan | {"uses": [], "notes": []} | ({"elsewhere": []} if plan.get("elsewhere") else {})


def _is_open(task: Document) -> bool:
    return task.get("state") == "planned"


def _task_of(task: Document) -> Document:
    named: Document = task.get("task") or {}
    return named


def _without_waits(task: Document, gone: set[Any]) -> Document:
    """Return the task without its dependencies on the removed tasks (`gone`, by id)."""
    waits_for = [one for one in _task_of(task).get("depends_on") or () if one not in gone]
    return task | {"task": _task_of(task) | {"depends_on": waits_for}}
