"""Warming: the tick function starts while the webhook starts and the quiet time passes, not after them."""

from datetime import datetime

from shared.errors import QueueError
from shared.logs import log_failure
from shared.models.chat_key import ChatKey
from shared.models.warming import warming
from shared.ports.chats import ChatStore, JobQueue

#: the chat of updates that belong to no chat, of no agent: nothing is there
NOWHERE = ChatKey(agent="", chat_id=0)


class TickStart:
    """Asks, once in the life of a webhook's instance, that the tick function start too."""

    def __init__(self, jobs: JobQueue) -> None:
        """`jobs` takes the order."""
        self._jobs, self._is_asked = jobs, False

    async def ask(self, at: datetime) -> None:
        """Ask, the first time that this is called. A failure is logged: the answer then comes a second later."""
        if self._is_asked:
            return
        self._is_asked = True
        try:
            await self._jobs.enqueue(warming(at))
        except QueueError as error:
            log_failure(error)


async def warm(chats: ChatStore) -> None:
    """Open the connection to Firestore that the first tick would wait for. Raises StoreUnavailable."""
    await chats.see(NOWHERE)
