"""Gathers an export, one part in each run, and wakes the chat whose tick sends the parts.

Each run claims the export by compare-and-set, and continues where the previous part ended. If a run dies, only its part
is lost. Parts are deleted from the bucket after they were sent, but after two days at the latest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

from shared.base.errors import WriteConflict
from shared.base.logs import log
from shared.chat.queue import JobQueue
from shared.privacy.export.gathering import GatheredPart, PartGatherer, PartLimits
from shared.privacy.export.sources import ExportSubject
from shared.privacy.store.exports import ExportSnapshot
from shared.values.evolve import evolve
from shared.values.export import (
    CLAIMED,
    GRACE,
    KEPT_PARTS,
    MOST_TRIES,
    Export,
    ExportPart,
    ExportState,
    export_job,
    export_wake,
    is_progress_shown_after,
)
from shared.values.job_run import JobRun

if TYPE_CHECKING:
    from shared.cloud.export_bucket import StorageExports
    from shared.media.blobs import StorageBlobs
    from shared.privacy.store.belongings import FirestoreBelongings
    from shared.privacy.store.exports import FirestoreExports

#: the largest number of exports that one run of the sweep enqueues
MOST_DUE = 100


@dataclass(frozen=True, kw_only=True)
class ExportGatherer:
    exports: FirestoreExports
    belongings: FirestoreBelongings
    bucket: StorageExports
    media: StorageBlobs
    queue: JobQueue
    clock: Callable[[], datetime]
    limits: PartLimits = field(default_factory=PartLimits)


async def gather_export(gatherer: ExportGatherer, job_run: JobRun) -> Counter[str]:
    """If the job names a person, take the next step of that person's export. Otherwise enqueue this job for every due
    export. Return counts.

    Raises StoreUnavailable, StoreRefused, ExportsUnavailable, BlobsUnavailable or QueueUnavailable. The job is then
    repeated.
    """
    if job_run.person:
        return await _advance_export(gatherer, int(job_run.person), job_run)
    due = await gatherer.exports.due(gatherer.clock(), MOST_DUE)
    for person in due:
        found = (await gatherer.exports.find(person)).export
        if found is not None:
            await gatherer.queue.enqueue(
                export_job(found, gatherer.clock(), job_run.traceparent, of=job_run.scheduled_for)
            )
    return Counter(due=len(due))


async def _advance_export(gatherer: ExportGatherer, person: int, job_run: JobRun) -> Counter[str]:
    seen, now = await gatherer.exports.find(person), gatherer.clock()
    export = seen.export
    if export is None or (export.is_over and export.due_at is None):
        return Counter()
    if export.claimed_until is not None and export.claimed_until > now:
        log("another run works on this export")
        return Counter()
    try:
        held = await gatherer.exports.replace(
            seen, evolve(export, claimed_until=now + CLAIMED, due_at=now + CLAIMED, tries=export.tries + 1)
        )
        if export.is_over:
            return await _report_end(gatherer, held, job_run)
        if export.state is ExportState.READY:
            return await _check_ready(gatherer, held, job_run)
        if export.tries >= MOST_TRIES:
            return await _give_up(gatherer, held, job_run)
        return await _gather_part(gatherer, held, job_run)
    except WriteConflict:
        log("another run changed this export, so this run ends")
        return Counter()


async def _gather_part(gatherer: ExportGatherer, held: ExportSnapshot, job_run: JobRun) -> Counter[str]:
    """Write the next part. Then enqueue the next run, or wake the chat whose tick sends the parts."""
    export = _of(held)
    number = len(export.parts) + 1
    path = f"{export.run}/{number:04d}-{token_hex(4)}.zip"
    subject = await _load_subject(gatherer, export)
    async with gatherer.bucket.writing(path) as writer:
        part = await PartGatherer(
            subject=subject,
            media=gatherer.media,
            writer=writer,
            clock=gatherer.clock,
            limits=gatherer.limits,
            number=number,
            language=export.language,
        ).gather(export.place)
    after = _with_part(export, part, ExportPart(number=number, size=part.size, path=path), subject)
    after = evolve(after, due_at=gatherer.clock() + GRACE)
    await gatherer.exports.replace(held, after)
    log("a part of an export was gathered", size=str(part.size), is_last=part.next_place is None)
    if after.state is ExportState.GATHERING:
        await gatherer.queue.enqueue(export_job(after, gatherer.clock(), job_run.traceparent))
    if after.state is ExportState.READY or is_progress_shown_after(number):
        await _wake(gatherer, after, job_run)
    return Counter(parts=1)


def _with_part(export: Export, gathered: GatheredPart, part: ExportPart, subject: ExportSubject) -> Export:
    counts = Counter(export.counts) + Counter(gathered.counts)
    place = gathered.next_place
    begun = place.cursor.partition(" ")[0] if place is not None and place.source == 1 else ""
    total = len(subject.conversations)
    done = sum(one.id < begun for one in subject.conversations) if begun else total
    fields: dict[str, object] = {
        "parts": (*export.parts, part),
        "counts": dict(counts),
        "total": total,
        "done": done,
        "claimed_until": None,
        "tries": 0,
    }
    if place is None:
        return export.model_copy(update={**fields, "state": ExportState.READY})
    return export.model_copy(update={**fields, "place": place})


async def _check_ready(gatherer: ExportGatherer, held: ExportSnapshot, job_run: JobRun) -> Counter[str]:
    """End the export if all parts have an outcome. Otherwise schedule another tick of the person's chat."""
    export, now = _of(held), gatherer.clock()
    if export.has_all_outcomes:
        log("all parts of an export have an outcome, so the stored parts are deleted")
        return Counter(cleared=1) + await _end_export(gatherer, held, ExportState.CLEARED, job_run)
    if now - export.asked_at > KEPT_PARTS:
        return await _give_up(gatherer, held, job_run)
    await gatherer.exports.replace(held, evolve(export, claimed_until=None, tries=0, due_at=now + GRACE))
    await _wake(gatherer, export, job_run)
    return Counter(woken=1)


