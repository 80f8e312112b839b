"""Review a plan: remove leaks of the prompt from texts that people will read, or send the plan back to the model.

A plan with too many tasks of one kind is also reduced or sent back. A text is a leak only if it was in the prompt, or
if it can have no other source: people may talk about the `message_id=5` of their own program, or about an order
`Shop#123456`. Code is left unchanged.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from shared.base.text import is_blank, well_formed
from shared.planning.format.json_text import ReplyText, read_text
from shared.planning.format.raw_task import ReplyProblem, kind_of, named_fields
from shared.planning.guard.calls import without_calls
from shared.planning.guard.guard import LeakGuard, LeakKind, mask_code, normal
from shared.tasks.registry import plannable, traits_of
from shared.tasks.task import Task
from shared.values.capabilities import OutputKind
from shared.values.evolve import evolve

#: bytes of letters and digits, some thirty-five English words: too many to equal the instructions by chance
LONGEST_ECHO = 160
ECHO_STEP = 20
#: the minimum for one line; a shorter line may equal the instructions by coincidence
LEAST_ECHO = 40

_FENCED = re.compile(r"```\w*\s*(\{[^`]*\}|\[[^`]*\])\s*```")
_CUT_OFF = re.compile(rf'\{{\s*"tasks"\s*:\s*\[\s*\{{\s*"kind"|\{{\s*"kind"\s*:\s*"(?:{"|".join(plannable())})"\s*,')

_EMPTY = "The text of a `send` was nothing but parts of the prompt"
_ECHO = "The text of a `send` repeats your instructions word for word, which nobody is to read"
_NESTED = "The text of a `send` is itself a plan"
_CALL = "The text of a `send` calls a function, which nobody hears there"
_DRAWN = "A picture of your instructions, or of other parts of the prompt, is for nobody. Plan something else."
_TOO_MANY = (
    "The plan has {count} tasks `{kind}`, and at most {most} of them are done. Write it again with the best ones."
)
_FEWER = "Some tasks were left out or said in words: the plan had too many of their kind."
_AGAIN = "Write the plan again: people read the text of `send` exactly as it stands."


class TextVerdict(StrEnum):
    CLEAN = "clean"
    CLEANED = "cleaned"
    SEND_BACK = "send_back"


@dataclass(frozen=True, kw_only=True)
class TextInspection:
    """The result of inspecting a text that people will read: the text without leaks, and whether to send the plan back.

    If the plan should be sent back, `hint` tells the model why. `text` is used if the plan cannot be sent back; it may
    be empty. A text without leaks is unchanged.
    """

    verdict: TextVerdict
    text: str
    leaks: tuple[LeakKind, ...] = ()
    hint: str = ""


@dataclass(frozen=True)
class ReviewResult:
    """Tasks whose texts may be sent, and sentences about what was changed. The sentences quote nothing."""

    tasks: tuple[Task, ...]
    notes: tuple[str, ...] = ()


def review_tasks(tasks: Sequence[Task], guard: LeakGuard, *, may_send_back: bool) -> ReviewResult | ReplyProblem:
    """Return the tasks with cleaned texts, or the problem to report to the model.

    Without `may_send_back`, no plan is sent back: if a text has nothing left after cleaning, its task is left out, and
    the tasks that depended on it get its dependencies instead.
    """
    too_many = _too_many(tasks)
    if too_many and may_send_back:
        return ReplyProblem(too_many)
    reviewed = _with_pictures(_within_limits(tasks), guard)
    if reviewed.notes and may_send_back:
        return ReplyProblem(_DRAWN)
    reviewed = ReviewResult(reviewed.tasks, (*reviewed.notes, *([_FEWER] if too_many else ())))
    # from the last task to the first, so that leaving one out does not change the positions of the others
    for place, task in reversed(list(enumerate(reviewed.tasks))):
        seen = inspect_text(task.words, guard) if task.traits.is_text else None
        reviewed = _with_choices(reviewed, place, guard)
        if seen is None or seen.verdict is TextVerdict.CLEAN:
            continue
        if seen.verdict is TextVerdict.SEND_BACK and may_send_back:
            return ReplyProblem(f"{seen.hint}. {_AGAIN}")
        reviewed = _with_text(reviewed, place, seen)
    return reviewed


def _too_many(tasks: Sequence[Task]) -> str:
    """Return the hint for the first kind of task of which a plan has too many; empty if there is no such kind."""
    counts = Counter(task.kind for task in tasks)
    bounds = ((kind, count, traits_of(kind).uses.most_per_plan) for kind, count in counts.items())
    return next((_TOO_MANY.format(kind=k, count=n, most=most) for k, n, most in bounds if 0 < most < n), "")


def _within_limits(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """Return the tasks within the limits of their kinds. Tasks beyond a limit become texts, or are dropped."""
    kept, done = tuple(tasks), Counter[str]()
    for task in tasks:
        done[task.kind] += 1
        if 0 < task.traits.uses.most_per_plan < done[task.kind]:
            place = next(at for at, one in enumerate(kept) if one.id == task.id)
            now, before, after = kept[place], kept[:place], kept[place + 1 :]
            said = now.in_words()
            kept = (*before, said, *after) if said is not None else _without(now, before, after)
    return kept


def _with_pictures(tasks: Sequence[Task], guard: LeakGuard) -> ReviewResult:
    """Return the tasks without leaks in the prompts for pictures. A picture whose prompt becomes empty is left out."""
    reviewed = ReviewResult(tuple(tasks))
    for place, task in reversed(list(enumerate(tasks))):
        wanted = task.file_request
        seen = inspect_text(wanted.words, guard) if wanted is not None and wanted.makes is OutputKind.PICTURES else None
        if seen is None or seen.verdict is TextVerdict.CLEAN:
            continue
        before, after = reviewed.tasks[:place], reviewed.tasks[place + 1 :]
        kept = (
            (*before, task.with_file_words(seen.text), *after)
            if not is_blank(seen.text)
            else _without(task, before, after)
        )
        reviewed = ReviewResult(kept, (*reviewed.notes, "Parts of the prompt were taken out of a picture."))
    return reviewed


def _with_choices(reviewed: ReviewResult, place: int, guard: LeakGuard) -> ReviewResult:
    """Return the tasks. The task at index `place` loses those choices that contain parts of the prompt."""
    task = reviewed.tasks[place]
    kept = tuple(one for one in task.offered if inspect_text(one, guard).verdict is TextVerdict.CLEAN)
    if kept == task.offered:
        return reviewed
    tasks = (*reviewed.tasks[:place], task.offering(kept), *reviewed.tasks[place + 1 :])
    return ReviewResult(tasks, (*reviewed.notes, "A choice was left out that held parts of the prompt."))


def inspect_text(text: str, guard: LeakGuard) -> TextInspection:
    """Return one text without leaks, and the verdict: clean, cleaned, or to be sent back with a hint."""
    for leak, rest, hint in _misplaced_parts(text, guard):
        if rest is not None:
            kept = _if_clean(rest, guard)
            return TextInspection(verdict=TextVerdict.SEND_BACK, text=kept, leaks=(leak,), hint=hint)
    cleaned, leaks = guard.remove_leaks(mask_code(well_formed(text)))
    if _is_echo(cleaned, guard.normal_system):
        rest = _without_echo(cleaned, guard.normal_system)
        return TextInspection(
            verdict=TextVerdict.SEND_BACK, text=rest, leaks=(*leaks, LeakKind.INSTRUCTIONS), hint=_ECHO
        )
    if not leaks:
        return TextInspection(verdict=TextVerdict.CLEAN, text=text)
    verdict = TextVerdict.CLEANED if not is_blank(cleaned) else TextVerdict.SEND_BACK
    return TextInspection(verdict=verdict, text=cleaned.strip("\n"), leaks=leaks, hint=_EMPTY)


def _misplaced_parts(text: str, guard: LeakGuard) -> Iterator[tuple[LeakKind, str | None, str]]:
    """Yield the kind of leak, the text without it, and a hint for the model: first for plans in a text, then for calls.

    The second value is None if the text contains no such leak.
    """
    yield LeakKind.PLAN, _nested_plan(text), _NESTED
    yield LeakKind.CALL, without_calls(text, guard.tools), _CALL


def _if_clean(rest: str, guard: LeakGuard) -> str:
    """Remove the leaks from `rest`, a text from which a plan or a call was removed.

    Return "" if `rest` still contains a plan or a call, or repeats the instructions.
    """
    if any(again is not None for _, again, _ in _misplaced_parts(rest, guard)):
        return ""
    kept, _ = guard.remove_leaks(mask_code(well_formed(rest)))
    return "" if _is_echo(kept, guard.normal_system) else kept.strip("\n")


def _with_text(reviewed: ReviewResult, place: int, seen: TextInspection) -> ReviewResult:
    """Return the tasks with the cleaned text in the task at `place`; without that task if the cleaned text is empty."""
    task = reviewed.tasks[place]
    before, after = reviewed.tasks[:place], reviewed.tasks[place + 1 :]
    if not is_blank(seen.text):
        note = f"Parts of the prompt were taken out of a text: {', '.join(seen.leaks)}."
        return ReviewResult((*before, task.with_words(seen.text), *after), (*reviewed.notes, note))
    note = "A text was left out that was nothing but parts of the prompt."
    return ReviewResult(_without(task, before, after), (*reviewed.notes, note))


def _without(gone: Task, before: Sequence[Task], after: Sequence[Task]) -> tuple[Task, ...]:
    return tuple(_relink(one, gone) for one in (*before, *after))


def _relink(task: Task, gone: Task) -> Task:
    if gone.id not in task.depends_on:
        return task
    others = (one for name in task.depends_on for one in (gone.depends_on if name == gone.id else (name,)))
    return evolve(task, depends_on=tuple(dict.fromkeys(others)))


def _nested_plan(text: str) -> str | None:
    """If a text contains a plan, return the rest of the text, or if there is no rest, the texts of the plan's tasks.

    None if the text contains no plan. A plan in a code block is an example, unless the block is the whole text.
    """
    code = mask_code(well_formed(text))
    fence = _FENCED.fullmatch(code.restore(code.prose).strip())
    prose = fence[1] if fence else code.prose
    if "{" not in prose:
        return None
    read = read_text(prose)
    if not isinstance(read, ReplyText):
        start = _CUT_OFF.search(prose)
        return code.restore(prose[: start.start()]).strip() if start else None
    plans = [tasks for value in read.values if (tasks := _tasks_in(value.content))]
    if not plans:
        return None
    rest = "".join((*(value.before for value in read.values), read.after)).strip()
    said = [task.get("text") for tasks in plans for task in tasks if traits_of(kind_of(task)).is_text]
    return code.restore(rest or "\n\n".join(text for text in said if isinstance(text, str)))


def _tasks_in(content: object) -> list[dict[str, object]]:
    """Return the tasks in a JSON value that is a plan or a part of one."""
    if isinstance(content, dict):
        fields = named_fields(content)
        if _is_task(fields):
            return [fields]
        content = fields.get("tasks")
    items = content if isinstance(content, list) else []
    return [task for item in items for task in _tasks_in(item)]


def _is_task(fields: dict[str, object]) -> bool:
    """Return whether the fields are a task's. JSON of other programs may have an `action` of `wait` as well."""
    model = plannable().get(kind_of(fields))
    own = model.model_fields if model is not None else {}
    return any(field.is_required() and name in fields for name, field in own.items())


def _is_echo(text: str, system: bytes) -> bool:
    """Return whether a text repeats a long piece of the instructions, in code or in prose."""
    said = normal(text)
    return any(said[at : at + LONGEST_ECHO] in system for at in range(0, len(said) - LONGEST_ECHO + 1, ECHO_STEP))


def _without_echo(text: str, system: bytes) -> str:
    """Return the text without the lines that are also lines of the instructions."""
    kept = [line for line in text.split("\n") if len(normal(line)) < LEAST_ECHO or normal(line) not in system]
    rest = "\n".join(kept).strip("\n")
    return "" if _is_echo(rest, system) else rest
