"""Forgets a person while the erasing function is killed at one of its requests, before or after the request's effect.

The function is called as its queue calls it, repeatedly until it answers 200, for both rounds. Nobody writes meanwhile.
The messages are stored as ticks store them, so that a play takes seconds.
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
#: the other person in the group, who only talks about the forgotten one
TEA = "I would rather have tea"
#: seconds until a killed worker has restarted, and until its lease has expired
PATIENCE_S = 180.0
LOOK_S = 0.25
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Forgotten:
    """The outcome: the struck request, if it was made; all requests; and the faults."""

    struck: Request | None
    steps: tuple[Step, ...]
    faults: tuple[str, ...]


@dataclass(frozen=True)
class _Play:
    """A person of one play, with a unique mark in their data."""

    backend: Playhouse
    lane: Lane
    chat: Chat
    who: Author
    other: Author
    mark: str
    deletion: str

    @property
    def group(self) -> ChatKey:
        """The group, which does not exist in the local Telegram, since nobody writes there."""
        return ChatKey(agent=self.lane.agent, chat_id=-1_002_000_000_000 - self.who.id)

    async def planted(self, chats: FirestoreChats) -> None:
        """Store the person's data: private and group messages, a file, a memory, archived copies."""
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
        """Call the function as its queue does, until it answers that a round is over."""
        url, order = self.lane.parts[ERASING].url, {"job": ERASING, "erasure": self.deletion}
        async with asyncio.timeout(PATIENCE_S), httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S) as http:
            while True:
                try:
                    if (await http.post(url, json=order)).is_success:
                        return
                except httpx.TransportError:
                    await asyncio.sleep(0.1)

    async def comes_to(self, field: str, value: object) -> None:
        """Wait until a field of the deletion has a value; `faults` reports if it never has."""
        for _ in range(round(PATIENCE_S / LOOK_S)):
            if (await self.document()).get(field) == value:
                return
            await asyncio.sleep(LOOK_S)

    async def document(self) -> dict[str, Any]:
        """Return the deletion's document."""
        return (await self.lane.kept.firestore.document(paths.deletion_path(self.deletion)).get()).to_dict() or {}

    async def receipts(self) -> list[str]:
        """Return the messages in the person's chat."""
        return [str(message["text"]) for message in await self.chat.said()]

    async def faults(self) -> list[str]:
        """Return the faults at the end."""
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
        """Yield the places that still contain the person's words or name."""
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
    """Yield every document below a place: its path, and its content as text."""
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
    """Forget a new person completely, and kill the function at a step if one is given."""
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
    """Run both rounds. If a killed run had claimed a chat, the function schedules another call and waits for it."""
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
    await play.lane.queues.background.purge()  # the task that is due in twenty minutes was replaced by a call
    await until(play.lane.queues.ticks.is_empty, "no tick is left")
