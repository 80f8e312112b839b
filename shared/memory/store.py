"""Memories in Firestore: those of one owner are one document."""

from collections.abc import Iterable, Mapping, Sequence

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.chat.store.writes import Batch
from shared.memory.documents import change_write, decode_forgotten, decode_memories
from shared.values.memory import Memory, MemoryChange, MemoryOwner


class FirestoreMemories:
    """What is remembered of people, chats and agents. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def of(self, owners: Sequence[MemoryOwner]) -> Mapping[MemoryOwner, tuple[Memory, ...]]:
        """The memories of some owners, oldest first, by one request that reads a document for each owner.

        Behind them are the marks of what was forgotten.
        """
        by_path = {paths.memories_path(owner): owner for owner in owners}
        references = [self.client.document(path) for path in by_path]
        found = dict[MemoryOwner, tuple[Memory, ...]]()
        with translated("read memories"):
            async for snapshot in self.client.get_all(references, retry=RETRY, timeout=CALL_SECONDS):
                document = snapshot.to_dict()
                found[by_path[snapshot.reference.path]] = (*decode_memories(document), *decode_forgotten(document))
        return found

    async def change(self, changes: Iterable[MemoryChange]) -> None:
        """Write changes, each into fields of its own; it may be repeated.

        Others of the same memories that are made at the same time are lost by none. A tick's own are written by its
        commit (`ChangedMemories`).
        """
        batch = Batch(self.client)
        for change in changes:
            batch.add(change_write(change))
        with translated("change memories"):
            await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
