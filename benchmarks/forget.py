"""Checks, for each way in which lull stores data, that all data of a forgotten person is deleted. Also measures the
time of the deletion.

First, each way (`benchmarks/forgetting/`) is tried in a separate database. Data of a person and of others is stored in
this way, both rounds of the deletion run, and then everything in the database is read. `left` counts the ways after
which data of the person is left, `lost` the ways after which data of others is missing, and `unplanted` the ways that
stored nothing to begin with. `failing` names all these ways. The three counts must be 0.

Then the erasing function forgets a person who talked for two months, in private and in groups (`months`). The person's
words and all derived data are written as ticks and jobs write them. The function is called as its queue calls it, for
both rounds. `documents`, `entries` and `objects` are the counts in the receipt, which the person gets after the first
round. `seconds` is the time of the first round, and `again_seconds` that of the second. `kept_before` and `left` are
the numbers of documents, objects and log lines that contain the person's words or name, before and after the deletion.
`left` must be 0. `others_lost`, the number of other people's entries that lost their text, must be 0 too.

Finally, another person is forgotten, who wrote every fifth entry of a long group conversation with `long_entries`
entries. The first round takes `long_seconds`. `long_left`, the number of pages that still contain this person's words,
must be 0.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from google.auth.credentials import AnonymousCredentials
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.storage import Client

from benchmarks.forgetting.playing import play_ways
from benchmarks.outages.running import running
from local.cloud import CloudSpec, LocalCloud
from local.parts import ARCHIVE_BUCKET, MEDIA_BUCKET
from shared.chat.archive_names import name_of
from shared.chat.lines import content_of
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.transcripts import FirestoreTranscripts, encode_page
from shared.media.store.media import encode_media, encode_reference
from shared.memory.store import FirestoreMemories
from shared.privacy.store.deletions import FirestoreDeletions
from shared.reminders.store import encode_reminder
from shared.values.chat_key import ChatKey
from shared.values.deletion import Deletion, DeletionScope
from shared.values.media import MediaKind, MediaRef
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.message import Author, Message
from shared.values.reference import FileReference
from shared.values.reminder import Reminder
from shared.values.stored_media import StoredMedia, StoredPart
from tests.shared.examples import said
from tests.shared.sessions import have_said
from tests.stories.leaving import everywhere
from tests.stories.play import Model, Sandbox

PARTS = ("firestore", "storage", "cloud_tasks", "telegram", "model", "webhook", "tick", "erase")
MARK = "quixotic zebra"
LEAVER = Author(id=1_100_000_001, name="Zebedee", username="zebedee_x")
OTHER = Author(id=1_100_000_002, name="Bob", username="bob_x")
AGENT = Author(id=7_000_000_001, name="lull", is_bot=True, is_agent=True)
#: number of private conversations, of groups, of conversations in each group, and of exchanges in each conversation
TALKS, GROUPS, TALKS_OF_GROUP, EXCHANGES = 30, 5, 6, 12
FILES, MEMORIES, REMINDERS = 40, 30, 10
BEGAN = datetime.now(UTC) - timedelta(days=60)
DELETION, LONG_DELETION = "measured", "measured-long"
#: number of entries in the long conversation; entries in each of its pages; the forgotten person wrote every fifth
#: entry; pages that are written in one commit
LONG_ENTRIES, OF_PAGE, THEIRS, AT_ONCE = 20_000, 3, 5, 200
LONG = "conv-long"
LONG_LEAVER = Author(id=1_100_000_003, name="Yolanda", username="yolanda_x")
ROOM = ChatKey(agent="lull", chat_id=-1_002_100_000_000)


async def measure() -> dict[str, object]:
    """Return counts and seconds. `unmet` is true if data of a forgotten person is left, or if data of others was
    deleted.
    """
    ways, months = await play_ways(), await _months()
    return {**ways, "months": months, "unmet": any((ways["failing"], months["unmet"]))}


async def _months() -> dict[str, object]:
    async with running(CloudSpec(parts=PARTS)) as cloud, _stage(cloud) as stage:
        chats = FirestoreChats(cloud.project)
        await _talks(chats)
        await _belongings(chats.client)
        await _files(cloud, chats.client)
        before, theirs = await _count_kept(stage), await _of_others(chats)
        await _asks(chats.client, DELETION, LEAVER)
        seconds = await _round(cloud)
        await chats.client.document(paths.deletion_path(DELETION)).update({"due_at": datetime.now(UTC)})
        again = await _round(cloud)
        counts = ((await chats.client.document(paths.deletion_path(DELETION)).get()).to_dict() or {})["counts"]
        left, lost = await _count_kept(stage), theirs - await _of_others(chats)
        long = await _long(cloud, chats)
        chats.client.close()  # type: ignore[no-untyped-call]
    told = {name: counts.get(name, 0) for name in ("documents", "entries", "conversations", "objects", "files")}
    figures = {"kept_before": before, **told, "seconds": seconds, "again_seconds": again, "left": left}
    return {**figures, "others_lost": lost, **long, "unmet": any((left, lost, long["long_left"]))}


@asynccontextmanager
async def _stage(cloud: LocalCloud) -> AsyncIterator[Sandbox]:
    os.environ["FIRESTORE_EMULATOR_HOST"] = cloud.firestore_host  # the official clients' own settings
    os.environ["STORAGE_EMULATOR_HOST"] = cloud.storage_url
    firestore = AsyncClient(project=cloud.project)
    async with httpx.AsyncClient(base_url=cloud.telegram_url, timeout=60) as telegram:
        yield Sandbox(cloud, telegram, Model(telegram), firestore)
    firestore.close()  # type: ignore[no-untyped-call]


async def _talks(chats: FirestoreChats) -> None:
    """Write the person's private conversations, and group conversations in which others write too, without quoting
    anybody.
    """
    own = ChatKey(agent="lull", chat_id=LEAVER.id)
    for number in range(TALKS):
        lines = [
            line
            for n in range(EXCHANGES)
            for line in ((LEAVER, f"{MARK} {number} {n}"), (AGENT, f"You said {MARK} {number} {n}."))
        ]
        await have_said(chats, own, BEGAN + number * timedelta(days=2), lines, leaves=True)
    for group in range(GROUPS):
        key = ChatKey(agent="lull", chat_id=-1_002_000_000_000 - group)
        for number in range(TALKS_OF_GROUP):
            lines = [
                line
                for n in range(EXCHANGES)
                for line in ((LEAVER, f"{MARK} of {group} {n}"), (OTHER, f"tea number {number} {n}"))
            ]
            await have_said(chats, key, BEGAN + number * timedelta(days=10), lines, leaves=True)


async def _belongings(client: AsyncClient) -> None:
    """Write the person's memories, reminders and usage."""
    at, source = BEGAN, MemorySource(place=f"lull.{LEAVER.id}", person=LEAVER.id)
    owner = MemoryOwner(scope=MemoryScope.PERSON, agent="lull", person=LEAVER.id)
    kept = [
        Memory(id=f"m{n}", text=f"{MARK} {n}", scope=owner.scope, source=source, made_at=at, changed_at=at)
        for n in range(MEMORIES)
    ]
    await FirestoreMemories(client).change([MemoryChange(owner=owner, kept=tuple(kept))])
    chat = ChatKey(agent="lull", chat_id=LEAVER.id).id
    for number in range(REMINDERS):
        made = Reminder(id=f"r{number}", agent="lull", chat=chat, person=LEAVER.id, text=MARK, next_at=None, set_at=at)
        await client.document(paths.event_path(made.id)).set(encode_reminder(made))
        usage = {"id": f"u{number}", "agent": "lull", "chat": chat, "person": LEAVER.id}
        await client.document(paths.usage_path(f"u{number}")).set(usage)


