"""Taking out: a background job gathers what is kept of a person into the bucket, one part a run, and has it sent.

Each run claims the takeout by compare-and-set, and goes on from where the last part ended: whatever dies in between
costs that one part. What the bucket has is deleted once it is sent, or when nobody took it in time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from shared.base.errors import Contended
from shared.base.logs import log
from shared.chat.queue import JobQueue
from shared.privacy.export.gathering import GatheredPart, PartGatherer, PartLimits
from shared.privacy.export.sources import Owned
from shared.privacy.store.takeouts import TakeoutSnapshot
from shared.values.evolve import evolve
from shared.values.occasion import Occasion
from shared.values.takeout import (
    CLAIMED,
    GRACE,
    KEPT_PARTS,
    MOST_TRIES,
    Takeout,
    TakeoutPart,
    TakeoutState,
    is_told_after,
    takeout_job,
    takeout_wake,
)

if TYPE_CHECKING:
    from shared.cloud.takeout_bucket import StorageTakeouts
    from shared.media.blobs import StorageBlobs
    from shared.privacy.store.belongings import FirestoreBelongings
    from shared.privacy.store.takeouts import FirestoreTakeouts

#: looked after by one run of the sweep's; others are the next run's
MOST_DUE = 100


@dataclass(frozen=True, kw_only=True)
class TakeoutGatherer:
    """What taking out needs."""

    takeouts: FirestoreTakeouts
    belongings: FirestoreBelongings
    bucket: StorageTakeouts
    media: StorageBlobs
    queue: JobQueue
    clock: Callable[[], datetime]
    limits: PartLimits = field(default_factory=PartLimits)


async def take_out(gatherer: TakeoutGatherer, occasion: Occasion) -> Counter[str]:
    """What was done, in numbers: for one person, or for all whose takeouts are due.

    Raises StoreUnavailable, StoreRefused, TakeoutsUnavailable, BlobsUnavailable or QueueUnavailable: then it is
    tried again.
    """
    if occasion.person:
        return await _further(gatherer, int(occasion.person), occasion)
    due = await gatherer.takeouts.due(gatherer.clock(), MOST_DUE)
    for person in due:
        found = (await gatherer.takeouts.find(person)).takeout
        if found is not None:
            await gatherer.queue.enqueue(takeout_job(found, gatherer.clock(), occasion.traceparent, of=occasion.slot))
    return Counter(due=len(due))


async def _further(gatherer: TakeoutGatherer, person: int, occasion: Occasion) -> Counter[str]:
    """Bring one takeout one step further."""
    seen, now = await gatherer.takeouts.find(person), gatherer.clock()
    takeout = seen.takeout
    if takeout is None or (takeout.is_over and takeout.due_at is None):
        return Counter()
    if takeout.claimed_until is not None and takeout.claimed_until > now:
        log("somebody works on this takeout")
        return Counter()
    try:
        held = await gatherer.takeouts.replace(
            seen, evolve(takeout, claimed_until=now + CLAIMED, due_at=now + CLAIMED, tries=takeout.tries + 1)
        )
        if takeout.is_over:
            return await _had_told(gatherer, held, occasion)
        if takeout.state is TakeoutState.READY:
            return await _looked_after(gatherer, held, occasion)
        if takeout.tries >= MOST_TRIES:
            return await _given_up(gatherer, held, occasion)
        return await _gather_part(gatherer, held, occasion)
    except Contended:
        log("somebody else works on this takeout")
        return Counter()


async def _gather_part(gatherer: TakeoutGatherer, held: TakeoutSnapshot, occasion: Occasion) -> Counter[str]:
    """Write the next part, and have the next run begin or the parts sent."""
    takeout = _of(held)
    number = len(takeout.parts) + 1
    path = f"{takeout.run}/{number:04d}-{token_hex(4)}.zip"
    owned = await _load_owned(gatherer, takeout)
    async with gatherer.bucket.writing(path) as writer:
        part = await PartGatherer(
            owned=owned,
            media=gatherer.media,
            writer=writer,
            clock=gatherer.clock,
            limits=gatherer.limits,
            number=number,
            language=takeout.language,
        ).gather(takeout.place)
    after = _with_part(takeout, part, TakeoutPart(number=number, size=part.size, path=path), owned)
    after = evolve(after, due_at=gatherer.clock() + GRACE)
    await gatherer.takeouts.replace(held, after)
    log("a part of a takeout was gathered", size=str(part.size), is_last=part.next_place is None)
    if after.state is TakeoutState.GATHERING:
        await gatherer.queue.enqueue(takeout_job(after, gatherer.clock(), occasion.traceparent))
    if after.state is TakeoutState.READY or is_told_after(number):
        await _wake(gatherer, after, occasion)
    return Counter(parts=1)


def _with_part(takeout: Takeout, gathered: GatheredPart, part: TakeoutPart, owned: Owned) -> Takeout:
    counts = Counter(takeout.counts) + Counter(gathered.counts)
    place = gathered.next_place
    begun = place.cursor.partition(" ")[0] if place is not None and place.source == 1 else ""
    total = len(owned.conversations)
    done = sum(one.id < begun for one in owned.conversations) if begun else total
    fields: dict[str, object] = {
        "parts": (*takeout.parts, part),
        "counts": dict(counts),
        "total": total,
        "done": done,
        "claimed_until": None,
        "tries": 0,
    }
    if place is None:
        return takeout.model_copy(update={**fields, "state": TakeoutState.READY})
    return takeout.model_copy(update={**fields, "place": place})


async def _looked_after(gatherer: TakeoutGatherer, held: TakeoutSnapshot, occasion: Occasion) -> Counter[str]:
    """Of what is ready: delete what was sent, or have its chat woken once more."""
    takeout, now = _of(held), gatherer.clock()
    if takeout.is_handed_over:
        log("a takeout is handed over: its parts are deleted")
        return Counter(cleared=1) + await _end_export(gatherer, held, TakeoutState.CLEARED, occasion)
    if now - takeout.asked_at > KEPT_PARTS:
        return await _given_up(gatherer, held, occasion)
    await gatherer.takeouts.replace(held, evolve(takeout, claimed_until=None, tries=0, due_at=now + GRACE))
    await _wake(gatherer, takeout, occasion)
    return Counter(woken=1)


async def _given_up(gatherer: TakeoutGatherer, held: TakeoutSnapshot, occasion: Occasion) -> Counter[str]:
    """Delete what was gathered: it cannot be gathered whole, or nobody took it."""
    log("a takeout is given up")
    return Counter(given_up=1) + await _end_export(gatherer, held, TakeoutState.FAILED, occasion)


async def _end_export(
    gatherer: TakeoutGatherer, held: TakeoutSnapshot, state: TakeoutState, occasion: Occasion
) -> Counter[str]:
    """Delete the parts, and have the person told how it ended. Whoever dies before that is told leaves it due."""
    takeout = _of(held)
    await gatherer.bucket.clear(takeout.run)
    return await _had_told(
        gatherer,
        await gatherer.takeouts.replace(
            held, evolve(takeout, state=state, claimed_until=None, tries=0, due_at=gatherer.clock() + GRACE)
        ),
        occasion,
    )


async def _had_told(gatherer: TakeoutGatherer, held: TakeoutSnapshot, occasion: Occasion) -> Counter[str]:
    """Have a tick tell how it ended. Wakes for that have one name, so that a second run for it is told once."""
    takeout = _of(held)
    wake = takeout_wake(takeout, gatherer.clock(), traceparent=occasion.traceparent)
    await gatherer.queue.enqueue(wake.job())
    await gatherer.takeouts.replace(held, evolve(takeout, claimed_until=None, due_at=None))
    return Counter(told=1)


async def _wake(gatherer: TakeoutGatherer, takeout: Takeout, occasion: Occasion) -> None:
    """Have a tick of the person's chat send what is ready, or say how far it is."""
    now = gatherer.clock()
    await gatherer.queue.enqueue(takeout_wake(takeout, now, occasion.slot, occasion.traceparent).job())


async def _load_owned(gatherer: TakeoutGatherer, takeout: Takeout) -> Owned:
    belongings, person = gatherer.belongings, takeout.person
    chats = await belongings.chats(person)
    conversations = await belongings.conversations(chats)
    return Owned(
        person=person, belongings=belongings, chats=chats, conversations=conversations, asked_at=takeout.asked_at
    )


def _of(held: TakeoutSnapshot) -> Takeout:
    assert held.takeout is not None
    return held.takeout
