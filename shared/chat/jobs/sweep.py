"""The sweep: a scheduled search in Firestore for work that has no scheduled tick. Each chat found gets a tick.

Cloud Tasks may lose a task, and somebody may empty a queue by hand, but inboxes and plans stay in Firestore. If a
chat's task was not lost, the chat gets an extra tick, which finds nothing to do. The sweep also starts the runs for
files, resting conversations, deletions and exports, so that one schedule is enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from shared.base.errors import QueueRefused, QueueUnavailable, StoreRefused, StoreUnavailable
from shared.base.logs import about, log, log_failure
from shared.chat.queue import JobQueue
from shared.chat.store.queries import Cursor, PageQuery, StalledChat
from shared.values.chat_key import ChatKey
from shared.values.job_run import JobRun
from shared.values.wake import Wake, WakeReason, background_job

if TYPE_CHECKING:
    from shared.chat.store.sweep import FirestoreSweep

#: finds one kind of leftover work, a page at a time
Finder = Callable[[PageQuery], Awaitable[Sequence[StalledChat]]]
_Failure = StoreUnavailable | StoreRefused | QueueUnavailable
#: the names under which the runs for leftover files and for resting conversations are counted
_FILES: Final = "files"
_NOTES: Final = "notes"
#: the name for deletions whose tasks were lost
_DELETIONS: Final = "erasures"
#: the name for exports that are due
_EXPORTS: Final = "takeouts"


@dataclass(frozen=True, kw_only=True)
class SweepLimits:
    """The largest number of documents and of scheduled ticks in one run, for each kind of leftover work. The next run
    does the rest.

    2,000 documents cost $0.0006 to read (cloud.google.com/firestore/pricing). Scheduling a tick takes about 20 ms, so
    500 ticks take ten seconds of the three minutes that Cloud Scheduler waits.
    """

    documents: int = 2_000
    chats: int = 500
    page: int = 250


@dataclass(frozen=True, kw_only=True)
class Sweeper:
    """The searches and settings of the sweep. `finders` has one search for each kind of leftover work, by name.

    `agents` are the agents that have a bot. Documents younger than `grace` are left out, since a tick is still
    scheduled for them. `embedding_model` is the model whose vectors are current; "" if there is none.
    """

    left_overs: FirestoreSweep
    finders: Mapping[str, Finder]
    queue: JobQueue
    agents: frozenset[str]
    grace: timedelta
    clock: Callable[[], datetime]
    limits: SweepLimits = SweepLimits()
    embedding_model: str = ""


async def sweep(sweeper: Sweeper, job_run: JobRun) -> Counter[str]:
    """Schedule ticks for chats with leftover work. Return the number of these chats by kind; each chat counts once.

    The counts `files`, `notes`, `erasures` and `takeouts` are 1 if a run for them was started. If one kind cannot be
    searched, or a run cannot be started, the other kinds are still handled, and the error is raised at the end:
    StoreUnavailable, StoreRefused or QueueUnavailable. A tick that cannot be scheduled raises QueueUnavailable at once.
    After an error the sweep is repeated.
    """
    before = await sweeper.left_overs.cursors()
    cursors, woken, failures = dict(before), dict[ChatKey, str](), list[_Failure]()
    for kind, finder in sweeper.finders.items():
        try:
            found = await _look(sweeper, finder, cursors.get(kind))
        except (StoreUnavailable, StoreRefused) as error:
            failures.append(error)
            continue
        for key in found.chats:
            if key not in woken and await _is_woken(sweeper, key, job_run):
                woken[key] = kind
        cursors.pop(kind, None)
        if found.cursor is not None:
            cursors[kind] = found.cursor
            log("the sweep has reached its limit; the next one continues from here", kind=kind)
    if cursors != before:
        await sweeper.left_overs.keep_cursors(cursors)
    _tell(woken, sweeper.finders)
    counts = Counter(woken.values())
    counts += await _runs_asked_for(sweeper, job_run, failures)
    _raise_first(failures)
    return counts


async def _runs_asked_for(sweeper: Sweeper, job_run: JobRun, failures: list[_Failure]) -> Counter[str]:
    """Start the runs that are needed. Return, by kind of run, 1 if it was started and 0 if not."""
    asked = {
        _FILES: _are_files_asked_for,
        _NOTES: _are_notes_asked_for,
        _DELETIONS: _are_deletions_asked_for,
        _EXPORTS: _are_exports_asked_for,
    }
    return Counter({name: int(await _is_asked_for(ask(sweeper, job_run), failures)) for name, ask in asked.items()})


async def _is_asked_for(asking: Awaitable[bool], failures: list[_Failure]) -> bool:
    """Return whether a run was started. A temporary failure is added to `failures`, so that the sweep is repeated."""
    try:
        return await asking
    except QueueRefused as error:
        log_failure(error)
    except (StoreUnavailable, StoreRefused, QueueUnavailable) as error:
        failures.append(error)
    return False


async def _are_files_asked_for(sweeper: Sweeper, job_run: JobRun) -> bool:
    """If files are still to be described, start a run for them. Return whether there were any. Costs one read."""
    now = sweeper.clock()
    if not await sweeper.left_overs.has_files(now):
        return False
    from shared.values.reference import left_over_job  # an idle sweep does not load the models of files

    await sweeper.queue.enqueue(left_over_job(job_run.scheduled_for, now, job_run.traceparent))
    log("files were left over: a run for them was started")
    return True


async def _are_notes_asked_for(sweeper: Sweeper, job_run: JobRun) -> bool:
    """If conversations are due for notes, start a run for them. Return whether any were. Costs one or two reads."""
    now = sweeper.clock()
    if not await sweeper.left_overs.has_rest(now, sweeper.embedding_model):
        return False
    await sweeper.queue.enqueue(background_job({"job": _NOTES}, job_run.scheduled_for, now, job_run.traceparent))
    log("conversations are at rest: a run for them was started")
    return True


async def _are_deletions_asked_for(sweeper: Sweeper, job_run: JobRun) -> bool:
    """Continue deletions that stopped. Return whether there were any. Costs one read if there are none."""
    now = sweeper.clock()
    due = await sweeper.left_overs.deletions(now)
    if not due:
        return False
    from shared.values.deletion import deletion_job  # an idle sweep does not load it

    for deletion in due:
        await sweeper.queue.enqueue(deletion_job(deletion, job_run.scheduled_for, now, job_run.traceparent))
    log("deletions were left over: they continue", count=len(due))
    return True


async def _are_exports_asked_for(sweeper: Sweeper, job_run: JobRun) -> bool:
    """If exports are due, start a run for them. Return whether there were any. Costs one read."""
    now = sweeper.clock()
    if not await sweeper.left_overs.has_exports(now):
        return False
    await sweeper.queue.enqueue(background_job({"job": "take_out"}, job_run.scheduled_for, now, job_run.traceparent))
    log("exports are due: a run for them was started")
    return True


async def _is_woken(sweeper: Sweeper, key: ChatKey, job_run: JobRun) -> bool:
    """Return whether the chat's tick was enqueued. A permanent refusal is only logged: another run would not help."""
    with about(chat=key.id):
        try:
            await sweeper.queue.enqueue(_wake(key, job_run, sweeper.clock()).job())
        except QueueRefused as error:
            log_failure(error)
            return False
    return True


