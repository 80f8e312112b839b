"""The parts of archiving, for the nightly job and for the commands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from shared.adapters.archive.folder import FolderArchive
from shared.adapters.archive.storage import StorageArchive
from shared.adapters.firestore.erasures import FirestoreErasures
from shared.adapters.firestore.restoring import FirestoreRestoring
from shared.adapters.firestore.transcripts import FirestoreTranscripts
from shared.archive_settings import ArchiveSettings
from shared.archiving.erasures import erasure_content
from shared.archiving.names import erasure_name_of
from shared.bootstrap import now
from shared.erase_settings import EraseSettings
from shared.flows.archive import Archiver
from shared.ports.erasing import ErasableArchive
from shared.ports.upkeep import Archive, Restoring
from shared.settings import ProjectSettings

GOOGLE, AMAZON = "gs://", "s3://"


class AnyArchive(Archive, ErasableArchive, Protocol):
    """An archive that stores, gives and erases."""


def archiver(settings: ArchiveSettings) -> Archiver:
    """What the nightly job needs: the archives that are set, or none."""
    return _archiver(settings, archives(settings))


def archives(settings: ArchiveSettings) -> list[AnyArchive]:
    """The archives that are set; in AWS with the role of whichever function this is."""
    places: list[AnyArchive] = []
    if settings.archive_bucket:
        places.append(StorageArchive(settings.project, settings.archive_bucket))
    if settings.archive_s3 is not None:
        # imported where it is used: it is large, and few have such a bucket
        from shared.adapters.archive.s3 import S3Archive

        s3 = settings.archive_s3
        places.append(S3Archive(s3.bucket, region=s3.region, role=s3.role))
    return places


def register(settings: EraseSettings) -> AnyArchive | None:
    """Where it is told who was forgotten, outside the database, if that is set."""
    return StorageArchive(settings.project, settings.erasure_bucket) if settings.erasure_bucket else None


def archiver_to(settings: ProjectSettings, place: str) -> Archiver:
    """What one run by hand needs, to one place."""
    return _archiver(settings, [archive_at(settings, place)])


def _archiver(settings: ProjectSettings, places: Sequence[Archive]) -> Archiver:
    kept = transcripts(settings)
    return Archiver(transcripts=kept, erasures=FirestoreErasures(kept.client), archives=places, clock=now)


def archive_at(settings: ProjectSettings, place: str) -> AnyArchive:
    """The archive at `gs://bucket/prefix`, `s3://bucket/prefix` or in a folder."""
    bucket, _, prefix = place.partition("://")[2].partition("/")
    if place.startswith(GOOGLE):
        return StorageArchive(settings.project, bucket, prefix)
    if place.startswith(AMAZON):
        from shared.adapters.archive.s3 import S3Archive

        return S3Archive(bucket, prefix)
    return FolderArchive(Path(place).expanduser().absolute())


def transcripts(settings: ProjectSettings) -> FirestoreTranscripts:
    """Where transcripts are read."""
    return FirestoreTranscripts(settings.project)


def restoring(settings: ProjectSettings) -> Restoring:
    """What is restored into."""
    return FirestoreRestoring(settings.project)


async def store_erasures(settings: ProjectSettings, folder: AnyArchive) -> int:
    """Store who was forgotten: whoever restores from there erases by it again. How many erasures there are."""
    count = 0
    async for one in FirestoreErasures(transcripts(settings).client).all():
        await folder.put(erasure_name_of(one.id), erasure_content(one))
        count += 1
    return count
