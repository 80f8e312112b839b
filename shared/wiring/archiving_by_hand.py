"""Builds what the operator's commands need to write an archive, and to restore from one."""

from datetime import timedelta
from pathlib import Path

from shared.chat.archive import Archive
from shared.chat.archive_names import deletion_name_of
from shared.chat.deletion_files import deletion_content
from shared.chat.store.transcripts import FirestoreDocuments
from shared.privacy.document_files import store_documents
from shared.privacy.store.deletions import FirestoreDeletions
from shared.upkeep.archives.folder import FolderArchive
from shared.upkeep.archives.storage import StorageArchive
from shared.upkeep.jobs.archive import ArchiveLimits, Archiver
from shared.upkeep.store.restoring import FirestoreRestoring
from shared.wiring import now
from shared.wiring.archiving import archiver_of, transcripts
from shared.wiring.settings import ProjectSettings

GOOGLE, AMAZON = "gs://", "s3://"


def archiver_to(settings: ProjectSettings, place: str) -> Archiver:
    """Return an archiver for a single run, which copies everything to the archive at `place`."""
    return archiver_of(settings, [archive_at(settings, place)], ArchiveLimits(documents_every=timedelta()))


def archive_at(settings: ProjectSettings, place: str) -> Archive:
    """Return the archive at `place`: `gs://bucket/prefix`, `s3://bucket/prefix` or the path of a folder."""
    bucket, _, prefix = place.partition("://")[2].partition("/")
    if place.startswith(GOOGLE):
        return StorageArchive(settings.project, bucket, prefix)
    if place.startswith(AMAZON):
        from shared.upkeep.archives.s3 import S3Archive

        return S3Archive(bucket, prefix)
    return FolderArchive(Path(place).expanduser().absolute())


def restoring(settings: ProjectSettings) -> FirestoreRestoring:
    return FirestoreRestoring(settings.project)


def documents(settings: ProjectSettings) -> FirestoreDocuments:
    """Return the store of the documents that belong to no transcript."""
    return FirestoreDocuments(transcripts(settings).client)


async def store_all_documents(settings: ProjectSettings, folder: Archive) -> int:
    """Copy all documents that belong to no transcript to the archive `folder`. Return the number of documents."""
    return await store_documents(documents(settings), folder, now())


async def store_deletions(settings: ProjectSettings, folder: Archive) -> int:
    """Copy all deletions to the archive `folder`, so that a restored database can repeat them. Return their number."""
    count = 0
    async for one in FirestoreDeletions(transcripts(settings).client).all():
        await folder.put(deletion_name_of(one.id), deletion_content(one))
        count += 1
    return count
