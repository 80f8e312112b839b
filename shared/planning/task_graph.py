"""How the tasks of a reply hang together: ids, dependencies, and an order in which they can be done."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shared.planning.raw_task import RawTask, ReplyProblem
from shared.tasks.registry import traits_of

_CYCLE: Final = ReplyProblem(
    "The tasks depend on each other in a circle, so none could be the first. "
    "Write the plan again, each task depending only on tasks to be done before it."
)


@dataclass(frozen=True)
class Linked:
    """A task with its place in the graph; its dependencies stand before it."""

    raw: RawTask
    #: where it stood in the reply, 1 being the first
    number: int
    id: str
    depends_on: tuple[str, ...]


def link_tasks(raws: Sequence[RawTask], known: Sequence[bool]) -> tuple[list[Linked], list[str]] | ReplyProblem:
    """The `known` tasks in an order that can be carried out, and notes on what is not as it was written.

    What is left out (unknown kinds, thoughts, all but the last of an id) leaves its place to what it depended on.
    A circle is a problem: it cannot have been meant, and where to cut it would be a guess.
    """
    notes: list[str] = []
    kept = _kept(raws, known, notes)
    left_out = {raw.id: index for index, raw in enumerate(raws) if raw.id}
    edges = [_wanted(index, raw, left_out | kept) for index, raw in enumerate(raws)]
    notes += [note for index in kept.values() for note in _edge_notes(index, raws[index], left_out | kept)]
    for index, wanted in enumerate(edges):
        if wanted is None:
            edges[index] = _usual(index, raws, edges)
    ids = {index: id_ for id_, index in kept.items()}
    needs = {index: _needs(index, edges, ids.keys()) for index in sorted(ids)}
    order = _order(needs)
    if order is None:
        return _CYCLE
    return [Linked(raws[at], at + 1, ids[at], tuple(ids[need] for need in needs[at])) for at in order], notes


def _kept(raws: Sequence[RawTask], known: Sequence[bool], notes: list[str]) -> dict[str, int]:
    """Where each task that will be done stands, by its id; a task without one is named after its place."""
    kept: dict[str, int] = {}
    for index, raw in enumerate(raws):
        if known[index] and raw.id:
            if raw.id in kept:
                notes.append(f"Task {kept[raw.id] + 1} was left out: a later task has the same id.")
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


def _wanted(index: int, raw: RawTask, places: Mapping[str, int]) -> list[int] | None:
    """Where the tasks stand that this one names; None: it names none that exists, so the usual one counts."""
    if raw.depends_on is None:
        return None
    found = [places[id_] for id_ in raw.depends_on if places.get(id_, index) != index]
    return found if found or not raw.depends_on else None


def _edge_notes(index: int, raw: RawTask, places: Mapping[str, int]) -> Iterator[str]:
    wanted = raw.depends_on or ()
    if any(id_ not in places for id_ in wanted):
        yield f"Task {index + 1} depends on a task that does not exist; that was ignored."
    if any(places.get(id_) == index for id_ in wanted):
        yield f"Task {index + 1} depends on itself; that was ignored."


def _usual(index: int, raws: Sequence[RawTask], edges: Sequence[list[int] | None]) -> list[int]:
    """The task before, thoughts excepted, that does not itself wait for this one."""
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


def _needs(index: int, edges: Sequence[list[int] | None], kept: Collection[int]) -> list[int]:
    """The kept tasks that must be done before this one, looking through those left out; each once, in their order."""
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
    """The tasks with every need before what needs it, otherwise as they stood; None: there is a circle."""
    order: dict[int, None] = {}
    while len(order) < len(needs):
        ready = (at for at, wanted in needs.items() if at not in order and all(need in order for need in wanted))
        first = next(ready, None)
        if first is None:
            return None
        order[first] = None
    return list(order)
