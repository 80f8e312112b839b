"""Stores posts from the page of a web conversation and enqueues a tick, as the webhook does for Telegram's updates."""

from datetime import timedelta
from typing import Final

from shared.base.logs import about, log
from shared.chat.jobs.receive import UpdateReceiver, wake_chat
from shared.chat.queue import TickQueue
from shared.chat.store.inbox import FirestoreInbox
from shared.values.chat_key import ChatKind
from shared.values.update import InboxUpdate

#: how long a tick waits for another message; the tick itself knows the deployment's quiet time
QUIET: Final = timedelta(seconds=1)


def receiver_of(inbox: FirestoreInbox, queue: TickQueue) -> UpdateReceiver:
    """Return the receiver for posts to web conversations. It treats web conversations like private chats."""
    return UpdateReceiver(
        inbox=inbox, queue=queue, names={}, quiet={ChatKind.PRIVATE.value: QUIET}, later=QUIET, usernames=inbox
    )


async def post(receiver: UpdateReceiver, update: InboxUpdate, traceparent: str = "") -> bool:
    """Store an update and enqueue a tick. Return False if the update was already stored; a tick is enqueued even then.

    Raises StoreUnavailable, StoreRefused or QueueUnavailable; the page then posts the same update again.
    """
    with about(chat=update.envelope.key.id, update=update.envelope.update_id):
        is_new = await receiver.inbox.add(update)
        await wake_chat(receiver, update, traceparent)
        log("stored a post" if is_new else "a post was stored before", kind=update.envelope.kind)
    return is_new