async def _files(cloud: LocalCloud, client: AsyncClient) -> None:
    """Write files that only the person sent, and the archive."""
    storage = Client(project=cloud.project, credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]
    chat = ChatKey(agent="lull", chat_id=LEAVER.id).id
    for number in range(FILES):
        name = f"file{number}"
        ref = MediaRef(kind=MediaKind.PHOTO, file_id=name, unique_id=name, words=f"{MARK}.png")
        sent = FileReference(ref=ref, agent="lull", chat=chat, person=LEAVER.id, at=BEGAN, try_at=BEGAN)
        part = StoredPart(path=f"{name}/0", mime_type="image/png", size=len(MARK))
        media = StoredMedia(unique_id=name, kind=MediaKind.PHOTO, parts=(part,), updated_at=BEGAN)
        await client.document(paths.reference_path(sent.id)).set(encode_reference(sent))
        await client.document(paths.media_path(name)).set(encode_media(media))
        await asyncio.to_thread(storage.bucket(MEDIA_BUCKET).blob(part.path).upload_from_string, MARK)
    transcripts = FirestoreTranscripts(cloud.project)
    async for one in transcripts.every():
        found = await transcripts.read(one)
        assert found is not None
        blob = storage.bucket(ARCHIVE_BUCKET).blob(name_of(one))
        await asyncio.to_thread(blob.upload_from_string, content_of(found))


