"""Probes of deletions: a deletion that finds no data, and deletions of files that a canary stored."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from shared.chat.archive import Archive
from shared.upkeep.jobs.probe import ARCHIVED, ProbeFailed, canary_export_run, part_of
from shared.values.job_run import JobRun

if TYPE_CHECKING:
    from shared.cloud.export_bucket import StorageExports
    from shared.media.blobs import StorageBlobs


async def erase_nothing(
    erase: Callable[[JobRun], Awaitable[Mapping[str, int]]], erase_mark: Callable[[], Awaitable[bool]], run: str
) -> str:
    """Run a deletion that finds no data, and check with a test document that Firestore really deletes documents.

    Raises ProbeFailed or a StoreError.
    """
    await erase(JobRun(scheduled_for=run, deletion=f"canary-{run}"))
    if not await erase_mark():
        raise ProbeFailed("the document that was deleted from Firestore is still there")
    return "a mark was erased"


async def delete_media(parts: StorageBlobs, run: str) -> str:
    """Delete the part of a file that a canary stored. Raises BlobsUnavailable."""
    return "it was deleted" if await parts.delete(part_of(run).path) else "there was none to delete"


async def delete_export(bucket: StorageExports, run: str) -> str:
    """Delete the part of an export that a canary stored. Raises ExportsUnavailable."""
    await bucket.clear(canary_export_run(run))
    return "it was deleted"


async def delete_file(archive: Archive) -> str:
    """Delete every version of the canary's file in an archive. Raises ArchiveUnavailable."""
    return "it was deleted" if await archive.erase(ARCHIVED) else "there was none to delete"
