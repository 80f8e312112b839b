"""Clean-up before a sweep: left-over chats of other tests would be woken, and their ticks would call the model."""

from datetime import UTC, datetime

from google.cloud.firestore_v1.base_query import FieldFilter

from shared.chat.store.layout import as_read
from tests.stories.play import Sandbox


async def nothing_is_left(sandbox: Sandbox) -> None:
    """Have no chat be left over: every update is read, and no plan was to go on by now."""
    now = datetime.now(UTC)
    unread = sandbox.firestore.collection_group("inbox").where(filter=FieldFilter("read", "==", False))
    overdue = sandbox.firestore.collection("chats").where(filter=FieldFilter("due_at", "<=", now))
    for update in await unread.get():
        await sandbox.firestore.document(update.reference.path).update(as_read(now))
    for chat in await overdue.get():
        await sandbox.firestore.document(chat.reference.path).update({"due_at": None})
