"""Fixtures for exports: people's data in Firestore and in the buckets, and what they receive."""

import io
import itertools
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from google.cloud.firestore_v1.async_client import AsyncClient

from local.parts import MEDIA_BUCKET, TAKEOUT_BUCKET
from shared.chat.store import layout, paths
from shared.chat.store.transcripts import encode_page
from shared.cloud.export_bucket import StorageExports
from shared.media.blobs import StorageBlobs
from shared.privacy.export.gathering import PartLimits
from shared.privacy.export.service import ExportService
from shared.privacy.jobs.gather_export import ExportGatherer, gather_export
from shared.privacy.store.belongings import FirestoreBelongings
from shared.privacy.store.exports import FirestoreExports
from shared.recall.store.memberships import FRESH
from shared.values.chat import Chat
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.evolve import evolve
from shared.values.export import Export
from shared.values.job_run import JobRun
from shared.values.message import AnyEntry, Author, Message
from shared.values.wake import Job
from tests.shared.examples import NOW

_people = itertools.count(4_000_000_000 + os.getpid() * 10_000)


def somebody(name: str) -> Author:
    """Return a new person."""
    number = next(_people)
    return Author(id=number, name=name, username=f"{name.lower()}_{number}")


def said(author: Author, text: str, message_id: int, **more: Any) -> Message:
    """Return a message."""
    return Message(at=NOW + timedelta(seconds=message_id), message_id=message_id, author=author, text=text, **more)


@dataclass
class Asked:
    """A queue that keeps its jobs."""

    jobs: list[Job] = field(default_factory=list)

    async def enqueue(self, job: Job) -> None:
        """Keep the job."""
        self.jobs.append(job)

    def of(self, function: str) -> list[Any]:
        """Return the bodies of the jobs for a function."""
        return [json.loads(job.body) for job in self.jobs if job.function == function]


@dataclass
class ExportHarness:
    """The stores and buckets with people's data, and what gathers it."""

    client: AsyncClient
    project: str
    #: in years, so that no sweep of a shared cloud finds the exports of a test
    now: datetime = NOW + timedelta(days=3650)
    asked: Asked = field(default_factory=Asked)

    def __post_init__(self) -> None:
        self.exports = FirestoreExports(self.client)
        self.bucket = StorageExports(self.project, TAKEOUT_BUCKET)
        self.media = StorageBlobs(self.project, MEDIA_BUCKET)
        self.desk = ExportService(exports=self.exports, queue=self.asked, is_open=True)

    def close(self) -> None:
        self.bucket.client.close()
        self.media.client.close()

    def gatherer(self, limits: PartLimits | None = None, clock: Callable[[], datetime] | None = None) -> ExportGatherer:
        """Return the gatherer of exports."""
        return ExportGatherer(
            exports=self.exports,
            belongings=FirestoreBelongings(self.client),
            bucket=self.bucket,
            media=self.media,
            queue=self.asked,
            clock=clock or (lambda: self.now),
            limits=limits or PartLimits(),
        )

    async def keep(self, path: str, document: Mapping[str, Any]) -> None:
        """Store a document."""
        await self.client.document(path).set(dict(document))

    async def talk(self, key: ChatKey, entries: Iterable[AnyEntry], name: str = "", **of_chat: Any) -> str:
        """Store a chat with one conversation; return its id."""
        kind = ChatKind.PRIVATE if key.is_private else ChatKind.SUPERGROUP
        conversation = name or f"conv-{'p' if key.is_private else 'g'}{abs(key.chat_id)}"
        chat = Chat(key=key, kind=kind, conversation=conversation, **of_chat)
        await self.keep(paths.chat_path(key), layout.encode_chat(chat))
        kept = {"chat": key.id, "agent": key.agent, "title": f"title of {conversation}", "entries": 1}
        await self.keep(paths.conversation_path(conversation), kept)
        numbered = [evolve(entry, seq=seq) for seq, entry in enumerate(entries, start=1)]
        for first in range(0, len(numbered), 2):
            page = numbered[first : first + 2]
            await self.keep(paths.page_path(conversation, page[0].seq), encode_page(page))
        return conversation

    async def saw(self, key: ChatKey, person: Author, **more: Any) -> None:
        """Store that a person is in a group."""
        told = {"agent": key.agent, "chat_id": key.chat_id, "person": person.id, "seen_at": NOW, "is_member": True}
        told |= {"fresh_until": self.now + FRESH, "places": [f"{key.agent}.{key.chat_id}"]} | more
        await self.keep(paths.membership_path(key, person.id), told)

    async def ask(self, person: Author, agent: str = "lull") -> Export:
        """Return the export after a person has sent /export."""
        found = await self.desk.ask(ChatKey(agent=agent, chat_id=person.id), "en", self.now)
        assert found is not None
        return found

    async def now_of(self, person: Author) -> Export:
        """Return the person's current export."""
        found = (await self.exports.find(person.id)).export
        assert found is not None
        return found

    async def gathered(self, person: Author, limits: PartLimits | None = None) -> list[dict[str, bytes]]:
        """Gather a person's export to its end; return the files of each part."""
        await self.ask(person)
        for _ in range(200):
            await self.run(person, limits)
            if (await self.now_of(person)).state != "gathering":
                break
        return [await self.files(part.path, part.size) for part in (await self.now_of(person)).parts]

    async def run(self, person: Author, limits: PartLimits | None = None) -> Mapping[str, int]:
        """Run the job once for a person."""
        return await gather_export(self.gatherer(limits), JobRun(scheduled_for="now", person=str(person.id)))

    async def files(self, path: str, size: int) -> dict[str, bytes]:
        """Return the files of a part."""
        content = b"".join([piece async for piece in self.bucket.pieces(path, size)])
        assert len(content) == size
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            assert file.testzip() is None
            return {name: file.read(name) for name in file.namelist()}

    def left(self, run: str) -> list[str]:
        """Return the names of an export's objects in the bucket."""
        return [blob.name for blob in self.bucket.client.list_blobs(TAKEOUT_BUCKET, prefix=f"{run}/")]


def lines(files: Mapping[str, bytes], name: str) -> list[Any]:
    """Return the objects of a file of JSON Lines."""
    return [json.loads(line) for line in files[name].splitlines()]
