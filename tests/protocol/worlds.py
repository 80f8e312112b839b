"""Every interleaving of webhook and tick on one chat, with crashes, repeats, stalled leases and failing models.

This is the order of steps in `chat/jobs/receive.py` and `turn/jobs/tick.py` and nothing else. Change the order of their
steps here first: a rule that is not here has not been checked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

#: wrong designs, each of which the search must find
BREAKS = (
    "name-by-window",
    "read-before-claim",
    "no-follow-up",
    "one-follow-up-name",
    "no-fence",
    "one-quiet-name",
    "release-without-task",
    "release-with-rest",
    "release-without-count",
)


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """The limits of the search."""

    updates: int = 2
    #: processes killed between two of their steps
    crashes: int = 0
    #: tasks run a second time at once (Cloud Tasks delivers at least once)
    repeats: int = 0
    #: leases that expire under a tick that is alive
    stalls: int = 0
    #: the most waits of a tick for the end of a burst
    waits: int = 0
    #: the number of failures of the model
    failures: int = 0
    #: how often a tick takes the chat from its holder (somebody asked to stop)
    stops: int = 0
    broken: str = ""


class Webhook(NamedTuple):
    """The request of one update: create → generation → enqueue → done."""

    update: int
    step: str = "create"
    seen: int = -1  #: the generation that was read


class Tick(NamedTuple):
    """One run of the tick: see → claim → inbox → look → commit → release or inbox again; or it is put off."""

    task: str
    step: str = "see"
    stale: bool = False  #: the chat's document has changed since it was read, so the compare-and-set will fail
    mine: int = -1  #: id of the lease it holds
    met: int = -1  #: the lease or generation that it met
    batch: int = 0
    rest: bool = False  #: whether it has left unread updates for its next round


class World(NamedTuple):
    """The state between two steps."""

    webhooks: tuple[Webhook, ...]
    ticks: tuple[Tick, ...] = ()
    stored: int = 0  #: inbox documents, a bit for each update
    read: int = 0  #: those that a committed batch marked
    twice: bool = False  #: some update was in two committed batches
    late: bool = False  #: some update found its name used while the chat was free, and must wait for a follow-up
    generation: int = 0
    lease: int = -1  #: id of the lease in the chat's document, -1 for none
    expired: bool = False  #: whether the lease has expired
    leases: int = 0
    pending: frozenset[str] = frozenset()  #: tasks waiting or running
    gone: frozenset[str] = frozenset()  #: names that cannot be used for an hour
    crashes: int = 0
    repeats: int = 0
    stalls: int = 0
    failures: int = 0
    stops: int = 0


def enqueue(w: World, name: str) -> World:
    """Add a named task, unless the name is used."""
    return w if name in w.pending or name in w.gone else w._replace(pending=w.pending | {name})


def written(w: World, **chat: Any) -> World:
    """Mark the chat's document as written: a claim by a tick that read it before will fail."""
    ticks = tuple(t._replace(stale=True) if t.step == "claim" else t for t in w.ticks)
    return w._replace(ticks=ticks, **chat)


def put(items: tuple[Any, ...], i: int, item: Any) -> tuple[Any, ...]:
    """Return the items with one replaced, or removed for None."""
    return items[:i] + ((item,) if item is not None else ()) + items[i + 1 :]


def attempt_of(task: str, prefix: str) -> int:
    """Return how often a wake of this name was put off; 0 for a task of another name."""
    return int(task.rsplit(".", 1)[1]) if task.startswith(f"{prefix}.") else 0


def finished(w: World, i: int) -> World:
    """End a tick with 200: its task is done, unless another run of it goes on."""
    task = w.ticks[i].task
    others = any(t.task == task for j, t in enumerate(w.ticks) if j != i)
    w = w._replace(ticks=put(w.ticks, i, None))
    return w if others else w._replace(pending=w.pending - {task}, gone=w.gone | {task})


