"""The bucket in Cloud Storage that stores decoded parts of files."""

from collections.abc import AsyncIterator

from google.api_core import exceptions
from google.cloud.storage import Client
from google.cloud.storage.retry import DEFAULT_RETRY

from shared.base.errors import BlobsUnavailable
from shared.cloud.bucket import Bucket
from shared.values.stored_media import StoredPart

#: time limit in seconds of one request; and, next, of a request with its retries
REQUEST_SECONDS = 20.0
RETRY = DEFAULT_RETRY.with_timeout(30.0)


class StorageBlobs:
    """A bucket of decoded parts. Every method may raise BlobsUnavailable."""

    def __init__(self, project: str, bucket: str) -> None:
        """Store the arguments. The client is made by the first call."""
        self._bucket = Bucket(
            project, bucket, "the bucket of media", BlobsUnavailable, missing="there is none of that name"
        )

    @property
    def client(self) -> Client:
        return self._bucket.client

    async def put(self, part: StoredPart, content: bytes) -> None:
        """Store a part unless an object of that name exists. Raises BlobsUnavailable."""
        await self._bucket.do("store a part of a file", lambda: self._put(part, content))

    def _put(self, part: StoredPart, content: bytes) -> None:
        blob = self._bucket.blob(part.path)
        try:
            blob.upload_from_string(
                content, part.mime_type, if_generation_match=0, timeout=REQUEST_SECONDS, retry=RETRY
            )
        except exceptions.PreconditionFailed:
            return  # it is already stored

    async def get(self, part: StoredPart) -> bytes | None:
        """Return the bytes of a part, or None if it is gone. Raises BlobsUnavailable."""
        return await self._bucket.do("give a part of a file", lambda: self._get(part))

    def _get(self, part: StoredPart) -> bytes | None:
        try:
            content: bytes = self._bucket.blob(part.path).download_as_bytes(timeout=REQUEST_SECONDS, retry=RETRY)
        except exceptions.NotFound:
            return None
        return content

    async def delete(self, path: str) -> bool:
        """Delete a part. Return False if it was already gone. Raises BlobsUnavailable."""
        return await self._bucket.do("delete a part of a file", lambda: self._delete(path))

    def _delete(self, path: str) -> bool:
        try:
            self._bucket.blob(path).delete(timeout=REQUEST_SECONDS, retry=RETRY)
        except exceptions.NotFound:
            return False
        return True

    async def find(self, path: str) -> StoredPart | None:
        """Return the part with this name, as it was stored; None if it is gone. Raises BlobsUnavailable."""
        return await self._bucket.do("look for a part of a file", lambda: self._find(path))

    def _find(self, path: str) -> StoredPart | None:
        blob = self._bucket.blob(path)
        try:
            blob.reload(timeout=REQUEST_SECONDS, retry=RETRY)
        except exceptions.NotFound:
            return None
        return StoredPart(path=path, mime_type=blob.content_type or "", size=blob.size or 0)

    async def pieces(self, part: StoredPart, begin: int = 0, end: int | None = None) -> AsyncIterator[bytes]:
        """Yield the bytes of a part, from `begin` to before `end`, piece by piece.

        Raises BlobsUnavailable, also if the part is gone; then `exists` returns False.
        """
        until = part.size if end is None else end
        async for piece in self._bucket.pieces("give a part of a file", part.path, until, begin):
            yield piece

    async def exists(self, part: StoredPart) -> bool:
        """Return whether a part is still stored. Raises BlobsUnavailable."""
        blob = self._bucket.blob(part.path)
        return await self._bucket.do(
            "look for a part of a file", lambda: bool(blob.exists(timeout=REQUEST_SECONDS, retry=RETRY))
        )