def _tell(woken: Mapping[ChatKey, str], kinds: Iterable[str]) -> None:
    counts = Counter(woken.values())
    with about(**{kind: counts[kind] for kind in kinds}):
        log(f"the sweep woke {len(woken)} chats")


@dataclass(frozen=True)
class _ChatsToWake:
    """Chats that need a tick, the longest waiting first. The next run continues at `cursor`; None if all were found."""

    chats: Sequence[ChatKey]
    cursor: Cursor | None


async def _look(sweeper: Sweeper, finder: Finder, beyond: Cursor | None) -> _ChatsToWake:
    """Search for one kind of leftover work, from the cursor `beyond` on, at which the last run stopped.

    If every run began at the start, documents whose work is never done would hide the later ones.
    """
    limits, before = sweeper.limits, sweeper.clock() - sweeper.grace
    chats: dict[ChatKey, None] = {}
    documents = 0
    while documents < limits.documents:
        page = await finder(PageQuery(before=before, beyond=beyond, limit=limits.page))
        for left_over in page:
            beyond = left_over.cursor
            key = _key_of(left_over)
            if key is not None and key.agent in sweeper.agents:
                chats[key] = None
            if len(chats) == limits.chats:
                return _ChatsToWake(list(chats), beyond)
        if len(page) < limits.page:
            return _ChatsToWake(list(chats), None)
        documents += len(page)
    return _ChatsToWake(list(chats), beyond)


def _key_of(left_over: StalledChat) -> ChatKey | None:
    try:
        return ChatKey.from_id(left_over.chat)
    except ValueError:
        return None  # the document is not lull's


def _wake(key: ChatKey, job_run: JobRun, now: datetime) -> Wake:
    """Return the wake (scheduled tick) of a chat. Its name has this run's time: Cloud Tasks drops recent names."""
    return Wake(key=key, reason=WakeReason.SWEEP, at=now, of=job_run.scheduled_for, traceparent=job_run.traceparent)


def _raise_first(failures: Sequence[_Failure]) -> None:
    for error in failures[1:]:
        log_failure(error)
    if failures:
        raise failures[0]
