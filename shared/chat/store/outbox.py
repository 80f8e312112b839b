"""The outbox in Firestore: notices that a chat's own tick says."""

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.chat.documents.outbox import encode_notice
from shared.chat.ports.chats import TickQueue
from shared.chat.store import paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, translated
from shared.values.outbox import OutboxNotice
from shared.values.reminder import remind_wake


class FirestoreOutbox:
    """The outbox. What is due is read with reminders. Every call raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient) -> None:
        """`client` belongs to the running loop."""
        self.client = client

    async def has(self, notice_id: str) -> bool:
        """Whether a notice was kept, told by now or not."""
        with translated("look for a notice"):
            found = await self.client.document(paths.event_path(notice_id)).get(retry=RETRY, timeout=CALL_SECONDS)
        return found.exists

    async def tell(self, notice: OutboxNotice, queue: TickQueue) -> None:
        """Have a chat told, by its own tick; a notice that was kept already is left as it is. Raises a QueueError."""
        if not await self.has(notice.id):
            with translated("keep a notice"):
                document = self.client.document(paths.event_path(notice.id))
                await document.set(encode_notice(notice), retry=RETRY, timeout=CALL_SECONDS)
        wake = remind_wake(notice, notice.set_at, owner="receipt")
        if wake is not None:
            await queue.enqueue(wake)
