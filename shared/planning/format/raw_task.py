"""Tasks as the model wrote them, before they are checked; and the links between them: ids, dependencies, order."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from shared.base.text import well_formed
from shared.tasks.registry import traits_of
from shared.tasks.task import Task

#: for each field, other names by which models that are given no schema call it
_OTHER_NAMES: Final = {
    "kind": ("type", "action"),
    "text": ("message", "content", "caption"),
    "reply_to": ("reply_to_message_id",),
    "message_id": ("reply_to",),
    "depends_on": ("dependencies",),
    "seconds": ("delay",),
    "sticker": ("emoji", "sticker_name"),
    "set": ("sticker_set", "set_name", "sticker_set_name"),
}
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True)
class ReplyProblem:
    """The reason why a reply cannot be used, written as a message to the model.

    The message quotes neither people nor the model, so it may be stored and logged.
    """

    hint: str


@dataclass(frozen=True, kw_only=True)
class RawTask:
    """One task as the model wrote it. Its kind may be unknown, and its values may be of any type."""

    kind: str
    #: empty if the model gave none
    id: str
    #: the ids as the model wrote them. None if it wrote none; an empty list means that the task waits for nothing
    depends_on: tuple[str, ...] | None
    fields: Mapping[str, object]


def named_fields(item: Mapping[str, object]) -> dict[str, object]:
    """Return the fields, renamed to lull's names. If a name occurs in several spellings, the exact one counts."""
    named: dict[str, object] = {}
    for key, value in item.items():
        name = _HUMP.sub("_", key).lower().replace("-", "_")
        if name == key or name not in named:
            named[name] = value
    for name, others in _OTHER_NAMES.items():
        for other in others:
            if name not in named and other in named:
                named[name] = named[other]
    return named


def raw_task(item: dict[str, object]) -> RawTask:
    """Return the task that this item describes. The fields of `item` must have the names that lull uses."""
    return RawTask(
        kind=kind_of(item), id=_id(item.get("id")), depends_on=_depends_on(item.get("depends_on")), fields=item
    )


def kind_of(item: dict[str, object]) -> str:
    """Return the kind of an item, in lull's spelling; empty if the item has no kind."""
    kind = item.get("kind")
    return kind.strip(" «»").lower().replace("_", "-") if isinstance(kind, str) else ""


def fields_to_write(tasks: Iterable[Task]) -> Iterator[dict[str, object]]:
    """Yield the fields of each task as a model writes them, without an id or a dependency that is the default."""
    usual: tuple[str, ...] = ()
    for number, task in enumerate(tasks, start=1):
        fields = task.model_dump(exclude={"id", "depends_on"}, exclude_none=True)
        if task.id != str(number):
            fields["id"] = task.id
        if task.depends_on != usual:
            fields["depends_on"] = task.depends_on
        yield fields
        usual = (task.id,)


def _id(value: object) -> str:
    """Return an id as text, the same for 1, 1.0 and "1"; empty if the value cannot be an id."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return well_formed(str(value)).strip()


def _depends_on(wanted: object) -> tuple[str, ...] | None:
    """Return the ids in the value, a list or a single id; None if the value contains nothing that can be an id."""
    if wanted == []:
        return ()
    ids = tuple(id_ for one in (wanted if isinstance(wanted, list) else [wanted]) if (id_ := _id(one)))
    return ids or None


_CYCLE: Final = ReplyProblem(
    "The tasks depend on each other in a circle, so none could be the first. "
    "Write the plan again, each task depending only on tasks to be done before it."
)


@dataclass(frozen=True)
class LinkedTask:
    """A task with its position and its dependencies. In a list of linked tasks, each task follows its dependencies."""

    raw: RawTask
    #: the task's position in the reply, from 1
    number: int
    id: str
    depends_on: tuple[str, ...]


def link_tasks(raws: Sequence[RawTask], known: Sequence[bool]) -> tuple[list[LinkedTask], list[str]] | ReplyProblem:
    """Return the tasks whose flag in `known` is true, in an executable order, and notes on what was changed.

    If a task is left out (an unknown kind, a thought, a repeated task), the tasks that depended on it get its
    dependencies instead. A cycle of dependencies is a problem for the model to solve: it cannot be intended, and
    nothing shows where to break it.
    """
    notes: list[str] = []
    raws = _with_own_ids(raws, known)
    kept = _kept_places(raws, known, notes)
    left_out = {raw.id: index for index, raw in enumerate(raws) if raw.id}
    edges = [_named_dependencies(index, raw, left_out | kept) for index, raw in enumerate(raws)]
    notes += [note for index in kept.values() for note in _edge_notes(index, raws[index], left_out | kept)]
    for index, wanted in enumerate(edges):
        if wanted is None:
            edges[index] = _default_dependency(index, raws, edges)
    ids = {index: id_ for id_, index in kept.items()}
    needs = {index: _kept_dependencies(index, edges, ids.keys()) for index in sorted(ids)}
    order = _order(needs)
    if order is None:
        return _CYCLE
    return [LinkedTask(raws[at], at + 1, ids[at], tuple(ids[need] for need in needs[at])) for at in order], notes


def _with_own_ids(raws: Sequence[RawTask], known: Sequence[bool]) -> list[RawTask]:
    """Return the tasks with unique ids. If several tasks have a dependency's id, the nearest one above is meant."""
    taken, newest, made = {raw.id for raw in raws}, dict[str, str](), list[RawTask]()
    for index, raw in enumerate(raws):
        wanted = raw.depends_on
        named = replace(raw, depends_on=wanted and tuple(newest.get(one, one) for one in wanted))
        if known[index] and raw.id:
            if raw.id in newest and raw not in raws[:index]:
                named = replace(named, id=_free_name(f"task-{raw.id}", taken))
                taken.add(named.id)
            newest[raw.id] = named.id
        made.append(named)
    return made


