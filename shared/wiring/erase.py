"""The parts of what erases: its jobs, by the names that tasks give them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.outbox import FirestoreOutbox
from shared.chat.store.transcripts import FirestoreDocuments
from shared.cloud.cloud_tasks import CloudTasks
from shared.privacy.jobs.erase import erase
from shared.privacy.jobs.erase_run import ArchiveErasing, ChatHolding, Eraser, TakeoutErasing
from shared.privacy.store.erasing_chats import FirestoreChatErasing
from shared.privacy.store.erasing_finding import FirestoreFinding
from shared.privacy.store.erasing_media import FirestoreMediaErasing
from shared.privacy.store.erasing_people import FirestorePersonErasing
from shared.privacy.store.erasures import FirestoreErasures
from shared.privacy.store.takeouts import FirestoreTakeouts
from shared.recall.store.rebuilding import FirestoreRebuilding
from shared.spending.store.accounts import FirestoreAccounts
from shared.upkeep.jobs.probe import Probe, store_file
from shared.upkeep.jobs.probe_erasing import delete_file, delete_media, delete_takeout, erase_nothing
from shared.upkeep.store.canaries import FirestoreCanaries
from shared.values.canary import ProbeOrder, Step
from shared.values.occasion import Occasion
from shared.wiring import begin, now
from shared.wiring.settings import EraseSettings
from shared.wiring.settings.model_functions import TickSettings
from shared.wiring.takeouts import bucket_of

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs

#: a job runs for an occasion and returns what it did, as numbers by name
Job = Callable[[Occasion], Awaitable[Mapping[str, int]]]

SETTINGS = begin(EraseSettings)


@cache
def jobs() -> Mapping[str, Job]:
    """Every job by the name that tasks give it; made once per instance."""
    return {"erase": partial(erase, eraser())}


def probes(order: ProbeOrder) -> Sequence[Probe]:
    """Return what erasing probes: an erasure of nothing, a mark of the canary's own, and the buckets."""
    from shared.wiring.archiving import archives, register

    canaries, run = FirestoreCanaries(SETTINGS.project), order.run
    found = [Probe(Step.ERASING, partial(erase_nothing, jobs()["erase"], canaries.erase_mark, run))]
    if (parts := _parts()) is not None:
        found.append(Probe(Step.MEDIA, partial(delete_media, parts, run)))
    if (bucket := bucket_of(SETTINGS)) is not None:
        found.append(Probe(Step.TAKEOUTS, partial(delete_takeout, bucket(), run)))
    if (kept := register(SETTINGS, SETTINGS.erasure_bucket)) is not None:
        found.append(Probe(Step.ERASURES, partial(store_file, kept)))
    return [*found, *(Probe(Step.ARCHIVE, partial(delete_file, place)) for place in archives(SETTINGS))]


def eraser() -> Eraser:
    """What erasing needs."""
    # the clients of buckets are large, and an instance starts without them
    from shared.wiring.archiving import archives, register, transcripts

    chats = FirestoreChats(SETTINGS.project)
    client = chats.client
    queue = CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint)
    return Eraser(
        log=FirestoreErasures(client),
        finding=FirestoreFinding(client),
        of_chats=FirestoreChatErasing(client),
        of_people=FirestorePersonErasing(client),
        media=FirestoreMediaErasing(client, _parts()),
        rebuilding=FirestoreRebuilding(client),
        accounts=FirestoreAccounts(client),
        takeouts=TakeoutErasing(store=FirestoreTakeouts(client), bucket=bucket_of(SETTINGS)),
        chats=chats,
        archiving=ArchiveErasing(
            archives=archives(SETTINGS),
            register=register(SETTINGS, SETTINGS.erasure_bucket),
            transcripts=transcripts(SETTINGS),
            documents=FirestoreDocuments(client),
            backup_days=SETTINGS.backup_days,
        ),
        outbox=FirestoreOutbox(client),
        queue=queue,
        clock=now,
        holding=ChatHolding(window_entries=int(TickSettings.model_fields["context_messages"].default)),
    )


def _parts() -> StorageBlobs | None:
    from shared.media.blobs import StorageBlobs

    return StorageBlobs(SETTINGS.project, SETTINGS.media_bucket) if SETTINGS.media_bucket else None
