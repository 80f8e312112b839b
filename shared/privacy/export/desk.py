"""The desk: where a person asks for their takeout, and is told how far it is. One a day, and never two at once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from shared.base.errors import Contended
from shared.chat.queue import JobQueue
from shared.values.chat_key import ChatKey
from shared.values.place import Asker
from shared.values.takeout import Takeout, TakeoutState, takeout_job

if TYPE_CHECKING:
    from shared.privacy.store.takeouts import FirestoreTakeouts
    from shared.recall.sights import OwnSights


@dataclass(frozen=True, kw_only=True)
class TakeoutDesk:
    """What asking needs."""

    takeouts: FirestoreTakeouts
    queue: JobQueue
    #: whether there is a bucket for it: without, nobody can ask
    is_open: bool
    #: none: Telegram is not asked, and whoever may have left a group counts as gone from it
    sights: OwnSights | None = None

    async def ask(self, key: ChatKey, language: str, now: datetime) -> Takeout | None:
        """The takeout of whose private chat it is: a new one, or the one that stands; none: nobody can ask here.

        It may be repeated. Raises StoreUnavailable, StoreRefused or QueueUnavailable.
        """
        if not self.is_open or not key.is_private:
            return None
        person = key.chat_id
        seen = await self.takeouts.find(person)
        takeout = seen.takeout
        if takeout is None or takeout.may_be_replaced(now):
            if self.sights is not None:
                await self.sights.of(Asker(chat=key, places=()))
            takeout = Takeout(
                person=person,
                agent=key.agent,
                topic_id=key.topic_id,
                run=token_hex(12),
                language=language,
                asked_at=now,
                due_at=now,
            )
            try:
                await self.takeouts.replace(seen, takeout)
            except Contended:  # they asked twice at once
                takeout = (await self.takeouts.find(person)).takeout or takeout
        if takeout.state is TakeoutState.GATHERING and not takeout.parts:
            # also for one that stands: whoever wrote it may have died before it came to this
            await self.queue.enqueue(takeout_job(takeout, now))
        return takeout
