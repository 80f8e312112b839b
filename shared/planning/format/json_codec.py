"""Plans as JSON: find the plan in a reply, read its tasks, and write plans."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

from shared.planning.format.json_text import ReplyText, read_text
from shared.planning.format.raw_task import RawTask, ReplyProblem, fields_to_write, kind_of, named_fields, raw_task
from shared.tasks.registry import plannable
from shared.tasks.task import Task

_WRAPPERS: Final = ("plan", "response", "reply")
_BETWEEN_LINES: Final = re.compile(r"[\s\ufeff,]*+")
_NO_PROSE: Final = re.compile(r"[\s\ufeff]*+(?:```[\w-]*+)?[\s\ufeff]*+")

_FORM: Final = 'Answer with the JSON plan alone: {"tasks": [...]}, each task an object with its `kind`.'
_NO_JSON: Final = ReplyProblem(f"There is no JSON in the reply, so nobody will read it. {_FORM}")
_NO_PLAN: Final = ReplyProblem(f"The JSON of the reply is not a plan: it has no `tasks`. {_FORM}")
_NO_LIST: Final = ReplyProblem(f"`tasks` is not a list of objects. {_FORM}")
_TWO_PLANS: Final = ReplyProblem(f"The reply holds several different plans. Write only the one to carry out. {_FORM}")
_MORE_TO_COME: Final = ReplyProblem(f"The reply ends with a comma, so a task is missing. {_FORM}")


def tasks_in_json(reply: str) -> list[RawTask] | ReplyProblem:
    """Return the reply's tasks in order, thoughts included; or a problem if it contains no plan or several plans."""
    text = read_text(reply)
    if isinstance(text, ReplyProblem):
        return text
    items = _only_plan(text)
    if isinstance(items, ReplyProblem):
        return items
    objects = [named_fields(item) for item in items if isinstance(item, dict)]
    if len(objects) < len(items):
        return _NO_LIST
    if nameless := [number for number, item in enumerate(objects, start=1) if not kind_of(item)]:
        return ReplyProblem(f"Task {nameless[0]} has no `kind`. {_FORM}")
    return [raw_task(item) for item in objects]


def plan_in_json(tasks: Iterable[Task]) -> str:
    """Return the plan as the model should write it, without ids and dependencies that are the default."""
    return json.dumps({"tasks": list(fields_to_write(tasks))}, ensure_ascii=False)


def _only_plan(text: ReplyText) -> list[object] | ReplyProblem:
    """Return the items of the plan. A repeated plan counts once; two different plans are a problem."""
    plans = [items for run in _adjacent_values(text) for items in _plans_of(run)] or _silent_plans(text)
    if not plans:
        return _NO_PLAN if text.values else _NO_JSON
    if any(items != plans[0] for items in plans):
        return _TWO_PLANS
    return _MORE_TO_COME if text.after.strip() == "," else plans[0]


def _silent_plans(text: ReplyText) -> list[list[object]]:
    """Return one empty plan if the whole reply is `[]`, else no plan: inside prose, `[]` is only a pair of brackets."""
    bare = [value.content for value in text.values] == [[]]
    return [[]] if bare and _NO_PROSE.fullmatch(text.values[0].before) and _NO_PROSE.fullmatch(text.after) else []


def _adjacent_values(text: ReplyText) -> list[list[object]]:
    """Group the values that have no prose between them. Some models write each task as an object on its own line."""
    runs: list[list[object]] = []
    for value in text.values:
        if runs and _BETWEEN_LINES.fullmatch(value.before):
            runs[-1].append(value.content)
        else:
            runs.append([value.content])
    return runs


def _plans_of(run: Sequence[object]) -> list[list[object]]:
    """Return the plans in a group of values. Objects that are not plans are read as single tasks of one more plan."""
    plans = [plan_items(content) for content in run]
    lines: list[object] = [
        content for content, items in zip(run, plans, strict=True) if items is None and isinstance(content, dict)
    ]
    return [items for items in [*plans, lines if _has_task(lines) else None] if items is not None]


def plan_items(content: object) -> list[object] | None:
    """Return the items of the plan in this value; None if the value is not a plan."""
    if isinstance(content, list):
        return content if _has_task(content) else None
    named = named_fields(content) if isinstance(content, dict) else {}
    if "tasks" in named:
        return _as_list(named["tasks"])
    inner = [named[wrapper] for wrapper in _WRAPPERS if wrapper in named]
    return plan_items(inner[0]) if inner else None


def _as_list(tasks: object) -> list[object]:
    """Return `tasks` as a list. `tasks` may also be a single task, or a string that contains JSON."""
    if isinstance(tasks, str):
        text = read_text(tasks)
        if isinstance(text, ReplyText) and len(text.values) == 1:
            tasks = text.values[0].content
    return tasks if isinstance(tasks, list) else [tasks]


def _has_task(items: Sequence[object]) -> bool:
    """Return whether any item is an object of a known kind of task; a thought alone is not a plan."""
    return any(isinstance(item, dict) and kind_of(named_fields(item)) in plannable() for item in items)
