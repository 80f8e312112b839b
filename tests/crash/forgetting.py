"""Somebody is forgotten while the function that erases is killed: at one of its requests, before or after it acted.

The function is called as its queue calls it: again and again until it answers 200, for both rounds. Nobody talks
meanwhile; what was said is written as ticks write it, so that a play takes seconds.
"""

import asyncio
import itertools
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Client

from benchmarks.relay.ledger import Blow, Moment, Request, Step
from shared.chat.archive_names import name_of
from shared.chat.lines import content_of
from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.media.store.media import encode_media, encode_reference
from shared.memory.store import FirestoreMemories
from shared.privacy.store.deletions import FirestoreDeletions
from shared.values.chat_key import ChatKey
from shared.values.deletion import Deletion, DeletionScope
from shared.values.media import MediaKind, MediaRef
from shared.values.memory import Memory, MemoryChange, MemoryOwner, MemoryScope, MemorySource
from shared.values.message import Author
from shared.values.reference import FileReference
from shared.values.stored_media import StoredMedia, StoredPart
from tests.crash.lanes import Lane
from tests.crash.playing import Playhouse
from tests.shared.sessions import have_said
from tests.stories.play import Chat, until

ERASING = "erase"
BEGAN = datetime(2026, 3, 1, 10, tzinfo=UTC)
#: the other one of the group, who speaks of nothing else
TEA = "I would rather have tea"
#: a worker that was killed is started anew in a second or two, and the lease that it held is over after half a minute
PATIENCE_S = 180.0
LOOK_S = 0.25
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Forgotten:
    """What came of it: the request that was struck, if it came; the way; and what lull promises not to happen."""

    struck: Request | None
    steps: tuple[Step, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True)
class _Play:
    """One person of one play, with a mark of their own."""

    backend: Playhouse
    lane: Lane
    chat: Chat
    who: Author
    other: Author
    mark: str
    deletion: str

    @property
    def group(self) -> ChatKey:
        """A group, of which the local Telegram knows nothing: nothing is said there."""
        return ChatKey(agent=self.lane.agent, chat_id=-1_002_000_000_000 - self.who.id)

    async def planted(self, chats: FirestoreChats) -> None:
        """What is kept about them: what they said in private and among others, a file, a memory, archived copies."""
        agent = Author(id=self.lane.bot_id, name=self.lane.agent, is_bot=True, is_agent=True)
        own = self.chat.chat_key
        await have_said(chats, own, BEGAN, [(self.who, self.mark), (agent, f"You said {self.mark}.")])
        lines = [(self.who, self.mark), (agent, f"So, {self.mark}."), (self.other, TEA)]
        await have_said(chats, self.group, BEGAN, lines)
        client, name = chats.client, f"file{self.deletion}"
        ref = MediaRef(kind=MediaKind.PHOTO, file_id=name, unique_id=name, words=self.mark)
        sent = FileReference(
            ref=ref, agent=own.agent, chat=own.id, person=self.who.id, at=BEGAN, try_at=BEGAN, is_open=False
        )
        part = StoredPart(path=f"{name}/0", mime_type="image/png", size=1)
        media = StoredMedia(unique_id=name, kind=MediaKind.PHOTO, parts=(part,), updated_at=BEGAN)
        await client.document(paths.reference_path(sent.id)).set(encode_reference(sent))
        await client.document(paths.media_path(name)).set(encode_media(media))
        await asyncio.to_thread(self._bucket().blob(part.path).upload_from_string, self.mark)
        owner = MemoryOwner(scope=MemoryScope.PERSON, agent=own.agent, person=self.who.id)
        source = MemorySource(place="p", person=self.who.id)
        learnt = Memory(id="m", text=self.mark, scope=owner.scope, source=source, made_at=BEGAN, changed_at=BEGAN)
        await FirestoreMemories(client).change([MemoryChange(owner=owner, kept=(learnt,))])
        for chat in (own.id, self.group.id):
            async for one in self.lane.kept.transcripts.every(chat):
                found = await self.lane.kept.transcripts.read(one)
                assert found is not None
                await self.lane.kept.archive.put(name_of(one), content_of(found))
        now = datetime.now(UTC)
        asked = Deletion(
            id=self.deletion, scope=DeletionScope.PERSON, person=self.who.id, chat=own.id, asked_at=now, due_at=now
        )
        await FirestoreDeletions(client).keep(asked)

    async def is_called(self) -> None:
        """Call the function until it answers that a round is over, as its queue does."""
        url, order = self.lane.parts[ERASING].url, {"job": ERASING, "erasure": self.deletion}
        async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S) as http:
            while True:
                try:
                    if (await http.post(url, json=order)).is_success:
                        return
                except httpx.TransportError:
                    await asyncio.sleep(0.1)

    async def comes_to(self, field: str, value: object) -> None:
        """Wait until a field of the deletion is so; where it never is, its faults tell."""
        for _ in range(round(PATIENCE_S / LOOK_S)):
            if (await self.document()).get(field) == value:
                return
            await asyncio.sleep(LOOK_S)

    async def document(self) -> dict[str, Any]:
        """The deletion's document."""
        return (await self.lane.kept.firestore.document(paths.deletion_path(self.deletion)).get()).to_dict() or {}

    async def receipts(self) -> list[str]:
        """What was said in their chat."""
        return [str(message["text"]) for message in await self.chat.said()]

    async def faults(self) -> list[str]:
        """What is wrong in the end."""
        done, said = await self.document(), await self.receipts()
        told = [f"{len(said)} messages tell that it is done"] if len(said) != 1 else []
        open_ = ["the erasure is not over"] if done.get("due_at") is not None or done.get("gone") else []
        spoken = [entry async for entry in self._of_other()]
        others = ["what another one said is gone"] if spoken != [TEA] else []
        return [*[f"left: {where}" async for where in self._left()], *told, *open_, *others]

    async def _of_other(self) -> Any:
        async for one in self.lane.kept.transcripts.every(self.group.id):
            found = await self.lane.kept.transcripts.read(one)
            for entry in found.entries if found is not None else ():
                if entry.type == "message" and entry.author.id == self.other.id:
                    yield entry.text

    async def _left(self) -> Any:
        """Where a word of theirs, or their name, still is."""
        async for path, told in _below(self.lane.kept.firestore):
            if self.mark in told or self.who.name in told:
                yield path
        for bucket in (self.lane.media_bucket, self.lane.kept.archive.bucket):
            for blob in await asyncio.to_thread(self._objects, bucket):
                yield blob

    def _objects(self, bucket: str) -> list[str]:
        found = self._client().list_blobs(bucket, versions=True)
        return [f"{bucket}/{blob.name}" for blob in found if self.mark.encode() in blob.download_as_bytes()]

    def _bucket(self) -> Any:
        return self._client().bucket(self.lane.media_bucket)

    def _client(self) -> Client:
        return Client(project=self.lane.cloud.project, credentials=AnonymousCredentials())  # type: ignore[no-untyped-call]


