"""One run of a deletion: its stores, its progress, and functions that several steps share.

The progress is saved after each part of a step.

A group that became a supergroup is deleted under both ids. The chat with the former id only points to the new chat, and
no tick claims it. So it is written without a lease.

If a chat holds a part of a person's budget (a budget lease), the lease is settled at once without the person's id. This
is done under the chat's lease, so a later tick settles only the costs of later messages.
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
from shared.chat.claiming import LeasePolling, claim_when_free, own_terms
from shared.chat.moves import new_key
from shared.chat.queue import JobQueue
from shared.chat.session import Session
from shared.chat.store.chats import ChatCommit
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

#: How often a chat that another function has claimed is checked before the run is postponed.
PATIENCE: Final = LeasePolling(looks=10)
#: after this time without a write, a run saves that it is still alive
ALIVE: Final = timedelta(minutes=1)
#: Longest time of a run. The function that runs it may take 100 seconds more (`infra/functions.yaml`).
LONGEST: Final = timedelta(seconds=400)
#: A model call may have begun before the cut. Its result may be stored up to this much later.
LATE: Final = timedelta(minutes=10)


class RunTimeExceeded(Exception):
    """The run has used its time. Its progress is saved, and another run continues."""


@dataclass(frozen=True, kw_only=True)
class ExportDeletion:
    """The store and the bucket from which a deletion removes exports."""

    store: FirestoreExports
    #: opens the bucket with the parts of exports; None if there is none
    bucket: Callable[[], StorageExports] | None


@dataclass(frozen=True, kw_only=True)
class ArchiveDeletion:
    """The archives from which a deletion removes data, and the stores from which it writes archives again."""

    archives: Sequence[Archive]
    #: the place outside of the database where deletions are stored; None if only archives store them
    register: Archive | None
    transcripts: FirestoreTranscripts
    #: the documents outside of conversations that are archived; None if there are none
    documents: FirestoreDocuments | None = None
    #: the number of days for which backups still contain deleted data; 0 if there are none
    backup_days: int = 0


@dataclass(frozen=True, kw_only=True)
class ChatLeaseSettings:
    """Settings with which a deletion claims a chat."""

    window_entries: int
    polling: LeasePolling = PATIENCE


@dataclass(frozen=True, kw_only=True)
class Deleter:
    """The stores and settings of deletions."""

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
    #: None: a run has no time limit
    longest: timedelta | None = LONGEST


class DeletionRun:
    """One run of a deletion, with the deletion as this run last saved it."""

    def __init__(self, by: Deleter, seen: DeletionSnapshot) -> None:
        self.by, self._seen = by, seen
        self._began_at, self._saved_at = by.clock(), datetime.min.replace(tzinfo=UTC)

    @property
    def deletion(self) -> Deletion:
        """The deletion as it was saved last, with its progress."""
        return self._seen.deletion

    @property
    def cut(self) -> datetime:
        """The time up to which everything is deleted."""
        assert self.deletion.cut is not None
        return self.deletion.cut

    @property
    def people_cut(self) -> datetime:
        """The time up to which all data that people wrote is deleted.

        In the second round, this is the end of the first round.
        """
        return self.deletion.done_at or self.cut

    @property
    def models_cut(self) -> datetime:
        """The time up to which all data that models made is deleted: `people_cut`, plus `LATE` for calls under way."""
        return self.people_cut + LATE

    async def save(self, counts: Counter[str] | None = None, **fields: Any) -> None:
        """Save the progress. Raises WriteConflict if another run has continued the deletion.

        If `fields` has no `due_at`, the deletion is due again after a while without a save; the sweep then continues
        it.
        """
        now, self._saved_at = self.deletion, self.by.clock()
        total = Counter(now.counts) + (counts or Counter())
        fields = {"counts": dict(total), "due_at": self._saved_at + GRACE, **fields}
        self._seen = await self.by.log.save(self._seen, now.model_copy(update=fields))

    def set_progress(self, **fields: Any) -> None:
        """Set fields of the deletion, which the next save writes.

        If the run is killed before the save, the next run repeats some work.
        """
        self._seen = replace(self._seen, deletion=self.deletion.model_copy(update=fields))

    async def check_time(self) -> None:
        """Save the progress if the run's time is over, and raise RunTimeExceeded.

        Otherwise save it if nothing was saved for a while, so that the sweep knows that the run is alive.
        """
        longest = self.by.longest
        if longest is not None and self.by.clock() - self._began_at >= longest:
            await self.save()
            raise RunTimeExceeded("the time limit of one run is reached")
        await self._stay_alive()

    async def _stay_alive(self) -> None:
        if self.by.clock() - self._saved_at >= ALIVE:
            await self.save()

    async def is_overtaken(self) -> bool:
        """Return whether another run has saved progress since this run's last save."""
        stored = await self.by.log.read(self.deletion.id)
        return stored is None or stored.version != self._seen.version

    async def note(
        self, counts: Counter[str] | None = None, *, gone: Iterable[str] = (), changed: Iterable[str] = ()
    ) -> None:
        """Save the counts, and the ids of deleted (`gone`) or changed conversations, if there is anything new."""
        now = self.deletion
        lists = {"gone": _union(now.gone, gone), "changed": _union(now.changed, changed)}
        if any((counts or {}).values()) or lists != {"gone": now.gone, "changed": now.changed}:
            await self.save(counts, **lists)
        else:
            await self._stay_alive()

    async def holding(self, key: ChatKey, work: Callable[[Session], Awaitable[Counter[str]]]) -> Chat | None:
        """Do some work on a chat under its lease, and release the chat.

        Returns the chat; None if it does not exist. If the group became a supergroup, the chat with the new id is
        claimed instead. Raises WriteConflict while another function holds the chat's lease, LeaseLost, and the errors
        of `work`. After an error, the call may be repeated.
        """
        terms = own_terms(self.by.clock, self.by.holding.window_entries)
        moved_to = (await self.by.chats.see(key)).chat.moves.moved_to
        now = new_key(key, moved_to) if moved_to else key
        session = await claim_when_free(self.by.chats, now, terms, self.by.holding.polling)
        if session is None:
            return None
        try:
            async with session.keep_lease():
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
    """Return these keys and, for groups that became supergroups, those with the other chat id. Raises a StoreError."""
    found = dict.fromkeys(keys)
    for key in tuple(found):
        chat = (await run.by.chats.see(key)).chat
        for chat_id in filter(None, (chat.moves.moved_from, chat.moves.moved_to)):
            found |= dict.fromkeys(await run.by.finding.chats_of(chat_id, key.agent))
    return tuple(found)


async def erase_former(run: DeletionRun, key: ChatKey, rest_of: Callable[[Chat], Chat]) -> None:
    """Clear the document of a group that became a supergroup under a new id, and delete its window (newest entries).

    Do nothing for other chats. `rest_of` returns the part of the chat that stays. Raises LeaseLost if the chat changed
    meanwhile, WriteConflict if another run changed the deletion, or a StoreError.
    """
    seen = await run.by.chats.see(key)
    if not seen.chat.moves.moved_to:
        return
    rest = rest_of(seen.chat)
    if rest != seen.chat:
        await run.by.chats.commit(seen, ChatCommit(chat=rest))
    await run.note(Counter(documents=await run.by.of_chats.delete_other_window(key)))


async def erase_budget(run: DeletionRun, session: Session, person: int = 0) -> None:
    """Settle a chat's budget leases for a person, or for everybody if `person` is 0. Only sums of costs are kept.

    The chat's document is written before the accounts, so that nobody can spend the budget in between. May be repeated.
    Raises a StoreError or LeaseLost.
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
