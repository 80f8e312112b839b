"""Rebuilding in the real Firestore gives what ticks write, for data of an older version, too."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.chat.session import Session
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.transcripts import FirestoreTranscripts
from shared.chat.terms import SessionTerms
from shared.recall.matching.segmenting import SEGMENTING
from shared.recall.store.rebuilding import FirestoreRebuilding, RebuildCursor
from shared.recall.store.segments import decode_segment
from shared.upkeep.jobs.rebuild import (
    LONGEST_RUN,
    Rebuilder,
    RebuildOutcome,
    continue_rebuild,
    rebuild,
    rebuild_job,
    size_of,
)
from shared.values.chat import Chat, Lease
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.segment import SegmentStart
from shared.values.wake import Job, Queue
from tests.shared.examples import ANN, said
from tests.shared.new_chats import new_chats

WORDS = " ".join(f"word{n}" for n in range(60))


@dataclass
class DescribeHarness:
    """A database with conversations, and their rebuilding."""

    chats: FirestoreChats
    told: list[int] = field(default_factory=list)
    with_model: bool = True

    def rebuilder(self) -> Rebuilder:
        return Rebuilder(
            rebuilding=FirestoreRebuilding(self.chats.client),
            transcripts=FirestoreTranscripts(str(self.chats.client.project)),
            chats=self.chats,
            window_entries=50,
            clock=lambda: datetime.now(UTC),
            tell=self.told.append,
            with_model=self.with_model,
        )

    async def says(self, key: ChatKey, *texts: str, is_old: bool = False, leaves: bool = False) -> Chat:
        """Store messages of a chat. An older version stores no segments."""
        now = datetime.now(UTC)
        terms = SessionTerms(
            owner="t", lease=timedelta(seconds=60), window_entries=50, clock=lambda: now,
            segmenting=None if is_old else SEGMENTING,
        )  # fmt: skip
        seen = await self.chats.see(key)
        session = Session(self.chats, await self.chats.claim(seen, Lease(owner="t", until=now + terms.lease)), terms)
        await session.note_entries([said(text, author=ANN, message_id=n) for n, text in enumerate(texts, 1)])
        if leaves:
            await session.note_other_conversation()
            await session.note_entries([said("something else")])
        await session.commit(release=True)
        return session.chat

    async def documents(self, collection: str) -> dict[str, dict[str, Any]]:
        found = await self.chats.client.collection(collection).get()
        return {one.id: one.to_dict() or {} for one in found}

    async def derived(self, conversation: str, key: ChatKey) -> tuple[Any, Any]:
        """Return a conversation's segments, and the window of its chat."""
        window = (await self.chats.client.document(paths.window_path(key)).get()).to_dict()
        return await self.documents(paths.segments_path(conversation)), window


@pytest.fixture
async def describe_harness(emulator: str) -> AsyncIterator[DescribeHarness]:
    async with AsyncExitStack() as stack:
        yield DescribeHarness(await stack.enter_async_context(new_chats()))


async def test_what_is_rebuilt_is_what_ticks_make(describe_harness: DescribeHarness, key: ChatKey) -> None:
    await describe_harness.says(key, WORDS, WORDS, WORDS)
    chat = await describe_harness.says(key, "and tea", WORDS)
    before = await describe_harness.derived(chat.conversation, key)
    await describe_harness.chats.client.document(paths.window_path(key)).delete()
    await describe_harness.chats.client.document(paths.segment_path(chat.conversation, 1)).delete()
    outcome = await rebuild(describe_harness.rebuilder())
    assert (outcome.done, outcome.left_out) == (1, ())
    assert await describe_harness.derived(chat.conversation, key) == before
    assert (await describe_harness.chats.see(key)).chat.recall.segment == chat.recall.segment


