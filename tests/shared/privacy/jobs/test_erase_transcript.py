"""A long transcript is erased while only a few pages are in memory."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.chat.conversation import newest
from shared.chat.store import paths
from shared.chat.store.transcripts import TICK, encode_page
from shared.chat.tick_record import RecordedPlan, TickRecord, encode_record
from shared.privacy.deletion.forgotten import ForgottenSubject
from shared.privacy.deletion.participation import DeletionStage
from shared.privacy.jobs.erase import erase
from shared.privacy.jobs.erase_run import DeletionRun
from shared.privacy.jobs.erase_transcript import ENTRIES_AT_ONCE, erase_entries, rebuild_conversation
from shared.privacy.store.deletion_lookup import FirestoreDeletionLookup, TranscriptPage
from shared.recall.store.segments import encode_segment
from shared.upkeep.jobs.rebuild import whole_segments
from shared.values.chat import Chat
from shared.values.deletion import ERASED
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.message import AnyEntry, Reaction
from shared.values.tool_use import ToolUse
from shared.values.transcript import Transcript
from tests.shared.examples import ANN, BOB
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import BOBS, MARK, ROOM, DeletionHarness, hers, his, ours

CONVERSATION = "conv-long"
#: number of entries on one page
ENTRIES = 120
FEW_ENTRIES = 20


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


async def long(harness: DeletionHarness, of_page: int = ENTRIES) -> Sequence[AnyEntry]:
    """Return the entries of a long talk by Bob, with messages by Ann at its beginning and much later."""
    at, entries = harness.now() - timedelta(hours=1), list[AnyEntry]()
    for seq in range(1, 2 * ENTRIES_AT_ONCE + 300):
        place: dict[str, Any] = {"seq": seq, "message_id": seq, "at": at, "turn": seq}
        if 700 < seq < 1_500:  # many consecutive entries may have no text that search finds
            entries.append(Reaction(seq=seq, at=at, message_id=1, author=BOB, emojis=("x",)))
        else:
            entries.append(hers(**place) if seq in {2, 2_200} else his(f"{seq} word word word word", **place))
    client = harness.chats.client
    for start in range(0, len(entries), of_page):
        page = entries[start : start + of_page]
        await client.document(paths.page_path(CONVERSATION, page[0].seq)).set(encode_page(page))
    told = {"chat": ROOM.id, "title": "Tea", "manually_named": True, "people": [ANN.id], "entries": len(entries)}
    await client.document(paths.conversation_path(CONVERSATION)).set(told)
    return entries


class SlowFinding(FirestoreDeletionLookup):
    """Reads pages. Each page that is read backwards takes a minute."""

    def __init__(self, harness: DeletionHarness) -> None:
        super().__init__(harness.chats.client)
        self.here, self.read = harness, Counter[str]()

    async def pages_back(self, conversation: str, before: int = 0) -> AsyncIterator[TranscriptPage]:
        """Yield the pages unchanged."""
        async for page in super().pages_back(conversation, before):
            self.here.minutes += 1
            self.read[page.path] += 1
            yield page


async def run_of(harness: DeletionHarness) -> DeletionRun:
    seen = await harness.log.read(await harness.asked())
    assert seen is not None
    run = DeletionRun(harness.deleter(), seen)
    await run.save(cut=harness.now())
    return run


async def test_segments_and_window_are_as_they_were_made_of_the_whole(harness: DeletionHarness) -> None:
    before = await long(harness)
    run, client = await run_of(harness), harness.chats.client
    hidden = list[int]()

    async def hide() -> None:
        hidden.append(sum([MARK in str(e) async for page in run.by.finding.pages(CONVERSATION) for e in page.entries]))

    counts = await erase_entries(run, ForgottenSubject(ANN.id, until=run.cut), CONVERSATION, DeletionStage.OWN, hide)
    assert hidden == [2], "once, before anything is erased"
    assert counts == {"documents": 2, "entries": 2}
    assert run.deletion.changed == (CONVERSATION,)
    await client.document(paths.segment_path(CONVERSATION, 999)).set({"text": MARK})
    outline = await run.by.finding.outline(CONVERSATION)
    assert outline is not None
    again = await rebuild_conversation(run, Chat(key=ROOM), outline, ANN.id)
    pages = [page async for page in run.by.finding.pages(CONVERSATION)]
    after = tuple(entry for page in pages for entry in page.entries if entry is not None)
    assert [one.seq for one, other in zip(after, before, strict=True) if one != other] == [2, 2_200]
    segments, start = whole_segments(Chat(key=ROOM), Transcript(conversation=CONVERSATION, entries=after))
    assert (again.start, again.newest) == (start, newest(after, run.by.holding.window_entries))
    kept = await client.collection(paths.segments_path(CONVERSATION)).order_by("__name__").get()
    assert [one.to_dict() for one in kept] == [dict(encode_segment(one)) for one in segments]
    known = await harness.document(paths.conversation_path(CONVERSATION))
    assert (known["people"], known["title"], known["opening"]) == ([], "Tea", "1 word word word word")
    left = await run.by.finding.outline(CONVERSATION)
    assert left is not None
    assert left.people == {BOB.id}


async def test_a_run_that_goes_on_does_not_read_again_what_is_long_and_done(harness: DeletionHarness) -> None:
    await long(harness)
    await harness.says(ROOM, hers("hello", message_id=1))
    name = await harness.asked()
    seen = await harness.log.read(name)
    assert seen is not None
    done = evolve(seen.deletion, stage=DeletionStage.OWN, through=(CONVERSATION,))
    await harness.log.save(seen, done)
    await harness.runs(name)
    assert (await harness.deletion(name)).through == ()
    assert len([path for path in await harness.where(MARK) if CONVERSATION in path]) == 2, "it was said to be done"
    harness.minutes += 21
    await harness.runs(name)
    assert await harness.where(MARK) == []
    assert (ERASED, ERASED) in await harness.spoken(CONVERSATION)


async def test_a_run_ends_in_time_and_the_next_goes_on_from_the_page_that_was_reached(harness: DeletionHarness) -> None:
    entries = await long(harness, FEW_ENTRIES)
    await harness.says(ROOM, hers("hello", message_id=1))
    name, finding = await harness.asked(), SlowFinding(harness)
    by, runs, last = replace(harness.deleter(), finding=finding), 0, len(entries) + 1
    while (await harness.deletion(name)).round == 1:
        await erase(by, JobRun(scheduled_for="s", deletion=name))
        runs += 1
        assert runs < 12
        if runs == 1:
            within = (await harness.deletion(name)).within_of(CONVERSATION)
            assert within is not None
            assert 1 < within.down_to < within.up_to
            page = [ours(f"So, {MARK}.", seq=last, message_id=last, at=harness.now(), turn=last)]
            await harness.chats.client.document(paths.page_path(CONVERSATION, last)).set(encode_page(page))
    assert runs > 2
    assert [path for path in await harness.where(MARK) if CONVERSATION in path] == []
    again = finding.read.total() - 2 * len(finding.read)
    assert again <= runs - 1, "what is done is not read again, but for the newest page and once for her own words"
    assert (await harness.deletion(name)).within is None
    orders = [task.http_request.body.decode() for task in await harness.queue.tasks()]
    assert sum('"erase"' in body for body in orders) == runs, "each has the next one come"


async def test_the_record_of_a_tick_that_tells_of_the_person_is_deleted(harness: DeletionHarness) -> None:
    at, client = harness.now() - timedelta(hours=1), harness.chats.client

    def found(answer: str) -> str:
        use = ToolUse(name="search_web", arguments="{}", answer=answer)
        plan = RecordedPlan(id="p", created_at=at, uses=(use,))
        return encode_record(TickRecord(claimed_at=at, written_at=at, plans=(plan,)))

    pages = [
        (hers(seq=1, message_id=1, at=at, turn=1), "tea"),
        (his("hello there", seq=2, message_id=2, at=at, turn=2), f"she said: {MARK}"),
        (his("hello again", seq=3, message_id=3, at=at, turn=3), "tea"),
    ]
    for entry, answer in pages:
        document = encode_page((entry,)) | {TICK: found(answer)}
        await client.document(paths.page_path(CONVERSATION, entry.seq)).set(document)
    await client.document(paths.conversation_path(CONVERSATION)).set({"chat": ROOM.id, "entries": 3})
    run = await run_of(harness)

    async def hide() -> None:
        return None

    await erase_entries(run, ForgottenSubject(ANN.id, until=run.cut), CONVERSATION, DeletionStage.OWN, hide)
    left = [page.first async for page in run.by.finding.pages(CONVERSATION) if page.tick]
    assert left == [3]


async def test_kept_exchanges_of_the_persons_chats_are_deleted(harness: DeletionHarness) -> None:
    await harness.says(ROOM, hers("hello", message_id=1))
    await harness.says(BOBS, his("hi", message_id=1))
    client = harness.chats.client
    for key in (ROOM, BOBS):
        await client.document(paths.exchange_path(key, "e")).set({"answers": [1], "body": b"zipped"})
    await harness.runs(await harness.asked())
    left = [key for key in (ROOM, BOBS) if (await client.document(paths.exchange_path(key, "e")).get()).exists]
    assert left == [BOBS]
