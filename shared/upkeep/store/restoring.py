"""Restores conversations and chats into Firestore, without overwriting existing documents."""

from collections.abc import Iterator, Sequence
from typing import Any

from google.api_core import exceptions
from google.cloud.firestore_v1.vector import Vector as FirestoreVector

from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, ProjectStore, translate_errors
from shared.chat.store.conversations import encode_compression
from shared.chat.store.transcripts import encode_page, pages_of
from shared.values.chat import Chat
from shared.values.message import AnyEntry
from shared.values.transcript import Transcript, Vector

#: The most entries of one page. A rebuilt window reads as many pages as it has entries.
PAGE_ENTRIES = 50
#: Pages in one commit. A commit may have 10 MiB (firebase.google.com/docs/firestore/quotas), and a page has 300 kB.
COMMIT_PAGES = 20


class FirestoreRestoring(ProjectStore):
    """A database that is being restored. Each instance has one client, made inside the running event loop.

    Methods may raise StoreUnavailable or StoreRefused.
    """

    async def is_empty(self) -> bool:
        """Return whether the database has neither a chat nor a conversation."""
        for collection in (paths.CHATS, paths.CONVERSATIONS):
            with translate_errors("look whether anything is there"):
                found = await self.client.collection(collection).limit(1).get(retry=RETRY, timeout=CALL_SECONDS)
            if found:
                return False
        return True

    async def add(self, transcript: Transcript) -> bool:
        """Store a conversation with its entries. Return False if a conversation with this id exists.

        The conversation's own document is written last. If only that document is missing, an earlier attempt was
        interrupted, and is repeated.
        """
        ref = self.client.document(paths.conversation_path(transcript.conversation))
        with translate_errors("look for a conversation"):
            if (await ref.get(retry=RETRY, timeout=CALL_SECONDS)).exists:
                return False
        pages = list(_pages(transcript.entries))
        for start in range(0, len(pages), COMMIT_PAGES):
            batch = self.client.batch()
            for page in pages[start : start + COMMIT_PAGES]:
                path = paths.page_path(transcript.conversation, page[0].seq)
                batch.set(self.client.document(path), encode_page(page))
            with translate_errors("restore a transcript"):
                await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
        if transcript.compression is not None:
            summary = self.client.document(paths.compression_path(transcript.conversation))
            document = encode_compression(transcript.compression)
            with translate_errors("restore a summary"):
                await summary.set(document, retry=RETRY, timeout=CALL_SECONDS)
        return await self._create(ref, {key: _encode_value(value) for key, value in transcript.document.items()})

    async def add_chat(self, chat: Chat) -> bool:
        """Store a chat; return False if it exists."""
        return await self._create(self.client.document(paths.chat_path(chat.key)), layout.encode_chat(chat))

    async def _create(self, ref: Any, document: dict[str, Any]) -> bool:
        with translate_errors("restore a document"):
            try:
                await ref.create(document, retry=RETRY, timeout=CALL_SECONDS)
            except exceptions.AlreadyExists:
                return False
        return True


def _pages(entries: Sequence[AnyEntry]) -> Iterator[tuple[AnyEntry, ...]]:
    """Yield the entries in pages that begin at fixed numbers, unless a page becomes too long."""
    numbers = sorted({(entry.seq - 1) // PAGE_ENTRIES for entry in entries})
    for number in numbers:
        yield from pages_of(tuple(entry for entry in entries if (entry.seq - 1) // PAGE_ENTRIES == number))


def _encode_value(value: Any) -> Any:
    return FirestoreVector(value) if isinstance(value, Vector) else value
