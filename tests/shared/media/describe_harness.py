"""The describing parts in the test's own process, over the local cloud, with a clock that is moved by hand.

It uses its own project in Firestore, so that only the test's files are there. Its queue keeps tasks without running
them, and no tick uses its model.
"""

import itertools
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.cloud.storage import Client

from local.parts import MEDIA_BUCKET
from shared.chat.store.inbox import FirestoreInbox
from shared.llm.gemini.model import GeminiModel
from shared.llm.metering import MeteredModels
from shared.media.blobs import StorageBlobs
from shared.media.jobs import Describer, describe_media
from shared.media.media_reader import HttpMediaReader
from shared.media.model_source import ModelSource, StepTimeouts, timeouts_for
from shared.media.sources import CuratedSource, MediaSource, RunLimitSource, SourceChain, StoredSource
from shared.media.store.media import FirestoreMedia
from shared.telegram.outbound.client import TelegramDownloads
from shared.values.curated import ByName
from shared.values.media import MediaKind
from shared.values.reference import DescribeRequest, FileReference
from shared.values.stored_media import StoredMedia
from tests.shared.media.sendings import kept, media
from tests.shared.paused_queue import PausedQueue
from tests.stories.describing import descriptions, last_exchange
from tests.stories.play import Json, Model, Sandbox

MODEL = "gemini-3.5-flash-lite"
_projects = itertools.count(1)


@dataclass
class DescribeHarness:
    """The parts of a describer; tests may replace them before they call `describer`."""

    sandbox: Sandbox
    inbox: FirestoreInbox
    queue: PausedQueue
    blobs: Any
    downloads: dict[str, Any]
    models: MeteredModels
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    preparer: Any = None
    store: Any = None
    budget: int = 8
    model: str = MODEL
    curated: Mapping[str, ByName] = field(default_factory=dict)
    step_timeouts: Callable[[MediaKind], StepTimeouts] = timeouts_for

    def clock(self) -> datetime:
        """Return the time that the test has set."""
        return self.now

    def by_model(self) -> ModelSource:
        """Return the last source, which asks a model."""
        return ModelSource(
            store=self.store,
            downloads=self.downloads,
            preparer=self.preparer,
            blobs=self.blobs,
            models=self.models,
            model=self.model,
            clock=self.clock,
            step_timeouts=self.step_timeouts,
        )

    def describer(self, last: MediaSource | None = None) -> Describer:
        """Make the describer of all parts."""
        end = last or self.by_model()

        def chain() -> SourceChain:
            known = (CuratedSource(self.curated), StoredSource(store=self.store, clock=self.clock))
            return SourceChain((*known, RunLimitSource(self.budget), end))

        return Describer(
            store=self.store,
            source=chain,
            inbox=self.inbox,
            queue=self.queue.ticks(),
            agents=self.downloads.keys(),
            later=timedelta(minutes=1),
            clock=self.clock,
        )

    async def describes(self, one: FileReference) -> Mapping[str, int]:
        """Return the result of an order for a file."""
        return await describe_media(self.describer(), DescribeRequest(reference=one))

    async def sweeps(self) -> Mapping[str, int]:
        """Return the result of a scheduled run."""
        return await describe_media(self.describer(), DescribeRequest())

    async def keeps(self, *references: FileReference) -> None:
        """Store references as a tick does."""
        await kept(self.inbox.client, *references)

    async def media(self, unique_id: str) -> StoredMedia:
        """Return a file's stored document."""
        found = await media(self.inbox.client, unique_id)
        assert found is not None
        return found

    def stored(self, unique_id: str) -> dict[str, bytes]:
        """Return a file's objects in the bucket, by name."""
        blobs = self.blobs.client.list_blobs(MEDIA_BUCKET, prefix=f"{unique_id}/")
        return {blob.name: blob.download_as_bytes() for blob in blobs}

    async def will_say(self, shows: str = "A boat.", says: str = "", **more: Any) -> None:
        """Set the model's answer for the next file."""
        await self.sandbox.model.will({"text": json.dumps({"shows": shows, "says": says}), **more})

    async def asked(self) -> list[Json]:
        """Return the requests that the model has received."""
        return await descriptions(self.sandbox, self.first)

    first: int = 0


Opened = Callable[[], Any]


@asynccontextmanager
async def describe_harness_of(sandbox: Sandbox, queue: PausedQueue, script: Model) -> AsyncIterator[DescribeHarness]:
    """Open a workshop for a block. `script` is the model that it asks."""
    sandbox = replace(sandbox, model=script)
    project = f"{sandbox.cloud.project}-media-{os.getpid()}-{next(_projects)}"
    inbox = FirestoreInbox(project)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORAGE_EMULATOR_HOST", sandbox.cloud.storage_url)
        blobs = StorageBlobs(sandbox.cloud.project, MEDIA_BUCKET)
        assert isinstance(blobs.client, Client)  # made here, while the address is set
    gemini = GeminiModel(MODEL, "the-key", str(script.http.base_url), 20.0, 1)
    bots = {name: TelegramDownloads(token, sandbox.cloud.telegram_url) for name, token in sandbox.cloud.tokens.items()}
    made = DescribeHarness(sandbox, inbox, queue, blobs, dict(bots), MeteredModels({MODEL: gemini}))
    made.preparer = HttpMediaReader(sandbox.cloud.url("reader"))
    made.store = FirestoreMedia(inbox.client)
    made.first = await last_exchange(sandbox)
    try:
        yield made
    finally:
        await gemini.api.aclose()
        for bot in bots.values():
            await bot.aclose()
        blobs.client.close()
        inbox.client.close()  # type: ignore[no-untyped-call]
