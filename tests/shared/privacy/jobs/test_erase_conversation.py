"""If a deletion is killed or runs out of time, the same data is left in the end as without an interruption."""

import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.base.errors import StoreUnavailable
from shared.chat.store import paths
from shared.chat.store.transcripts import encode_page
from shared.privacy.jobs.erase import erase
from shared.privacy.jobs.erase_run import Deleter
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.privacy.store.deletion_lookup import FirestoreDeletionLookup, TranscriptPage
from shared.values.chat_key import ChatKey
from shared.values.deletion import ERASED
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.media import Description, DescriptionOutcome, MediaKind
from shared.values.message import AnyEntry, Author, MediaDescribed, QuotedMessage
from tests.shared.examples import ANN, BOB, said
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import BOBS, HERS, ROOM, DeletionHarness, hers, his, ours

CLUB = ChatKey(agent="lull", chat_id=-1_002_000_000_009)
SECRET = "the safe opens with heron marmalade biscuit"
COMMON = "have a good morning all of you"
NAMESAKE = Author(id=1_100_000_009, name="Ann Bean")
FORMERLY = evolve(ANN, name="Winthrop")
#: ids of conversations. Of two in one chat, the job begins with the id that sorts last
IN_CLUB, IN_ROOM, IN_PRIVATE = "conv-club", "conv-room", "conv-with-bob"
#: number of entries of a long conversation, each on its own page: several times as many as one commit can write
LONG = 70


def spoken(*told: tuple[int, AnyEntry], length: int) -> Sequence[AnyEntry]:
    """Return the entries `told` at their numbers, and Bob's messages in between."""
    placed = dict(told)
    return [placed.get(seq) or his(f"tea number {seq}", turn=seq) for seq in range(1, length + 1)]


#: others' words and names are only on the newest pages, which the job rewrites first
THE_ROOM = spoken(
    (1, hers(COMMON, turn=1)),
    (2, hers(SECRET, turn=2)),
    (3, said("I have the lamp", author=FORMERLY, turn=3)),
    (5, ours(COMMON, turn=4)),
    (6, ours("Ann brings the lamp.", turn=4)),
    (8, ours(f"So, {SECRET}.", turn=7)),
    (LONG - 3, his(COMMON, turn=LONG - 3)),
    (LONG - 2, said("hello", author=NAMESAKE, turn=LONG - 2)),
    (LONG - 1, his("so?", turn=LONG - 1, reply=QuotedMessage(message_id=2, author=ANN, excerpt=SECRET))),
    length=LONG,
)
#: this text repeats words of the room, and the job rewrites the room before
THE_CLUB = spoken(
    (1, hers("hello", turn=1)),
    (4, ours(f"In the room: {SECRET}.", turn=3)),
    (6, ours(COMMON, turn=5)),
    (7, ours("Winthrop has the lamp.", turn=5)),
    (8, his("a gannet sits there", turn=8, forwarded_from=Author(id=0, name="Ann"))),
    (9, ours("A bird.", turn=8)),
    length=12,
)
WITH_BOB = spoken(
    (2, his("the walrus hides behind the clock", turn=2, forwarded_from=ANN, message_id=902)),
    (3, ours("A walrus.", turn=2)),
    (4, MediaDescribed(at=said("").at, message_ids=(902,), kind=MediaKind.VOICE, unique_id="u",
                       description=Description(outcome=DescriptionOutcome.DESCRIBED,
                                               says="an umbrella of violet feathers"))),
    (6, ours("So the walrus hides behind the clock, an umbrella of violet feathers.", turn=5)),
    length=8,
)  # fmt: skip


async def plant(harness: DeletionHarness) -> None:
    """Have Ann write in two groups, and Bob forward one of her messages to the agent."""
    await harness.says(HERS, hers("hi"))
    for key, conversation, entries in (
        (ROOM, IN_ROOM, THE_ROOM), (CLUB, IN_CLUB, THE_CLUB), (BOBS, IN_PRIVATE, WITH_BOB),
    ):  # fmt: skip
        await harness.says(key, hers("hello") if not key.is_private else his("hello"), leaves=True)
        await keep(harness, key, conversation, entries)
    named = {"title": SECRET, "manually_named": True, "abbreviation": "Winthrop has the lamp."}
    await harness.chats.client.document(paths.conversation_path(IN_CLUB)).set(named, merge=True)


async def keep(harness: DeletionHarness, key: ChatKey, conversation: str, entries: Sequence[AnyEntry]) -> None:
    """Store a conversation. Each entry has its own page."""
    client, began = harness.chats.client, harness.now() - timedelta(hours=9)
    batch: Any = client.batch()
    for seq, entry in enumerate(entries, start=1):
        fields = {"seq": seq, "at": began + seq * timedelta(minutes=2)}
        fields |= {"message_id": seq} if getattr(entry, "message_id", 0) == 1 else {}
        page = [entry.model_copy(update=fields)]
        batch.set(client.document(paths.page_path(conversation, seq)), encode_page(page))
    told = {"chat": key.id, "people": [ANN.id, BOB.id], "entries": len(entries)}
    batch.set(client.document(paths.conversation_path(conversation)), told)
    await batch.commit()


