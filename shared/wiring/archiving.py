"""The parts of archiving, for the nightly job and for what erases."""

from collections.abc import Sequence
from typing import Final

from shared.chat.archive import Archive
from shared.chat.store.transcripts import FirestoreDocuments, FirestoreTranscripts
from shared.privacy.store.deletions import FirestoreDeletions
from shared.upkeep.archives.storage import StorageArchive
from shared.upkeep.jobs.archive import ArchiveLimits, Archiver
from shared.wiring import now
from shared.wiring.settings import ArchiveSettings, ProjectSettings

#: of the nightly job
USUAL: Final = ArchiveLimits()


def archiver(settings: ArchiveSettings) -> Archiver:
    """What the nightly job needs: the archives that are set, or none."""
    return archiver_of(settings, archives(settings))


def archives(settings: ArchiveSettings) -> list[Archive]:
    """The archives that are set; in AWS with the role of whichever function this is."""
    places: list[Archive] = []
    if settings.archive_bucket:
        places.append(StorageArchive(settings.project, settings.archive_bucket))
    if settings.archive_s3 is not None:
        # imported where it is used: it is large, and few have such a bucket
        from shared.upkeep.archives.s3 import S3Archive

        s3 = settings.archive_s3
        places.append(S3Archive(s3.bucket, region=s3.region, role=s3.role))
    return places


def register(settings: ProjectSettings, bucket: str) -> Archive | None:
    """Where it is told who was forgotten, outside the database, if a bucket is set for that."""
    return StorageArchive(settings.project, bucket) if bucket else None


def archiver_of(settings: ProjectSettings, places: Sequence[Archive], limits: ArchiveLimits = USUAL) -> Archiver:
    """What archives to some places."""
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
    """Where transcripts are read."""
    return FirestoreTranscripts(settings.project)
