"""Rebuilds all data that is derived from transcripts.

The segments and the window of a conversation are rebuilt immediately, under the lease of its chat, so that no tick
writes them meanwhile. Data that a model makes (abbreviations, titles, observations, vectors) is marked as due, and
scheduled jobs make it later. After an upgrade, a rebuild converts older data to the form that the new version reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from shared.base.errors import LeaseLost, LullError, TranscriptUnreadable, WriteConflict
from shared.chat.claiming import LeasePolling, claim_when_free, own_terms
from shared.chat.conversation import newest
from shared.chat.session import Session
from shared.chat.store.transcripts import Window
from shared.recall.matching.segmenting import segment_chat
from shared.recall.store.memberships import MembershipRecord
from shared.recall.store.rebuilding import ConversationRebuild, ConversationSize, RebuildCursor
from shared.turn.members import GROUPS, writers_in
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.place import place_of
from shared.values.segment import Segment, SegmentStart
from shared.values.transcript import Transcript

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats
    from shared.chat.store.transcripts import FirestoreTranscripts
    from shared.recall.store.rebuilding import FirestoreRebuilding

#: The most members of a group that are recorded from one conversation. A commit may have 500 writes.
MOST_MEMBERS: Final = 400
#: The cursor is saved after this many conversations. If a run dies, at most this many conversations are repeated.
KEPT_EVERY: Final = 20


@dataclass(frozen=True, kw_only=True)
class RebuildModels:
    """The names of the models that make notes and vectors; a name is "" if no model does that."""

    notes: str = ""
    embedding: str = ""


@dataclass(frozen=True, kw_only=True)
class RebuildSize:
    """Numbers of conversations, entries and turns to rebuild."""

    conversations: int = 0
    entries: int = 0
    turns: int = 0


@dataclass(frozen=True, kw_only=True)
class RebuildOutcome:
    """Number of rebuilt conversations and segments, and the ids of conversations that could not be rebuilt."""

    done: int = 0
    segments: int = 0
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rebuilder:
    """The stores and settings of rebuilding. `tell` is called with the number of finished conversations."""

    rebuilding: FirestoreRebuilding
    transcripts: FirestoreTranscripts
    chats: FirestoreChats
    window_entries: int
    clock: Callable[[], datetime]
    tell: Callable[[int], None] = lambda _: None
    #: whether data that a model makes is rebuilt, too
    with_model: bool = True


async def size_of(rebuilder: Rebuilder, beyond: str = "") -> RebuildSize:
    """Return the amount of data to rebuild. Costs one read for each conversation.

    Raises StoreUnavailable or StoreRefused.
    """
    conversations = entries = turns = 0
    async for one in rebuilder.rebuilding.outline(beyond):
        conversations, entries, turns = conversations + 1, entries + one.entries, turns + one.turns
    return RebuildSize(conversations=conversations, entries=entries, turns=turns)


async def rebuild(rebuilder: Rebuilder) -> RebuildOutcome:
    """Rebuild every conversation. If an earlier run was interrupted, continue from the point where it stopped.

    Raises StoreUnavailable or StoreRefused.
    """
    store, outcome = rebuilder.rebuilding, RebuildOutcome()
    cursor = await store.cursor() or RebuildCursor(started_at=rebuilder.clock(), beyond="", done=0)
    await store.keep_cursor(cursor)
    async for one in store.outline(cursor.beyond):
        try:
            segments = await _rebuild_conversation(rebuilder, one)
            outcome = replace(outcome, done=outcome.done + 1, segments=outcome.segments + segments)
        except (WriteConflict, LeaseLost, TranscriptUnreadable):
            outcome = replace(outcome, left_out=(*outcome.left_out, one.conversation))
        cursor = replace(cursor, beyond=one.conversation, done=cursor.done + 1)
        rebuilder.tell(outcome.done)
        if cursor.done % KEPT_EVERY == 0:
            await store.keep_cursor(cursor)
    await store.keep_cursor(None)
    return outcome


async def _rebuild_conversation(rebuilder: Rebuilder, outlined: ConversationSize) -> int:
    """Rebuild a conversation; return its number of segments. Raises a StoreError or TranscriptUnreadable."""
    try:
        key = ChatKey.from_id(outlined.chat)
    except ValueError:
        raise TranscriptUnreadable(f"{outlined.conversation} names no chat") from None
    session = await claim_when_free(
        rebuilder.chats, key, own_terms(rebuilder.clock, rebuilder.window_entries), LeasePolling()
    )
    if session is None:  # the chat has moved or was never stored, so no tick writes to the conversation
        transcript = await rebuilder.transcripts.read(outlined.conversation)
        return await _replace(rebuilder, Chat(key=key), transcript) if transcript is not None else 0
    try:
        async with session.keep_lease():
            segments = await _rebuild_in_session(rebuilder, session, outlined.conversation)
        await session.commit(release=True)
    except BaseException:
        with suppress(LullError):
            await session.let_go(is_counted=False)
        raise
    return segments


async def _rebuild_in_session(rebuilder: Rebuilder, session: Session, conversation: str) -> int:
    transcript = await rebuilder.transcripts.read(conversation)
    if transcript is None:
        return 0
    segments = await _replace(rebuilder, session.chat, transcript)
    # recorded without asking Telegram: lull asks whether these people still are members before it shows them anything
    if session.chat.kind in GROUPS:
        for person in list(writers_in(transcript.entries))[:MOST_MEMBERS]:
            session.note(MembershipRecord(person=person, is_member=True))
    if session.chat.conversation == conversation:
        _, start = whole_segments(session.chat, transcript)
        session.note_part(evolve(session.chat.recall, segment=start))
        session.note(Window(newest(transcript.entries, rebuilder.window_entries)))
    return segments


async def _replace(rebuilder: Rebuilder, chat: Chat, transcript: Transcript) -> int:
    segments, start = whole_segments(chat, transcript)
    # even without notes of a model, segments need vectors and observations
    rebuilt = ConversationRebuild(
        conversation=transcript.conversation,
        place=place_of(chat.key),
        segments=segments,
        start=start,
        due_at=rebuilder.clock() if transcript.turn > 0 else None,
        is_noted_again=rebuilder.with_model,
    )
    await rebuilder.rebuilding.replace(rebuilt)
    return len(segments)


def whole_segments(chat: Chat, transcript: Transcript) -> tuple[Sequence[Segment], SegmentStart]:
    """Return the finished segments of a whole conversation, and the start of the segment that is still open."""
    fresh = evolve(chat, conversation=transcript.conversation, recall=evolve(chat.recall, segment=SegmentStart()))
    after, segments = segment_chat(fresh, transcript.entries)
    return segments, after.recall.segment
