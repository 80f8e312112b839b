"""Builds the archives, for the nightly job and for deletions, and the archiver of the nightly job."""

from collections.abc import Sequence
from typing import Final

from shared.chat.archive import Archive
from shared.chat.store.transcripts import FirestoreDocuments, FirestoreTranscripts
from shared.privacy.store.deletions import FirestoreDeletions
from shared.upkeep.archives.storage import StorageArchive
from shared.upkeep.jobs.archive import ArchiveLimits, Archiver
from shared.wiring import now
from shared.wiring.settings import ArchiveSettings, ProjectSettings

#: the limits of the nightly job
USUAL: Final = ArchiveLimits()


def archiver(settings: ArchiveSettings) -> Archiver:
    """Return the archiver of the nightly job, which writes to the archives that the settings name."""
    return archiver_of(settings, archives(settings))


def archives(settings: ArchiveSettings) -> list[Archive]:
    """Return the archives that the settings name. An S3 bucket is reached with the AWS role that the settings name."""
    places: list[Archive] = []
    if settings.archive_bucket:
        places.append(StorageArchive(settings.project, settings.archive_bucket))
    if settings.archive_s3 is not None:
        # imported here because the client of AWS is large, and few deployments have such a bucket
        from shared.upkeep.archives.s3 import S3Archive

        s3 = settings.archive_s3
        places.append(S3Archive(s3.bucket, region=s3.region, role=s3.role))
    return places


def register(settings: ProjectSettings, bucket: str) -> Archive | None:
    """Return the archive that lists all deletions of people's data, outside of the database; None if `bucket` is ""."""
    return StorageArchive(settings.project, bucket) if bucket else None


def archiver_of(settings: ProjectSettings, places: Sequence[Archive], limits: ArchiveLimits = USUAL) -> Archiver:
    """Return an archiver for these archives."""
    kept = transcripts(settings)
    return Archiver(
        transcripts=kept,
        deletions=FirestoreDeletions(kept.client),
        archives=places,
        clock=now,
        limits=limits,
        documents=FirestoreDocuments(kept.client),
    )


def transcripts(settings: ProjectSettings) -> FirestoreTranscripts:
    return FirestoreTranscripts(settings.project)
