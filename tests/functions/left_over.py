"""Clean up before a sweep: it would wake the left-over chats of other tests, and their ticks would call the model."""

from datetime import UTC, datetime

from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store.layout import as_read
from tests.stories.play import Sandbox


async def nothing_is_left(sandbox: Sandbox) -> None:
    """Leave no chat for a sweep to wake: mark every update as read, and make no plan due."""
    now = datetime.now(UTC)
    unread = sandbox.firestore.collection_group("inbox").where(filter=FieldFilter("read", "==", False))
    overdue = sandbox.firestore.collection("chats").where(filter=FieldFilter("due_at", "<=", now))
    for update in await unread.get():
        await sandbox.firestore.document(update.reference.path).update(as_read(now))
    for chat in await overdue.get():
        await sandbox.firestore.document(chat.reference.path).update({"due_at": None})
