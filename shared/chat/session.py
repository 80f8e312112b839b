"""A session: one tick's lease on a chat. It collects the tick's writes, and writes them in few commits."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from ulid import ULID

from shared.base.errors import StopRequested
from shared.base.logs import log
from shared.chat.claimed_chat import ClaimedChat
from shared.chat.conversation import (
    begin_conversation,
    conversation_records,
    fits_into_chat,
    is_talk,
    leave_conversation,
    newest,
    note_activity,
    number_entry,
    resume_conversation,
    transcript_part,
    weight_of,
    with_own_marks,
    with_seen_files,
)
from shared.chat.moves import last_change, moved_chat, with_old_ids
from shared.chat.spending import close_chat_budget
from shared.chat.store.chats import ChatCommit, ChatSnapshot, MovedChat, ReadUpdates
from shared.chat.store.conversations import ConversationCost, TakenConversation
from shared.chat.store.decision_counts import DecisionCounts
from shared.chat.store.outbox import StoredNotice
from shared.chat.store.plans import CurrentPlan
from shared.chat.store.transcripts import TranscriptPart, Window
from shared.chat.store.writes import Record
from shared.chat.terms import Segmenter, SessionTerms
from shared.chat.tick_record import TickRecord
from shared.tasks.plan import Plan
from shared.values.budget import ChatBudget
from shared.values.chat import Chat, ConversationInfo
from shared.values.evolve import evolve
from shared.values.message import AnyEntry, MediaDescribed
from shared.values.outbox import OutboxNotice
from shared.values.segment import Segment

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats


Kind = TypeVar("Kind", bound=Record)


class Session(ClaimedChat):
    """A leased chat. The next commit writes everything that was noted in the session, or nothing.

    Every commit extends the lease. If another tick took the lease, a commit raises LeaseLost and writes nothing.
    """

    def __init__(self, chats: FirestoreChats, seen: ChatSnapshot, terms: SessionTerms) -> None:
        """`seen` is the snapshot that the claim returned."""
        super().__init__(chats, seen, terms)
        self.claimed = seen.chat
        #: entries that are not in a page of the transcript yet
        self._entries: list[AnyEntry] = list(seen.chat.talk.unpaged)
        self._records: list[Record] = []
        self.notices: list[OutboxNotice] = []  #: the notices that the next commit adds to the outbox
        #: the record of this tick, which is stored with the next page of the transcript
        self.tick_record: TickRecord | None = None
        self._window: tuple[AnyEntry, ...] | None = None
        self._segments = SessionSegments(terms.segmenting)

    @property
    def noted_read(self) -> frozenset[int]:
        """The ids of the updates that the next commit marks as read."""
        return frozenset(n for one in self.records_of(ReadUpdates) for n in one.update_ids)

    @property
    def window_entries(self) -> int:
        """The largest number of entries that the window keeps."""
        return self._terms.window_entries

    async def window(self) -> tuple[AnyEntry, ...]:
        """Return the newest entries of the conversation, including entries that this session noted."""
        if self._window is None:
            stored = await self._chats.window(self._seen.chat, self._terms.window_entries)
            known = with_old_ids(stored, self._seen.chat.moves.moved_seq)
            later = (entry for entry in self._entries if entry.seq > self._seen.chat.talk.seq)
            self._window = newest((*known, *later), self._terms.window_entries)
        return self._window

    def records_of(self, kind: type[Kind]) -> Sequence[Kind]:
        """Return the noted records of this class. The next commit writes them."""
        return tuple(one for one in self._records if isinstance(one, kind))

    def note(self, record: Record) -> None:
        """Add a record to the next commit. The window, conversations and entries have separate methods."""
        self._records.append(record)
        if isinstance(record, StoredNotice):
            self.notices.append(record.notice)

    async def note_entries(self, entries: Iterable[AnyEntry]) -> None:
        """Append entries to the transcript and number them. A chat's first entry begins its conversation."""
        noted, is_first = list[AnyEntry](), not (self._chat.conversation or self._chat.talk.has_past)
        for entry in entries:
            self.note_conversation()
            self._chat, stored = number_entry(self._chat, entry)
            noted.append(stored)
        self._chat = with_own_marks(self._chat, noted, is_first=is_first)
        if any(is_talk(entry) for entry in noted):
            self._chat = note_activity(self._chat, self._terms.clock(), self._terms.rest)
        self._entries += noted
        self._segments.hear(noted)
        if self._window is not None:
            self._window = newest((*self._window, *noted), self._terms.window_entries)
        if any(isinstance(entry, MediaDescribed) for entry in noted):
            self._chat = with_seen_files(self._chat, await self.window())

    def note_sent(self, message_ids: Iterable[int], *, is_marked: bool) -> None:
        """Record the ids of messages that the agent sent, including those that get no entry in the transcript.
        `is_marked`: they contain untrusted text.
        """
        marks = self._chat.talk.own_marks
        for message_id in message_ids:
            marks = marks.with_message(message_id, is_marked=is_marked)
        self.note_part(evolve(self.chat.talk, own_marks=marks))

    def note_conversation(self) -> None:
        """If the chat has no conversation, give it one with a new id."""
        if not self._chat.conversation:
            self.note_chat(evolve(self.chat, conversation=f"conv-{ULID()}"))

    async def note_other_conversation(self, begun_by: int = 0) -> None:
        """Begin another conversation, with an empty window. `begun_by`: the id of the update with its first words."""
        await self._note_left()
        self._chat = begin_conversation(self._chat, f"conv-{ULID()}", begun_by)

    async def note_resumed(self, kept: ConversationInfo) -> None:
        """Leave the current conversation, to which entries noted so far belong, and resume `kept`, an earlier one."""
        await self._note_left()
        self._chat = resume_conversation(self._chat, kept, ())
        stored = await self._chats.window(self._chat, self._terms.window_entries)
        self._chat = resume_conversation(self._chat, kept, stored)
        self._window = with_old_ids(stored, self._chat.moves.moved_seq)
        if kept.chat not in self._chat.ids:
            self.note(TakenConversation(conversation=kept.id, version=kept.version))

    async def _note_left(self) -> None:
        window = await self.window()
        self._chat = leave_conversation(self._chat, self._terms.clock())
        if self._chat.talk.seq:
            self._chat = self._segments.make(self._chat, window, is_written=not self.claimed.talk.is_behind)
            records = conversation_records(self._chat, self._entries, window, self.tick_record, is_current=False)
            self._records += records
        self._entries, self._window = [], ()

    async def commit(self, plan: Plan | None = None, *, release: bool = False, raises_stop: bool = False) -> None:
        """Write everything that was noted. With `release`, also bring the window and the conversation up to date and
        release the chat.

        With `raises_stop`: if there is a stop request that was not raised yet, raise StopRequested and write nothing.
        Without it, write everything and leave the request for the next commit with `raises_stop`.
        """
        if release and self._segments.are_many:  # store results of calls before many commits
            await self.keep_up(plan, raises_stop=raises_stop)
        if release:
            await self._catch_up()
        await self._write_ahead()
        if raises_stop and self._pending_stop is not None:
            asked, self._pending_stop = self._pending_stop, None
            raise asked
        if release:
            self._chat, told = close_chat_budget(self._chat, self._terms.clock())
            self._records += told
        await (self._write if raises_stop else self._write_anyway)(lambda: self._change(plan, release=release))
        self._forget()

    async def keep_up(self, plan: Plan | None, *, raises_stop: bool = False) -> None:
        """Commit the noted changes. If the new entries are many, commit their search segments right afterwards.

        A later tick could not make all of these segments, since it loads only the newest entries of a conversation.
        """
        await self.commit(plan, raises_stop=raises_stop)
        if self._segments.are_many:
            await self._catch_up()
            await self.commit()

    async def _write_ahead(self) -> None:
        """If the segments do not fit into the next commit, write all but the last portion in separate commits."""
        for portion in self._chats.portions(self._chat, self._segments.records())[:-1]:
            await self._write_anyway(partial(self._extension, portion))
            self._segments.forget(portion)

    async def move(self, there: ChatSnapshot, plan: Plan | None) -> None:
        """Write what was noted, and continue the conversation and the plan in the group's new chat.

        `there` is the new chat's snapshot. Raises LeaseLost if either chat changed since.
        """
        if self._segments.are_many:
            await self.keep_up(plan)
        new = moved_chat(self._chat, there.chat)
        self.note_chat(
            evolve(
                self.chat,
                moves=evolve(self.chat.moves, moved_to=new.key.chat_id),
                due_at=None,
                budget=ChatBudget(),
                talk=evolve(self.chat.talk, keyboards=()),
            )
        )
        await self._catch_up()
        await self._write_ahead()
        self.note(TranscriptPart(conversation=there.chat.conversation, entries=there.chat.talk.unpaged))
        moved = MovedChat(chat=new, version=there.version, plan=plan)
        try:
            await self._write_with(plan, moved)
        except (
            StopRequested
        ):  # the request stays unread under the old id, and is forwarded to the new id with the rest of the inbox
            await self._write_with(plan, moved)
        self._forget()

    async def _write_with(self, plan: Plan | None, moved: MovedChat) -> None:
        await self._write(lambda: last_change(self._change(plan, release=True), moved))

    async def _catch_up(self) -> None:
        """Make segments that a dead tick left out. This loads the window, so the release also writes the window."""
        if self._segments.is_behind or self._seen.chat.talk.is_behind:
            window = await self.window()
            self._chat = self._segments.make(self._chat, window, is_written=not self.claimed.talk.is_behind)

    def _change(self, plan: Plan | None, *, release: bool) -> ChatCommit:
        # wakes that arrived during this claim used up the task names of its generation
        generation = self._chat.claim.generation + release
        lease = None if release else self._terms.lease_now()
        # a release has caught up, or had nothing to catch up with
        is_behind = not release and (bool(self._entries) or self._seen.chat.talk.is_behind)
        unpaged = () if release or not fits_into_chat(self._entries) else tuple(self._entries)
        chat = evolve(
            self._chat,
            claim=evolve(self._chat.claim, lease=lease, starts=0, generation=generation),
            talk=evolve(self._chat.talk, is_behind=is_behind, unpaged=unpaged),
        )
        return ChatCommit(chat=chat, records=tuple(self._all_records(plan, release=release, is_paged=not unpaged)))

    def _all_records(self, plan: Plan | None, *, release: bool, is_paged: bool) -> Iterator[Record]:
        """Yield the noted records, and the records that every commit needs."""
        yield from self._records
        yield from self._segments.records()
        if release and self._window is not None and self._chat.talk.seq:
            yield from conversation_records(self._chat, self._entries, self._window, self.tick_record)
            yield Window(self._window)
        elif is_paged:
            yield transcript_part(self._chat, self._entries, self.tick_record)
            yield DecisionCounts(conversation=self._chat.conversation, entries=tuple(self._entries))
            yield ConversationCost(conversation=self._chat.conversation, added=tuple(self._entries))
        if plan is not None:
            yield CurrentPlan(plan)

    def _forget(self) -> None:
        for record in self._records:
            if (line := record.log_line()) is not None:
                log(line.text, logging.INFO, None, **line.fields)
        self._segments.forget()
        self._entries, self._records = list(self._seen.chat.talk.unpaged), []


