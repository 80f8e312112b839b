"""Deletions in the real Firestore: the data that stays, crashes, and data that is written later."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from secrets import token_hex

import pytest

from shared.base.errors import ArchiveUnavailable, StoreUnavailable
from shared.chat.archive_names import deletion_name_of
from shared.chat.deletion_files import read_deletion
from shared.chat.store import paths
from shared.media.store.media import encode_reference
from shared.memory.store import FirestoreMemories
from shared.privacy.deletion.rules import DELETION_RULES, DeletionMethod
from shared.privacy.jobs.erase import REFUSED, STEPS, erase
from shared.privacy.store.exports import FirestoreExports
from shared.upkeep.archives.folder import FolderArchive
from shared.values.chat import Lease
from shared.values.deletion import ERASED, DeletionScope
from shared.values.export import Export
from shared.values.job_run import JobRun
from shared.values.media import MediaKind, MediaRef
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.message import QuotedMessage
from shared.values.reference import FileReference
from tests.shared.examples import ANN, BOB
from tests.shared.exports import ExportHarness
from tests.shared.new_chats import new_chats
from tests.shared.paused_queue import PausedQueue
from tests.shared.privacy.jobs.leaving import BOBS, HERS, MARK, ROOM, DeletionHarness, hers, his, ours, talk


@pytest.fixture
async def harness(emulator: str, paused_queue: PausedQueue, tmp_path: Path) -> AsyncIterator[DeletionHarness]:
    async with AsyncExitStack() as stack:
        yield DeletionHarness(await stack.enter_async_context(new_chats()), paused_queue, tmp_path)


def test_every_step_that_a_rule_names_exists() -> None:
    assert {one.step for one in DELETION_RULES if one.method is DeletionMethod.BY_STEP} <= STEPS.keys()


async def test_who_is_forgotten_is_nowhere_and_others_read_on(harness: DeletionHarness) -> None:
    _, room, bobs = await talk(harness)
    assert len(await harness.where(MARK)) > 6
    done = await harness.forgets()
    assert await harness.where(MARK, '"Ann"', "ann_a") == []
    assert (done.due_at, done.gone, done.changed, done.is_told) == (None, (), (), True)
    assert {name: done.counts[name] for name in ("entries", "conversations", "objects")} == {
        "entries": 4, "conversations": 1, "objects": 2,
    }  # fmt: skip
    assert await harness.spoken(room.conversation) == [
        (ERASED, ERASED),
        ("lull", ERASED),
        ("Bob", "I am for tea"),
        ("lull", "Tea it is."),
    ]
    assert await harness.spoken(bobs.conversation) == [("Bob", "tea"), ("lull", "Tea.")]
    window = await harness.chats.window((await harness.chats.see(ROOM)).chat, 50)
    assert [e.text for e in window if e.type == "message"] == [ERASED, ERASED, "I am for tea", "Tea it is."]
    bodies = [task.http_request.body.decode() for task in await harness.queue.tasks()]
    assert sum('"remind"' in body for body in bodies) == 1, "the receipt is told"


@pytest.mark.parametrize("dies_at", range(1, 30))
async def test_whoever_dies_in_between_is_followed_by_one_who_ends_it(harness: DeletionHarness, dies_at: int) -> None:
    await talk(harness)
    name = await harness.asked()
    harness.log.dies_at = dies_at
    try:
        await harness.runs(name)
    except StoreUnavailable:
        await harness.runs(name)
    harness.minutes += 21
    harness.log.dies_at = 0
    await harness.runs(name)
    assert await harness.where(MARK, '"Ann"') == []
    # what a run deleted before it died is not counted, so a receipt never reports too much
    assert (await harness.deletion(name)).counts.get("conversations", 0) <= 1


async def test_what_is_done_stays_done_and_a_call_that_comes_twice_does_nothing(harness: DeletionHarness) -> None:
    await talk(harness)
    name = await harness.asked()
    first = await harness.runs(name)
    assert await harness.runs(name) == first, "the second round is not due"
    harness.minutes += 21
    last = await harness.runs(name)
    assert await harness.runs(name) == {} != last
    assert await erase(harness.deleter(), JobRun(scheduled_for="s", deletion="nobody's")) == {}


async def test_what_they_say_after_they_were_forgotten_is_new_and_stays(harness: DeletionHarness) -> None:
    await talk(harness)
    name = await harness.asked()
    await harness.runs(name)
    harness.minutes += 5
    chat = await harness.says(HERS, hers("hello again", message_id=9))
    harness.minutes += 16
    await harness.runs(name)
    assert await harness.spoken(chat.conversation) == [("Ann", "hello again")]
    assert (await harness.chats.see(HERS)).chat.conversation == chat.conversation


async def test_what_a_function_still_writes_from_what_it_had_read_goes_in_the_second_round(
    harness: DeletionHarness,
) -> None:
    private, room, _ = await talk(harness)
    name = await harness.asked()
    await harness.runs(name)
    late = {"text": MARK, "made_at": harness.now(), "up_to_seq": 1}
    client = harness.chats.client
    await client.document(paths.compression_path(private.conversation)).set(late)
    await client.document(paths.compression_path(room.conversation)).set(late)
    for key in (HERS, ROOM):
        await client.document(paths.summary_path(key.id, "7day")).set(late)
        await client.document(paths.shown_summaries_path(key.id)).set({"shown": {"7day": late}})
    assert len(await harness.where(MARK)) == 6
    harness.minutes += 21
    await harness.runs(name)
    assert await harness.where(MARK) == []


async def test_a_chat_that_a_tick_holds_is_waited_for(harness: DeletionHarness) -> None:
    await talk(harness)
    name = await harness.asked()
    held = await harness.chats.claim(
        await harness.chats.see(ROOM), Lease(owner="a tick", until=harness.now() + timedelta(minutes=5))
    )
    await harness.runs(name)
    assert (await harness.deletion(name)).round == 1
    assert held.chat.claim.lease is not None
    harness.minutes += 6
    await harness.runs(name)
    assert (await harness.deletion(name)).round == 2
    assert await harness.where(MARK) == []


async def test_quotes_forwards_and_what_others_chats_repeat_go_too(harness: DeletionHarness) -> None:
    await talk(harness)
    quoted = QuotedMessage(message_id=1, author=ANN, excerpt=MARK)
    bobs = await harness.says(
        BOBS, his(MARK, message_id=5, forwarded_from=ANN), his("what of it?", message_id=6, reply=quoted),
        ours(f"Ann said {MARK}.", message_id=7),
    )  # fmt: skip
    await harness.forgets()
    assert await harness.where(MARK, '"Ann"') == []
    assert (await harness.spoken(bobs.conversation))[2:] == [
        ("Bob", ERASED),
        ("Bob", "what of it?"),
        ("lull", ERASED),
    ]


async def test_updates_lose_their_words_and_what_nobody_has_read_of_others_is_read_yet(
    harness: DeletionHarness,
) -> None:
    await talk(harness)
    await harness.is_told(HERS, MARK)
    await harness.is_told(ROOM, MARK)
    await harness.is_told(ROOM, "tea, please", author=BOB)
    await harness.forgets()
    assert await harness.where(MARK) == []
    assert [one.raw["message"]["text"] for one in await harness.chats.unread(ROOM, 9)] == ["tea, please"]
    assert await harness.chats.unread(HERS, 9) == []


async def test_a_group_is_forgotten_and_its_people_are_not(harness: DeletionHarness) -> None:
    private, room, _ = await talk(harness)
    done = await harness.forgets(DeletionScope.GROUP, ROOM)
    assert [path for path in await harness.where(MARK) if room.conversation in path or ROOM.id in path] == []
    assert await harness.spoken(private.conversation) == [("Ann", MARK), ("lull", f"You said {MARK}.")]
    chat = (await harness.chats.see(ROOM)).chat
    assert (chat.conversation, chat.talk.seq, chat.title) == ("", 0, "")
    assert (done.counts["conversations"], done.counts["memberships"]) == (1, 2)


async def test_one_conversation_is_forgotten_and_another_stays(harness: DeletionHarness) -> None:
    first = await harness.says(HERS, hers("tea", message_id=1), ours("Tea.", message_id=2), leaves=True)
    second = await harness.says(HERS, hers(MARK, message_id=3), ours("Well.", message_id=4))
    left = [c async for c in harness.transcripts.every() if c != second.conversation]
    await harness.archives()
    await harness.forgets(DeletionScope.CONVERSATION, HERS, conversation=second.conversation)
    assert await harness.where(MARK) == []
    assert (await harness.chats.see(HERS)).chat.conversation == ""
    assert [c async for c in harness.transcripts.every()] == left
    assert first.claim.generation < (await harness.chats.see(HERS)).chat.claim.generation


async def test_what_is_kept_elsewhere_of_a_conversation_goes_with_it_and_of_others_nothing(
    harness: DeletionHarness,
) -> None:
    await harness.says(HERS, hers("tea", message_id=1, updates=(1,)), leaves=True)
    second = await harness.says(HERS, hers(MARK, message_id=3, updates=(2,)))
    client, at = harness.chats.client, harness.now()
    for number, conversation in ((1, "conv-another"), (2, second.conversation)):
        raw = json.dumps({"message": {"message_id": number, "text": f"{number} {MARK}"}})
        update = {"raw": raw, "trace": "", "read": True, "received_at": at}
        await client.document(paths.update_path(HERS, number)).set(update)
        source = MemorySource(place="p", person=ANN.id, conversation=conversation)
        for scope in MemoryScope:
            owner = MemoryOwner(scope=scope, agent="lull", person=ANN.id, chat_id=ANN.id)
            one = Memory(id=f"m{number}", text=MARK, scope=scope, source=source, made_at=at, changed_at=at)
            await FirestoreMemories(client).change([MemoryChange(owner=owner, kept=(one,))])
        reminder = {"id": f"r{number}", "chat": HERS.id, "person": ANN.id, "conversation": conversation, "text": MARK}
        reminder |= {"agent": "lull", "next_at": at, "set_at": at}
        await client.document(paths.event_path(f"r{number}")).set(reminder)
        incident = {"chat": HERS.id, "conversation": conversation, "body": MARK}
        await client.document(paths.incident_path(f"i{number}")).set(incident)
        ref = MediaRef(kind=MediaKind.PHOTO, file_id="f", unique_id=f"f{number}", words=MARK)
        sent = FileReference(
            ref=ref, agent="lull", chat=HERS.id, conversation=conversation, person=ANN.id, at=at, try_at=at
        )
        await client.document(paths.reference_path(sent.id)).set(encode_reference(sent))
    await client.document(paths.incident_path("i3")).set({"chat": HERS.id, "body": MARK})
    done = await harness.forgets(DeletionScope.CONVERSATION, HERS, conversation=second.conversation)
    (reference,) = [one.reference.path async for one in client.collection(paths.REFERENCES).stream()]
    assert set(await harness.where(MARK)) == {
        *(
            paths.memories_path(MemoryOwner(scope=scope, agent="lull", person=ANN.id, chat_id=ANN.id))
            for scope in MemoryScope
        ),
        paths.update_path(HERS, 1), paths.event_path("r1"), paths.incident_path("i1"), reference,
    }  # fmt: skip
    assert [done.counts[name] for name in ("memories", "events", "incidents")] == [3, 1, 2]


async def test_copies_that_were_asked_for_go_at_once_and_what_a_run_still_writes_of_them_later(
    harness: DeletionHarness, export_harness: ExportHarness
) -> None:
    await talk(harness)
    harness.takeout_bucket = lambda: export_harness.bucket
    exports = FirestoreExports(harness.chats.client)
    asked = Export(person=ANN.id, agent="lull", run=token_hex(12), asked_at=harness.now())
    await exports.replace(await exports.find(ANN.id), asked)
    for number in (1, 2):
        async with export_harness.bucket.writing(f"{asked.run}/{number}.zip") as writer:
            await writer.write(MARK.encode())
    async with export_harness.bucket.writing(f"of-another-{asked.run}/1.zip") as writer:
        await writer.write(b"theirs")
    name = await harness.asked()
    await harness.runs(name)
    assert export_harness.left(asked.run) == []
    assert (await exports.find(ANN.id)).export is None
    async with export_harness.bucket.writing(f"{asked.run}/3.zip") as writer:
        await writer.write(MARK.encode())
    harness.minutes += 21
    await harness.runs(name)
    assert export_harness.left(asked.run) == []
    assert (await harness.deletion(name)).takeouts == ()
    assert len(export_harness.left(f"of-another-{asked.run}")) == 1


async def test_an_archive_that_refuses_keeps_nothing_from_being_done_and_is_asked_again_every_day(
    harness: DeletionHarness,
) -> None:
    await talk(harness)
    (harness.folder / "file").write_text("in the way")
    refusing = FolderArchive(harness.folder / "file")
    name = await harness.asked()
    by = harness.deleter(archives=[refusing, harness.archive])
    await erase(by, JobRun(scheduled_for="s", deletion=name))
    first = await harness.deletion(name)
    assert (first.is_told, first.refused) == (True, (refusing.url,))
    assert await harness.where(MARK, '"Ann"') == []
    harness.minutes += 21
    await erase(by, JobRun(scheduled_for="s", deletion=name))
    second = await harness.deletion(name)
    assert second.due_at is not None
    assert second.due_at > harness.now() + REFUSED - timedelta(minutes=5)
    harness.minutes += 24 * 60 + 5
    await harness.runs(name)
    last = await harness.deletion(name)
    assert (last.due_at, last.refused, last.gone) == (None, (), ())


async def test_before_anything_goes_it_is_told_outside_the_database(harness: DeletionHarness) -> None:
    await talk(harness)
    name = await harness.asked()
    (harness.folder / "file").write_text("in the way")
    by = harness.deleter(register=FolderArchive(harness.folder / "file"))
    before = await harness.where(MARK)
    with pytest.raises(ArchiveUnavailable):
        await erase(by, JobRun(scheduled_for="s", deletion=name))
    assert await harness.where(MARK) == before
    await harness.runs(name)
    assert await harness.register.names() == [deletion_name_of(name)]
    told = read_deletion(await harness.register.get(deletion_name_of(name)))
    assert (told.person, told.cut) == ((await harness.deletion(name)).person, (await harness.deletion(name)).cut)