async def test_an_older_version_s_conversations_are_found_and_go_on(
    describe_harness: DescribeHarness, key: ChatKey
) -> None:
    first = await describe_harness.says(key, WORDS, WORDS, is_old=True, leaves=True)
    old = next(one for one in await describe_harness.documents("conversations") if one != first.conversation)
    await describe_harness.chats.client.document(paths.segment_path(old, 9)).set({"left": "over"})
    assert (await size_of(describe_harness.rebuilder().rebuilding)).conversations == 2
    assert (await rebuild(describe_harness.rebuilder())).segments == 2
    assert list(await describe_harness.documents(paths.segments_path(old))) == ["000001"]
    document = (await describe_harness.documents("conversations"))[old]
    assert document["needs_abbreviation"]
    assert document["due_at"] <= datetime.now(UTC)
    chat = await describe_harness.says(key, "and more")
    (segment,) = (await describe_harness.documents(paths.segments_path(chat.conversation))).values()
    assert [one.text for one in decode_segment(segment).messages] == ["something else", "and more"]


async def test_without_a_model_what_one_made_stays(describe_harness: DescribeHarness, key: ChatKey) -> None:
    chat = await describe_harness.says(key, "tea")
    document = describe_harness.chats.client.document(paths.conversation_path(chat.conversation))
    await document.set({"abbreviation": "Tea.", "due_at": None}, merge=True)
    describe_harness.with_model = False
    await rebuild(describe_harness.rebuilder())
    kept = (await document.get()).to_dict() or {}
    assert (kept["abbreviation"], kept["due_at"] is not None) == ("Tea.", True), "vectors are made again"


async def test_a_run_that_was_cut_off_goes_on_where_it_was(describe_harness: DescribeHarness, key: ChatKey) -> None:
    chats = [
        await describe_harness.says(ChatKey(agent=key.agent, chat_id=key.chat_id * 10 + n), "tea") for n in range(3)
    ]
    names = sorted(chat.conversation for chat in chats)
    rebuilder = describe_harness.rebuilder()
    cursor = {"started_at": datetime.now(UTC), "beyond": names[1], "done": 2}
    await describe_harness.chats.client.document(paths.REBUILD_CURSOR).set(cursor)
    assert await rebuild(rebuilder) == RebuildOutcome(done=1, segments=1)
    assert await rebuilder.rebuilding.cursor() is None
    assert describe_harness.told == [1]


async def test_what_a_tick_left_that_died_is_in_what_is_rebuilt(
    describe_harness: DescribeHarness, key: ChatKey
) -> None:
    chat = await describe_harness.says(key, "tea")
    long_ago = datetime(2026, 1, 1, tzinfo=UTC)
    terms = SessionTerms(owner="dead", lease=timedelta(seconds=60), window_entries=50, clock=lambda: long_ago)
    seen = await describe_harness.chats.claim(
        await describe_harness.chats.see(key), Lease(owner="dead", until=long_ago)
    )
    dead = Session(describe_harness.chats, seen, terms)
    await dead.note_entries([said("coffee", author=ANN)])
    await dead.commit()
    await rebuild(describe_harness.rebuilder())
    segments, window = await describe_harness.derived(chat.conversation, key)
    assert [[one.text for one in decode_segment(s).messages] for s in segments.values()] == [["tea", "coffee"]]
    assert window is not None
    assert window["seq"] == 2


async def test_what_cannot_be_read_is_left_out_and_said(describe_harness: DescribeHarness, key: ChatKey) -> None:
    await describe_harness.says(key, "tea")
    await describe_harness.chats.client.document("conversations/conv-odd").set({"chat": "nonsense", "entries": 1})
    outcome = await rebuild(describe_harness.rebuilder())
    assert (outcome.done, outcome.left_out) == (1, ("conv-odd",))


async def test_a_conversation_that_nobody_writes_to_any_more_is_rebuilt(
    describe_harness: DescribeHarness, key: ChatKey
) -> None:
    chat = await describe_harness.says(key, "tea")
    segments = await describe_harness.documents(paths.segments_path(chat.conversation))
    await describe_harness.chats.client.document(paths.segment_path(chat.conversation, 1)).delete()
    await describe_harness.chats.client.document(paths.chat_path(key)).delete()
    assert await rebuild(describe_harness.rebuilder()) == RebuildOutcome(done=1, segments=1)
    assert await describe_harness.documents(paths.segments_path(chat.conversation)) == segments


