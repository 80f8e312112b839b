"""Describing files: one that a tick asks for, or what is left over; and telling the chats that wait for it.

A chat is told by an update of lull's own in its inbox, which its next tick reads as any other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from shared.base.errors import Contended, LullError, QueueRefused
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

#: references that one run looks at
MOST_LEFT_OVER: Final = 500
#: after so long a run begins no other file, so that it ends before the function's time-out; the next goes on
LONGEST_RUN: Final = timedelta(minutes=2)
#: a chat that had a turn has the next one after so long, where others wait, too
BEHIND: Final = timedelta(minutes=10)
#: of those who sent a file, so many are asked in one run to pay for it, while they are past their limits
MOST_PAYERS: Final = 3
#: what a file is counted under that another run describes just now
TAKEN: Final = "taken"
#: what it is counted under where nobody will ever describe it
_NOTHING: Final = Description(outcome=DescriptionOutcome.UNSUPPORTED)


@dataclass(frozen=True, kw_only=True)
class Describer:
    """What describing needs. `source` makes the chain of sources of one run, with a budget of its own.

    `agents` are those that have a bot: for any other nobody can do anything.
    """

    store: FirestoreMedia
    source: Callable[[], MediaSource]
    inbox: FirestoreInbox
    queue: TickQueue
    agents: Collection[str]
    #: until a chat is told what it does not wait for
    later: timedelta
    clock: Callable[[], datetime]


async def describe_media(describer: Describer, order: DescribeRequest, traceparent: str = "") -> Mapping[str, int]:
    """How many files were looked at, by what came of them. Raises a LullError: then the same may be ordered again."""
    run = _Run(describer, describer.source(), traceparent, tells_again=order.tells_again)
    if order.reference is None:
        return await run.left_over()
    return {await run.file([order.reference]): 1}


@dataclass(frozen=True)
class _Run:
    """One run, for one file or for what is left over."""

    by: Describer
    source: MediaSource
    traceparent: str
    #: whether a chat is told though its reference is closed: it was closed without these messages
    tells_again: bool = False

    async def left_over(self) -> Mapping[str, int]:
        """Look after what nobody looked after in time, file after file. What fails keeps no other file from it."""
        until, counts, failed = self.by.clock() + LONGEST_RUN, Counter[str](), list[LullError]()
        files = _group_by(await self.by.store.left_over(self.by.clock(), MOST_LEFT_OVER), lambda one: one.ref.unique_id)
        served, left = set[str](), sorted(files.values(), key=_urgency)
        while left and self.by.clock() <= until:
            references = left.pop(0)
            try:
                outcome = await self.file(references)
                counts[outcome] += 1
                if outcome == DescriptionOutcome.BUDGET_EXHAUSTED:
                    log("this run has looked at enough files; the next one goes on from here")
                    await self._queue_behind(served, [one for some in (references, *left) for one in some])
                    break
                served |= {one.chat for one in references}
            except Contended:
                counts[TAKEN] += 1
            except LullError as error:
                log_failure(error)
                failed.append(error)
        if failed:
            raise failed[0]
        return counts

    async def _queue_behind(self, served: Collection[str], left: Sequence[FileReference]) -> None:
        """Have the files of chats that had their turn come after those of others, if there are any."""
        behind = [one for one in left if one.chat in served and not one.is_awaited]
        if len(behind) < len(left) or len(left) >= MOST_LEFT_OVER // 2:  # of so many, others may not have been seen yet
            await self.by.store.put_off(behind, self.by.clock() + BEHIND)

    async def file(self, seen: Sequence[FileReference]) -> str:
        """What came of a file: what is known of it is told to everybody who waits for it.

        `seen` are some references to it, which may be closed by now: then it is described, and nobody is told. Each
        agent is told by itself: it may know what another does not. Who waits is looked up again once it is described:
        others may have sent the file meanwhile, and asked for nothing more.
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
        """Who waits for a file; with whoever is to be told again, whose reference may be closed by now."""
        waiting = await self.by.store.open_references(seen[0].ref.unique_id)
        closed = [one for one in seen if self.tells_again and one.id not in {other.id for other in waiting}]
        return (*waiting, *closed)

    async def _settle(self, references: Sequence[FileReference], description: Description | None) -> None:
        """Have an agent's references closed and their chats told, or looked after later."""
        if description is None:
            await self.by.store.close(references)
        elif not description.outcome.is_final:
            await self._put_off(references, description)
        else:
            for chat in _group_by(references, lambda one: one.chat).values():
                await self._tell(chat, description)

    async def _description(self, agent: str, references: Sequence[FileReference]) -> Description | None:
        """What is known of a file to an agent; none: nobody will ever know."""
        if agent not in self.by.agents:
            return None
        # the newest: ids of files may cease to be valid; of whom it waits for the limit, who else sent it is asked for
        newest = {one.person: one for one in sorted(references, key=lambda one: one.at)}
        found = None
        for one in sorted(newest.values(), key=lambda one: one.at, reverse=True)[:MOST_PAYERS]:
            found = await self.source.describe(one)
            if found is None or found.why != AT_LIMIT:
                break
        return found

    async def _put_off(self, references: Sequence[FileReference], description: Description) -> None:
        """Have the sweep find them when the file may be tried again; one without a budget is the next run's."""
        if description.outcome is DescriptionOutcome.BUDGET_EXHAUSTED:
            return
        kept = await self.by.store.find(references[0].ref.unique_id)
        moments = (kept.claimed_until, kept.next_try_at) if kept is not None else ()
        until = max((moment for moment in moments if moment is not None), default=None)
        if until is not None:
            await self.by.store.put_off(references, until)

    async def _tell(self, references: Sequence[FileReference], description: Description) -> None:
        """Tell one chat, which then has a tick; a sticker that nobody sent is told to nobody."""
        if references[0].key is None:
            await self.by.store.close(references)
            return
        for start in range(0, len(references), MOST_TOLD):
            some = references[start : start + MOST_TOLD]
            await self.by.store.tell(media_described_update(some, description, self.by.clock()), some)
        await self._wake(references)

    async def _wake(self, references: Sequence[FileReference]) -> None:
        """Have a tick read it: at once if a message waits for it, else with whatever is read later anyway."""
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
            except QueueRefused as error:  # the sweep wakes the chat
                log_failure(error)


def _urgency(references: Sequence[FileReference]) -> tuple[bool, bool]:
    """What a message waits for is first; stickers of a persona's own, of which there may be hundreds, are last."""
    return not any(one.is_awaited for one in references), all(one.key is None for one in references)


def _group_by_agent(references: Iterable[FileReference]) -> Mapping[str, Sequence[FileReference]]:
    return _group_by(references, lambda one: one.agent)


def _group_by(
    references: Iterable[FileReference], name: Callable[[FileReference], str]
) -> Mapping[str, Sequence[FileReference]]:
    """The references by something of theirs, in the order in which that is met."""
    found = defaultdict[str, list[FileReference]](list)
    for one in references:
        found[name(one)].append(one)
    return found