def webhook_steps(w: World, i: int, bounds: Bounds) -> Iterator[World]:
    """Yield the worlds after the webhook's next step."""
    h = w.webhooks[i]
    if h.step == "create":
        yield w._replace(stored=w.stored | 1 << h.update, webhooks=put(w.webhooks, i, h._replace(step="generation")))
    elif h.step == "generation":
        yield w._replace(webhooks=put(w.webhooks, i, h._replace(step="enqueue", seen=w.generation)))
    elif h.step == "enqueue":
        name = "soon0" if bounds.broken == "name-by-window" else f"soon{h.seen}"
        # a waiting tick exists already, which comes as soon as this one would
        rests = any(task.startswith(f"quiet{h.seen}.") for task in w.pending)
        is_late = f"soon{h.seen}" in w.gone and w.lease < 0 and h.seen == w.generation and not rests
        w = w._replace(late=w.late or is_late)
        yield enqueue(w, name)._replace(webhooks=put(w.webhooks, i, h._replace(step="done")))


class TickSteps:
    """The next step of a tick: one method for each step."""

    def __init__(self, w: World, i: int, bounds: Bounds) -> None:
        """Prepare the step of one tick."""
        self.w, self.i, self.tick, self.bounds = w, i, w.ticks[i], bounds

    def next(self) -> Iterator[World]:
        """Yield the worlds after the step."""
        step = getattr(self, self.tick.step.replace(" ", "_"))
        yield from step()

    def at(self, step: str, w: World | None = None, **more: Any) -> World:
        """Return the world with this tick at another step."""
        w = w or self.w
        return w._replace(ticks=put(w.ticks, self.i, self.tick._replace(step=step, **more)))

    @property
    def is_mine(self) -> bool:
        """Whether the document still has this tick's lease, expired or not."""
        return self.w.lease == self.tick.mine

    def see(self) -> Iterator[World]:
        """Read the chat's document."""
        w = self.w
        if w.lease >= 0 and not w.expired:
            yield self.at("follow up", met=w.lease)
            if w.stops < self.bounds.stops:
                stopping = w._replace(stops=w.stops + 1)
                yield self.at("claim", stopping, stale=False)  # taken from the tick that holds it
                yield self.at("mark", stopping, met=w.lease)  # or that tick is told by a mark
            return
        batch = w.stored & ~w.read if self.bounds.broken == "read-before-claim" else 0
        yield self.at("claim", stale=False, batch=batch)
        waits = self.tick.task.startswith(("soon", "quiet"))  # a tick with another reason has waited long enough
        if waits and attempt_of(self.tick.task, f"quiet{w.generation}") < self.bounds.waits:
            yield self.at("wait", met=w.generation, batch=0)

    def wait(self) -> Iterator[World]:
        """People are still writing: come back later."""
        again = attempt_of(self.tick.task, f"quiet{self.tick.met}") + 1
        number = 0 if self.bounds.broken == "one-quiet-name" else again
        yield finished(enqueue(self.w, f"quiet{self.tick.met}.{number}"), self.i)

    def follow_up(self) -> Iterator[World]:
        """Another tick holds the chat: come back when its lease is over."""
        name = f"after{self.tick.met}"
        is_again = self.tick.task.startswith(f"{name}.") and self.bounds.broken != "one-follow-up-name"
        number = attempt_of(self.tick.task, name) + 1 if is_again else 0
        w = self.w if self.bounds.broken == "no-follow-up" else enqueue(self.w, f"{name}.{number}")
        yield finished(w, self.i)

    def mark(self) -> Iterator[World]:
        """Write a mark into the chat's document, whichever tick holds the chat by now."""
        yield self.at("follow up", written(self.w))

    def claim(self) -> Iterator[World]:
        """Take the lease and increase the generation, in one compare-and-set."""
        w = self.w
        if self.tick.stale:
            yield self.at("see", stale=False, batch=0)
            return
        mine = w.leases
        claimed = written(w, generation=w.generation + 1, lease=mine, leases=mine + 1, expired=False)
        step = "commit" if self.bounds.broken == "read-before-claim" else "inbox"
        yield self.at(step, claimed, stale=False, mine=mine)

    def inbox(self) -> Iterator[World]:
        """Read all unread updates, or only the oldest, and ask the model, which may be out of reach."""
        unread = self.w.stored & ~self.w.read
        yield self.at("look", batch=unread, rest=False)
        if unread & (unread - 1):
            yield self.at("commit", batch=unread & -unread, rest=True)
        if self.w.failures < self.bounds.failures:
            yield self.at("give up", self.w._replace(failures=self.w.failures + 1))

    def give_up(self) -> Iterator[World]:
        """The model is out of reach: deliver earlier plans, if any are due."""
        yield self.at("try later")
        yield self.at("try later", written(self.w, expired=False)) if self.is_mine else self.lost()

    def try_later(self) -> Iterator[World]:
        """Enqueue a later tick that asks the model again, named for the generation of this claim."""
        again = self.w if self.bounds.broken == "release-without-task" else enqueue(self.w, f"retry{self.tick.mine}")
        yield self.at("release", again)

    def look(self) -> Iterator[World]:
        """Read the inbox once more before the batch is acted on."""
        unread = self.w.stored & ~self.w.read
        if unread & ~self.tick.batch:
            yield self.at("commit", batch=unread)  # plan again with the new updates
            yield self.at("commit")  # after enough plans, the new updates are left to the next round
        else:
            yield self.at("commit")
            yield self.at("commit and release")  # there is nothing to do for this batch

    def commit(self) -> Iterator[World]:
        """Write the results of the batch, fenced by the lease."""
        if not self.is_mine and self.bounds.broken != "no-fence":
            yield self.lost()
            return
        marked = self.marked()
        if self.tick.rest and self.bounds.broken != "release-with-rest":
            yield self.at("inbox", marked, batch=0)
            return
        yield self.at("release", marked, batch=0)
        if marked.stored & ~marked.read:
            yield self.at("inbox", marked, batch=0)  # a check between two messages found new updates

    def commit_and_release(self) -> Iterator[World]:
        """Commit and release in one write."""
        if not self.is_mine and self.bounds.broken != "no-fence":
            yield self.lost()
            return
        yield self.free(self.marked())

    def release(self) -> Iterator[World]:
        """Release the chat, fenced like every write."""
        if not self.is_mine:
            yield self.lost()
            return
        yield self.free(written(self.w))

    def free(self, w: World) -> World:
        """Free the chat under a new generation, whose names are unused."""
        counted = w.generation + (self.bounds.broken != "release-without-count")
        return finished(w._replace(lease=-1, expired=False, generation=counted), self.i)

    def marked(self) -> World:
        """Return the world with the batch marked as read."""
        w, batch = self.w, self.tick.batch
        return written(w, read=w.read | batch, twice=w.twice or bool(w.read & batch), expired=False)

    def lost(self) -> World:
        """Return the world after a tick lost its lease: it has changed nothing and starts again."""
        return self.at("see", batch=0, rest=False)


