"""A bucket of Cloud Storage, through the official client, which blocks a thread for each call."""

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

#: calls that one bucket answers at once
_AT_ONCE: Final = 8
#: bytes that one request reads or writes of what is not held whole; of writing, a multiple of 256 KiB
#: (cloud.google.com/storage/docs/resumable-uploads)
PIECE: Final = 4 * 256 * 1024
#: seconds for one request of a piece, and for it with its repeats
PIECE_SECONDS: Final = 20.0
PIECE_RETRY: Final = DEFAULT_RETRY.with_timeout(60.0)


@dataclass
class Bucket:
    """A bucket. The client is made with the first call; the emulator's address is its own setting.

    The calls have threads of their own: one that hangs goes on in its thread when nobody waits for it any more, and
    in the loop's threads names of hosts are resolved and tokens fetched, for everybody.
    """

    project: str
    name: str
    #: as errors name it, and as which they are raised
    told_as: str
    trouble: type[LullError]
    #: what is missing where Cloud Storage says that something is
    missing: str
    _threads: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="storage"), init=False, repr=False
    )

    @cached_property
    def client(self) -> Client:
        """The official client."""
        return Client(project=self.project)

    def blob(self, name: str) -> Blob:
        """The handle of an object, whether there is one or not."""
        return self.client.bucket(self.name).blob(name)

    async def do(self, what: str, call: Callable[[], Answer]) -> Answer:
        """What a call of the client gives. `what` is what the bucket did not do where it raises `trouble`."""
        with self._translated(what):
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def pieces(self, what: str, name: str, size: int) -> AsyncIterator[bytes]:
        """An object of this size, piece by piece. Raises `trouble`; also where it is gone, before the first piece."""
        for start in range(0, size, PIECE):
            yield await self.do(what, lambda start=start: self._piece(name, start))  # type: ignore[misc]

    def _piece(self, name: str, start: int) -> bytes:
        content: bytes = self.blob(name).download_as_bytes(
            start=start, end=start + PIECE - 1, timeout=PIECE_SECONDS, retry=PIECE_RETRY, checksum=None
        )
        return content

    @contextmanager
    def _translated(self, what: str) -> Iterator[None]:
        try:
            yield
        except exceptions.NotFound as cause:
            raise self.trouble(f"{self.told_as} did not {what}: {self.missing}") from cause
        except InvalidResponse as cause:  # of an upload piece by piece, whose errors the client does not translate
            why = self.missing if cause.response.status_code == HTTPStatus.NOT_FOUND else type(cause).__name__
            raise self.trouble(f"{self.told_as} did not {what}: {why}") from cause
        except (exceptions.GoogleAPIError, GoogleAuthError, RequestException, DataCorruption) as cause:
            raise self.trouble(f"{self.told_as} did not {what} ({type(cause).__name__})") from cause
