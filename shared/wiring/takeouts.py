"""The parts of takeouts: what gathers them; the desk where people ask for them, and what sends them from the bucket."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

from google.cloud.firestore_v1.async_client import AsyncClient

from shared.cloud.cloud_tasks import CloudTasks
from shared.privacy.export.desk import TakeoutDesk
from shared.privacy.store.takeouts import FirestoreTakeouts
from shared.recall.sights import OwnSights
from shared.wiring import now

if TYPE_CHECKING:
    from shared.chat.queue import TickQueue
    from shared.cloud.takeout_bucket import StorageTakeouts
    from shared.privacy.jobs.take_out import TakeoutGatherer
    from shared.wiring.settings import TakeoutSettings
    from shared.wiring.settings.model_functions import SummarizeSettings, TickSettings


def gatherer(settings: SummarizeSettings) -> TakeoutGatherer:
    """What gathering needs; to be made once, inside the running loop."""
    # ticks need none of it
    from shared.media.blobs import StorageBlobs
    from shared.privacy.jobs.take_out import TakeoutGatherer
    from shared.privacy.store.belongings import FirestoreBelongings

    client = AsyncClient(project=settings.project)
    return TakeoutGatherer(
        takeouts=FirestoreTakeouts(client),
        belongings=FirestoreBelongings(client),
        bucket=_bucket(settings.project, settings.takeout_bucket),
        media=StorageBlobs(settings.project, settings.media_bucket),
        queue=CloudTasks(settings.routes, settings.tasks_endpoint),
        clock=now,
    )


def desk_of(
    takeouts: FirestoreTakeouts, queue: TickQueue, settings: TickSettings, sights: OwnSights | None = None
) -> TakeoutDesk:
    """Where people ask."""
    return TakeoutDesk(takeouts=takeouts, queue=queue.jobs, is_open=settings.takeout_bucket != "", sights=sights)


def bucket_of(settings: TakeoutSettings) -> Callable[[], StorageTakeouts] | None:
    """What makes the bucket when it is first needed; none: there is none."""
    name = settings.takeout_bucket
    return partial(_bucket, settings.project, name) if name else None


@cache
def _bucket(project: str, name: str) -> StorageTakeouts:
    # its client takes a quarter of a second to import, for what somebody asks for once in a while
    from shared.cloud.takeout_bucket import StorageTakeouts

    return StorageTakeouts(project, name)
