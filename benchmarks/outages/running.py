"""A local cloud that is opened and closed from within a running loop, which goes on meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from local.cloud import CloudSpec, LocalCloud


@asynccontextmanager
async def running(spec: CloudSpec) -> AsyncIterator[LocalCloud]:
    """Open for the block, closed after it. Raises what `LocalCloud.open` does."""
    cloud = LocalCloud(spec)
    await asyncio.to_thread(cloud.open)
    try:
        yield cloud
    finally:
        await asyncio.to_thread(cloud.close)
