"""Warming: the tick function starts while the webhook starts and the quiet time passes, not after them.

After idle time neither function has an instance. The first message would wait for the webhook to start, for the quiet
time, and then for the tick function to start. An order has the tick function start beside the other two.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from shared.base.errors import QueueError
from shared.base.logs import log_failure
from shared.chat.queue import JobQueue
from shared.values.chat_key import ChatKey
from shared.values.wake import Job

if TYPE_CHECKING:
    from shared.chat.store.chats import FirestoreChats

#: the chat of updates that belong to no chat, of no agent: nothing is there
NOWHERE: Final = ChatKey(agent="", chat_id=0)
#: seconds in which one order is enough: ten webhooks that start at once start one tick function
ONE_IN_S: Final = 10


@dataclass(frozen=True)
class WarmRequest:
    """The order that an instance of the tick function starts, as the body of a task."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    job: Literal["warm"]


def warm_job(at: datetime) -> Job:
    """The order as a job; those of one span have one name."""
    span = int(at.timestamp() / ONE_IN_S)
    name = hashlib.sha256(f"warm\n{span}".encode()).hexdigest()[:40]
    return Job(function="tick", body='{"job": "warm"}', at=at, name=name)


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
            await self._jobs.enqueue(warm_job(at))
        except QueueError as error:
            log_failure(error)


async def warm(chats: FirestoreChats) -> None:
    """Open the connection to Firestore that the first tick would wait for. Raises StoreUnavailable."""
    await chats.see(NOWHERE)
