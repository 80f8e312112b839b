"""Builds the objects for exports: the gatherer, the service that takes requests, and the bucket of the parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.cloud.cloud_tasks import CloudTasks
from shared.privacy.export.service import ExportService
from shared.privacy.store.exports import FirestoreExports
from shared.recall.visible_chats import VisibleChatsFinder
from shared.wiring import now

if TYPE_CHECKING:
    from shared.chat.queue import TickQueue
    from shared.cloud.export_bucket import StorageExports
    from shared.privacy.jobs.gather_export import ExportGatherer
    from shared.wiring.settings import ExportSettings
    from shared.wiring.settings.model_functions import SummarizeSettings, TickSettings


def gatherer(settings: SummarizeSettings) -> ExportGatherer:
    """Return the gatherer of exports. To be called once, inside the running event loop."""
    # imported here because ticks need none of these modules
    from shared.media.blobs import StorageBlobs
    from shared.privacy.jobs.gather_export import ExportGatherer
    from shared.privacy.store.belongings import FirestoreBelongings

    client = AsyncClient(project=settings.project)
    return ExportGatherer(
        exports=FirestoreExports(client),
        belongings=FirestoreBelongings(client),
        bucket=_bucket(settings.project, settings.takeout_bucket),
        media=StorageBlobs(settings.project, settings.media_bucket),
        queue=CloudTasks(settings.routes, settings.tasks_endpoint),
        clock=now,
    )


def export_service_of(
    exports: FirestoreExports, queue: TickQueue, settings: TickSettings, visible_chats: VisibleChatsFinder | None = None
) -> ExportService:
    """Return the service that accepts people's requests for exports."""
    return ExportService(
        exports=exports, queue=queue.jobs, is_open=settings.takeout_bucket != "", visible_chats=visible_chats
    )


def bucket_of(settings: ExportSettings) -> Callable[[], StorageExports] | None:
    """Return a function that makes the bucket when it is first needed; None if there is no bucket."""
    name = settings.takeout_bucket
    return partial(_bucket, settings.project, name) if name else None


@cache
def _bucket(project: str, name: str) -> StorageExports:
    # imported here because the bucket's client takes a quarter of a second to import, and exports are rare
    from shared.cloud.export_bucket import StorageExports

    return StorageExports(project, name)
