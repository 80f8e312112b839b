"""Starts the tick function while the webhook starts and the quiet time passes.

After idle time neither function has an instance. The first message would wait for the webhook, the quiet time and the
tick function in turn. A warm-up request starts the tick function at the same time.
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

#: the key of an update without a chat, and without an agent: there is no document under it
NOWHERE: Final = ChatKey(agent="", chat_id=0)
#: seconds in which one job is enough: ten webhooks that start at once start one tick function
ONE_IN_S: Final = 10


@dataclass(frozen=True)
class WarmRequest:
    """The body of the task that starts an instance of the tick function."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    job: Literal["warm"]


def warm_job(at: datetime) -> Job:
    """Return the job that warms the tick function; jobs within one span share a name."""
    span = int(at.timestamp() / ONE_IN_S)
    name = hashlib.sha256(f"warm\n{span}".encode()).hexdigest()[:40]
    return Job(function="tick", body='{"job": "warm"}', at=at, name=name)


class TickStart:
    """Warms the tick function once in the life of a webhook instance."""

    def __init__(self, jobs: JobQueue) -> None:
        self._jobs, self._is_asked = jobs, False

    async def ask(self, at: datetime) -> None:
        """Enqueue the job on the first call. A failure is logged: the answer then comes a second later."""
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