def kills(w: World, bounds: Bounds) -> Iterator[World]:
    """Yield the worlds after a process is killed between two of its steps."""
    if w.crashes >= bounds.crashes:
        return
    for i, h in enumerate(w.webhooks):
        if h.step in ("generation", "enqueue"):  # Telegram sends the update again
            yield w._replace(crashes=w.crashes + 1, webhooks=put(w.webhooks, i, Webhook(h.update)))
    for i in range(len(w.ticks)):  # the task stays pending and is run again
        yield w._replace(crashes=w.crashes + 1, ticks=put(w.ticks, i, None))


def dispatches(w: World, bounds: Bounds) -> Iterator[World]:
    """Yield the worlds after a task is run, or run again."""
    running = {t.task for t in w.ticks}
    for name in w.pending:
        is_again = name in running
        # follow-ups check during the lease, of which only the first is here, and once after its end
        is_early = name.startswith(f"after{w.lease}.") and not w.expired and not name.endswith(".0")
        if not is_early and not (is_again and w.repeats >= bounds.repeats) and len(w.ticks) < 3:
            yield w._replace(ticks=(*w.ticks, Tick(name)), repeats=w.repeats + is_again)


def expiries(w: World, bounds: Bounds) -> Iterator[World]:
    """Yield the worlds after a lease expires: always for a dead tick, and within the bounds for a living one."""
    if w.lease >= 0 and not w.expired:
        is_alive = any(t.mine == w.lease for t in w.ticks)
        if not is_alive or w.stalls < bounds.stalls:
            yield w._replace(expired=True, stalls=w.stalls + is_alive)


def steps(w: World, bounds: Bounds) -> Iterator[World]:
    """Every world that may come next."""
    for i in range(len(w.webhooks)):
        yield from webhook_steps(w, i, bounds)
    for i in range(len(w.ticks)):
        yield from TickSteps(w, i, bounds).next()
    yield from kills(w, bounds)
    yield from dispatches(w, bounds)
    yield from expiries(w, bounds)