#: entries with more bytes than this get their segments in separate commits: one Chinese character makes 300 bytes of
#: index
MANY_BYTES = 20_000


class SessionSegments:
    """The entries of a session that are in no segment yet, and the segments that are to be written."""

    def __init__(self, segmenting: Segmenter | None) -> None:
        """If `segmenting` is None, no segments are made."""
        self._segmenting = segmenting
        #: entries without a segment. The window may no longer have them
        self._entries: list[AnyEntry] = []
        self._made: dict[tuple[str, int], Record] = {}

    @property
    def is_behind(self) -> bool:
        """Whether some entries are in no segment yet."""
        return bool(self._entries)

    @property
    def are_many(self) -> bool:
        """Whether the segments of these entries may be too large for one commit."""
        return weight_of(self._entries) > MANY_BYTES

    def hear(self, entries: Iterable[AnyEntry]) -> None:
        """Add new entries, which `make` cuts into segments later."""
        self._entries += entries

    def make(self, chat: Chat, window: Sequence[AnyEntry], *, is_written: bool) -> Chat:
        """Make the segments of the new entries. Return the chat with the start of its open segment, to which entries
        may still be added.

        The open segment begins within the window or in the new entries. `is_written`: all earlier entries are in stored
        segments, so an unchanged open segment is not written again.
        """
        known = {entry.seq: entry for entry in (*window, *self._entries)}
        new = {entry.seq for entry in self._entries}
        self._entries = []
        if self._segmenting is None:
            return chat
        open_before = chat.recall.segment
        chat, segments = self._segmenting.cut(chat, [known[seq] for seq in sorted(known)])
        if is_written and segments and segments[0].start == open_before and _is_same(segments, new):
            segments = segments[1:]
        self._made |= {(one.conversation, one.number): self._segmenting.record(one) for one in segments}
        return chat

    def records(self) -> Sequence[Record]:
        """Return the records of segments that are not written yet."""
        return tuple(self._made.values())

    def forget(self, written: Iterable[Record] | None = None) -> None:
        """Drop the given records of segments after they were written; if `written` is None, drop all of them."""
        gone = frozenset(map(id, self.records() if written is None else written))
        self._made = {key: one for key, one in self._made.items() if id(one) not in gone}


def _is_same(segments: Sequence[Segment], new: AbstractSet[int]) -> bool:
    """Return whether the first segment is unchanged, that is, contains no new entry."""
    first, *later = [{message.seq for message in one.messages} for one in segments]
    return first.isdisjoint(new) and all(seqs <= new for seqs in later)
