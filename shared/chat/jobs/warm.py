"""Warms the tick function up while the webhook starts and the quiet time passes.

After a time without messages, neither function has an instance. Then the first message would wait for the webhook's
start, the quiet time and the tick function's start, one after the other. A warm-up request lets the tick function start
at once.
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

#: a key without an agent and a chat: no document exists under it
NOWHERE: Final = ChatKey(agent="", chat_id=0)
#: one job in this many seconds is enough: ten webhook instances that start together warm one tick function
ONE_IN_S: Final = 10


@dataclass(frozen=True)
class WarmRequest:
    """The body of the task that starts an instance of the tick function."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    job: Literal["warm"]


def warm_job(at: datetime) -> Job:
    """Return the job that warms the tick function. Jobs within ONE_IN_S seconds share a name: only the first is run."""
    span = int(at.timestamp() / ONE_IN_S)
    name = hashlib.sha256(f"warm\n{span}".encode()).hexdigest()[:40]
    return Job(function="tick", body='{"job": "warm"}', at=at, name=name)


class TickStart:
    """Warms the tick function up, once in the life of a webhook instance."""

    def __init__(self, jobs: JobQueue) -> None:
        self._jobs, self._is_asked = jobs, False

    async def ask(self, at: datetime) -> None:
        """Enqueue the job at the first call. A failure is only logged: the answer then comes a second later."""
        if self._is_asked:
            return
        self._is_asked = True
        try:
            await self._jobs.enqueue(warm_job(at))
        except QueueError as error:
            log_failure(error)


async def warm(chats: FirestoreChats) -> None:
    """Open the connection to Firestore, so that the first tick need not wait for it. Raises StoreUnavailable."""
    await chats.see(NOWHERE)
