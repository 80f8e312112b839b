"""Opens and closes a local cloud from within a running loop, without blocking the loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from local.cloud import CloudSpec, LocalCloud


@asynccontextmanager
async def running(spec: CloudSpec) -> AsyncIterator[LocalCloud]:
    """Open a local cloud while the block runs. Raises the errors of `LocalCloud.open`."""
    cloud = LocalCloud(spec)
    await asyncio.to_thread(cloud.open)
    try:
        yield cloud
    finally:
        await asyncio.to_thread(cloud.close)
