"""What functions have stored, read past whatever stands before them: transcripts, and the archive of them."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from google.cloud.firestore_v1.async_client import AsyncClient

from local.cloud import LocalCloud
from shared.base.errors import TranscriptUnreadable
from shared.chat.archive_names import name_of
from shared.chat.lines import content_of
from shared.chat.store import paths
from shared.chat.store.queries import Cursor
from shared.chat.store.transcripts import FirestoreTranscripts
from shared.upkeep.archives.storage import StorageArchive
from shared.upkeep.jobs.restore import read_transcript


@dataclass(frozen=True)
class Kept:
    """The transcripts of one database, and the bucket in which the nightly job archives them.

    `chat` bounds a question to one chat's conversations; without one it is about all.
    """

    transcripts: FirestoreTranscripts
    archive: StorageArchive

    @property
    def firestore(self) -> AsyncClient:
        """The database."""
        return self.transcripts.client

    async def left_updates(self, chat: str, current: str) -> list[int]:
        """The updates that the entries of a chat's conversations came from, but for the current one's."""
        left = [one async for one in self.transcripts.every(chat) if one != current]
        read = [await self.transcripts.read(one) for one in left]
        return [update for found in read if found for entry in found.entries for update in entry.updates]

    async def archived_until_now(self) -> None:
        """Have the archive hold whatever was written so far, for all that the next run knows."""
        await self.transcripts.keep_cursor(
            self.archive.url, Cursor(at=datetime.now(UTC), path=paths.conversation_path("-"))
        )

    async def unarchived(self, chat: str = "") -> list[str]:
        """What is wrong with the archive: the conversations that are not there, and `unlike`."""
        names = await self.archive.names()
        every = [conversation async for conversation in self.transcripts.every(chat)]
        missing = [f"{one} is not in the archive" for one in every if name_of(one) not in names]
        return [*missing, *await self.unlike(chat)] if every else ["there is no conversation"]

    async def unlike(self, chat: str = "") -> list[str]:
        """What is wrong with the conversations that are there, once nothing is written any more: none may be half."""
        names, wrong = await self.archive.names(), list[str]()
        async for conversation in self.transcripts.every(chat):
            transcript = await self.transcripts.read(conversation)
            if transcript is not None and name_of(conversation) in names:
                content = await self.archive.get(name_of(conversation))
                wrong += [f"{conversation}: {what}" for what in read_back(content)]
                if content != content_of(transcript):
                    wrong.append(f"{conversation} is in the archive as it never was")
        return wrong


def read_back(content: bytes) -> list[str]:
    """What whoever restores a file is told of it."""
    warnings: list[str] = []
    try:
        read_transcript(content, lambda line, what: warnings.append(f"line {line} {what}"))
    except TranscriptUnreadable as error:
        warnings.append(str(error))
    return warnings


@asynccontextmanager
async def kept_of(cloud: LocalCloud, project: str, bucket: str) -> AsyncIterator[Kept]:
    """What a project of a local cloud has stored."""
    # the official clients know their emulators from the environment, and from there alone
    own = {"FIRESTORE_EMULATOR_HOST": cloud.firestore_host, "STORAGE_EMULATOR_HOST": cloud.storage_url}
    before = {name: os.environ[name] for name in own if name in os.environ}
    os.environ |= own
    try:
        kept = Kept(FirestoreTranscripts(project), StorageArchive(project, bucket))
        _ = kept.archive.client  # made while its emulator is known
    finally:
        for name in own:
            del os.environ[name]
        os.environ |= before
    yield kept
    kept.firestore.close()  # type: ignore[no-untyped-call]
