"""The bucket in which decoded parts of files are: Cloud Storage."""

from collections.abc import AsyncIterator

from google.api_core import exceptions
from google.cloud.storage import Client
from google.cloud.storage.retry import DEFAULT_RETRY

from shared.base.errors import BlobsUnavailable
from shared.cloud.bucket import Bucket
from shared.values.stored_media import StoredPart

#: seconds for one request, and for it with its repeats
REQUEST_SECONDS = 20.0
RETRY = DEFAULT_RETRY.with_timeout(30.0)


class StorageBlobs:
    """A bucket of decoded parts. Every call raises BlobsUnavailable."""

    def __init__(self, project: str, bucket: str) -> None:
        """Open nothing yet: the client is made with the first call."""
        self._bucket = Bucket(
            project, bucket, "the bucket of media", BlobsUnavailable, missing="there is none of that name"
        )

    @property
    def client(self) -> Client:
        """The official client."""
        return self._bucket.client

    async def put(self, part: StoredPart, content: bytes) -> None:
        """Store a part, once: one of that name stays as it is. Raises BlobsUnavailable."""
        await self._bucket.do("store a part of a file", lambda: self._put(part, content))

    def _put(self, part: StoredPart, content: bytes) -> None:
        blob = self._bucket.blob(part.path)
        try:
            blob.upload_from_string(
                content, part.mime_type, if_generation_match=0, timeout=REQUEST_SECONDS, retry=RETRY
            )
        except exceptions.PreconditionFailed:
            return  # it is there

    async def get(self, part: StoredPart) -> bytes | None:
        """The bytes of a part; none: they are there no more. Raises BlobsUnavailable."""
        return await self._bucket.do("give a part of a file", lambda: self._get(part))

    def _get(self, part: StoredPart) -> bytes | None:
        try:
            content: bytes = self._bucket.blob(part.path).download_as_bytes(timeout=REQUEST_SECONDS, retry=RETRY)
        except exceptions.NotFound:
            return None
        return content

    async def delete(self, path: str) -> bool:
        """Delete a part; false: it was there no more. Raises BlobsUnavailable."""
        return await self._bucket.do("delete a part of a file", lambda: self._delete(path))

    def _delete(self, path: str) -> bool:
        try:
            self._bucket.blob(path).delete(timeout=REQUEST_SECONDS, retry=RETRY)
        except exceptions.NotFound:
            return False
        return True

    async def pieces(self, part: StoredPart) -> AsyncIterator[bytes]:
        """A part, piece by piece. Raises BlobsUnavailable, also where it is there no more: `exists` tells."""
        async for piece in self._bucket.pieces("give a part of a file", part.path, part.size):
            yield piece

    async def exists(self, part: StoredPart) -> bool:
        """Whether a part is still there. Raises BlobsUnavailable."""
        blob = self._bucket.blob(part.path)
        return await self._bucket.do(
            "look for a part of a file", lambda: bool(blob.exists(timeout=REQUEST_SECONDS, retry=RETRY))
        )
