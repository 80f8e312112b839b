"""One run of a deletion: what it needs, how far it has come, and what several of its steps do.

How far it has come is written after each part of a step.

A group that became a supergroup is erased under both ids. The chat of its former id only points to the new one, and no
tick claims it any more, so it is written without a lease.

What a chat was lent for somebody is settled at once, and told of without them. Who holds the chat settles, so what a
tick settles later is of what was said later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from shared.base.errors import LullError
from shared.chat.archive import Archive
from shared.chat.claiming import Patience, claimed, own_terms
from shared.chat.moves import new_key
from shared.chat.queue import JobQueue
from shared.chat.session import Session
from shared.chat.store.chats import Change
from shared.chat.store.usage import SpentBudgetLease
from shared.privacy.store.deletions import DeletionSnapshot
from shared.values.budget import forget_person, settlement_of, usage_record, without_settled
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.deletion import GRACE, Deletion
from shared.values.evolve import evolve

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats
    from shared.chat.store.outbox import FirestoreOutbox
    from shared.chat.store.transcripts import FirestoreDocuments, FirestoreTranscripts
    from shared.cloud.export_bucket import StorageExports
    from shared.privacy.store.chat_deletion import FirestoreChatDeletion
    from shared.privacy.store.deletion_lookup import FirestoreDeletionLookup
    from shared.privacy.store.deletions import FirestoreDeletions
    from shared.privacy.store.exports import FirestoreExports
    from shared.privacy.store.media_deletion import FirestoreMediaDeletion
    from shared.privacy.store.person_deletion import FirestorePersonDeletion
    from shared.recall.store.rebuilding import FirestoreRebuilding
    from shared.spending.store.accounts import FirestoreAccounts

#: how long a chat is waited for that somebody else holds; then the deletion goes on later
PATIENCE: Final = Patience(looks=10)
#: a run that has nothing else to write says so often that it goes on
ALIVE: Final = timedelta(minutes=1)
#: so long a run works; the function that erases is given 100 seconds more (`infra/functions.yaml`)
LONGEST: Final = timedelta(seconds=400)
#: models' work that was begun before the cut is written so long after it, at most
LATE: Final = timedelta(minutes=10)


class RunTimeExceeded(Exception):
    """A run has worked as long as it may: what it did is kept, and another run goes on."""


@dataclass(frozen=True, kw_only=True)
class ExportDeletion:
    """Where exports are."""

    store: FirestoreExports
    #: where their parts lie; none: there is no such bucket
    bucket: Callable[[], StorageExports] | None


@dataclass(frozen=True, kw_only=True)
class ArchiveDeletion:
    """The archives, what is written anew there, and what outlives it."""

    archives: Sequence[Archive]
    #: where it is told who was forgotten, outside the database; none: archives alone tell
    register: Archive | None
    transcripts: FirestoreTranscripts
    #: what archives have besides conversations; none: they have nothing
    documents: FirestoreDocuments | None = None
    #: until when backups hold what is erased now, in days; 0: there are none
    backup_days: int = 0


@dataclass(frozen=True, kw_only=True)
class ChatLeaseSettings:
    """The terms on which a deletion holds a chat."""

    window_entries: int
    patience: Patience = PATIENCE


@dataclass(frozen=True, kw_only=True)
class Deleter:
    """What erasing needs."""

    log: FirestoreDeletions
    finding: FirestoreDeletionLookup
    of_chats: FirestoreChatDeletion
    of_people: FirestorePersonDeletion
    media: FirestoreMediaDeletion
    rebuilding: FirestoreRebuilding
    accounts: FirestoreAccounts
    exports: ExportDeletion
    chats: FirestoreChats
    archiving: ArchiveDeletion
    outbox: FirestoreOutbox
    queue: JobQueue
    clock: Callable[[], datetime]
    holding: ChatLeaseSettings
    #: none: a run goes on to the end
    longest: timedelta | None = LONGEST


class DeletionRun:
    """One run: the deletion as it was written last."""

    def __init__(self, by: Deleter, seen: DeletionSnapshot) -> None:
        """`seen` is the deletion as it was read."""
        self.by, self._seen = by, seen
        self._began_at, self._saved_at = by.clock(), datetime.min.replace(tzinfo=UTC)

    @property
    def deletion(self) -> Deletion:
        """How far it has come."""
        return self._seen.deletion

    @property
    def cut(self) -> datetime:
        """What was there before this moment goes."""
        assert self.deletion.cut is not None
        return self.deletion.cut

    @property
    def settled(self) -> datetime:
        """What people left before this moment goes: in the second round what came until the first was over."""
        return self.deletion.done_at or self.cut

    @property
    def late(self) -> datetime:
        """What models made before this moment goes: it may have been made from what is erased."""
        return self.settled + LATE

    async def save(self, counts: Counter[str] | None = None, **fields: Any) -> None:
        """Write how far it has come. Raises Contended if another run goes on with it.

        Unless the fields say when it is due, the sweep takes it to be dead if nothing more is written for a while.
        """
        now, self._saved_at = self.deletion, self.by.clock()
        total = Counter(now.counts) + (counts or Counter())
        fields = {"counts": dict(total), "due_at": self._saved_at + GRACE, **fields}
        self._seen = await self.by.log.save(self._seen, now.model_copy(update=fields))

    def reach(self, **fields: Any) -> None:
        """Have the next write of how far it has come tell this, too: whoever dies before it does some work again."""
        self._seen = replace(self._seen, deletion=self.deletion.model_copy(update=fields))

    async def go_on(self) -> None:
        """Write that it goes on, if nothing was written for a while: work of one part may take minutes.

        Raises OutOfTime once it has worked as long as it may, with all that it reached written.
        """
        longest = self.by.longest
        if longest is not None and self.by.clock() - self._began_at >= longest:
            await self.save()
            raise RunTimeExceeded("an erasure has taken as long as a run may")
        await self._stay_alive()

    async def _stay_alive(self) -> None:
        if self.by.clock() - self._saved_at >= ALIVE:
            await self.save()

    async def is_overtaken(self) -> bool:
        """Whether another run has written since this one did."""
        stored = await self.by.log.read(self.deletion.id)
        return stored is None or stored.version != self._seen.version

    async def note(
        self, counts: Counter[str] | None = None, *, gone: Iterable[str] = (), changed: Iterable[str] = ()
    ) -> None:
        """Write what was erased, and which conversations are gone or changed, if any of it is news."""
        now = self.deletion
        lists = {"gone": _union(now.gone, gone), "changed": _union(now.changed, changed)}
        if any((counts or {}).values()) or lists != {"gone": now.gone, "changed": now.changed}:
            await self.save(counts, **lists)
        else:
            await self._stay_alive()

    async def holding(self, key: ChatKey, work: Callable[[Session], Awaitable[Counter[str]]]) -> Chat | None:
        """Do some work of a chat under its lease, and give it back; the chat, or none if there is none.

        Of a chat that has moved, the one is held to which it did. Raises Contended while somebody else holds it,
        LeaseLost, and what the work raises: then it is repeated.
        """
        terms = own_terms(self.by.clock, self.by.holding.window_entries)
        moved_to = (await self.by.chats.see(key)).chat.moves.moved_to
        now = new_key(key, moved_to) if moved_to else key
        session = await claimed(self.by.chats, now, terms, self.by.holding.patience)
        if session is None:
            return None
        try:
            async with session.kept():
                counts = await work(session)
            await session.commit(release=True)
        except BaseException:
            with suppress(LullError):
                await session.let_go(is_counted=False)
            raise
        await self.note(counts)
        return session.chat


def _union(known: Sequence[str], new: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *new)))


async def with_moved(run: DeletionRun, keys: Iterable[ChatKey]) -> Sequence[ChatKey]:
    """The keys of chats, with those that they had before and those to which they moved. Raises a StoreError."""
    found = dict.fromkeys(keys)
    for key in tuple(found):
        chat = (await run.by.chats.see(key)).chat
        for chat_id in filter(None, (chat.moves.moved_from, chat.moves.moved_to)):
            found |= dict.fromkeys(await run.by.finding.chats_of(chat_id, key.agent))
    return tuple(found)


async def erase_former(run: DeletionRun, key: ChatKey, rest_of: Callable[[Chat], Chat]) -> None:
    """Erase what a chat's document still tells that has moved, and delete its window; of any other chat nothing.

    Raises LeaseLost if it changed meanwhile, Contended if the deletion did, or a StoreError.
    """
    seen = await run.by.chats.see(key)
    if not seen.chat.moves.moved_to:
        return
    rest = rest_of(seen.chat)
    if rest != seen.chat:
        await run.by.chats.commit(seen, Change(chat=rest))
    await run.note(Counter(documents=await run.by.of_chats.window_of_others(key)))


async def erase_budget(run: DeletionRun, session: Session, person: int = 0) -> None:
    """Settle what a chat was lent for a person, or for everybody (0), and keep the sums alone.

    The purse says that it is over before the accounts do: from then on nobody spends of it. Raises a StoreError or
    LeaseLost; it may be repeated.
    """
    budget, gone = forget_person(session.chat.budget, person)
    if any(one.lent is not None for one in gone):
        session.note_chat(evolve(session.chat, budget=budget))
        await session.extend()
        agent = session.chat.key.agent
        await run.by.accounts.settle([settlement_of(one, agent) for one in gone if one.lent is not None])
    for one in gone:
        usage = usage_record(one, session.chat.key.agent, "", run.by.clock())
        session.note(SpentBudgetLease(evolve(usage, person=0)))
    if gone or budget != session.chat.budget:
        session.note_chat(evolve(session.chat, budget=without_settled(budget, gone)))
        await session.commit()
