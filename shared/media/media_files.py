"""The content of people's files for the planning model: loaded from the bucket, or downloaded and prepared again."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from shared.base.errors import BlobsUnavailable, ChannelError, StoreError
from shared.base.logs import log
from shared.reader.ports import MediaPreparer
from shared.values.media import MediaRef
from shared.values.prepared import PreparedFile

if TYPE_CHECKING:
    from shared.media.blobs import StorageBlobs
    from shared.media.ports import FileDownloads
    from shared.media.store.media import FirestoreMedia

#: bytes of files that stay in memory, so that a repeated planning downloads nothing again
MOST_HELD_BYTES: Final = 6_000_000
#: time limit of a download in seconds; it is short, since the reply waits for the download
DOWNLOAD_S: Final = 10.0


@dataclass(kw_only=True)
class MediaFiles:
    """Loads the files that people sent to one agent. Files that are prepared here are not stored.

    `blobs` returns the bucket, and makes its client on first use; `blobs` is None if this deployment stores no parts.
    """

    store: FirestoreMedia
    blobs: Callable[[], StorageBlobs] | None
    downloads: FileDownloads
    preparer: MediaPreparer
    most_held_bytes: int = MOST_HELD_BYTES
    #: by unique id, most recently used last
    _held: OrderedDict[str, PreparedFile] = field(default_factory=OrderedDict, init=False)

    async def prepared_file(self, ref: MediaRef) -> PreparedFile | None:
        """Return the file in a form that a model accepts, or None if the file is not available now."""
        name = ref.unique_id or ref.file_id
        if name in self._held:
            self._held.move_to_end(name)
            return self._held[name]
        found = await self._load_stored(ref) or await self._prepare(ref)
        if found is not None:
            self._hold(name, found)
        return found

    async def _load_stored(self, ref: MediaRef) -> PreparedFile | None:
        """Return the prepared file, made of its parts in the bucket; None if a part is missing or cannot be read."""
        if self.blobs is None or not ref.unique_id:
            return None
        try:
            kept = await self.store.find(ref.unique_id)
            if kept is None or not kept.parts:
                return None
            blobs = self.blobs()
            return kept.to_prepared(await asyncio.gather(*(blobs.get(part) for part in kept.parts)))
        except (StoreError, BlobsUnavailable) as error:
            log(f"the stored parts of a file cannot be read: {error}")
            return None

    async def _prepare(self, ref: MediaRef) -> PreparedFile | None:
        """Download and prepare the file. Return None if no part of it can be shown."""
        try:
            content = await self.downloads.download(ref.file_id, DOWNLOAD_S)
        except ChannelError as error:
            log(f"a file cannot be downloaded for the model: {error}")
            return None
        prepared = await self.preparer.prepare(ref.kind, ref.mime_type, content)
        if prepared.problem:
            log("a file could not be prepared for the model")
        return prepared if prepared.model_parts else None

    def _hold(self, name: str, file: PreparedFile) -> None:
        self._held[name] = file
        while sum(_size(held) for held in self._held.values()) > self.most_held_bytes:
            self._held.popitem(last=False)


def _size(file: PreparedFile) -> int:
    return sum(len(part.content) for part in file.model_parts)
