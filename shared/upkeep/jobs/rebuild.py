"""Rebuilds all data that is derived from transcripts.

The segments and the window of a conversation are rebuilt immediately, under the lease of its chat, so that no tick
writes them meanwhile. Data that a model makes (summaries, titles, observations, vectors) is marked as due, and
scheduled jobs make it later. After an upgrade, a rebuild converts older data to the form that the new version reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from shared.base.errors import LeaseLost, LullError, TranscriptUnreadable, WriteConflict
from shared.base.logs import log
from shared.chat.claiming import LeasePolling, claim_when_free, own_terms
from shared.chat.conversation import newest
from shared.chat.queue import JobQueue
from shared.chat.session import Session
from shared.chat.store.transcripts import Window
from shared.recall.matching.segmenting import segment_chat
from shared.recall.store.memberships import MembershipRecord
from shared.recall.store.rebuilding import ConversationRebuild, ConversationSize, RebuildCursor
from shared.turn.members import GROUPS, writers_in
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.place import place_of
from shared.values.segment import Segment, SegmentStart
from shared.values.transcript import Transcript, participants_in
from shared.values.wake import Job, Queue

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats
    from shared.chat.store.transcripts import FirestoreTranscripts
    from shared.recall.store.rebuilding import FirestoreRebuilding

#: The most members of a group that are recorded from one conversation. A commit may have 500 writes.
MOST_MEMBERS: Final = 400
#: The cursor is saved after this many conversations. If a run dies, at most this many conversations are repeated.
KEPT_EVERY: Final = 20
#: a run of the job begins no conversation after this time, so that it ends before the function's time-out
LONGEST_RUN: Final = timedelta(minutes=4)


@dataclass(frozen=True, kw_only=True)
class RebuildModels:
    """The names of the model that makes notes and of the model that makes vectors; "" where there is no such model."""

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
    """Numbers of rebuilt conversations and segments, and the ids of conversations that could not be rebuilt."""

    done: int = 0
    segments: int = 0
    left_out: tuple[str, ...] = ()
    #: whether conversations are left, since the time was over
    is_unfinished: bool = False


@dataclass(frozen=True, kw_only=True)
class Rebuilder:
    """The dependencies of rebuilding: stores and settings. `tell` gets the number of finished conversations."""

    rebuilding: FirestoreRebuilding
    transcripts: FirestoreTranscripts
    chats: FirestoreChats
    window_entries: int
    clock: Callable[[], datetime]
    tell: Callable[[int], None] = lambda _: None
    #: whether data that a model makes is rebuilt, too
    with_model: bool = True


async def size_of(store: FirestoreRebuilding, beyond: str = "", agents: Sequence[str] = ()) -> RebuildSize:
    """Return the amount of data to rebuild in the conversations that follow `beyond`. Costs one read for each of them.

    If `agents` are given, only their data counts. Raises StoreUnavailable or StoreRefused.
    """
    conversations = entries = turns = 0
    async for one in store.outline(beyond):
        if not agents or agent_of(one) in agents:
            conversations, entries, turns = conversations + 1, entries + one.entries, turns + one.turns
    return RebuildSize(conversations=conversations, entries=entries, turns=turns)


def agent_of(one: ConversationSize) -> str:
    """Return the agent of a conversation; "" if its chat is unknown."""
    try:
        return ChatKey.from_id(one.chat).agent
    except ValueError:
        return ""


async def rebuild(rebuilder: Rebuilder) -> RebuildOutcome:
    """Rebuild every conversation. If an earlier run was interrupted, continue from the point where it stopped.

    Raises StoreUnavailable or StoreRefused.
    """
    store = rebuilder.rebuilding
    cursor = await store.cursor() or RebuildCursor(
        started_at=rebuilder.clock(), beyond="", done=0, with_model=rebuilder.with_model
    )
    await store.keep_cursor(cursor)
    return await _rebuild_from(rebuilder, cursor)


async def _rebuild_from(rebuilder: Rebuilder, cursor: RebuildCursor, until: datetime | None = None) -> RebuildOutcome:
    """Rebuild the conversations after the cursor. No conversation is begun after `until`."""
    store, outcome = rebuilder.rebuilding, RebuildOutcome()
    async for one in store.outline(cursor.beyond):
        if not cursor.includes(agent_of(one)):
            continue
        outcome = await _rebuild_one(rebuilder, one, outcome)
        cursor = replace(cursor, beyond=one.conversation, done=cursor.done + 1, moved_at=rebuilder.clock())
        rebuilder.tell(outcome.done)
        is_over = until is not None and rebuilder.clock() >= until
        if (is_over or cursor.done % KEPT_EVERY == 0) and not await store.move_cursor(cursor):
            return outcome  # somebody stopped it
        if is_over:
            return replace(outcome, is_unfinished=True)
    await store.keep_cursor(None)
    return outcome


async def _rebuild_one(rebuilder: Rebuilder, one: ConversationSize, outcome: RebuildOutcome) -> RebuildOutcome:
    """Rebuild a conversation, and return `outcome` with it added. Raises StoreUnavailable or StoreRefused."""
    try:
        segments = await _rebuild_conversation(rebuilder, one)
    except (WriteConflict, LeaseLost, TranscriptUnreadable):
        return replace(outcome, left_out=(*outcome.left_out, one.conversation))
    return replace(outcome, done=outcome.done + 1, segments=outcome.segments + segments)


async def continue_rebuild(rebuilder: Rebuilder, queue: JobQueue, job_run: JobRun) -> Mapping[str, int]:
    """Continue the rebuild that the owner started in the console, and enqueue the next run if conversations are left.

    Return counts. Does nothing if the rebuild was stopped. Raises a StoreError or a QueueError; the run may be
    repeated.
    """
    store = rebuilder.rebuilding
    cursor = await store.cursor()
    if cursor is None:
        log("the rebuild was stopped")
        return {}
    kept = replace(rebuilder, with_model=cursor.with_model)
    outcome = await _rebuild_from(kept, cursor, rebuilder.clock() + LONGEST_RUN)
    rest = await store.cursor() if outcome.is_unfinished else None
    if rest is not None:
        await queue.enqueue(rebuild_job(rest, rebuilder.clock(), job_run.traceparent))
    return {"rebuilt": outcome.done, "segments": outcome.segments, "left_out": len(outcome.left_out)}


def rebuild_job(cursor: RebuildCursor, now: datetime, traceparent: str = "", *, is_again: bool = False) -> Job:
    """Return the job that continues a rebuild. It runs in the function `erase`, which alone may delete the old data.

    The job's name depends on the position of the rebuild, so Cloud Tasks ignores a repeated job. With `is_again`, the
    name is new.
    """
    parts = ("rebuild", cursor.started_at.isoformat(), str(cursor.done), *((now.isoformat(),) if is_again else ()))
    name = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:40]
    body = json.dumps({"job": "rebuild"})
    return Job(function="erase", body=body, at=now, name=name, queue=Queue.BACKGROUND, traceparent=traceparent)


async def _rebuild_conversation(rebuilder: Rebuilder, outlined: ConversationSize) -> int:
    """Rebuild a conversation; return its number of segments. Raises a StoreError or TranscriptUnreadable."""
    try:
        key = ChatKey.from_id(outlined.chat)
    except ValueError:
        raise TranscriptUnreadable(f"the transcript of {outlined.conversation} does not name its chat") from None
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
        participants=[one.id for one in participants_in(transcript.entries)],
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
