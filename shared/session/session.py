"""A session: one tick's hold on one chat, and what it writes meanwhile.

It writes in as few commits as delivery's guarantees allow.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from ulid import ULID

from shared.errors import StopAsked, StoreUnavailable
from shared.logs import log
from shared.models.channel import Recipient
from shared.models.chat import Chat, KeptConversation
from shared.models.message import AnyEntry
from shared.models.purse import Allowance, Purse
from shared.models.reminder import Reminder
from shared.ports.chats import Change, ChatSnapshot, ChatStore
from shared.records import (
    ConversationState,
    CurrentPlan,
    KeptReminder,
    MovedChat,
    ReadUpdates,
    Record,
    TranscriptPart,
    Window,
)
from shared.session.conversation import begun, fits_into_chat, is_talk, left, newest, numbered, resumed, talking
from shared.session.moves import last_change, moved_chat, with_old_ids
from shared.session.segments import SessionSegments
from shared.session.spending import extension, with_closed_purse, with_spent
from shared.session.terms import SessionTerms
from shared.tasks.plan import Plan

T = TypeVar("T")


class Session:
    """A claimed chat. What is noted here is written by the next commit, all of it or nothing.

    Every commit extends the lease, and raises LeaseLost when the lease is another's: then nothing was written.
    """

    def __init__(self, chats: ChatStore, seen: ChatSnapshot, terms: SessionTerms) -> None:
        """`seen` is what the claim returned."""
        self._chats, self._seen, self._terms = chats, seen, terms
        self._chat = self.claimed = seen.chat
        #: in no page of the transcript yet
        self._entries: list[AnyEntry] = list(seen.chat.unpaged)
        self._records: list[Record] = []
        self.notices: list[Reminder] = []  #: what was noted for the owners of reminders that were lost
        self._window: tuple[AnyEntry, ...] | None = None
        self._segments = SessionSegments(terms.segmenting)
        self._writing = asyncio.Lock()
        #: a stop request that a commit met and did not raise; the next commit that may, raises it
        self._pending_stop: StopAsked | None = None
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

    @property
    def noted_read(self) -> frozenset[int]:
        """The updates that the next commit marks as read; until then the inbox still counts them as unread."""
        return frozenset(n for one in self._records if isinstance(one, ReadUpdates) for n in one.update_ids)

    @property
    def window_entries(self) -> int:
        """How many entries the window keeps."""
        return self._terms.window_entries

    async def window(self) -> tuple[AnyEntry, ...]:
        """The newest entries of the conversation, with what was noted since."""
        if self._window is None:
            stored = await self._chats.window(self._seen.chat, self._terms.window_entries)
            known = with_old_ids(stored, self._seen.chat.moved_seq)
            later = (entry for entry in self._entries if entry.seq > self._seen.chat.seq)
            self._window = newest((*known, *later), self._terms.window_entries)
        return self._window

    @property
    def noted_reminders(self) -> Sequence[Reminder]:
        """The reminders that the next commit writes."""
        return tuple(one.reminder for one in self._records if isinstance(one, KeptReminder))

    def note(self, record: Record) -> None:
        """Have the next commit write a record; the window, conversations and entries have methods of their own."""
        self._records.append(record)
        if isinstance(record, KeptReminder) and record.reminder.is_notice:
            self.notices.append(record.reminder)

    def note_chat(self, **fields: Any) -> None:
        """Note new values of the chat's fields."""
        self._chat = self._chat.model_copy(update=fields)

    async def note_entries(self, entries: Iterable[AnyEntry]) -> None:
        """Append to the transcript; each gets the next number. A chat's first entry begins its conversation."""
        noted = list[AnyEntry]()
        for entry in entries:
            self.note_conversation()
            self._chat, stored = numbered(self._chat, entry)
            noted.append(stored)
        if any(is_talk(entry) for entry in noted):
            self._chat = talking(self._chat, self._terms.clock(), self._terms.rest)
        self._entries += noted
        self._segments.hear(noted)
        if self._window is not None:
            self._window = newest((*self._window, *noted), self._terms.window_entries)

    def note_conversation(self) -> None:
        """Begin a conversation, if the chat has none."""
        if not self._chat.conversation:
            self.note_chat(conversation=f"conv-{ULID()}")

    async def note_other_conversation(self, begun_by: int = 0) -> None:
        """Begin another conversation, with an empty window and the words of the update `begun_by`, if any."""
        await self._note_left()
        self._chat = begun(self._chat, f"conv-{ULID()}", begun_by)

    async def note_resumed(self, kept: KeptConversation) -> None:
        """Go back to a conversation of the chat, with its window; what was noted so far stays with the one left."""
        await self._note_left()
        self._chat = resumed(self._chat, kept, ())
        stored = await self._chats.window(self._chat, self._terms.window_entries)
        self._chat = resumed(self._chat, kept, stored)
        self._window = with_old_ids(stored, self._chat.moved_seq)

    async def _note_left(self) -> None:
        """Note the conversation as it is left."""
        window = await self.window()
        self._chat = left(self._chat, self._terms.clock())
        if self._chat.seq:
            self._chat = self._segments.make(self._chat, window, is_written=not self.claimed.is_behind)
            self._records += self._conversation_records(window)
        self._entries, self._window = [], ()

    async def commit(self, plan: Plan | None = None, *, release: bool = False, raises_stop: bool = False) -> None:
        """Write what was noted; `release` gives the chat back, with its window and conversation brought up to date.

        `raises_stop`: when a stop request came since the last commit that raised one, StopAsked is raised and nothing
        is written. Otherwise the commit is written all the same, and the request is left for the next that raises it.
        """
        if raises_stop and self._pending_stop is not None:
            asked, self._pending_stop = self._pending_stop, None
            raise asked
        if release:
            await self._catch_up()
            self._chat, told = with_closed_purse(self._chat, self._terms.clock())
            self._records += told
        try:
            await self._write(lambda: self._change(plan, release=release))
        except StopAsked as asked:
            if raises_stop:
                raise
            self._pending_stop = asked
            await self._write(lambda: self._change(plan, release=release))
        self._forget()

    async def extend(self, told: Sequence[Allowance] = ()) -> None:
        """Extend the lease, and write but the purse, and what `told` is over of it. Raises LeaseLost or StopAsked."""
        await self._write(lambda: extension(self._seen.chat, self._chat, self._terms, told))

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
        is_ours = chat.lease is not None and chat.lease.owner == self.owner and chat.stop == self._seen.chat.stop
        if is_ours:
            self._seen_at = now
        return is_ours

    async def let_go(self, *, is_counted: bool) -> None:
        """Give the chat back as it was claimed: nothing that was noted is written.

        `is_counted`: the claim counts as one more that wrote nothing.
        """
        chat = with_spent(self._seen.chat, self._chat)
        starts = chat.starts if is_counted else max(0, chat.starts - 1)
        # as any giving back: names that were used while it was held swallow nothing that comes now
        given_back = {"lease": None, "starts": starts, "generation": chat.generation + 1}
        await self._write(lambda: Change(chat=chat.model_copy(update=given_back)))

    async def move(self, there: ChatSnapshot, plan: Plan | None) -> None:
        """Write what was noted, and have the group's new chat go on with the conversation and the plan.

        `there` is the new chat's document as it was seen. Raises LeaseLost when either was changed since.
        """
        new = moved_chat(self._chat, there.chat)
        self.note_chat(moved_to=new.key.chat_id, due_at=None, purse=Purse(), keyboards=())
        await self._catch_up()
        self.note(TranscriptPart(conversation=there.chat.conversation, entries=there.chat.unpaged))
        moved = MovedChat(chat=new, version=there.version, plan=plan)
        try:
            await self._write_with(plan, moved)
        except StopAsked:  # the request is unread under the old id, and is handed on to the new one with what is there
            await self._write_with(plan, moved)
        self._forget()

    async def _write_with(self, plan: Plan | None, moved: MovedChat) -> None:
        await self._write(lambda: last_change(self._change(plan, release=True), moved))

    async def _catch_up(self) -> None:
        """Have the window and the conversation told of what is new, and of what a tick wrote that never came to do so.

        Else the archive would not know that the conversation changed.
        """
        if self._segments.is_behind or self._seen.chat.is_behind:
            window = await self.window()
            self._chat = self._segments.make(self._chat, window, is_written=not self.claimed.is_behind)

    def _change(self, plan: Plan | None, *, release: bool) -> Change:
        # what came while it was held has used up the names of this generation
        generation = self._chat.generation + release
        lease = None if release else self._terms.lease_now()
        kept: dict[str, Any] = {"lease": lease, "starts": 0, "generation": generation}
        # without a window nothing was noted, and nothing is caught up
        kept["is_behind"] = not release and (bool(self._entries) or self._seen.chat.is_behind)
        unpaged = () if release or not fits_into_chat(self._entries) else tuple(self._entries)
        chat = self._chat.model_copy(update=kept | {"unpaged": unpaged})
        return Change(chat=chat, records=tuple(self._all_records(plan, release=release, is_paged=not unpaged)))

    def _all_records(self, plan: Plan | None, *, release: bool, is_paged: bool) -> Iterator[Record]:
        """What was noted, and what the session itself knows is to be written."""
        yield from self._records
        yield from self._segments.records()
        if release and self._window is not None and self._chat.seq:
            yield from self._conversation_records(self._window)
            yield Window(self._window)
        elif is_paged:
            yield self._transcript_part()
        if plan is not None:
            yield CurrentPlan(plan)

    def _conversation_records(self, window: Sequence[AnyEntry]) -> Iterator[Record]:
        """The conversation as it is now: what is new in its transcript, and its own document."""
        yield self._transcript_part()
        newest = window[-1].at if window else None
        yield ConversationState(chat=self._chat, newest_at=newest, entries=tuple(window))

    def _transcript_part(self) -> TranscriptPart:
        return TranscriptPart(conversation=self._chat.conversation, entries=tuple(self._entries))

    async def _write(self, change: Callable[[], Change]) -> None:
        async with self._writing:  # a call that is under way may have the purse written
            try:
                self._seen = await self._chats.commit(self._seen, change())
                self._seen_at = self._extended_at = asyncio.get_running_loop().time()
            except StopAsked as asked:
                marked = self._seen.chat.model_copy(update={"stop": asked.stop})
                self._seen = ChatSnapshot(chat=marked, version=asked.version)
                self.note_chat(stop=asked.stop)
                raise

    def _forget(self) -> None:
        for record in self._records:
            if (line := record.log_line()) is not None:
                log(line.text, logging.INFO, None, **line.fields)
        self._segments.forget()
        self._entries, self._records = list(self._seen.chat.unpaged), []

    async def while_leased(self, work: Awaitable[T]) -> T:
        """The result of some long work; the lease is extended until it is there.

        The work is cancelled soon after the chat was taken or somebody asked to stop: raises LeaseLost or StopAsked.
        """
        task = asyncio.ensure_future(work)
        half = self._terms.lease.total_seconds() / 2
        try:
            while not (await asyncio.wait({task}, timeout=min(half, self._terms.look_s)))[0]:
                is_due = asyncio.get_running_loop().time() - self._extended_at >= half
                if is_due or not await self.is_ours():
                    await self.extend()
            return task.result()
        finally:
            task.cancel()
