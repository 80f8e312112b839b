"""Builds the jobs of the function `erase`, by name."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from shared.chat.store.chats import FirestoreChats
from shared.chat.store.outbox import FirestoreOutbox
from shared.chat.store.transcripts import FirestoreDocuments
from shared.cloud.cloud_tasks import CloudTasks
from shared.privacy.jobs.erase import erase
from shared.privacy.jobs.erase_run import ArchiveDeletion, ChatLeaseSettings, Deleter, ExportDeletion
from shared.privacy.store.chat_deletion import FirestoreChatDeletion
from shared.privacy.store.deletion_lookup import FirestoreDeletionLookup
from shared.privacy.store.deletions import FirestoreDeletions
from shared.privacy.store.exports import FirestoreExports
from shared.privacy.store.media_deletion import FirestoreMediaDeletion
from shared.privacy.store.person_deletion import FirestorePersonDeletion
from shared.recall.store.rebuilding import FirestoreRebuilding
from shared.spending.store.accounts import FirestoreAccounts
from shared.upkeep.jobs.probe import Probe, store_file
from shared.upkeep.jobs.probe_erasing import delete_export, delete_file, delete_media, erase_nothing
from shared.upkeep.store.canaries import FirestoreCanaries
from shared.values.canary import CanaryStep, ProbeOrder
from shared.values.job_run import JobRun
from shared.wiring import begin, now
from shared.wiring.exports import bucket_of
from shared.wiring.settings import EraseSettings
from shared.wiring.settings.model_functions import TickSettings

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs
    from shared.upkeep.jobs.rebuild import Rebuilder

#: a job takes its run, and returns by name how many things it handled
Job = Callable[[JobRun], Awaitable[Mapping[str, int]]]

SETTINGS = begin(EraseSettings)


@cache
def jobs() -> Mapping[str, Job]:
    """Return every job by name; made once per instance."""
    return {"erase": partial(erase, deleter()), "rebuild": _continue_rebuild}


async def _continue_rebuild(job_run: JobRun) -> Mapping[str, int]:
    # imported here because erasing needs none of these modules
    from shared.upkeep.jobs.rebuild import continue_rebuild

    return await continue_rebuild(_rebuilder(), CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint), job_run)


@cache
def _rebuilder() -> Rebuilder:
    from shared.chat.store.transcripts import FirestoreTranscripts
    from shared.upkeep.jobs.rebuild import Rebuilder

    chats = FirestoreChats(SETTINGS.project)
    return Rebuilder(
        rebuilding=FirestoreRebuilding(chats.client),
        transcripts=FirestoreTranscripts(SETTINGS.project),
        chats=chats,
        window_entries=int(TickSettings.model_fields["context_messages"].default),
        clock=now,
    )


def probes(order: ProbeOrder) -> Sequence[Probe]:
    """Return the probes of this function: a deletion that finds no data, a test document, and the buckets."""
    from shared.wiring.archiving import archives, register

    canaries, run = FirestoreCanaries(SETTINGS.project), order.run
    found = [Probe(CanaryStep.ERASING, partial(erase_nothing, jobs()["erase"], canaries.erase_mark, run))]
    if (parts := _parts()) is not None:
        found.append(Probe(CanaryStep.MEDIA, partial(delete_media, parts, run)))
    if (bucket := bucket_of(SETTINGS)) is not None:
        found.append(Probe(CanaryStep.EXPORTS, partial(delete_export, bucket(), run)))
    if (kept := register(SETTINGS, SETTINGS.erasure_bucket)) is not None:
        found.append(Probe(CanaryStep.DELETIONS, partial(store_file, kept)))
    return [*found, *(Probe(CanaryStep.ARCHIVE, partial(delete_file, place)) for place in archives(SETTINGS))]


def deleter() -> Deleter:
    """Return the deleter with all stores that a deletion needs."""
    # imported here because the clients of buckets are large, and an instance starts without them
    from shared.wiring.archiving import archives, register, transcripts

    chats = FirestoreChats(SETTINGS.project)
    client = chats.client
    queue = CloudTasks(SETTINGS.routes, SETTINGS.tasks_endpoint)
    return Deleter(
        log=FirestoreDeletions(client),
        finding=FirestoreDeletionLookup(client),
        of_chats=FirestoreChatDeletion(client),
        of_people=FirestorePersonDeletion(client),
        media=FirestoreMediaDeletion(client, _parts()),
        rebuilding=FirestoreRebuilding(client),
        accounts=FirestoreAccounts(client),
        exports=ExportDeletion(store=FirestoreExports(client), bucket=bucket_of(SETTINGS)),
        chats=chats,
        archiving=ArchiveDeletion(
            archives=archives(SETTINGS),
            register=register(SETTINGS, SETTINGS.erasure_bucket),
            transcripts=transcripts(SETTINGS),
            documents=FirestoreDocuments(client),
            backup_days=SETTINGS.backup_days,
        ),
        outbox=FirestoreOutbox(client),
        queue=queue,
        clock=now,
        holding=ChatLeaseSettings(window_entries=int(TickSettings.model_fields["context_messages"].default)),
    )


def _parts() -> StorageBlobs | None:
    from shared.media.blobs import StorageBlobs

    return StorageBlobs(SETTINGS.project, SETTINGS.media_bucket) if SETTINGS.media_bucket else None
