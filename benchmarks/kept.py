"""The transcripts that lull's functions stored, and their archive. They are read directly, not through the relays that
make servers fail.
"""

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
    """The transcripts in one database, and the bucket to which the nightly job archives them.

    If a method gets a `chat`, it considers only the conversations of that chat.
    """

    transcripts: FirestoreTranscripts
    archive: StorageArchive

    @property
    def firestore(self) -> AsyncClient:
        """The client of the database."""
        return self.transcripts.client

    async def left_updates(self, chat: str, current: str) -> list[int]:
        """Return the ids of the updates in a chat's conversations. The conversation `current` is left out."""
        left = [one async for one in self.transcripts.every(chat) if one != current]
        read = [await self.transcripts.read(one) for one in left]
        return [update for found in read if found for entry in found.entries for update in entry.updates]

    async def archived_until_now(self) -> None:
        """Move the archive's cursor to the present, as if everything so far had been archived."""
        await self.transcripts.keep_cursor(
            self.archive.url, Cursor(at=datetime.now(UTC), path=paths.conversation_path("-"))
        )

    async def archive_gaps(self, chat: str = "") -> list[str]:
        """Return the problems of the archive: the missing conversations, and the differences that `unlike` returns."""
        names = await self.archive.names()
        every = [conversation async for conversation in self.transcripts.every(chat)]
        missing = [f"{one} is not in the archive" for one in every if name_of(one) not in names]
        return [*missing, *await self.unlike(chat)] if every else ["there is no conversation"]

    async def unlike(self, chat: str = "") -> list[str]:
        """Return the differences between the archived conversations and their transcripts. Call this only after all
        writing has ended.
        """
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
    """Return the warnings that a restore would print if this were the content of an archive file."""
    warnings: list[str] = []
    try:
        read_transcript(content, lambda line, what: warnings.append(f"line {line} {what}"))
    except TranscriptUnreadable as error:
        warnings.append(str(error))
    return warnings


@asynccontextmanager
async def kept_of(cloud: LocalCloud, project: str, bucket: str) -> AsyncIterator[Kept]:
    """Yield the stored data of a project in a local cloud."""
    # the official clients read their emulators' addresses only from the environment
    own = {"FIRESTORE_EMULATOR_HOST": cloud.firestore_host, "STORAGE_EMULATOR_HOST": cloud.storage_url}
    before = {name: os.environ[name] for name in own if name in os.environ}
    os.environ |= own
    try:
        kept = Kept(FirestoreTranscripts(project), StorageArchive(project, bucket))
        _ = kept.archive.client  # created while its emulator is in the environment
    finally:
        for name in own:
            del os.environ[name]
        os.environ |= before
    yield kept
    kept.firestore.close()  # type: ignore[no-untyped-call]
