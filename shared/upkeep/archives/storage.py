"""An archive in a bucket of Cloud Storage."""

from collections.abc import Sequence

from google.cloud.storage import Client

from shared.base.errors import ArchiveUnavailable
from shared.cloud.bucket import Bucket

CONTENT_TYPE = "application/x-ndjson"
#: time limit of one request in seconds; the client repeats failed requests for two minutes
REQUEST_SECONDS = 30.0


class StorageArchive:
    """An archive in a bucket of Cloud Storage, or below a prefix there. Methods may raise ArchiveUnavailable."""

    def __init__(self, project: str, bucket: str, prefix: str = "") -> None:
        """Store the arguments. The client is created by the first call."""
        self.bucket = bucket
        self.prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._bucket = Bucket(project, bucket, self.url, ArchiveUnavailable, missing="there is no such bucket or file")

    @property
    def url(self) -> str:
        """`gs://bucket` and the prefix."""
        return f"gs://{self.bucket}/{self.prefix}".rstrip("/")

    @property
    def client(self) -> Client:
        return self._bucket.client

    async def put(self, name: str, content: bytes) -> None:
        """Store a file. The bucket keeps a previous file of that name as an older version."""
        await self._bucket.do("store a file", lambda: self._put(name, content))

    def _put(self, name: str, content: bytes) -> None:
        blob = self._bucket.blob(self.prefix + name)
        blob.upload_from_string(content, content_type=CONTENT_TYPE, timeout=REQUEST_SECONDS)

    async def get(self, name: str) -> bytes:
        """Return the content of a file."""
        return await self._bucket.do("give a file", lambda: self._get(name))

    def _get(self, name: str) -> bytes:
        content: bytes = self._bucket.blob(self.prefix + name).download_as_bytes(timeout=REQUEST_SECONDS)
        return content

    async def erase(self, name: str) -> int:
        """Delete every version of a file; return their number."""
        return await self._bucket.do("delete a file", lambda: self._erase(name))

    def _erase(self, name: str) -> int:
        whole = self.prefix + name
        found = self.client.list_blobs(self.bucket, prefix=whole, versions=True, timeout=REQUEST_SECONDS)
        versions = [one for one in found if one.name == whole]
        for one in versions:
            one.delete(timeout=REQUEST_SECONDS)
        return len(versions)

    async def names(self) -> Sequence[str]:
        """Return the names of all files, sorted."""
        return await self._bucket.do("list its files", self._names)

    def _names(self) -> list[str]:
        fields = "items(name),nextPageToken"
        blobs = self._bucket.client.list_blobs(self.bucket, prefix=self.prefix, fields=fields, timeout=REQUEST_SECONDS)
        return sorted(blob.name.removeprefix(self.prefix) for blob in blobs)