async def _asks(client: AsyncClient, name: str, leaver: Author) -> None:
    now = datetime.now(UTC)
    chat = ChatKey(agent="lull", chat_id=leaver.id).id
    asked = Deletion(
        id=name, scope=DeletionScope.PERSON, person=leaver.id, chat=chat, asked_at=now, due_at=now, language="en"
    )
    await FirestoreDeletions(client).keep(asked)


async def _long(cloud: LocalCloud, chats: FirestoreChats) -> dict[str, float]:
    """Measure a person who is forgotten in a long conversation that nobody continues."""
    client, entries = chats.client, [_entry(seq) for seq in range(1, LONG_ENTRIES + 1)]
    pages = [entries[start : start + OF_PAGE] for start in range(0, LONG_ENTRIES, OF_PAGE)]
    for start in range(0, len(pages), AT_ONCE):
        batch: Any = client.batch()
        for page in pages[start : start + AT_ONCE]:
            batch.set(client.document(paths.page_path(LONG, page[0].seq)), encode_page(page))
        await batch.commit()
    told = {"chat": ROOM.id, "title": "Tea", "people": [LONG_LEAVER.id, OTHER.id], "entries": LONG_ENTRIES}
    await client.document(paths.conversation_path(LONG)).set(told)
    await _asks(client, LONG_DELETION, LONG_LEAVER)
    began, log = time.monotonic(), FirestoreDeletions(client)
    await _round(cloud, LONG_DELETION)
    while not await _is_over(log, LONG_DELETION):  # noqa: ASYNC110 - its queue has it go on
        await asyncio.sleep(1)
    seconds = round(time.monotonic() - began, 2)
    left = sum([MARK in str(page.to_dict()) async for page in client.collection(paths.pages_path(LONG)).stream()])
    return {"long_entries": LONG_ENTRIES, "long_seconds": seconds, "long_left": left}


async def _is_over(log: FirestoreDeletions, name: str) -> bool:
    """Return whether the first round is over."""
    found = await log.read(name)
    return found is not None and found.deletion.round > 1


def _entry(seq: int) -> Message:
    text = f"{MARK} {seq}" if seq % THEIRS == 0 else f"tea number {seq} is what people drink here in the afternoon"
    author = OTHER if seq % THEIRS else LONG_LEAVER
    return said(text, author=author, message_id=seq, seq=seq, turn=seq, at=BEGAN + timedelta(minutes=seq))


async def _round(cloud: LocalCloud, deletion: str = DELETION) -> float:
    began = time.monotonic()
    async with httpx.AsyncClient(timeout=600) as http:
        order = {"job": "erase", "erasure": deletion}
        (await http.post(cloud.url("erase"), json=order)).raise_for_status()
    return round(time.monotonic() - began, 2)


async def _count_kept(stage: Sandbox) -> int:
    """Return how many documents, objects and log lines contain the person's words or name."""
    return sum(any(mark in one for mark in marks()) for one in await everywhere(stage))


def marks() -> Sequence[str]:
    """Return the words that must not occur anywhere after the deletion."""
    return MARK, LEAVER.name, LEAVER.username


async def _of_others(chats: FirestoreChats) -> int:
    """Return how many entries of the other person still have their text."""
    count = 0
    transcripts = FirestoreTranscripts(str(chats.client.project))
    async for one in transcripts.every():
        found = await transcripts.read(one)
        assert found is not None
        said = [entry for entry in found.entries if entry.type == "message" and entry.author.id == OTHER.id]
        count += sum(entry.text.startswith("tea number") for entry in said)
    return count
