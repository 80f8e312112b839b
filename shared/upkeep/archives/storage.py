"""An archive in a bucket of Cloud Storage."""

from collections.abc import Sequence

from google.cloud.storage import Client

from shared.base.errors import ArchiveUnavailable
from shared.cloud.bucket import Bucket

CONTENT_TYPE = "application/x-ndjson"
#: seconds for one request; the client tries a failed one again for two minutes
REQUEST_SECONDS = 30.0


class StorageArchive:
    """A bucket, or what lies in it below a prefix."""

    def __init__(self, project: str, bucket: str, prefix: str = "") -> None:
        """Open nothing yet: the client is made with the first call."""
        self.bucket = bucket
        self.prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._bucket = Bucket(project, bucket, self.url, ArchiveUnavailable, missing="there is no such bucket or file")

    @property
    def url(self) -> str:
        """`gs://bucket` and the prefix."""
        return f"gs://{self.bucket}/{self.prefix}".rstrip("/")

    @property
    def client(self) -> Client:
        """The official client."""
        return self._bucket.client

    async def put(self, name: str, content: bytes) -> None:
        """Store a file, in the place of one of that name, which the bucket keeps as an older version."""
        await self._bucket.do("store a file", lambda: self._put(name, content))

    def _put(self, name: str, content: bytes) -> None:
        blob = self._bucket.blob(self.prefix + name)
        blob.upload_from_string(content, content_type=CONTENT_TYPE, timeout=REQUEST_SECONDS)

    async def get(self, name: str) -> bytes:
        """What a file holds."""
        return await self._bucket.do("give a file", lambda: self._get(name))

    def _get(self, name: str) -> bytes:
        content: bytes = self._bucket.blob(self.prefix + name).download_as_bytes(timeout=REQUEST_SECONDS)
        return content

    async def erase(self, name: str) -> int:
        """Delete every version of a file; how many there were."""
        return await self._bucket.do("delete a file", lambda: self._erase(name))

    def _erase(self, name: str) -> int:
        whole = self.prefix + name
        found = self.client.list_blobs(self.bucket, prefix=whole, versions=True, timeout=REQUEST_SECONDS)
        versions = [one for one in found if one.name == whole]
        for one in versions:
            one.delete(timeout=REQUEST_SECONDS)
        return len(versions)

    async def names(self) -> Sequence[str]:
        """The names of all files, in order."""
        return await self._bucket.do("list its files", self._names)

    def _names(self) -> list[str]:
        fields = "items(name),nextPageToken"
        blobs = self._bucket.client.list_blobs(self.bucket, prefix=self.prefix, fields=fields, timeout=REQUEST_SECONDS)
        return sorted(blob.name.removeprefix(self.prefix) for blob in blobs)
