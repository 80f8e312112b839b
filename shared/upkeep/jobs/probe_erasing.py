"""The probes of erasing: an erasure of nothing goes its way, and what a canary left is erased as people's things."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from shared.chat.archive import Archive
from shared.upkeep.jobs.probe import ARCHIVED, ProbeFailed, part_of, takeout_of
from shared.values.occasion import Occasion

if TYPE_CHECKING:
    from shared.cloud.takeout_bucket import StorageTakeouts
    from shared.media.blobs import StorageBlobs


async def erase_nothing(
    erase: Callable[[Occasion], Awaitable[Mapping[str, int]]], erase_mark: Callable[[], Awaitable[bool]], run: str
) -> str:
    """Carry out an erasure that nobody asked for, and erase a mark of the canary's.

    Raises ProbeFailed or a StoreError.
    """
    await erase(Occasion(slot=run, erasure=f"canary-{run}"))
    if not await erase_mark():
        raise ProbeFailed("what was erased in Firestore is still there")
    return "a mark was erased"


async def delete_media(parts: StorageBlobs, run: str) -> str:
    """Delete the part that a canary stored. Raises BlobsUnavailable."""
    return "it was deleted" if await parts.delete(part_of(run).path) else "there was none to delete"


async def delete_takeout(bucket: StorageTakeouts, run: str) -> str:
    """Delete what a canary stored of a takeout. Raises TakeoutsUnavailable."""
    await bucket.clear(takeout_of(run))
    return "it was deleted"


async def delete_file(archive: Archive) -> str:
    """Delete every version of the canary's file in an archive. Raises ArchiveUnavailable."""
    return "it was deleted" if await archive.erase(ARCHIVED) else "there was none to delete"
