"""A database with a person's private chat and groups, and all jobs that delete from it."""

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from shared.base.errors import StoreUnavailable
from shared.chat.archive_names import name_of
from shared.chat.claiming import LeasePolling
from shared.chat.lines import content_of
from shared.chat.session import Session
from shared.chat.store.chats import FirestoreChats
from shared.chat.store.inbox import add_update
from shared.chat.store.outbox import FirestoreOutbox
from shared.chat.store.transcripts import FirestoreTranscripts
from shared.chat.terms import SessionTerms
from shared.cloud.export_bucket import StorageExports
from shared.privacy.jobs.erase import erase
from shared.privacy.jobs.erase_run import ArchiveDeletion, ChatLeaseSettings, Deleter, ExportDeletion
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.privacy.store.deletion_lookup import FirestoreDeletionLookup
from shared.privacy.store.deletions import DeletionSnapshot, FirestoreDeletions
from shared.privacy.store.exports import FirestoreExports
from shared.privacy.store.media_deletion import FirestoreMediaDeletion
from shared.privacy.store.person_deletion import FirestorePersonDeletion
from shared.recall.matching.segmenting import SEGMENTING
from shared.recall.store.memberships import MembershipRecord
from shared.recall.store.rebuilding import FirestoreRebuilding
from shared.spending.store.accounts import FirestoreAccounts
from shared.upkeep.archives.folder import FolderArchive
from shared.values.chat import Chat, Lease
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.deletion import Deletion, DeletionScope
from shared.values.evolve import evolve
from shared.values.job_run import JobRun
from shared.values.message import AnyEntry, Author, Message
from shared.values.update import Envelope, InboxUpdate
from tests.shared.examples import ANN, BOB, ME, said
from tests.shared.paused_queue import PausedQueue

MARK = "quixotic zebra 7431907"
HERS = ChatKey(agent="lull", chat_id=ANN.id)
BOBS = ChatKey(agent="lull", chat_id=BOB.id)
ROOM = ChatKey(agent="lull", chat_id=-1_002_000_000_007)
_numbers = itertools.count(1)


class DyingDeletions(FirestoreDeletions):
    """The store of deletions. Its n-th write fails; with 0, none does."""

    dies_at = 0

    async def save(self, seen: DeletionSnapshot, deletion: Deletion) -> DeletionSnapshot:
        """Save, or raise StoreUnavailable without saving."""
        self.dies_at -= 1
        if self.dies_at == 0:
            raise StoreUnavailable("the function was killed")
        return await super().save(seen, deletion)


