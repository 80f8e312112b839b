"""The desk: where a person asks for their takeout, and is told how far it is. One a day, and never two at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from shared.base.errors import Contended
from shared.base.wording.words import Phrase, Words, joined
from shared.chat.queue import JobQueue
from shared.reminders.times.saying import moment_said
from shared.values.button_data import button_data
from shared.values.channel import Button
from shared.values.chat_key import ChatKey
from shared.values.place import Asker
from shared.values.takeout import PartOutcome, Takeout, TakeoutState, takeout_job

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


#: bytes that are shown as one
_MEGABYTE = 1_000_000


def told(takeout: Takeout, words: Words, zone: str) -> Phrase:
    """How far it is; `zone` is the name of that of the moments in it."""
    if takeout.is_received:
        return words.say("takeout.wait", time=moment_said(words, takeout.again_at, zone))
    match takeout.state:
        case TakeoutState.GATHERING if not takeout.parts:
            return words.say("takeout.begun")
        case TakeoutState.GATHERING:
            return joined(
                words.say("takeout.gathering", total=takeout.total, done=takeout.done),
                words.say("takeout.so_far", parts=len(takeout.parts), size=_megabytes(takeout)),
            )
        case TakeoutState.READY:
            return words.say("takeout.ready")
        case TakeoutState.FAILED:
            return words.say("takeout.failed")
        case TakeoutState.CLEARED if takeout.arrived:
            return words.say("takeout.wait", time=moment_said(words, takeout.again_at, zone))
        case TakeoutState.CLEARED:
            return joined(*lost(takeout, words))


def buttons_of(takeout: Takeout, words: Words, conversation: str) -> tuple[Button, ...]:
    """The button by which somebody asks how far it is, while it is being gathered: its message changes rarely."""
    if takeout.state is not TakeoutState.GATHERING:
        return ()
    return (Button(words.say("takeout.how_far"), button_data("export", conversation, "p")),)


def lost(takeout: Takeout, words: Words) -> Iterator[Phrase]:
    """Which of its parts could not be sent, and of which nobody knows whether they arrived."""
    total = len(takeout.parts)
    if parts := _numbers(takeout, PartOutcome.FAILED):
        yield words.say("takeout.not_sent", parts=parts, total=total)
    if parts := _numbers(takeout, PartOutcome.UNKNOWN):
        yield words.say("takeout.in_doubt", parts=parts, total=total)


def _numbers(takeout: Takeout, outcome: PartOutcome) -> str:
    """The numbers of the parts of which this became; empty: of none."""
    return ", ".join(str(one.number) for one in takeout.parts if takeout.outcomes.get(str(one.number)) is outcome)


def _megabytes(takeout: Takeout) -> int:
    """At least one: what is ready is something."""
    return max(1, round(sum(part.size for part in takeout.parts) / _MEGABYTE))