async def _give_up(gatherer: ExportGatherer, held: ExportSnapshot, job_run: JobRun) -> Counter[str]:
    """End an export as failed, since it cannot be gathered or no tick has sent it."""
    log("an export has failed")
    return Counter(given_up=1) + await _end_export(gatherer, held, ExportState.FAILED, job_run)


async def _end_export(
    gatherer: ExportGatherer, held: ExportSnapshot, state: ExportState, job_run: JobRun
) -> Counter[str]:
    """Delete the parts, and report the end. As long as the end was not reported, the export stays due."""
    export = _of(held)
    await gatherer.bucket.clear(export.run)
    return await _report_end(
        gatherer,
        await gatherer.exports.replace(
            held, evolve(export, state=state, claimed_until=None, tries=0, due_at=gatherer.clock() + GRACE)
        ),
        job_run,
    )


async def _report_end(gatherer: ExportGatherer, held: ExportSnapshot, job_run: JobRun) -> Counter[str]:
    """Schedule the tick that reports the end of the export to the person.

    All tasks for this tick have the same name, so the end is reported once.
    """
    export = _of(held)
    wake = export_wake(export, gatherer.clock(), traceparent=job_run.traceparent)
    await gatherer.queue.enqueue(wake.job())
    await gatherer.exports.replace(held, evolve(export, claimed_until=None, due_at=None))
    return Counter(told=1)


async def _wake(gatherer: ExportGatherer, export: Export, job_run: JobRun) -> None:
    """Schedule a tick of the person's chat, which sends the parts or shows the progress."""
    now = gatherer.clock()
    await gatherer.queue.enqueue(export_wake(export, now, job_run.scheduled_for, job_run.traceparent).job())


async def _load_subject(gatherer: ExportGatherer, export: Export) -> ExportSubject:
    belongings, person = gatherer.belongings, export.person
    chats = await belongings.chats(person)
    conversations = await belongings.conversations(chats)
    return ExportSubject(
        person=person, belongings=belongings, chats=chats, conversations=conversations, asked_at=export.asked_at
    )


def _of(held: ExportSnapshot) -> Export:
    assert held.export is not None
    return held.export
