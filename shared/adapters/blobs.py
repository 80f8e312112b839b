"""The bucket in which decoded parts of files are: Cloud Storage."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TypeVar

from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError
from google.cloud.storage import Client
from google.cloud.storage.exceptions import DataCorruption
from google.cloud.storage.retry import DEFAULT_RETRY
from requests.exceptions import RequestException

from shared.errors import BlobsUnavailable
from shared.models.kept_media import StoredPart

#: seconds for one request, and for it with its repeats
REQUEST_SECONDS = 20.0
RETRY = DEFAULT_RETRY.with_timeout(30.0)

Answer = TypeVar("Answer")


class StorageBlobs:
    """A bucket. The client is made with the first call, and blocks a thread."""

    def __init__(self, project: str, bucket: str) -> None:
        """The emulator's address is the official client's own setting (STORAGE_EMULATOR_HOST)."""
        self._project, self._bucket = project, bucket

    @cached_property
    def client(self) -> Client:
        """The official client."""
        return Client(project=self._project)

    async def put(self, part: StoredPart, content: bytes) -> None:
        """Store a part, once: one of that name stays as it is. Raises BlobsUnavailable."""
        await self._do("store a part of a file", lambda: self._put(part, content))

    def _put(self, part: StoredPart, content: bytes) -> None:
        blob = self.client.bucket(self._bucket).blob(part.path)
        try:
            blob.upload_from_string(
                content, part.mime_type, if_generation_match=0, timeout=REQUEST_SECONDS, retry=RETRY
            )
        except exceptions.PreconditionFailed:
            return  # it is there

    async def get(self, part: StoredPart) -> bytes | None:
        """The bytes of a part; none: they are there no more. Raises BlobsUnavailable."""
        return await self._do("give a part of a file", lambda: self._get(part))

    def _get(self, part: StoredPart) -> bytes | None:
        blob = self.client.bucket(self._bucket).blob(part.path)
        try:
            content: bytes = blob.download_as_bytes(timeout=REQUEST_SECONDS, retry=RETRY)
        except exceptions.NotFound:
            return None
        return content

    async def _do(self, what: str, call: Callable[[], Answer]) -> Answer:
        with _translated(what):
            return await asyncio.to_thread(call)


@contextmanager
def _translated(what: str) -> Iterator[None]:
    try:
        yield
    except exceptions.NotFound as cause:
        raise BlobsUnavailable(f"the bucket of media did not {what}: there is none of that name") from cause
    except (exceptions.GoogleAPIError, GoogleAuthError, RequestException, DataCorruption) as cause:
        raise BlobsUnavailable(f"the bucket of media did not {what} ({type(cause).__name__})") from cause