@dataclass
class DeletionHarness:
    """The database, and the jobs that delete from it."""

    chats: FirestoreChats
    queue: PausedQueue
    folder: Path
    minutes: int = 0
    #: opens the bucket with the parts of exports; None: there is no such bucket
    takeout_bucket: Callable[[], StorageExports] | None = None
    log: DyingDeletions = field(init=False)

    def __post_init__(self) -> None:
        """Use the same store of deletions in all runs."""
        self.log = DyingDeletions(self.chats.client)

    def now(self) -> datetime:
        """Return the current time, which a test may change."""
        return datetime.now(UTC) + timedelta(minutes=self.minutes)

    @property
    def archive(self) -> FolderArchive:
        """The archive of conversations."""
        return FolderArchive(self.folder)

    @property
    def register(self) -> FolderArchive:
        """The folder in which deletions are stored outside of the database."""
        return FolderArchive(self.folder / "register")

    @property
    def transcripts(self) -> FirestoreTranscripts:
        """The store of transcripts."""
        return FirestoreTranscripts(str(self.chats.client.project))

    def deleter(self, **archiving: Any) -> Deleter:
        """Return the deleter. `archiving` replaces settings of its archives."""
        client, jobs = self.chats.client, self.queue.erasing_jobs()
        archives = ArchiveDeletion(
            archives=[self.archive], register=self.register, transcripts=self.transcripts, backup_days=98
        )
        return Deleter(
            log=self.log, finding=FirestoreDeletionLookup(client),
            of_chats=FirestoreChatDeletion(client), of_people=FirestorePersonDeletion(client),
            media=FirestoreMediaDeletion(client, None), rebuilding=FirestoreRebuilding(client),
            accounts=FirestoreAccounts(client), chats=self.chats,
            exports=ExportDeletion(store=FirestoreExports(client), bucket=self.takeout_bucket),
            archiving=replace(archives, **archiving),
            outbox=FirestoreOutbox(client), queue=jobs, clock=self.now,
            holding=ChatLeaseSettings(window_entries=50, polling=LeasePolling(looks=2, look_s=0.01)),
        )  # fmt: skip

    async def says(self, key: ChatKey, *entries: AnyEntry, leaves: bool = False) -> Chat:
        """Store messages in a chat as a tick does, together with the update of the first message."""
        now = self.now()
        terms = SessionTerms(
            owner="t", lease=timedelta(seconds=60), window_entries=50, clock=lambda: now, segmenting=SEGMENTING
        )
        seen = await self.chats.see(key)
        session = Session(self.chats, await self.chats.claim(seen, Lease(owner="t", until=now + terms.lease)), terms)
        session.note_chat(evolve(session.chat, kind=ChatKind.PRIVATE if key.is_private else ChatKind.SUPERGROUP))
        await session.note_entries(entries)
        if not key.is_private:
            for person in {e.author.id for e in entries if isinstance(e, Message) and not e.author.is_agent}:
                session.note(MembershipRecord(person=person, is_member=True))
        if leaves:
            await session.note_other_conversation()
        await session.commit(release=True)
        return session.chat

    async def is_told(self, key: ChatKey, text: str, author: Author = ANN) -> None:
        """Store an update that no tick has read."""
        number = next(_numbers)
        told = {"message_id": number, "date": 1, "from": {"id": author.id, "first_name": author.name}, "text": text}
        kind = ChatKind.PRIVATE if key.is_private else ChatKind.SUPERGROUP
        envelope = Envelope(update_id=number, kind="message", key=key, chat_kind=kind)
        raw = {"update_id": number, "message": told}
        await add_update(self.chats.client, InboxUpdate(envelope=envelope, raw=raw, received_at=self.now()))

    async def archives(self) -> None:
        """Archive every conversation."""
        async for one in self.transcripts.every():
            transcript = await self.transcripts.read(one)
            assert transcript is not None
            await self.archive.put(name_of(one), content_of(transcript))

    async def asked(
        self, scope: DeletionScope = DeletionScope.PERSON, key: ChatKey = HERS, conversation: str = ""
    ) -> str:
        """Request a deletion. Return its id."""
        now, name = self.now(), f"e{next(_numbers)}"
        await self.log.keep(
            Deletion(
                id=name, scope=scope, person=ANN.id if scope is DeletionScope.PERSON else 0, chat=key.id,
                conversation=conversation, asked_at=now, due_at=now,
            )
        )  # fmt: skip
        return name

    async def runs(self, name: str) -> dict[str, int]:
        """Run the deletion job once."""
        return dict(await erase(self.deleter(), JobRun(scheduled_for="s", deletion=name)))

    async def forgets(self, scope: DeletionScope = DeletionScope.PERSON, key: ChatKey = HERS, **more: str) -> Deletion:
        """Run both rounds of a deletion."""
        name = await self.asked(scope, key, **more)
        await self.runs(name)
        self.minutes += 21
        await self.runs(name)
        return await self.deletion(name)

    async def deletion(self, name: str) -> Deletion:
        """Return the deletion with its progress."""
        found = await self.log.read(name)
        assert found is not None
        return found.deletion

    async def where(self, *marks: str) -> list[str]:
        """Return the documents and archived files that still contain one of the marks."""
        found = [path async for path, told in self.documents() if any(mark in told for mark in marks)]
        files = [file for file in self.folder.rglob("*") if file.is_file()]
        return found + [file.name for file in files if any(mark in file.read_text() for mark in marks)]

    async def documents(self) -> Any:
        """Yield the path of every document, and its content as text."""
        for path, found in (await self.backup()).items():
            yield path, json.dumps(found, default=str, ensure_ascii=False)

    async def backup(self) -> dict[str, Any]:
        """Return every document by its path."""
        collections = [one async for one in self.chats.client.collections()]
        return {path: found for one in collections async for path, found in self._below(one)}

    async def brings_back(self, backup: Mapping[str, Any]) -> None:
        """Replace the content of the database by an older state."""
        for path in await self.backup():
            await self.chats.client.document(path).delete()
        for path, found in backup.items():
            await self.chats.client.document(path).set(found)

    async def _below(self, collection: Any) -> Any:
        async for reference in collection.list_documents():
            found = (await reference.get()).to_dict()
            if found is not None:
                yield reference.path, found
            async for below in reference.collections():
                async for inner in self._below(below):
                    yield inner

    async def spoken(self, conversation: str) -> list[tuple[str, str]]:
        """Return the author and text of each message in the transcript."""
        transcript = await self.transcripts.read(conversation)
        assert transcript is not None
        return [(e.author.name, e.text) for e in transcript.entries if e.type == "message"]

    async def document(self, path: str) -> dict[str, Any]:
        """Return the fields of one document; {} if there is none."""
        return (await self.chats.client.document(path).get()).to_dict() or {}


def hers(text: str = MARK, **more: Any) -> AnyEntry:
    """Return a message by Ann."""
    return said(text, author=ANN, **more)


def his(text: str, **more: Any) -> AnyEntry:
    """Return a message by Bob."""
    return said(text, author=BOB, **more)


def ours(text: str, **more: Any) -> AnyEntry:
    """Return a message by the agent."""
    return said(text, author=ME, **more)


async def talk(new_chats: DeletionHarness) -> Sequence[Chat]:
    """Store a private conversation and a group conversation of Ann and Bob, and archive them. Return the chats."""
    private = await new_chats.says(HERS, hers(message_id=1), ours(f"You said {MARK}.", message_id=2))
    room = await new_chats.says(
        ROOM, hers(message_id=1), ours(f"So, {MARK}.", message_id=2), his("I am for tea", message_id=3),
        ours("Tea it is.", message_id=4),
    )  # fmt: skip
    bobs = await new_chats.says(BOBS, his("tea", message_id=1), ours("Tea.", message_id=2))
    await new_chats.archives()
    return private, room, bobs
