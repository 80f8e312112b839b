"""The sweep: a scheduled look for whatever lies in Firestore and has no tick coming, and a wake for each such chat.

Cloud Tasks may lose a task, and a queue may be emptied by hand; the inbox and the plans are in Firestore all the same.
A chat that still has a task of its own gets one look more, which finds nothing to do. Where files were left over, one
run over all of them is asked for; where conversations rest, one that finds them; deletions that stopped go on. So one
schedule does for all.
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

#: finds one kind of left-over, a page at a time
Finder = Callable[[PageQuery], Awaitable[Sequence[StalledChat]]]
_Failure = StoreUnavailable | StoreRefused | QueueUnavailable
#: what files that were left over are counted under, and conversations that rest
_FILES: Final = "files"
_NOTES: Final = "notes"
#: and deletions whose tasks were lost
_DELETIONS: Final = "erasures"
#: what exports that are due are counted under
_EXPORTS: Final = "takeouts"


@dataclass(frozen=True, kw_only=True)
class SweepLimits:
    """How much one run does for each kind of left-over; what is beyond it is the next run's.

    2,000 documents cost $0.0006 to read (cloud.google.com/firestore/pricing). A wake takes some 20 ms, so that 500 of
    them take ten seconds of the three minutes that Cloud Scheduler waits.
    """

    documents: int = 2_000
    chats: int = 500
    page: int = 250


@dataclass(frozen=True, kw_only=True)
class Sweeper:
    """What sweeping needs. `finders` has one entry for each kind of left-over, by its name; `agents` are those that
    have a bot: for any other no tick can do anything. What is younger than `grace` still has its tick coming.
    `embedding_model` is the one that makes vectors now; empty: none does.
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
    """How many chats were woken, by what was left over in them; each chat counts once. `files` is 1 if a run over files
    that were left over was asked for, `notes` if one that finds conversations that rest, `erasures` if some go on,
    `takeouts` if one that looks after those.

    A kind that cannot be looked for keeps no other from it, nor does a wake that is refused for good. Raises
    StoreUnavailable or StoreRefused after them, or QueueUnavailable, of a wake at once: then the run is repeated.
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
            log("one sweep looks at no more than this; the next goes on from here", kind=kind)
    if cursors != before:
        await sweeper.left_overs.keep_cursors(cursors)
    _tell(woken, sweeper.finders)
    counts = Counter(woken.values())
    counts += await _runs_asked_for(sweeper, job_run, failures)
    _raise_first(failures)
    return counts


async def _runs_asked_for(sweeper: Sweeper, job_run: JobRun, failures: list[_Failure]) -> Counter[str]:
    """The runs over everything of a kind that were asked for, each as 1."""
    asked = {
        _FILES: _are_files_asked_for,
        _NOTES: _are_notes_asked_for,
        _DELETIONS: _are_deletions_asked_for,
        _EXPORTS: _are_exports_asked_for,
    }
    return Counter({name: int(await _is_asked_for(ask(sweeper, job_run), failures)) for name, ask in asked.items()})


async def _is_asked_for(asking: Awaitable[bool], failures: list[_Failure]) -> bool:
    """Whether a run was asked for; what fails for now is kept, so that the sweep is repeated."""
    try:
        return await asking
    except QueueRefused as error:
        log_failure(error)
    except (StoreUnavailable, StoreRefused, QueueUnavailable) as error:
        failures.append(error)
    return False


async def _are_files_asked_for(sweeper: Sweeper, job_run: JobRun) -> bool:
    """Whether a run over files was asked for: one look, and nothing more where no file was left over."""
    now = sweeper.clock()
    if not await sweeper.left_overs.has_files(now):
        return False
    from shared.values.reference import left_over_job  # an idle sweep does without the models of files

    await sweeper.queue.enqueue(left_over_job(job_run.scheduled_for, now, job_run.traceparent))
    log("files were left over: a run over them was asked for")
    return True


async def _are_notes_asked_for(sweeper: Sweeper, job_run: JobRun) -> bool:
    """Whether a run was asked for that finds the conversations that rest; a look or two, where none does."""
    now = sweeper.clock()
    if not await sweeper.left_overs.has_rest(now, sweeper.embedding_model):
        return False
    await sweeper.queue.enqueue(background_job({"job": _NOTES}, job_run.scheduled_for, now, job_run.traceparent))
    log("conversations rest: a run that finds them was asked for")
    return True


async def _are_deletions_asked_for(sweeper: Sweeper, job_run: JobRun) -> bool:
    """Whether somebody's deletion was to go on, and does now; one look where none was."""
    now = sweeper.clock()
    due = await sweeper.left_overs.deletions(now)
    if not due:
        return False
    from shared.values.deletion import deletion_job  # an idle sweep does without

    for deletion in due:
        await sweeper.queue.enqueue(deletion_job(deletion, job_run.scheduled_for, now, job_run.traceparent))
    log("erasures were left over: they go on", count=len(due))
    return True


async def _are_exports_asked_for(sweeper: Sweeper, job_run: JobRun) -> bool:
    """Whether a run was asked for that looks after what people asked for by /export; one look, where nobody did."""
    now = sweeper.clock()
    if not await sweeper.left_overs.has_exports(now):
        return False
    await sweeper.queue.enqueue(background_job({"job": "take_out"}, job_run.scheduled_for, now, job_run.traceparent))
    log("takeouts are due: a run that looks after them was asked for")
    return True


async def _is_woken(sweeper: Sweeper, key: ChatKey, job_run: JobRun) -> bool:
    """Whether the chat's wake was taken. One that is refused for good is logged: no repeated run would help it."""
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
    """The chats, those that waited longest first; and where to go on, if there may be more."""

    chats: Sequence[ChatKey]
    cursor: Cursor | None


async def _look(sweeper: Sweeper, finder: Finder, beyond: Cursor | None) -> _ChatsToWake:
    """Go through one kind of left-over from a cursor on.

    Going on where the last run stopped, what can't be cleared away at the head does not hide what comes after it.
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
        return None  # nothing of lull's


def _wake(key: ChatKey, job_run: JobRun, now: datetime) -> Wake:
    """The wake of one chat. The slot is in its name: that of an earlier sweep's wake stays taken for an hour."""
    return Wake(key=key, reason=WakeReason.SWEEP, at=now, of=job_run.scheduled_for, traceparent=job_run.traceparent)


def _raise_first(failures: Sequence[_Failure]) -> None:
    for error in failures[1:]:
        log_failure(error)
    if failures:
        raise failures[0]
