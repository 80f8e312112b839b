"""One long transcript, of which a few pages are in memory at a time."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.adapters.firestore import layout, paths
from shared.adapters.firestore.records.segments import encode_segment
from shared.erasing.entries import Forgotten
from shared.flows.erase_run import Run
from shared.flows.erase_transcript import ENTRIES_AT_ONCE, erased, made_again
from shared.flows.erase_words import LONG
from shared.flows.rebuild import whole_segments
from shared.models.chat import Chat
from shared.models.erasure import ERASED
from shared.models.message import AnyEntry, Reaction
from shared.models.transcript import Transcript
from shared.session.conversation import newest
from tests.shared.adapters.towns import town
from tests.shared.flows.leaving import MARK, ROOM, LeavingTown, hers, his
from tests.shared.paused_queue import PausedQueue
from tests.shared.values import ANN, BOB

CONVERSATION = "conv-long"
#: of one page
ENTRIES = 120


@pytest.fixture
async def here(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[LeavingTown]:
    async with AsyncExitStack() as stack:
        yield LeavingTown(await stack.enter_async_context(town()), paused_queue, tmp_path)


async def long(here: LeavingTown) -> Sequence[AnyEntry]:
    """Bob talks for long, and among it Ann says something, at the beginning and far from there; the entries."""
    at, entries = here.now() - timedelta(hours=1), list[AnyEntry]()
    for seq in range(1, 2 * ENTRIES_AT_ONCE + 300):
        place: dict[str, Any] = {"seq": seq, "message_id": seq, "at": at, "turn": seq}
        if 700 < seq < 1_500:  # of what nobody searches there may be much in a row
            entries.append(Reaction(seq=seq, at=at, message_id=1, author=BOB, emojis=("x",)))
        else:
            entries.append(hers(**place) if seq in {2, 2_200} else his(f"{seq} word word word word", **place))
    client = here.chats.client
    for start in range(0, len(entries), ENTRIES):
        page = entries[start : start + ENTRIES]
        await client.document(paths.page_path(CONVERSATION, page[0].seq)).set(layout.encode_page(page))
    told = {"chat": ROOM.id, "title": "Tea", "manually_named": True, "people": [ANN.id], "entries": len(entries)}
    await client.document(paths.conversation_path(CONVERSATION)).set(told)
    return entries


async def run_of(here: LeavingTown) -> Run:
    seen = await here.log.read(await here.asked())
    assert seen is not None
    run = Run(here.eraser(), seen)
    await run.save(cut=here.now())
    return run


async def test_segments_and_window_are_as_they_were_made_of_the_whole(here: LeavingTown) -> None:
    before = await long(here)
    run, client = await run_of(here), here.chats.client
    counts = await erased(run, Forgotten(ANN.id, until=run.cut), CONVERSATION)
    assert counts == {"documents": 2, "entries": 2}
    assert run.erasure.changed == (CONVERSATION,)
    await client.document(paths.segment_path(CONVERSATION, 999)).set({"text": MARK})
    outline = await run.by.finding.outline(CONVERSATION)
    assert outline is not None
    again = await made_again(run, Chat(key=ROOM), outline, ANN.id)
    pages = [page async for page in run.by.finding.pages(CONVERSATION)]
    after = tuple(entry for page in pages for entry in page.entries if entry is not None)
    assert [one.seq for one, other in zip(after, before, strict=True) if one != other] == [2, 2_200]
    segments, start = whole_segments(Chat(key=ROOM), Transcript(conversation=CONVERSATION, entries=after))
    assert (again.start, again.newest) == (start, newest(after, run.by.window_entries))
    kept = await client.collection(paths.segments_path(CONVERSATION)).order_by("__name__").get()
    assert [one.to_dict() for one in kept] == [dict(encode_segment(one)) for one in segments]
    known = await here.document(paths.conversation_path(CONVERSATION))
    assert (known["people"], known["title"], known["opening"]) == ([BOB.id], "Tea", "1 word word word word")


async def test_a_run_that_goes_on_does_not_read_again_what_is_long_and_done(here: LeavingTown) -> None:
    entries = await long(here)
    assert len(entries) > LONG
    await here.says(ROOM, hers("hello", message_id=1))
    name = await here.asked()
    seen = await here.log.read(name)
    assert seen is not None
    done = seen.erasure.model_copy(update={"through": (CONVERSATION,)})
    await here.log.save(seen, done)
    await here.runs(name)
    assert (await here.erasure(name)).through == ()
    assert len([path for path in await here.where(MARK) if CONVERSATION in path]) == 2, "it was said to be done"
    here.minutes += 21
    await here.runs(name)
    assert await here.where(MARK) == []
    assert (ERASED, ERASED) in await here.spoken(CONVERSATION)