def _kept_places(raws: Sequence[RawTask], known: Sequence[bool], notes: list[str]) -> dict[str, int]:
    """Return the positions of the tasks to keep, by id. A task without an id gets its number in the plan as id."""
    kept: dict[str, int] = {}
    for index, raw in enumerate(raws):
        if known[index] and raw.id:
            if raw.id in kept:
                notes.append(f"Task {kept[raw.id] + 1} was left out: a later task is the same.")
            kept[raw.id] = index
    taken = {raw.id for raw in raws}
    places = [index for index, raw in enumerate(raws) if traits_of(raw.kind).is_kept]
    for place, index in enumerate(places, start=1):
        if known[index] and not raws[index].id:
            kept[_free_name(str(place), taken)] = index
    return kept


def _free_name(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name = f"task-{name}"
    return name


def _named_dependencies(index: int, raw: RawTask, places: Mapping[str, int]) -> list[int] | None:
    """Return the positions of the dependencies that the task at `index` names.

    None if it names none, or if no task has any of these names; the default dependency then applies.
    """
    if raw.depends_on is None:
        return None
    named = [places[id_] for id_ in raw.depends_on if places.get(id_, index) != index]
    return named if named or not raw.depends_on else None


def _edge_notes(index: int, raw: RawTask, places: Mapping[str, int]) -> Iterator[str]:
    wanted = raw.depends_on or ()
    if any(id_ not in places for id_ in wanted):
        yield f"Task {index + 1} depends on a task that does not exist; that was ignored."
    if any(places.get(id_) == index for id_ in wanted):
        yield f"Task {index + 1} depends on itself; that was ignored."


def _default_dependency(index: int, raws: Sequence[RawTask], edges: Sequence[list[int] | None]) -> list[int]:
    """Return the nearest earlier task that does not depend on the task at `index`. Thoughts are skipped."""
    before = (at for at in reversed(range(index)) if traits_of(raws[at].kind).is_kept)
    return next(([at] for at in before if not _waits_for(at, index, edges)), [])


def _waits_for(start: int, goal: int, edges: Sequence[list[int] | None]) -> bool:
    seen: set[int] = set()
    ahead = [start]
    while ahead:
        at = ahead.pop()
        if at == goal:
            return True
        if at not in seen:
            seen.add(at)
            ahead += edges[at] or []
    return False


def _kept_dependencies(index: int, edges: Sequence[list[int] | None], kept: Collection[int]) -> list[int]:
    """Return the kept tasks that this task depends on, directly or through left-out tasks: in order, each once."""
    needs: dict[int, None] = {}
    seen = {index}
    ahead = list(reversed(edges[index] or []))
    while ahead:
        at = ahead.pop()
        if at in seen:
            continue
        seen.add(at)
        if at in kept:
            needs[at] = None
        else:
            ahead += reversed(edges[at] or [])
    return list(needs)


def _order(needs: Mapping[int, list[int]]) -> list[int] | None:
    """Return the tasks' indexes in an order in which each task follows its dependencies; None if these form a cycle."""
    order: dict[int, None] = {}
    while len(order) < len(needs):
        ready = (at for at, wanted in needs.items() if at not in order and all(need in order for need in wanted))
        first = next(ready, None)
        if first is None:
            return None
        order[first] = None
    return list(order)
