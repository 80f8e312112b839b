"""A Cloud Storage bucket, accessed through the official client. The client's calls block their thread."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import Final, TypeVar

from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError
from google.cloud.storage import Blob, Client
from google.cloud.storage.exceptions import DataCorruption, InvalidResponse
from google.cloud.storage.retry import DEFAULT_RETRY
from requests.exceptions import RequestException

from shared.base.errors import LullError

Answer = TypeVar("Answer")

#: the most concurrent calls of one bucket
_AT_ONCE: Final = 8
#: bytes of one request when a file is read or written in pieces; writing needs a multiple of 256 KiB
#: (cloud.google.com/storage/docs/resumable-uploads)
PIECE: Final = 4 * 256 * 1024
#: seconds for one request of a piece; PIECE_RETRY limits a request with all its retries
PIECE_SECONDS: Final = 20.0
PIECE_RETRY: Final = DEFAULT_RETRY.with_timeout(60.0)


@dataclass
class Bucket:
    """Accesses one bucket. The client is created at the first call, and finds an emulator's address by itself.

    The calls run in a separate pool of threads. The event loop's own threads resolve host names and fetch tokens for
    all requests, so a call that hangs must not occupy them.
    """

    project: str
    name: str
    #: the bucket's name in the texts of errors, and the class of the errors
    told_as: str
    trouble: type[LullError]
    #: the reason in errors if Cloud Storage reports that something is missing
    missing: str
    _threads: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="storage"), init=False, repr=False
    )

    @cached_property
    def client(self) -> Client:
        return Client(project=self.project)

    def blob(self, name: str) -> Blob:
        """Return the handle of an object, whether it exists or not."""
        return self.client.bucket(self.name).blob(name)

    async def do(self, what: str, call: Callable[[], Answer]) -> Answer:
        """Run a call of the client in a thread. `what` says what the call does, such as "store a file".

        A failure raises `self.trouble` (an error class) with a text such as "the bucket did not store a file".
        """
        with self._translate_errors(what):
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def pieces(self, what: str, name: str, end: int, begin: int = 0) -> AsyncIterator[bytes]:
        """Yield bytes `begin` to `end` (exclusive) of an object in pieces; `end` is at most the object's size.

        Raises `self.trouble` (an error class), also if the object is gone.
        """
        for start in range(begin, end, PIECE):
            last = min(start + PIECE, end) - 1
            yield await self.do(what, lambda start=start, last=last: self._piece(name, start, last))  # type: ignore[misc]

    def _piece(self, name: str, start: int, last: int) -> bytes:
        content: bytes = self.blob(name).download_as_bytes(
            start=start, end=last, timeout=PIECE_SECONDS, retry=PIECE_RETRY, checksum=None
        )
        return content

    @contextmanager
    def _translate_errors(self, what: str) -> Iterator[None]:
        try:
            yield
        except exceptions.NotFound as cause:
            raise self.trouble(f"{self.told_as} did not {what}: {self.missing}") from cause
        except InvalidResponse as cause:  # from a resumable upload: the client does not translate errors of these
            why = self.missing if cause.response.status_code == HTTPStatus.NOT_FOUND else type(cause).__name__
            raise self.trouble(f"{self.told_as} did not {what}: {why}") from cause
        except (exceptions.GoogleAPIError, GoogleAuthError, RequestException, DataCorruption) as cause:
            raise self.trouble(f"{self.told_as} did not {what} ({type(cause).__name__})") from cause
