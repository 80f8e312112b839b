"""A hold: one tick's lease on a chat, and the commits under it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.base.beside import beside, to_its_end
from shared.base.errors import StopRequested, StoreUnavailable
from shared.chat.spending import extension, with_spent
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
    """A chat that is claimed, with what was noted of its document since. Every commit extends the lease."""

    def __init__(self, chats: FirestoreChats, seen: ChatSnapshot, terms: SessionTerms) -> None:
        """`seen` is what the claim returned."""
        self._chats, self._seen, self._terms = chats, seen, terms
        self._chat = seen.chat
        self._writing = asyncio.Lock()
        #: a stop request that a commit met and did not raise; the next commit that may, raises it
        self._pending_stop: StopRequested | None = None
        #: by the loop's clock, when the chat was last seen to be this tick's, and when the lease was last extended
        self._seen_at = self._extended_at = asyncio.get_running_loop().time()

    @property
    def chat(self) -> Chat:
        """The chat with what was noted since."""
        return self._chat

    @property
    def recipient(self) -> Recipient:
        """Where the chat's messages go."""
        return Recipient(chat_id=self._chat.key.chat_id, topic_id=self._chat.key.topic_id)

    @property
    def owner(self) -> str:
        """Who holds the chat: this tick alone."""
        return self._terms.owner

    def note_chat(self, chat: Chat) -> None:
        """Note the chat as it is from now on."""
        self._chat = chat

    def note_part(self, part: ChatPart) -> None:
        """Note the chat with another part, which takes the place of its own of that type."""
        self._chat = self._chat.with_part(part)

    async def extend(self, told: Sequence[BudgetLease] = ()) -> None:
        """Extend the lease and save the budget; `told`: leases of it that ended. Raises LeaseLost or StopRequested."""
        await self._write(lambda: extension(self._seen.chat, self._chat, self._terms, told))

    def _extension(self, records: Sequence[Record]) -> ChatCommit:
        """The chat as it is stored, with another lease, and these records beside it."""
        change = extension(self._seen.chat, self._chat, self._terms, ())
        return replace(change, records=tuple(records))

    async def is_ours(self) -> bool:
        """Whether the chat is still this tick's, and nobody asked it to stop, as it was seen some seconds ago at most.

        What Firestore does not tell now, the next commit is told.
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
        """Give the chat back as it was claimed: nothing that was noted is written.

        `is_counted`: the claim counts as one more that wrote nothing.
        """
        chat = with_spent(self._seen.chat, self._chat)
        starts = chat.claim.starts if is_counted else max(0, chat.claim.starts - 1)
        # as any giving back: names that were used while it was held swallow nothing that comes now
        given_back = chat.with_part(evolve(chat.claim, lease=None, starts=starts, generation=chat.claim.generation + 1))
        await self._write(lambda: ChatCommit(chat=given_back))

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Extend the lease for as long as the block takes.

        The block is cancelled soon after the chat is lost or a stop is requested. Raises LeaseLost or StopRequested.
        """
        async with beside(self._keep()):
            yield

    async def _keep(self) -> None:
        half = self._terms.lease.total_seconds() / 2
        while True:
            await asyncio.sleep(min(half, self._terms.look_s))
            is_due = asyncio.get_running_loop().time() - self._extended_at >= half
            if is_due or not await self.is_ours():
                # half done, nobody would know which version of the document is the one that was seen
                await to_its_end(self.extend())

    async def _write(self, change: Callable[[], ChatCommit]) -> None:
        async with self._writing:  # a call that is under way may have the purse written
            try:
                self._seen = await self._chats.commit(self._seen, change())
                self._seen_at = self._extended_at = asyncio.get_running_loop().time()
            except StopRequested as asked:
                marked = self._seen.chat.with_part(evolve(self._seen.chat.claim, stop=asked.stop))
                self._seen = ChatSnapshot(chat=marked, version=asked.version)
                self.note_part(evolve(self.chat.claim, stop=asked.stop))
                raise

    async def _write_anyway(self, change: Callable[[], ChatCommit]) -> None:
        """Write it also if somebody asks to stop, which is left for the next commit that raises it."""
        try:
            await self._write(change)
        except StopRequested as asked:
            self._pending_stop = asked
            await self._write(change)
