"""A chat that a tick has leased, and the commits that the tick makes while it holds the lease."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.base.beside import beside, to_its_end
from shared.base.errors import StopRequested, StoreUnavailable
from shared.chat.spending import lease_extension, with_spent
from shared.chat.store.chats import ChatCommit, ChatSnapshot
from shared.chat.store.writes import Record
from shared.chat.terms import SessionTerms
from shared.values.budget import BudgetLease
from shared.values.channel import Recipient
from shared.values.chat import Chat, ChatPart
from shared.values.evolve import evolve

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats


class ClaimedChat:
    """A leased chat with changes that are not written yet. Every commit extends the lease."""

    def __init__(self, chats: FirestoreChats, seen: ChatSnapshot, terms: SessionTerms) -> None:
        """`seen` is the snapshot that the claim returned."""
        self._chats, self._seen, self._terms = chats, seen, terms
        self._chat = seen.chat
        self._writing = asyncio.Lock()
        #: a stop request that a commit met but was not allowed to raise; the next commit that may raise it does so
        self._pending_stop: StopRequested | None = None
        #: the event loop's time when the lease was last found to be ours, and when it was last extended
        self._seen_at = self._extended_at = asyncio.get_running_loop().time()

    @property
    def chat(self) -> Chat:
        """The chat with the changes noted so far."""
        return self._chat

    @property
    def recipient(self) -> Recipient:
        """The address to which messages of the chat are sent."""
        return Recipient(chat_id=self._chat.key.chat_id, topic_id=self._chat.key.topic_id)

    @property
    def owner(self) -> str:
        """The id of the lease's owner: this tick."""
        return self._terms.owner

    def note_chat(self, chat: Chat) -> None:
        """Replace the chat in memory; the next commit writes the new one."""
        self._chat = chat

    def note_part(self, part: ChatPart) -> None:
        """Replace the chat's part that has the same type as `part`."""
        self._chat = self._chat.with_part(part)

    async def extend(self, told: Sequence[BudgetLease] = ()) -> None:
        """Extend the lease, save the budget, and store the usage of ended budget leases (`told`). Raises LeaseLost or
        StopRequested.
        """
        await self._write(lambda: lease_extension(self._seen.chat, self._chat, self._terms, told))

    def _extension(self, records: Sequence[Record]) -> ChatCommit:
        """Return a commit that extends the lease and writes these records, but not the other changes to the chat."""
        change = lease_extension(self._seen.chat, self._chat, self._terms, ())
        return replace(change, records=tuple(records))

    async def is_ours(self) -> bool:
        """Return whether this tick still holds the chat and nobody asked it to stop.

        The answer may be some seconds old. If Firestore does not answer, the result is True, since the next commit
        checks the lease in any case.
        """
        now = asyncio.get_running_loop().time()
        if now - self._seen_at < self._terms.look_s:
            return True
        try:
            chat = (await self._chats.see(self._seen.chat.key)).chat
        except StoreUnavailable:
            return True
        is_ours = (
            chat.claim.lease is not None
            and chat.claim.lease.owner == self.owner
            and chat.claim.stop == self._seen.chat.claim.stop
        )
        if is_ours:
            self._seen_at = now
        return is_ours

    async def let_go(self, *, is_counted: bool) -> None:
        """Release the chat without writing the noted changes.

        `is_counted`: count this claim as one that wrote nothing. Several such claims in a row mean that ticks crash.
        """
        chat = with_spent(self._seen.chat, self._chat)
        starts = chat.claim.starts if is_counted else max(0, chat.claim.starts - 1)
        # every release needs a new generation: wakes are named for the generation, and Cloud Tasks drops a used name
        given_back = chat.with_part(evolve(chat.claim, lease=None, starts=starts, generation=chat.claim.generation + 1))
        await self._write(lambda: ChatCommit(chat=given_back))

    @asynccontextmanager
    async def keep_lease(self) -> AsyncIterator[None]:
        """Extend the lease again and again while the block runs.

        The block is cancelled soon after the lease is lost or a stop is requested. Raises LeaseLost or StopRequested.
        """
        async with beside(self._keep()):
            yield

    async def _keep(self) -> None:
        half = self._terms.lease.total_seconds() / 2
        while True:
            await asyncio.sleep(min(half, self._terms.look_s))
            is_due = asyncio.get_running_loop().time() - self._extended_at >= half
            if is_due or not await self.is_ours():
                # if the commit were cancelled halfway, the version of the stored document would be unknown
                await to_its_end(self.extend())

    async def _write(self, change: Callable[[], ChatCommit]) -> None:
        async with self._writing:  # a model call that is under way may save the budget at the same time
            try:
                self._seen = await self._chats.commit(self._seen, change())
                self._seen_at = self._extended_at = asyncio.get_running_loop().time()
            except StopRequested as asked:
                marked = self._seen.chat.with_part(evolve(self._seen.chat.claim, stop=asked.stop))
                self._seen = ChatSnapshot(chat=marked, version=asked.version)
                self.note_part(evolve(self.chat.claim, stop=asked.stop))
                raise

    async def _write_anyway(self, change: Callable[[], ChatCommit]) -> None:
        """Write the change even if a stop was requested; a later commit then raises StopRequested."""
        try:
            await self._write(change)
        except StopRequested as asked:
            self._pending_stop = asked
            await self._write(change)