async def test_a_chat_whose_conversation_cannot_be_read_is_as_free_as_before(
    describe_harness: DescribeHarness, key: ChatKey
) -> None:
    await describe_harness.says(key, "tea")
    before = (await describe_harness.chats.see(key)).chat
    page = describe_harness.chats.client.document(paths.page_path(before.conversation, 1))
    await page.set({"first_seq": 1, "entries": "nonsense"})
    assert (await rebuild(describe_harness.rebuilder())).left_out == (before.conversation,)
    after = (await describe_harness.chats.see(key)).chat
    assert after.with_part(evolve(after.claim, generation=before.claim.generation)) == before


async def test_a_chat_that_is_free_again_begins_where_its_segment_does(
    describe_harness: DescribeHarness, key: ChatKey
) -> None:
    await describe_harness.says(key, "tea", is_old=True)
    await rebuild(describe_harness.rebuilder())
    seen = await describe_harness.chats.see(key)
    assert (seen.chat.claim.lease, seen.chat.recall.segment) == (None, SegmentStart())


class StillClock:
    """A clock that goes on by some minutes each time it is asked."""

    def __init__(self, by: timedelta) -> None:
        self.now, self.by = datetime.now(UTC), by

    def __call__(self) -> datetime:
        self.now += self.by
        return self.now


@dataclass
class Enqueued:
    """The jobs that were enqueued."""

    jobs: list[Job] = field(default_factory=list)

    async def enqueue(self, job: Job) -> None:
        self.jobs.append(job)


RUN = JobRun(scheduled_for="now")


async def test_a_long_rebuild_goes_on_in_the_next_run(describe_harness: DescribeHarness, key: ChatKey) -> None:
    for n in range(3):
        await describe_harness.says(ChatKey(agent=key.agent, chat_id=key.chat_id * 10 + n), "tea")
    slow = replace(describe_harness.rebuilder(), clock=StillClock(LONGEST_RUN / 3))
    queue, store = Enqueued(), slow.rebuilding
    begun = RebuildCursor(started_at=slow.clock(), beyond="", done=0, total=3, agents=(key.agent,))
    await store.keep_cursor(begun)
    first = await continue_rebuild(slow, queue, RUN)
    kept = await store.cursor()
    assert kept is not None
    assert (0 < kept.done < 3, kept.total, first["rebuilt"]) == (True, 3, kept.done)
    (job,) = queue.jobs
    assert (job.function, job.queue, json.loads(job.body)) == ("erase", Queue.BACKGROUND, {"job": "rebuild"})
    assert job.name != rebuild_job(begun, slow.clock()).name
    while await store.cursor() is not None:
        await continue_rebuild(slow, queue, RUN)
    assert describe_harness.told[-1] >= 1
    assert sum(1 for _ in describe_harness.told) == 3
    assert await continue_rebuild(slow, queue, RUN) == {}, "a task that comes twice does nothing"


async def test_a_rebuild_is_stopped_and_is_of_some_agents(describe_harness: DescribeHarness, key: ChatKey) -> None:
    theirs = await describe_harness.says(ChatKey(agent="theirs", chat_id=key.chat_id), "tea")
    ours = await describe_harness.says(ChatKey(agent="ours", chat_id=key.chat_id), "tea")
    for one in (theirs, ours):
        await describe_harness.chats.client.document(paths.segment_path(one.conversation, 1)).delete()
    rebuilder, queue = describe_harness.rebuilder(), Enqueued()
    await rebuilder.rebuilding.keep_cursor(
        RebuildCursor(started_at=rebuilder.clock(), beyond="", done=0, agents=("ours",))
    )
    assert (await size_of(rebuilder.rebuilding, agents=["ours"])).conversations == 1
    assert (await continue_rebuild(rebuilder, queue, RUN))["rebuilt"] == 1
    assert list(await describe_harness.documents(paths.segments_path(theirs.conversation))) == []
    assert list(await describe_harness.documents(paths.segments_path(ours.conversation))) == ["000001"]
    begun = RebuildCursor(started_at=rebuilder.clock(), beyond="", done=0)
    await rebuilder.rebuilding.keep_cursor(begun)
    await rebuilder.rebuilding.keep_cursor(None)  # the owner stops it
    assert not await rebuilder.rebuilding.move_cursor(begun)
    assert await rebuilder.rebuilding.cursor() is None