async def left(harness: DeletionHarness) -> dict[str, Any]:
    """Return the data that is left: the texts of each conversation, and the titles."""
    found: dict[str, Any] = {}
    finding = FirestoreDeletionLookup(harness.chats.client)
    for conversation in (IN_ROOM, IN_CLUB, IN_PRIVATE):
        entries = [entry async for page in finding.pages(conversation) for entry in page.entries]
        found[conversation] = [entry.model_dump(exclude={"at"}) for entry in entries if entry is not None]
        known = await harness.document(paths.conversation_path(conversation))
        found[f"{conversation} is called"] = [known.get(name) for name in ("title", "abbreviation", "people")]
    return found


class DyingErasing(FirestoreChatDeletion):
    """Deletes from chats. Its n-th write of pages raises an error after the write was done."""

    def __init__(self, harness: DeletionHarness, dies_at: int) -> None:
        super().__init__(harness.chats.client)
        self.to_come = dies_at

    async def rewrite(self, pages: Sequence[tuple[TranscriptPage, Sequence[AnyEntry]]]) -> None:
        """Write the pages, and then raise StoreUnavailable."""
        await super().rewrite(pages)
        self.to_come -= 1
        if self.to_come == 0:
            raise StoreUnavailable("the function was killed")


class SlowFinding(FirestoreDeletionLookup):
    """Reads pages. Each page that is read backwards takes a minute."""

    def __init__(self, harness: DeletionHarness) -> None:
        super().__init__(harness.chats.client)
        self.here = harness

    async def pages_back(self, conversation: str, before: int = 0) -> AsyncIterator[TranscriptPage]:
        """Yield the pages unchanged."""
        async for page in super().pages_back(conversation, before):
            self.here.minutes += 1
            yield page


async def forgotten(
    queue: PausedQueue, folder: Path, by: Callable[[DeletionHarness, int], Deleter]
) -> tuple[dict[str, Any], int]:
    """Run both rounds, in as many runs as are needed. Return the data that is left, and the number of runs."""
    runs = 0
    async with new_chats() as chats:
        harness = DeletionHarness(chats, queue, folder)
        await plant(harness)
        name = await harness.asked()
        while (deletion := await harness.deletion(name)).due_at is not None:
            if deletion.is_waiting:
                harness.minutes += 25
            runs += 1
            assert runs < 60
            try:
                await erase(by(harness, runs), JobRun(scheduled_for="s", deletion=name))
            except StoreUnavailable:
                continue
        return await left(harness), runs


def texts(found: list[dict[str, Any]]) -> dict[int, str]:
    return {one["seq"]: one.get("text", "") for one in found}


def through(harness: DeletionHarness, run: int) -> Deleter:
    return replace(harness.deleter(), longest=None)


@pytest.fixture
async def whole(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> dict[str, Any]:
    """Return the data that is left by a deletion without interruption."""
    found, runs = await forgotten(
        paused_queue, tmp_path / "whole", lambda harness, _: replace(harness.deleter(), longest=None)
    )
    assert runs == 2
    room, club, private = (texts(found[one]) for one in (IN_ROOM, IN_CLUB, IN_PRIVATE))
    assert [room[seq] for seq in (1, 2, 3, 5, 6, 8)] == [ERASED, ERASED, ERASED, COMMON, "Ann brings the lamp.", ERASED]
    assert [club[seq] for seq in (1, 4, 6, 7, 8, 9)] == [
        ERASED,
        ERASED,
        COMMON,
        f"{ERASED} has the lamp.",
        ERASED,
        ERASED,
    ]
    assert [private[seq] for seq in (2, 3, 6)] == [ERASED] * 3
    assert found[f"{IN_CLUB} is called"] == ["", "", [BOB.id]]
    assert not any(word in str(found) for word in ("heron", "walrus", "Winthrop", "umbrella", str(ANN.id)))
    return found


async def test_whoever_is_killed_at_any_page_is_followed_by_one_that_leaves_the_same(
    whole: dict[str, Any], paused_queue: PausedQueue, tmp_path: Path
) -> None:
    for dies_at in itertools.count(1):

        def dying(harness: DeletionHarness, run: int, dies_at: int = dies_at) -> Deleter:
            erasing = DyingErasing(harness, dies_at if run == 1 else 0)
            return replace(harness.deleter(), of_chats=erasing, longest=None)

        found, runs = await forgotten(paused_queue, tmp_path / str(dies_at), dying)
        assert found == whole, f"killed after {dies_at} writes"
        if runs == 2:
            break
    assert dies_at > 5


async def test_whoever_runs_out_of_time_at_every_page_leaves_the_same(
    whole: dict[str, Any], paused_queue: PausedQueue, tmp_path: Path
) -> None:
    def slow(harness: DeletionHarness, run: int) -> Deleter:
        return replace(harness.deleter(), finding=SlowFinding(harness), longest=timedelta(minutes=3))

    found, runs = await forgotten(paused_queue, tmp_path / "slow", slow)
    assert runs > 9
    assert found == whole