async def _below(place: Any) -> Any:
    """Every document below a place: its path, and what it holds as text."""
    async for collection in place.collections() if hasattr(place, "path") else _collections(place):
        async for reference in collection.list_documents():
            found = (await reference.get()).to_dict()
            if found is not None:
                yield reference.path, json.dumps(found, default=str, ensure_ascii=False)
            async for inner in _below(reference):
                yield inner


async def _collections(client: Any) -> Any:
    async for one in client.collections():
        yield one


async def forget(backend: Playhouse, lane: Lane, step: Step | None = None, moment: Moment = Moment.BEFORE) -> Forgotten:
    """Somebody new is forgotten, whole; the function is killed at a step of it, if one is given."""
    number, sandbox = next(_numbers), backend.sandbox(lane)
    person, other = await sandbox.person("Ann"), await sandbox.person("Bob")
    play = _Play(
        backend=backend, lane=lane, chat=await sandbox.private(person, lane.agent),
        mark=f"quixotic zebra{number:05d} indeed",
        who=Author(id=person.id, name=person.name), other=Author(id=other.id, name=other.name),
        deletion=f"{lane.agent}-{number}",
    )  # fmt: skip
    chats = FirestoreChats(str(lane.kept.firestore.project))
    await play.planted(chats)
    await lane.refresh([ERASING])

    async def strike(request: Request) -> None:
        await lane.kill(ERASING)

    lane.ledger.start_over(Blow(step, moment, strike) if step is not None else None)
    await _rounds(play)
    struck, requests = await lane.ledger.struck(), lane.ledger.requests
    lane.ledger.start_over()
    faults = await play.faults()
    chats.client.close()  # type: ignore[no-untyped-call]
    return Forgotten(struck, tuple(r.step for r in requests if r.step.maker == ERASING), tuple(faults))


async def _rounds(play: _Play) -> None:
    """Both rounds. A chat that a killed run held is waited for: the function has itself called again."""
    await play.is_called()
    await play.comes_to("round", 2)

    async def is_told() -> bool:
        return bool(await play.receipts())

    await until(is_told, "the receipt is told")
    client = play.lane.kept.firestore
    await client.document(paths.deletion_path(play.deletion)).update(
        {"due_at": datetime.now(UTC) - timedelta(seconds=1)}
    )
    await play.is_called()
    await play.comes_to("due_at", None)
    await play.lane.queues.background.purge()  # what would come in twenty minutes came
    await until(play.lane.queues.ticks.is_empty, "no tick is left")
