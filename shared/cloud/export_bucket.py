"""The bucket for the parts of exports. A part is kept there until it is sent, and is read and written in pieces."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from google.api_core import exceptions
from google.cloud.storage import Client

from shared.base.errors import ExportsUnavailable
from shared.cloud.bucket import PIECE, PIECE_RETRY, PIECE_SECONDS, Bucket


class StorageExports:
    """Reads and writes the parts of exports. Every call may raise ExportsUnavailable."""

    def __init__(self, project: str, bucket: str) -> None:
        """Open nothing yet: the client is made at the first call."""
        self._bucket = Bucket(
            project, bucket, "the export bucket", ExportsUnavailable, missing="there is no such bucket"
        )

    @property
    def client(self) -> Client:
        return self._bucket.client

    @asynccontextmanager
    async def writing(self, path: str) -> AsyncIterator["PartWriter"]:
        """Open a part for writing. The part is stored when the block ends; after an error in the block, nothing is
        stored.

        Raises ExportsUnavailable.
        """
        blob = self._bucket.blob(path)
        file = blob.open(
            "wb", chunk_size=PIECE, content_type="application/zip", timeout=PIECE_SECONDS, ignore_flush=True
        )
        try:
            yield PartWriter(self._bucket, file)
        except BaseException:
            await self._bucket.do("cancel the upload of a part", file.terminate)
            raise
        await self._bucket.do("store a part of an export", file.close)

    async def size(self, path: str) -> int | None:
        """Return the number of bytes in a part; None if the part is gone. Raises ExportsUnavailable."""
        found = await self._bucket.do(
            "return the size of a part",
            lambda: self._bucket.client.bucket(self._bucket.name).get_blob(path, timeout=PIECE_SECONDS),
        )
        return found.size if found is not None else None

    async def pieces(self, path: str, size: int) -> AsyncIterator[bytes]:
        """Yield the content of a part of `size` bytes in pieces. Raises ExportsUnavailable."""
        async for piece in self._bucket.pieces("return a part of an export", path, size):
            yield piece

    async def clear(self, run: str) -> None:
        """Delete all parts of the export `run`, even if it was aborted. Raises ExportsUnavailable."""
        await self._bucket.do("delete the parts of an export", lambda: self._clear(run))

    def _clear(self, run: str) -> None:
        for blob in self.client.list_blobs(
            self._bucket.name, prefix=f"{run}/", timeout=PIECE_SECONDS, retry=PIECE_RETRY
        ):
            with suppress(exceptions.NotFound):
                blob.delete(timeout=PIECE_SECONDS, retry=PIECE_RETRY)


@dataclass(frozen=True)
class PartWriter:
    """Writes a part of an export, one piece after another."""

    bucket: Bucket
    file: Any

    async def write(self, content: bytes) -> None:
        """Write the next bytes. Raises ExportsUnavailable."""
        await self.bucket.do("store a part of an export", lambda: self.file.write(content))
