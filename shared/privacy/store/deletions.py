"""The documents of deletions in Firestore."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from google.api_core.exceptions import AlreadyExists
from google.cloud.firestore_v1.async_client import AsyncClient

from shared.base.errors import WriteConflict
from shared.chat.queue import JobQueue
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translate_errors
from shared.chat.store.queries import DELETIONS_OF_PERSON, NAME
from shared.chat.store.writes import Write, WriteBatch, WriteMode
from shared.values.deletion import Deletion, deletion_job


@dataclass(frozen=True, kw_only=True)
class DeletionSnapshot:
    """A deletion, and the version that its document must still have when it is written next."""

    deletion: Deletion
    version: object


#: number of documents in one query result
AT_ONCE: Final = 300
#: Time in which the tick can answer the request. A run that began sooner would only wait for the chat.
ANSWERED: Final = timedelta(seconds=3)


class FirestoreDeletions:
    """Stores deletions, each in one document. `client` must have been made inside the running event loop.

    Every method may raise StoreUnavailable or StoreRefused.
    """

    def __init__(self, client: AsyncClient, queue: JobQueue | None = None) -> None:
        """`queue` starts the deletions that are requested; None if none are requested through this object."""
        self.client, self._queue = client, queue

    async def ask(self, deletion: Deletion) -> None:
        """Store a deletion once, and enqueue its first run, which begins after the tick has answered.

        The deletion is stored first. If its task is lost, the sweep (the job that finds leftover work) starts it.
        """
        await self.keep(deletion)
        if self._queue is not None:
            await self._queue.enqueue(deletion_job(deletion.id, "", deletion.asked_at + ANSWERED))

    async def is_asked(self, deletion_id: str) -> bool:
        return await self.read(deletion_id) is not None

    async def keep(self, deletion: Deletion) -> None:
        """Store a deletion, unless one with the same id exists."""
        document = self.client.document(paths.deletion_path(deletion.id))
        with translate_errors("store a deletion"):
            try:
                await document.create(deletion.model_dump(), retry=RETRY, timeout=CALL_SECONDS)
            except AlreadyExists:
                return

    async def asked_last(self, person: int) -> datetime | None:
        """Return when a person last asked to be forgotten; None if this database has no request of the person."""
        with translate_errors("find a person's last request for a deletion"):
            query = DELETIONS_OF_PERSON.on(self.client, person).select(["asked_at"])
            found = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        return max((one.get("asked_at") for one in found), default=None)

    async def read(self, deletion_id: str) -> DeletionSnapshot | None:
        """Return a deletion and the version of its document; None if it does not exist."""
        with translate_errors("read a deletion"):
            found = await self.client.document(paths.deletion_path(deletion_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        if not found.exists:
            return None
        return DeletionSnapshot(deletion=Deletion.model_validate(found.to_dict()), version=found.update_time)

    async def save(self, seen: DeletionSnapshot, deletion: Deletion) -> DeletionSnapshot:
        """Save the progress. Raises WriteConflict if another run has saved since `seen` was read."""
        batch = WriteBatch(self.client)
        path = paths.deletion_path(deletion.id)
        batch.add(Write(path=path, document=deletion.model_dump(), mode=WriteMode.UPDATE, version=seen.version))
        with translate_errors("save a deletion's progress"):
            try:
                results = await batch.commit(retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED as cause:
                return await self._already_written(deletion, cause)
        return DeletionSnapshot(deletion=deletion, version=results[0].update_time)

    async def _already_written(self, deletion: Deletion, cause: Exception) -> DeletionSnapshot:
        # if the answer to a commit is lost, the client repeats the commit, and then finds its own write
        stored = await self.read(deletion.id)
        if stored is None or stored.deletion != deletion:
            raise WriteConflict("another run has continued the deletion") from cause
        return stored

    async def all(self) -> AsyncIterator[Deletion]:
        """Yield every deletion, finished or not, in the order of their ids."""
        page: Any = self.client.collection(paths.DELETIONS).order_by(NAME).limit(AT_ONCE)
        while True:
            with translate_errors("list the deletions"):
                found = await page.get(retry=RETRY, timeout=CALL_SECONDS)
            for one in found:
                yield Deletion.model_validate(one.to_dict())
            if len(found) < AT_ONCE:
                return
            page = page.start_after({NAME: found[-1].reference})
