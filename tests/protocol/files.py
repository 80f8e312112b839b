"""All orders of events for a file in several messages: ticks request its description, and chats are told the result.

Each step is one request of a tick or of `describe_media`; any other step may happen between two of them.
"""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

#: the chat of each message, in the order in which a chat's ticks read them
CHATS = ("a", "a", "b")
#: rules that a search can leave out to see the resulting error
BREAKS = (
    "no second look",
    "looks before it commits",
    "does not look again who waits",
    "closes whatever was added",
)


class Tick(NamedTuple):
    """The tick that reads one message: 0 reads, 1 requests, 2 commits, 3 reads again, 4 has ended."""

    step: int = 0


class Run(NamedTuple):
    """A run of describe_media, for all chats or again for one: 0 begins, 1 describes, 2 reads who waits, 3
    tells them.
    """

    step: int = 0
    #: the message whose chat requests it again; none: for all that wait
    again: int | None = None
    #: the waiting chats that it read, with the messages in their references
    waiting: frozenset[tuple[str, frozenset[int]]] = frozenset()


class World(NamedTuple):
    """The state between two steps."""

    ticks: tuple[Tick, ...]
    runs: tuple[Run, ...] = ()
    #: undelivered tasks: for all chats, or again for one message
    tasks: frozenset[int | None] = frozenset()
    is_name_taken: bool = False
    is_described: bool = False
    times_described: int = 0
    #: chat → the messages of its reference, and whether the reference is open
    references: tuple[tuple[str, frozenset[int], bool], ...] = (("a", frozenset(), False), ("b", frozenset(), False))
    #: messages with the description, or whose chat was told of it
    known: frozenset[int] = frozenset()
    crashes: int = 0
    #: whether the sweep had to help
    is_late: bool = False


def search(crashes: int = 0, broken: str = "") -> str:
    """Search all orders of steps; return the first error, or an empty text."""
    start = World(ticks=tuple(Tick() for _ in CHATS))
    seen, queue = {start}, deque([start])
    while queue:
        world = queue.popleft()
        nexts = list(steps(world, crashes, broken))
        if wrong := _wrong(world, is_over=not nexts):
            return wrong
        for one in nexts:
            if one not in seen:
                seen.add(one)
                queue.append(one)
    return ""


def _wrong(world: World, *, is_over: bool) -> str:
    if world.times_described > 1:
        return "described twice"
    if world.is_late and not world.crashes:
        return "late"
    return "lost" if is_over and len(world.known) < len(CHATS) else ""


def steps(world: World, crashes: int, broken: str) -> Iterator[World]:
    """Yield every possible next world."""
    for number, tick in enumerate(world.ticks):
        if tick.step < 4 and all(world.ticks[n].step == 4 for n in range(number) if CHATS[n] == CHATS[number]):
            after = _ticked(world, number, tick, broken)
            yield after
            if world.crashes < crashes:
                # before the commit the message is unread, so another tick reads it; after the commit no tick does
                to = 0 if tick.step < 3 else 4
                yield _with_tick(world, number, to)._replace(crashes=world.crashes + 1)
    for task in world.tasks:
        run = Run(again=task)
        yield world._replace(tasks=world.tasks - {task}, runs=tuple(sorted((*world.runs, run), key=repr)))
    for run in set(world.runs):
        rest = _without(world, run)
        yield _ran(rest, run, broken)
        if world.crashes < crashes:  # the queue delivers its task again
            yield rest._replace(tasks=rest.tasks | {run.again}, crashes=world.crashes + 1)
    is_idle = not world.tasks and not world.runs and all(tick.step == 4 for tick in world.ticks)
    if is_idle and any(is_open for _, _, is_open in world.references):
        yield world._replace(runs=(Run(),), is_late=True)


def _ticked(world: World, number: int, tick: Tick, broken: str) -> World:
    chat, after = CHATS[number], _with_tick(world, number, tick.step + 1)
    match tick.step:
        case 0 if world.is_described:  # the description is in the message already, and is committed
            return _with_tick(world, number, 4)._replace(known=world.known | {number})
        case 1 if not world.is_name_taken:
            return after._replace(tasks=world.tasks | {None}, is_name_taken=True)
        case 2:
            references = tuple(
                (c, ids | {number}, True) if c == chat else (c, ids, o) for c, ids, o in world.references
            )
            is_second_look = broken not in {"no second look", "looks before it commits"}
            done = after if is_second_look else _with_tick(world, number, 4)
            return done._replace(references=references)
        case 3 if world.is_described:
            return after._replace(tasks=world.tasks | {number})
    return after


def _ran(world: World, run: Run, broken: str) -> World:
    """Return the world after the next step of a run. The given world does not contain the run."""
    looks_early = broken == "does not look again who waits"
    match run.step:
        case 0:
            waiting = _waiting(world, run) if looks_early else frozenset()
            return _with_run(world, run._replace(step=1, waiting=waiting))
        case 1:
            times = world.times_described + (not world.is_described)
            return _with_run(world._replace(is_described=True, times_described=times), run._replace(step=2))
        case 2:
            waiting = run.waiting if looks_early else _waiting(world, run)
            return _with_run(world, run._replace(step=3, waiting=waiting))
    told = frozenset(message for _, messages in run.waiting for message in messages)
    is_blind = broken == "closes whatever was added"
    waited = {chat: range(len(CHATS)) if is_blind else messages for chat, messages in run.waiting}
    references = tuple((c, ids, o and not ids.issubset(waited.get(c, ()))) for c, ids, o in world.references)
    return world._replace(known=world.known | told, references=references)


def _waiting(world: World, run: Run) -> frozenset[tuple[str, frozenset[int]]]:
    """Return the chats with open references; a run for one message also has the chat of that message."""
    waiting = frozenset((c, ids) for c, ids, is_open in world.references if is_open)
    if run.again is not None and CHATS[run.again] not in {chat for chat, _ in waiting}:
        return waiting | {(CHATS[run.again], frozenset({run.again}))}
    return waiting


def _with_tick(world: World, number: int, step: int) -> World:
    ticks = tuple(Tick(step) if n == number else tick for n, tick in enumerate(world.ticks))
    return world._replace(ticks=ticks)


def _with_run(world: World, run: Run) -> World:
    return world._replace(runs=tuple(sorted((*world.runs, run), key=repr)))


def _without(world: World, run: Run) -> World:
    left = list(world.runs)
    left.remove(run)
    return world._replace(runs=tuple(left))
