"""The job that describes files, and reports the descriptions to the chats that wait for them.

It describes the files that ticks request, and the files that no run described in time. To report a description, it puts
an update into the chat's inbox, which the chat's next tick reads like any other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from shared.base.errors import LullError, QueueRefused, WriteConflict
from shared.base.logs import about, log, log_failure
from shared.chat.queue import TickQueue
from shared.media.failures import AT_LIMIT
from shared.media.sources import MediaSource
from shared.values.media import Description, DescriptionOutcome
from shared.values.reference import MOST_TOLD, DescribeRequest, FileReference, media_described_update
from shared.values.wake import Wake, WakeReason

if TYPE_CHECKING:
    from shared.chat.store.inbox import FirestoreInbox
    from shared.media.store.media import FirestoreMedia

#: the most references that one run handles
MOST_LEFT_OVER: Final = 500
#: a run begins no new file after this time, so that it ends before the function's time-out
LONGEST_RUN: Final = timedelta(minutes=2)
#: how long the remaining files of a chat are delayed while other chats wait
BEHIND: Final = timedelta(minutes=10)
#: how many senders' spending limits one run tries for one file
MOST_PAYERS: Final = 3
#: the outcome that is counted for a file that another run is describing
TAKEN: Final = "taken"
#: the description that is counted for a file that nobody will describe
_NOTHING: Final = Description(outcome=DescriptionOutcome.UNSUPPORTED)


@dataclass(frozen=True, kw_only=True)
class Describer:
    """The dependencies of the job. `source` makes a new chain of sources for each run, with its own limit of files.

    `agents` are the agents that have a bot. For other agents nothing can be described.
    """

    store: FirestoreMedia
    source: Callable[[], MediaSource]
    inbox: FirestoreInbox
    queue: TickQueue
    agents: Collection[str]
    #: how long after a description a chat is woken if none of its messages waits for the file
    later: timedelta
    clock: Callable[[], datetime]


async def describe_media(describer: Describer, order: DescribeRequest, traceparent: str = "") -> Mapping[str, int]:
    """Describe the file that `order` names or, if it names none, the files that no run described in time.

    Return the number of files by outcome. Raises a LullError; the same order may then be repeated.
    """
    run = _Run(describer, describer.source(), traceparent, tells_again=order.tells_again)
    if order.reference is None:
        return await run.left_over()
    return {await run.file([order.reference]): 1}


@dataclass(frozen=True)
class _Run:
    """One run of the job: for one file, or for all files that no run described in time."""

    by: Describer
    source: MediaSource
    traceparent: str
    #: whether chats with closed references get the description again, since a new message came meanwhile
    tells_again: bool = False

    async def left_over(self) -> Mapping[str, int]:
        """Describe the files that nobody described in time. If one file fails, the others are still tried, and the
        first error is raised at the end.
        """
        until, counts, failed = self.by.clock() + LONGEST_RUN, Counter[str](), list[LullError]()
        files = _group_by(await self.by.store.left_over(self.by.clock(), MOST_LEFT_OVER), lambda one: one.ref.unique_id)
        served, left = set[str](), sorted(files.values(), key=_urgency)
        while left and self.by.clock() <= until:
            references = left.pop(0)
            try:
                outcome = await self.file(references)
                counts[outcome] += 1
                if outcome == DescriptionOutcome.BUDGET_EXHAUSTED:
                    log("this run has reached its limit of files; the next run continues")
                    await self._queue_behind(served, [one for some in (references, *left) for one in some])
                    break
                served |= {one.chat for one in references}
            except WriteConflict:
                counts[TAKEN] += 1
            except LullError as error:
                log_failure(error)
                failed.append(error)
        if failed:
            raise failed[0]
        return counts

    async def _queue_behind(self, served: Collection[str], left: Sequence[FileReference]) -> None:
        """If files of other chats wait, delay the remaining files of the chats in `served`, since this run has already
        described files of these chats.
        """
        behind = [one for one in left if one.chat in served and not one.is_awaited]
        may_miss_others = len(left) >= MOST_LEFT_OVER // 2  # with this many, others' files may not be loaded yet
        if len(behind) < len(left) or may_miss_others:
            await self.by.store.put_off(behind, self.by.clock() + BEHIND)

    async def file(self, seen: Sequence[FileReference]) -> str:
        """Describe one file, report the description to every chat that waits for the file, and return the outcome.

        `seen` are references to the file. If they have been closed, the file is described, but nothing is reported.
        Each agent gets its own description, since an agent may have a curated description that other agents do not
        have. Waiting references are loaded again after the file is described: more people may have sent it meanwhile.
        """
        waiting = await self._waiting(seen)
        found = {
            agent: await self._description(agent, some) for agent, some in _group_by_agent(waiting or seen).items()
        }
        outcome = next(iter(found.values())) or _NOTHING
        for agent, references in _group_by_agent(await self._waiting(seen)).items():
            description = found[agent] if agent in found else await self._description(agent, references)
            outcome = description or _NOTHING
            await self._settle(references, description)
        return outcome.outcome.value

    async def _waiting(self, seen: Sequence[FileReference]) -> Sequence[FileReference]:
        """Return the open references to a file, and the closed ones whose chats must get the description again."""
        waiting = await self.by.store.open_references(seen[0].ref.unique_id)
        closed = [one for one in seen if self.tells_again and one.id not in {other.id for other in waiting}]
        return (*waiting, *closed)

    async def _settle(self, references: Sequence[FileReference], description: Description | None) -> None:
        """Report a final description to these references' chats, and close the references; otherwise delay them.

        Without any description, the references are only closed.
        """
        if description is None:
            await self.by.store.close(references)
        elif not description.outcome.is_final:
            await self._put_off(references, description)
        else:
            for chat in _group_by(references, lambda one: one.chat).values():
                await self._tell(chat, description)

    async def _description(self, agent: str, references: Sequence[FileReference]) -> Description | None:
        """Return an agent's description of a file, or None if there can never be one."""
        if agent not in self.by.agents:
            return None
        # newest first, since file ids expire; if one sender's limit is used up, another sender's is tried
        newest = {one.person: one for one in sorted(references, key=lambda one: one.at)}
        found = None
        for one in sorted(newest.values(), key=lambda one: one.at, reverse=True)[:MOST_PAYERS]:
            found = await self.source.describe(one)
            if found is None or found.why != AT_LIMIT:
                break
        return found

    async def _put_off(self, references: Sequence[FileReference], description: Description) -> None:
        """Delay the references until the file may be tried again. If this run's limit of files is reached, they are not
        delayed, and the next run handles them.
        """
        if description.outcome is DescriptionOutcome.BUDGET_EXHAUSTED:
            return
        kept = await self.by.store.find(references[0].ref.unique_id)
        moments = (kept.claimed_until, kept.next_try_at) if kept is not None else ()
        until = max((moment for moment in moments if moment is not None), default=None)
        if until is not None:
            await self.by.store.put_off(references, until)

    async def _tell(self, references: Sequence[FileReference], description: Description) -> None:
        """Report a description to one chat, wake the chat, and close its references.

        References to an agent's own stickers have no chat. They are only closed.
        """
        if references[0].key is None:
            await self.by.store.close(references)
            return
        for start in range(0, len(references), MOST_TOLD):
            some = references[start : start + MOST_TOLD]
            await self.by.store.tell(media_described_update(some, description, self.by.clock()), some)
        await self._wake(references)

    async def _wake(self, references: Sequence[FileReference]) -> None:
        """Enqueue a tick of the chat. It is due at once if a message waits for the file, otherwise later."""
        key, now = references[0].key, self.by.clock()
        assert key is not None
        is_awaited = any(one.is_awaited for one in references)
        with about(agent=key.agent, chat=key.id):
            status = await self.by.inbox.status(key)
            wake = Wake(
                key=key,
                reason=WakeReason.NOW if is_awaited else WakeReason.LATER,
                at=now if is_awaited else now + self.by.later,
                of=str(status.generation),
                since=now,
                traceparent=self.traceparent,
            )
            try:
                await self.by.queue.enqueue(wake)
            except QueueRefused as error:  # the sweep will wake the chat
                log_failure(error)


def _urgency(references: Sequence[FileReference]) -> tuple[bool, bool]:
    """Return the sort key of a file: files that a message waits for come first, and agents' own stickers last."""
    return not any(one.is_awaited for one in references), all(one.key is None for one in references)


def _group_by_agent(references: Iterable[FileReference]) -> Mapping[str, Sequence[FileReference]]:
    return _group_by(references, lambda one: one.agent)


def _group_by(
    references: Iterable[FileReference], name: Callable[[FileReference], str]
) -> Mapping[str, Sequence[FileReference]]:
    """Group references by a key, in order of appearance."""
    found = defaultdict[str, list[FileReference]](list)
    for one in references:
        found[name(one)].append(one)
    return found
