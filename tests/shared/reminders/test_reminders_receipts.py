"""Receipts in the real Firestore."""

from shared.chat.store import paths
from shared.chat.store.chats import FirestoreChats
from shared.reminders.store import FirestoreReceipts
from shared.values.chat_key import ChatKey
from shared.values.evolve import evolve
from shared.values.reminder import Reminder
from tests.shared.examples import NOW
from tests.shared.paused_queue import PausedQueue


async def test_a_receipt_is_kept_once_and_its_chat_is_woken(
    chats: FirestoreChats, key: ChatKey, paused_queue: PausedQueue
) -> None:
    receipts = FirestoreReceipts(chats.client, paused_queue.ticks(), lambda: NOW)
    told = Reminder(
        id=f"r{key.chat_id}", agent="lull", chat=key.id, person=7, text="done", next_at=NOW, set_at=NOW, is_notice=True
    )
    await receipts.tell(told)
    await receipts.tell(evolve(told, text="again"))
    kept = (await chats.client.document(paths.event_path(told.id)).get()).to_dict() or {}
    assert (kept["text"], kept["open_in"]) == ("done", key.id)
    (wake,) = await paused_queue.wakes()
    assert wake.key == key
