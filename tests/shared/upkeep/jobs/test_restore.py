"""Restoring an archive into another database: the same conversations, and chats that continue."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared.base.errors import RestoreRefused
from shared.chat.archive_names import name_of
from shared.chat.lines import content_of
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.conversations import FirestoreCompressions
from shared.chat.store.transcripts import FirestoreTranscripts
from shared.privacy.store.deletions import FirestoreDeletions
from shared.upkeep.archives.folder import FolderArchive
from shared.upkeep.jobs.archive import Archiver, archive
from shared.upkeep.jobs.restore import GENERATIONS_AHEAD, RestoreProgress, Restorer, RestoreResult, restore
from shared.upkeep.store.restoring import FirestoreRestoring
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.message import TITLED, Event
from shared.values.prompt import CompressionSummary
from shared.values.transcript import Transcript
from tests.shared.chat.store.changes import change_of
from tests.shared.chat.transcripts import exchange
from tests.shared.examples import NOW
from tests.shared.new_chats import entry, key_of, new_chats, talk
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import HERS, MARK, ROOM, DeletionHarness, hers, his, ours
from tests.shared.privacy.jobs.leaving import talk as all_talk


class Move:
    """A database, an archive of it, and another database."""

    def __init__(self, old: FirestoreChats, new: FirestoreChats, queue: PausedQueue, folder: Path) -> None:
        self.old, self.new, self.queue = old, new, queue
        self.place = FolderArchive(folder)
        self.restoring = FirestoreRestoring(str(new.client.project))
        self.transcripts = [FirestoreTranscripts(str(chats.client.project)) for chats in (old, new)]
        self.told: list[RestoreProgress] = []
        self.warned: list[str] = []

    def close(self) -> None:
        for client in (self.restoring.client, *(transcripts.client for transcripts in self.transcripts)):
            client.close()  # type: ignore[no-untyped-call]

    async def archive(self) -> None:
        later = datetime.now(UTC) + timedelta(minutes=1)
        await archive(
            Archiver(
                transcripts=self.transcripts[0],
                deletions=FirestoreDeletions(self.old.client),
                archives=[self.place],
                clock=lambda: later,
            ),
            JobRun(scheduled_for="x"),
        )

    async def restore(self, *, adds: bool = False) -> RestoreResult:
        deleter = DeletionHarness(self.new, self.queue, self.place.folder).deleter(archives=())
        restorer = Restorer(
            database=self.restoring, deleter=deleter, archive=self.place, tell=self.told.append, warn=self.warned.append
        )
        return await restore(restorer, adds=adds)

    async def both(self, conversation: str) -> tuple[Transcript | None, Transcript | None]:
        """Return a conversation from both databases, without its chat, whose generation differs."""
        found = [await transcripts.read(conversation) for transcripts in self.transcripts]
        without = [one and replace(one, chat=None) for one in found]
        return without[0], without[1]


@pytest.fixture
async def move(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[Move]:
    async with AsyncExitStack() as stack:
        old, new = [await stack.enter_async_context(new_chats()) for _ in range(2)]
        found = Move(old, new, paused_queue, tmp_path / "archive")
        yield found
        found.close()


async def test_the_same_conversations_are_there_and_their_chats_go_on(move: Move) -> None:
    made = [await talk(move.old, number, "Hi", "Grüße!", "👍🏽") for number in (1, 2, 3)]
    await move.archive()
    restored = await move.restore()
    assert (restored.conversations, restored.chats) == ({"restored": 3}, {"restored": 3})
    assert move.told[-1] == RestoreProgress(done=3, of=3)
    assert move.warned == []
    for conversation in made:
        old, new = await move.both(conversation)
        assert old is not None
        assert new == old
    before, after = (await move.old.see(key_of(1))).chat, (await move.new.see(key_of(1))).chat
    assert after == before.with_part(evolve(before.claim, generation=before.claim.generation + GENERATIONS_AHEAD))
    assert await talk(move.new, 1, "Still there?") == made[0]
    now = (await move.new.see(key_of(1))).chat
    assert [getattr(e, "text", "") for e in await move.new.window(now, 9)] == ["Hi", "Grüße!", "👍🏽", "Still there?"]


async def test_what_stands_for_the_older_part_and_the_titles_come_along(move: Move) -> None:
    conversation = await talk(move.old, 1, "Hi", "Hello!")
    seen = await move.old.see(key_of(1))
    titled = (Event(at=NOW, kind=TITLED, title="Garden", seq=3),)
    chat = seen.chat.with_part(evolve(seen.chat.talk, seq=3, conversation_title="Garden"))
    await move.old.commit(seen, change_of(chat, entries=titled, conversation=True))
    summary = CompressionSummary(up_to_seq=2, text="Ann said hi.", made_at=NOW)
    summaries = [FirestoreCompressions(chats.client) for chats in (move.old, move.new)]
    await summaries[0].replace(conversation, await summaries[0].read(conversation), summary)
    await move.archive()
    await move.restore()
    old, new = await move.both(conversation)
    assert new == old
    assert new is not None
    assert (new.compression, new.entries[-1]) == (summary, *titled)
    assert (await summaries[1].read(conversation)).summary == summary
    assert (await move.new.see(key_of(1))).chat.talk.conversation_title == "Garden"
    assert move.warned == []


async def test_a_database_in_use_is_left_alone_unless_it_is_told(move: Move) -> None:
    both, only_old = [await talk(move.old, number, "Hi") for number in (1, 2)]
    await move.archive()
    assert await talk(move.new, 1, "Hi", "and newer") == both
    before, chat = (await move.both(both))[1], await move.new.see(key_of(1))
    with pytest.raises(RestoreRefused, match=r"already has conversations, so nothing was restored\. .*ADD=yes"):
        await move.restore()
    assert (await move.both(only_old))[1] is None
    restored = await move.restore(adds=True)
    assert (restored.conversations, restored.chats) == ({"there": 1, "restored": 1}, {"there": 1, "restored": 1})
    assert ((await move.both(both))[1], await move.new.see(key_of(1))) == (before, chat)
    old, new = await move.both(only_old)
    assert old == new


async def test_it_may_be_repeated(move: Move) -> None:
    conversation = await talk(move.old, 1, "Hi", "Hello!")
    await move.archive()
    await move.restore()
    again = await move.restore(adds=True)
    assert (again.conversations, again.chats) == ({"there": 1}, {"there": 1})
    old, new = await move.both(conversation)
    assert old == new


async def test_a_chat_counts_on_from_the_newest_entry_that_there_is(move: Move) -> None:
    longer = exchange("Hi", "Hello!", "How are you?")
    assert longer.chat is not None
    behind = longer.chat.with_part(evolve(longer.chat.talk, seq=1, turn=1))
    await move.place.put(name_of(longer.conversation), content_of(replace(longer, chat=behind)))
    await move.restore()
    resumed = (await move.new.see(longer.chat.key)).chat
    assert (resumed.talk.seq, resumed.talk.turn) == (3, 2)


async def test_of_two_conversations_of_a_chat_the_current_one_stays_it(move: Move) -> None:
    first = exchange("Hi", "Hello!", conversation="conv-01AAAAAAAAAAAAAAAAAAAAAAAA")
    second = exchange("Hi again", conversation="conv-01BBBBBBBBBBBBBBBBBBBBBBBB")
    assert first.chat is not None
    assert second.chat is not None
    for transcript, generation in ((first, 9), (second, 4)):
        assert transcript.chat is not None
        chat = transcript.chat.with_part(evolve(transcript.chat.claim, generation=generation))
        await move.place.put(name_of(transcript.conversation), content_of(replace(transcript, chat=chat)))
    await move.restore()
    chat = (await move.new.see(first.chat.key)).chat
    assert (chat.conversation, chat.talk.seq) == (first.conversation, 2)


async def test_what_is_corrupt_costs_itself_alone_and_is_said_without_what_is_in_it(move: Move) -> None:
    whole = replace(exchange("Hi", "a secret", "Bye"), chat=None)
    name = name_of(whole.conversation)
    lines = content_of(whole).split(b"\n")
    await move.place.put(name, b"\n".join([*lines[:2], lines[2][:60], *lines[3:]]))
    await move.place.put("conversations/2024/conv-headless.jsonl", lines[1])
    await move.place.put("notes.txt", b"not of lull's")
    restored = await move.restore()
    assert restored.conversations == {"restored": 1, "unreadable": 1}
    assert move.told[-1] == RestoreProgress(done=2, of=2)
    assert sorted(move.warned) == [
        f"{name}: line 3 is corrupt (JSONDecodeError); left out",
        "conversations/2024/conv-headless.jsonl: no `meta` line has the id of the conversation; left out",
    ]
    found = await move.transcripts[1].read(whole.conversation)
    assert found is not None
    assert [e.seq for e in found.entries] == [1, 3]


async def test_an_export_of_one_conversation_is_enough_to_restore_it(move: Move) -> None:
    transcript = replace(exchange("Hi"), entries=(entry(1, "Hi"),))
    await move.place.put(f"{transcript.conversation}.jsonl", content_of(transcript))  # in no folder of an archive's
    assert (await move.restore()).chats == {"restored": 1}


async def test_what_comes_back_of_who_was_forgotten_is_erased_again(move: Move) -> None:
    there = DeletionHarness(move.old, move.queue, move.place.folder)
    private, room, bobs = await all_talk(there)
    old = {file: file.read_bytes() for file in move.place.folder.rglob("*") if file.is_file()}
    await there.forgets()
    for file, content in old.items():  # an archive that was copied before
        file.write_bytes(content)
    here = DeletionHarness(move.new, move.queue, move.place.folder)
    restored = await move.restore()
    assert (restored.conversations, restored.deletions) == ({"restored": 3}, {"erased": 1})
    assert [path async for path, told in here.documents() if MARK in told or '"Ann"' in told] == []
    assert await move.transcripts[1].read(private.conversation) is None
    assert (await here.spoken(room.conversation))[2:] == [("Bob", "I am for tea"), ("lull", "Tea it is.")]
    assert await here.spoken(bobs.conversation) == [("Bob", "tea"), ("lull", "Tea.")]
    again = await move.restore(adds=True)
    assert (again.conversations["restored"], again.deletions) == (1, {"erased": 1})
    assert [path async for path, told in here.documents() if MARK in told or '"Ann"' in told] == []


async def test_what_they_said_since_they_were_forgotten_comes_back(move: Move) -> None:
    there = DeletionHarness(move.old, move.queue, move.place.folder)
    await there.says(HERS, hers(message_id=1))
    await there.forgets()
    later = datetime.now(UTC) + timedelta(days=1)
    there.minutes += 24 * 60
    private = await there.says(HERS, hers("hello again", message_id=9, at=later))
    room = await there.says(
        ROOM,
        his("well", message_id=10, at=later),
        hers("me again", message_id=11, at=later),
        ours("Oh.", message_id=12),
    )
    await there.archives()
    restored = await move.restore()
    assert restored.deletions == {"erased": 1}
    here = DeletionHarness(move.new, move.queue, move.place.folder)
    assert await here.spoken(private.conversation) == [("Ann", "hello again")]
    assert await here.spoken(room.conversation) == [("Bob", "well"), ("Ann", "me again"), ("lull", "Oh.")]


async def test_a_deletion_that_cannot_be_read_is_said_and_the_others_are_done(move: Move) -> None:
    await talk(move.old, 1, "Hi")
    await move.archive()
    await move.place.put("conversations/erasures/e.jsonl", b"a secret")
    restored = await move.restore()
    assert restored.deletions == {"unreadable": 1}
    assert move.warned == ["conversations/erasures/e.jsonl: a deletion's file is malformed (JSONDecodeError); left out"]
