"""An archive in a bucket of Cloud Storage."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TypeVar

from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError
from google.cloud.storage import Client
from google.cloud.storage.exceptions import DataCorruption
from requests.exceptions import RequestException

from shared.errors import ArchiveUnavailable

CONTENT_TYPE = "application/x-ndjson"
#: seconds for one request; the client tries a failed one again for two minutes
REQUEST_SECONDS = 30.0

Answer = TypeVar("Answer")


class StorageArchive:
    """A bucket, or what lies in it below a prefix. The client is made with the first call, and blocks a thread."""

    def __init__(self, project: str, bucket: str, prefix: str = "") -> None:
        """The emulator's address is the official client's own setting (STORAGE_EMULATOR_HOST)."""
        self.bucket = bucket
        self.prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._project = project

    @property
    def url(self) -> str:
        """`gs://bucket` and the prefix."""
        return f"gs://{self.bucket}/{self.prefix}".rstrip("/")

    @cached_property
    def client(self) -> Client:
        """The official client."""
        return Client(project=self._project)

    async def put(self, name: str, content: bytes) -> None:
        """Store a file, in the place of one of that name, which the bucket keeps as an older version."""
        await self._do("store a file", lambda: self._put(name, content))

    def _put(self, name: str, content: bytes) -> None:
        blob = self.client.bucket(self.bucket).blob(self.prefix + name)
        blob.upload_from_string(content, content_type=CONTENT_TYPE, timeout=REQUEST_SECONDS)

    async def get(self, name: str) -> bytes:
        """What a file holds."""
        return await self._do("give a file", lambda: self._get(name))

    def _get(self, name: str) -> bytes:
        content: bytes = (
            self.client.bucket(self.bucket).blob(self.prefix + name).download_as_bytes(timeout=REQUEST_SECONDS)
        )
        return content

    async def names(self) -> Sequence[str]:
        """The names of all files, in order."""
        return await self._do("list its files", self._names)

    def _names(self) -> list[str]:
        fields = "items(name),nextPageToken"
        blobs = self.client.list_blobs(self.bucket, prefix=self.prefix, fields=fields, timeout=REQUEST_SECONDS)
        return sorted(blob.name.removeprefix(self.prefix) for blob in blobs)

    async def _do(self, what: str, call: Callable[[], Answer]) -> Answer:
        with self._translated(what):
            return await asyncio.to_thread(call)

    @contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        try:
            yield
        except exceptions.NotFound as cause:
            raise ArchiveUnavailable(f"{self.url} did not {what}: there is no such bucket or file") from cause
        except (
            exceptions.GoogleAPIError, GoogleAuthError, RequestException, DataCorruption
        ) as cause:  # fmt: skip
            raise ArchiveUnavailable(f"{self.url} did not {what} ({type(cause).__name__})") from cause
